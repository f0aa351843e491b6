//! From a finished plan to Discord's bodies.
//!
//! Pure, and decides nothing: every text fits already. Discord reads every text as Markdown and this cannot be switched
//! off, so each punctuation mark gets a backslash before it, and styles are written around that: what stands in a text
//! cannot begin a list, a link or a mention. Nobody is ever mentioned (`allowed_mentions`), and links are never
//! previewed: a preview would show a page of somebody else's choice below the question.
//!
//! Tests: `tests/render.rs`, with the bodies as they go out.

use askd_core::{
    inbound::Form,
    present::{Controls, Line, Message, Payload, Span, Style},
    words::{
        Language,
        commands::{commands, start_code},
    },
};
use reqwest::Url;
use serde_json::{Value, json};
use serenity::{
    all::{
        ButtonStyle, CommandOptionType, InputTextStyle, InstallationContext, InteractionContext,
        InteractionResponseFlags, MessageFlags, MessageReference, MessageReferenceKind, Nonce, UserId,
    },
    builder::{
        CreateActionRow, CreateAllowedMentions, CreateButton, CreateCommand, CreateCommandOption,
        CreateInputText, CreateInteractionResponse, CreateInteractionResponseFollowup,
        CreateInteractionResponseMessage, CreateMessage, CreateModal, EditInteractionResponse, EditMessage,
    },
};

use crate::{
    limits,
    read::{Other, Spot},
};

/// A new message. `rings`: the phone may. `nonce`: another message of the same is not made.
pub fn message(what: &Message, rings: bool, nonce: &str) -> CreateMessage {
    new_message(content(&what.lines), !rings)
        .components(rows(&what.controls))
        .nonce(Nonce::String(nonce.to_owned()))
        .enforce_nonce(true)
}

/// A message that stands, shown anew. Discord keeps what is not named, so buttons are named even where there are none.
pub fn edit(what: &Message) -> EditMessage {
    EditMessage::new()
        .content(content(&what.lines))
        .allowed_mentions(nobody())
        .components(rows(&what.controls))
}

/// A silent message of one piece that replies to another; if that was deleted in the meantime, it stands by itself.
pub fn reply(to: Spot, text: &str) -> CreateMessage {
    let reference = MessageReference::new(MessageReferenceKind::Default, to.channel)
        .message_id(to.message)
        .fail_if_not_exists(false);
    new_message(escape(text), true).reference_message(reference)
}

/// A silent message of one piece that stands by itself.
pub fn note(text: &str) -> CreateMessage {
    new_message(escape(text), true)
}

/// The person whose conversation is to be opened.
#[must_use]
pub fn recipient(user: UserId) -> Value {
    json!({ "recipient_id": user })
}

/// Answers a press or form: its message looks like this now.
#[must_use]
pub fn updated(what: &Message) -> CreateInteractionResponse {
    let message = CreateInteractionResponseMessage::new()
        .content(content(&what.lines))
        .allowed_mentions(nobody())
        .components(rows(&what.controls));
    CreateInteractionResponse::UpdateMessage(message)
}

/// Answers an interaction by a text; `private`: for this one person.
#[must_use]
pub fn said(text: &str, private: bool) -> CreateInteractionResponse {
    let message = CreateInteractionResponseMessage::new()
        .content(escape(text))
        .allowed_mentions(nobody())
        .flags(answer_flags(private));
    CreateInteractionResponse::Message(message)
}

/// Answers an interaction by a form for own words.
#[must_use]
pub fn form(form: &Form) -> CreateInteractionResponse {
    modal(&form.title, &form.label, form.payload)
}

/// The same before it is known what it asks: the button says what it does, and what it carries.
#[must_use]
pub fn form_of(button: &Other) -> CreateInteractionResponse {
    modal(&button.label, &button.label, button.payload)
}

fn modal(title: &str, label: &str, payload: Payload) -> CreateInteractionResponse {
    let input = CreateInputText::new(InputTextStyle::Paragraph, limits::INPUT_LABEL.cut(label), "text")
        .max_length(limits::INPUT)
        .required(true);
    let modal = CreateModal::new(payload.text(), limits::TITLE.cut(title))
        .components(vec![CreateActionRow::InputText(input)]);
    CreateInteractionResponse::Modal(modal)
}

/// Takes a press over without a word; the message stays as it is until it is edited.
#[must_use]
pub fn taken() -> CreateInteractionResponse {
    CreateInteractionResponse::Acknowledge
}

