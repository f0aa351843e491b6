//! From a finished plan to Slack's requests.
//!
//! Pure, and decides nothing: every text fits already. A message is one section and, below it, a row of buttons for each
//! row of the plan; beside the blocks stands the same text plain, for notifications and for readers without blocks. Where
//! Slack refuses the blocks, [`Blocks::Without`] gives the text alone. Tests: `tests/render.rs`, with the payloads as
//! they go out.
//!
//! Slack's markup has no way to switch it off within a text: `*.log` would turn the rest of a line bold. So a text that
//! holds what could be taken for markup is shown in a section of plain text, which has neither markup nor emphasis; only
//! its lines with an instant or a link of ours, which need markup, stand in a section of their own.
//!
//! Links are never previewed: a preview would show a page of somebody else's choice below the question.

use askd_core::{
    inbound::{Form, FormWords},
    present::{Controls, Gesture, Line, Message, Payload, Span, Style, one_line},
};
use serde::Serialize;
use serde_json::Value;
use slack_morphism::{
    SlackChannelId, SlackMessageContent, SlackTriggerId, SlackTs, SlackUserId,
    api::{
        SlackApiChatDeleteRequest, SlackApiChatPostEphemeralRequest, SlackApiChatPostMessageRequest,
        SlackApiChatUpdateRequest, SlackApiViewsOpenRequest,
    },
    blocks::{
        SlackActionsBlock, SlackBlock, SlackBlockButtonElement, SlackBlockId, SlackBlockMarkDownText,
        SlackBlockPlainText, SlackBlockPlainTextInputElement, SlackInputBlock, SlackModalView,
        SlackSectionBlock, SlackView,
    },
};

use crate::{
    limits,
    place::{Place, Ts},
    read::{FORM, Kept, Spot},
};

/// Whether blocks go with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// They do.
    With,
    /// Slack refused them.
    Without,
}

/// A new message, with what the library's request leaves out.
#[derive(Clone, Debug, Serialize)]
pub struct PostMessage {
    #[serde(flatten)]
    request: SlackApiChatPostMessageRequest,
    /// Switches markup off in a text without blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    mrkdwn: Option<bool>,
}

/// A new message. `name` becomes a part of its blocks' ids, by which it is found again.
#[must_use]
pub fn message(to: &Place, what: &Message, name: &str, with: Blocks) -> PostMessage {
    post(
        &to.conversation,
        to.thread.as_ref().map(Ts::as_str),
        content(what, Some(name), with),
        with,
    )
}

/// A message that answers what somebody did, where nobody else reads. `to_text`: the text that is done with then; its
/// name becomes a part of the blocks' ids, so that whoever reads the conversation again knows.
#[must_use]
pub fn note(to: &Spot, what: &Message, to_text: Option<&Ts>, with: Blocks) -> PostMessage {
    let name = to_text.map(|ts| format!("{ANSWERS}{ts}"));
    post(
        &to.conversation,
        to.thread.as_deref(),
        content(what, name.as_deref(), with),
        with,
    )
}

/// What the blocks of a message that answers a text are called, before the text's name.
const ANSWERS: &str = "re.";

/// The text that a message of ours answers.
pub(crate) fn answered_by(message: &Value) -> Option<Ts> {
    let name = message["blocks"][0]["block_id"].as_str()?.strip_prefix(ANSWERS)?;
    Ts::parse(name.rsplit_once('.')?.0)
}

/// The same where others read: only this person sees it.
#[must_use]
pub fn whisper(to: &Spot, what: &Message, with: Blocks) -> SlackApiChatPostEphemeralRequest {
    let (channel, user) = (channel(&to.conversation), SlackUserId(to.user.clone()));
    SlackApiChatPostEphemeralRequest::new(channel, user, content(what, None, with))
        .opt_thread_ts(to.thread.clone().map(SlackTs))
}

