//! From a finished plan to Telegram's requests.
//!
//! Pure, and decides nothing: every text fits already. Styles travel beside the text as entities, which cannot be broken
//! by what stands in it, as markup could; where Telegram refuses them all the same, [`Styles::Without`] gives the same
//! text plain. Tests: `tests/render.rs`, with the payloads as they go out.
//!
//! Links are never previewed: a preview would show a page of somebody else's choice below the question.

use askd_core::{
    inbound::{Became, Form},
    present::{Controls, Line, Message, Style, isolate, one_line},
    words::{Language, commands::commands},
};
use reqwest::Url;
use teloxide::{
    payloads::{AnswerCallbackQuery, DeleteMessage, EditMessageText, SendMessage, SetMyCommands},
    types::{
        BotCommand, CallbackQueryId, ChatId, ForceReply, InlineKeyboardButton, InlineKeyboardMarkup,
        LinkPreviewOptions, MessageEntity, MessageId, Recipient, ReplyMarkup, ReplyParameters, ThreadId,
        User, UserId,
    },
};

use crate::{
    limits,
    place::Place,
    read::{Spot, Tapper},
};

/// Whether styles go with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Styles {
    /// They do.
    With,
    /// Telegram refused them.
    Without,
}

/// A new message. `rings`: the phone may.
pub fn message(to: Place, what: &Message, rings: bool, styles: Styles) -> SendMessage {
    let (text, entities) = text(&what.lines, styles);
    let mut payload = plain(to.chat, to.topic, text);
    payload.disable_notification = Some(!rings);
    payload.entities = entities;
    payload.reply_markup = keyboard(&what.controls).map(ReplyMarkup::InlineKeyboard);
    payload
}

/// A message that stands, shown anew. Without a keyboard in it, the keyboard goes.
pub fn edit(chat: i64, message: i32, what: &Message, styles: Styles) -> EditMessageText {
    let (text, entities) = text(&what.lines, styles);
    let mut payload = EditMessageText::new(recipient(chat), MessageId(message), text);
    payload.link_preview_options = Some(no_preview());
    payload.entities = entities;
    payload.reply_markup = keyboard(&what.controls);
    payload
}

/// A message that did not belong there.
pub fn delete(chat: i64, message: i32) -> DeleteMessage {
    DeleteMessage::new(recipient(chat), MessageId(message))
}

/// What a tap is answered with. What changed nothing is put up to be read; what counted passes by.
pub fn notice(query: &str, text: &str, became: &Became) -> AnswerCallbackQuery {
    let must_be_read = match became {
        Became::Hint | Became::TooLate | Became::NotYours | Became::Told => true,
        Became::Settled | Became::Kept { .. } | Became::WriteOwn(_) | Became::Ignored => false,
    };
    notice_of(query, text, must_be_read)
}

/// What a tap is answered with, where there is no receipt.
pub fn notice_of(query: &str, text: &str, must_be_read: bool) -> AnswerCallbackQuery {
    let mut payload = AnswerCallbackQuery::new(CallbackQueryId(query.to_owned()));
    payload.text = (!text.is_empty()).then(|| limits::NOTICE.cut(text));
    payload.show_alert = must_be_read.then_some(true);
    payload
}

/// A silent message of one piece that replies to another.
pub fn reply(to: &Spot, text: String) -> SendMessage {
    let mut payload = plain(to.chat, to.topic, text);
    payload.disable_notification = Some(true);
    // Deleted in the meantime: then it stands by itself.
    let to = ReplyParameters::new(MessageId(to.message)).allow_sending_without_reply();
    payload.reply_parameters = Some(to);
    payload
}