/// Takes a form or a command over before there is anything to say.
#[must_use]
pub fn hold(private: bool) -> CreateInteractionResponse {
    CreateInteractionResponse::Defer(CreateInteractionResponseMessage::new().flags(answer_flags(private)))
}

/// A further text on an interaction, for its one person.
pub fn follow_up(text: &str) -> CreateInteractionResponseFollowup {
    CreateInteractionResponseFollowup::new()
        .content(escape(text))
        .allowed_mentions(nobody())
        .ephemeral(true)
}

/// The text in the place of what [`hold`] shows.
pub fn original(text: &str) -> EditInteractionResponse {
    EditInteractionResponse::new()
        .content(escape(text))
        .allowed_mentions(nobody())
}

/// All our commands. Discord has no Persian among its languages, so what has no language of its own there stands beside
/// the English.
#[must_use]
pub fn command_list() -> Vec<CreateCommand> {
    let in_all = |describe: &dyn Fn(Language) -> String| {
        let others = Language::ALL.into_iter().filter(|l| *l != Language::default());
        let all = std::iter::once(Language::default()).chain(others).map(describe);
        limits::DESCRIPTION.cut(&all.collect::<Vec<_>>().join(" · "))
    };
    let names = commands(Language::default()).into_iter().enumerate();
    names
        .map(|(n, (name, _))| {
            let command = CreateCommand::new(name)
                .description(in_all(&|language| commands(language)[n].1.clone()))
                .integration_types(vec![InstallationContext::Guild])
                .contexts(vec![InteractionContext::Guild, InteractionContext::BotDm]);
            if name != "start" {
                return command;
            }
            let code = CreateCommandOption::new(CommandOptionType::String, "code", in_all(&start_code))
                .required(false)
                .max_length(limits::CODE);
            command.add_option(code)
        })
        .collect()
}

fn new_message(content: String, silent: bool) -> CreateMessage {
    let mut flags = MessageFlags::SUPPRESS_EMBEDS;
    flags.set(MessageFlags::SUPPRESS_NOTIFICATIONS, silent);
    CreateMessage::new()
        .content(content)
        .allowed_mentions(nobody())
        .flags(flags)
}

fn answer_flags(private: bool) -> InteractionResponseFlags {
    let mut flags = InteractionResponseFlags::SUPPRESS_EMBEDS;
    // What one person alone sees rings nowhere.
    flags.set(InteractionResponseFlags::EPHEMERAL, private);
    flags.set(InteractionResponseFlags::SUPPRESS_NOTIFICATIONS, !private);
    flags
}

/// Without it, Discord mentions whomever a text names.
fn nobody() -> CreateAllowedMentions {
    CreateAllowedMentions::new().replied_user(false)
}

fn rows(controls: &Controls) -> Vec<CreateActionRow> {
    let Controls::Buttons(rows) = controls else {
        return Vec::new();
    };
    let rows = rows.iter().map(|row| {
        let buttons = row.iter().map(|button| {
            let style = match button.payload.gesture {
                askd_core::present::Gesture::Choose(_) => ButtonStyle::Primary,
                askd_core::present::Gesture::Other | askd_core::present::Gesture::Skip => {
                    ButtonStyle::Secondary
                }
            };
            CreateButton::new(button.payload.text())
                .label(button.label.clone())
                .style(style)
        });
        CreateActionRow::Buttons(buttons.collect())
    });
    rows.collect()
}

/// The lines as Markdown.
fn content(lines: &[Line]) -> String {
    let lines = lines.iter().map(|line| {
        // Two bold spans side by side would have four asterisks between them.
        let spans = line
            .spans
            .chunk_by(|a, b| a.style == b.style && a.style == Style::Strong);
        spans.map(styled).collect::<String>()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn styled(spans: &[Span]) -> String {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    let style = spans.first().map_or(Style::Plain, |span| span.style);
    match style {
        Style::Strong if !text.trim().is_empty() => format!("**{}**", escape(&text)),
        // Inside, a backslash is a backslash; only its own mark ends it.
        Style::Code if !text.is_empty() && !text.contains('`') => format!("`{text}`"),
        Style::Instant(at) => {
            let seconds = at.as_second();
            format!("<t:{seconds}:t> (<t:{seconds}:R>)")
        }
        Style::Link if is_link(&text) => format!("<{text}>"),
        // All there is for quiet is italics, in which Persian is hard to read.
        _ => escape(&text),
    }
}

fn is_link(text: &str) -> bool {
    let speakable = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>');
    text.chars().all(speakable) && Url::parse(text).is_ok()
}

/// A text that shows as it is.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