/// A message that stands, shown anew. The blocks are always said, because those that are left out stay as they were,
/// buttons and all.
#[must_use]
pub fn edit(conversation: &str, ts: &Ts, what: &Message, with: Blocks) -> SlackApiChatUpdateRequest {
    let content = match with {
        Blocks::With => content(what, None, with),
        Blocks::Without => content(what, None, with).with_blocks(Vec::new()),
    };
    SlackApiChatUpdateRequest::new(channel(conversation), content, slack_ts(ts))
}

/// A message that did not belong there.
#[must_use]
pub fn delete(conversation: &str, ts: &Ts) -> SlackApiChatDeleteRequest {
    SlackApiChatDeleteRequest::new(channel(conversation), slack_ts(ts))
}

/// The block of a form's input.
const INPUT: &str = "own_words";

/// A press that opens a form.
#[derive(Clone, Copy, Debug)]
pub struct Press<'a> {
    /// Opens one form, for three seconds.
    pub trigger: &'a str,
    /// The conversation, as the core names it.
    pub at: &'a str,
    /// The message with the button.
    pub on: &'a Ts,
    /// Where that is, and who pressed.
    pub spot: &'a Spot,
}

/// The form for own words. What it brings back says where the button was. `send`: on the button below it.
#[must_use]
pub fn form(press: &Press<'_>, form: &Form, send: &str) -> SlackApiViewsOpenRequest {
    let input = SlackBlockPlainTextInputElement::new()
        .with_action_id("text".into())
        .with_multiline(true)
        .with_max_length(limits::INPUT)
        .with_focus_on_load(true);
    let label = limits::INPUT_LABEL.cut(&one_line(&form.label));
    let block = SlackInputBlock::new(plain(&label).into(), input.into()).with_block_id(INPUT.into());
    let kept = Kept {
        at: press.at.to_owned(),
        payload: form.payload.text(),
        on: press.on.to_string(),
        spot: press.spot.clone(),
    };
    let title = plain(&limits::TITLE.cut(&one_line(&form.title))).into();
    let view = SlackModalView::new(title, vec![block.into()])
        .with_submit(plain(&limits::TITLE.cut(send)).into())
        .with_callback_id(FORM.into())
        .with_private_metadata(serde_json::json!(kept).to_string());
    SlackApiViewsOpenRequest::new(SlackTriggerId(press.trigger.to_owned()), SlackView::Modal(view))
}

/// The form as it is where nothing is known of its question.
pub(crate) fn nameless(words: &FormWords, payload: Payload) -> Form {
    Form {
        title: words.title.clone(),
        label: words.label.clone(),
        payload,
    }
}

fn post(to: &str, thread: Option<&str>, content: SlackMessageContent, with: Blocks) -> PostMessage {
    let request = SlackApiChatPostMessageRequest::new(channel(to), content)
        .opt_thread_ts(thread.map(|ts| SlackTs(ts.to_owned())))
        .with_unfurl_links(false)
        .with_unfurl_media(false);
    PostMessage {
        request,
        mrkdwn: (with == Blocks::Without).then_some(false),
    }
}

fn channel(id: &str) -> SlackChannelId {
    SlackChannelId(id.to_owned())
}

fn slack_ts(ts: &Ts) -> SlackTs {
    SlackTs(ts.as_str().to_owned())
}

fn content(what: &Message, name: Option<&str>, with: Blocks) -> SlackMessageContent {
    let content = SlackMessageContent::new().with_text(escaped(&what.text()));
    match with {
        Blocks::With => content.with_blocks(blocks(what, name)),
        Blocks::Without => content,
    }
}

fn blocks(what: &Message, name: Option<&str>) -> Vec<SlackBlock> {
    let rows = match &what.controls {
        Controls::None => [].as_slice(),
        Controls::Buttons(rows) => rows,
    };
    let rows = rows.iter().map(|row| {
        let buttons = row.iter().map(|button| {
            let payload = button.payload;
            SlackBlockButtonElement::new(plain(&button.label).into())
                .with_action_id(action(payload.gesture).into())
                .with_value(payload.text())
                .into()
        });
        SlackActionsBlock::new(buttons.collect()).into()
    });
    let mut blocks: Vec<SlackBlock> = sections(&what.lines).into_iter().chain(rows).collect();
    if let Some(name) = name {
        for (n, block) in blocks.iter_mut().enumerate() {
            let id = Some(SlackBlockId(format!("{name}.{n}")));
            match block {
                SlackBlock::Section(section) => section.block_id = id,
                SlackBlock::Actions(actions) => actions.block_id = id,
                _ => {}
            }
        }
    }
    blocks
}