/// Asks for own words, in reply to the prompt `on`; the input opens by itself.
///
/// In a group it opens for the one who tapped alone, and for that they must be mentioned: a reply to our own prompt would
/// name nobody.
pub fn ask_for_words(on: &Spot, text: &str, form: &Form, by: &Tapper) -> SendMessage {
    let placeholder = limits::PLACEHOLDER.cut(&one_line(&form.label));
    let force = ForceReply::new().input_field_placeholder(Some(placeholder).filter(|text| !text.is_empty()));
    if on.chat > 0 {
        let mut payload = reply(on, text.to_owned());
        payload.reply_markup = Some(ReplyMarkup::ForceReply(force));
        return payload;
    }
    let name = one_line(&by.name);
    let named = isolate(if name.trim().is_empty() { "👤" } else { &name });
    let length = named.encode_utf16().count();
    let mut payload = reply(on, limits::TEXT.cut(&format!("{named}: {text}")));
    payload.entities = user(by.id, name).map(|user| vec![MessageEntity::text_mention(user, 0, length)]);
    payload.reply_markup = Some(ReplyMarkup::ForceReply(force.selective()));
    payload
}

/// The list of commands, for readers of this language; for all who have none of their own where it is `None`.
pub fn command_list(language: Option<Language>) -> SetMyCommands {
    let listed =
        commands(language.unwrap_or_default()).map(|(name, description)| BotCommand::new(name, description));
    let mut payload = SetMyCommands::new(listed);
    payload.language_code = language.map(|language| language.tag().to_owned());
    payload
}

/// An account, as a mention names it.
fn user(id: i64, first_name: String) -> Option<User> {
    Some(User {
        id: UserId(u64::try_from(id).ok()?),
        is_bot: false,
        first_name,
        last_name: None,
        username: None,
        language_code: None,
        is_premium: false,
        added_to_attachment_menu: false,
    })
}

fn plain(chat: i64, topic: Option<i32>, text: String) -> SendMessage {
    let mut payload = SendMessage::new(recipient(chat), text);
    payload.message_thread_id = topic.map(|topic| ThreadId(MessageId(topic)));
    payload.link_preview_options = Some(no_preview());
    payload
}

/// A chat, as requests name it.
pub(crate) fn recipient(chat: i64) -> Recipient {
    Recipient::Id(ChatId(chat))
}

fn no_preview() -> LinkPreviewOptions {
    LinkPreviewOptions {
        is_disabled: true,
        url: None,
        prefer_small_media: false,
        prefer_large_media: false,
        show_above_text: false,
    }
}

fn keyboard(controls: &Controls) -> Option<InlineKeyboardMarkup> {
    let Controls::Buttons(rows) = controls else {
        return None;
    };
    let rows = rows.iter().map(|row| {
        row.iter()
            .map(|button| InlineKeyboardButton::callback(button.label.clone(), button.payload.text()))
    });
    Some(InlineKeyboardMarkup::new(rows))
}

/// The text, and its styles with offsets in UTF-16 units.
fn text(lines: &[Line], styles: Styles) -> (String, Option<Vec<MessageEntity>>) {
    let mut text = String::new();
    let mut entities = Vec::new();
    let mut offset = 0;
    for (n, line) in lines.iter().enumerate() {
        if n > 0 {
            text.push('\n');
            offset += 1;
        }
        for span in &line.spans {
            let length = span.text.encode_utf16().count();
            if length > 0 && styles == Styles::With {
                entities.extend(entity(span.style, &span.text, offset, length));
            }
            text.push_str(&span.text);
            offset += length;
        }
    }
    (text, Some(entities).filter(|entities| !entities.is_empty()))
}

fn entity(style: Style, text: &str, offset: usize, length: usize) -> Option<MessageEntity> {
    match style {
        Style::Strong => Some(MessageEntity::bold(offset, length)),
        // A tap on it copies it.
        Style::Code => Some(MessageEntity::code(offset, length)),
        Style::Link => Url::parse(text)
            .ok()
            .map(|url| MessageEntity::text_link(url, offset, length)),
        // All there is for quiet is italics, in which Persian is hard to read.
        Style::Plain | Style::Quiet | Style::Instant(_) => None,
    }
}