/// What a button is called among those of its message.
fn action(gesture: Gesture) -> String {
    match gesture {
        Gesture::Choose(n) => format!("choose_{n}"),
        Gesture::Other => "other".to_owned(),
        Gesture::Skip => "skip".to_owned(),
    }
}

/// How a line is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Marked,
    Plain,
}

fn sections(lines: &[Line]) -> Vec<SlackBlock> {
    let risky = lines.iter().any(is_risky);
    let kind = |line: &Line| {
        let needs_markup = |span: &Span| matches!(span.style, Style::Instant(_) | Style::Link);
        if !risky || (!is_risky(line) && line.spans.iter().any(needs_markup)) {
            Kind::Marked
        } else {
            Kind::Plain
        }
    };
    let groups = lines.chunk_by(|before, after| kind(before) == kind(after));
    groups
        .map(|group| (kind(&group[0]), group))
        .filter_map(|(kind, group)| section(kind, group))
        .collect()
}

/// One section of these lines; none where all of them are blank.
fn section(kind: Kind, lines: &[Line]) -> Option<SlackBlock> {
    let write = |line: &Line| match kind {
        Kind::Marked => line.spans.iter().map(marked).collect(),
        Kind::Plain => line.text(),
    };
    let text = lines.iter().map(write).collect::<Vec<String>>().join("\n");
    let text = text.trim_matches('\n');
    if text.is_empty() {
        return None;
    }
    let text = match kind {
        Kind::Marked => SlackBlockMarkDownText::new(text.to_owned())
            .with_verbatim(true)
            .into(),
        Kind::Plain => plain(text).into(),
    };
    // Unless told so, clients fold a long section behind "See more".
    Some(SlackSectionBlock::new().with_text(text).with_expand(true).into())
}

/// Text that is not read for markup or the names of emoji; for entities it is.
fn plain(text: &str) -> SlackBlockPlainText {
    SlackBlockPlainText::new(escaped(text)).with_emoji(false)
}

fn marked(span: &Span) -> String {
    let text = escaped(&span.text);
    // Slack takes a mark for one only right beside what it marks.
    let around = |mark: &str| {
        let inner = text.trim();
        if inner.is_empty() {
            return text.clone();
        }
        text.replacen(inner, &format!("{mark}{inner}{mark}"), 1)
    };
    match span.style {
        Style::Strong => around("*"),
        Style::Code => around("`"),
        Style::Link => format!("<{text}>"),
        Style::Instant(at) => format!("<!date^{}^{{time}}|{}>", at.as_second(), text.replace('|', " ")),
        // All there is for quiet is italics, in which Persian is hard to read.
        Style::Plain | Style::Quiet => text,
    }
}

/// Whether somebody could take a part of it for markup: marks of emphasis and code, or the name of an emoji.
fn is_risky(line: &Line) -> bool {
    line.spans
        .iter()
        .filter(|span| span.style != Style::Link)
        .any(|span| has_marks(&span.text) || has_emoji_name(&span.text))
}

fn has_marks(text: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.char_indices().any(|(at, c)| match c {
        '*' | '~' | '`' => true,
        // As in `deploy_target`, where it marks nothing.
        '_' => !(is_word(text[..at].chars().next_back()) && is_word(text[at + 1..].chars().next())),
        _ => false,
    })
}

fn has_emoji_name(text: &str) -> bool {
    let is_name = |name: &str| {
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '\'');
        !name.is_empty() && name.chars().all(fits) && !name.chars().all(|c| c.is_ascii_digit())
    };
    let parts: Vec<&str> = text.split(':').collect();
    // What stands before the first colon and behind the last is between none.
    parts.len() > 2 && parts[1..parts.len() - 1].iter().any(|name| is_name(name))
}

/// Escaped as Slack wants it: these three and no others.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
