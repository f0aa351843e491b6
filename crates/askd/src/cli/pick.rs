//! Which ask is meant: by its id, by a part of it, or because there is only one.

use serde_json::Value;

use crate::{
    client::Client,
    out::{Exit, Stop, short},
    view::{self, AskView},
};

/// Shortest part of an id that names an ask.
const LEAST: usize = 4;

/// Where to look for an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Among {
    /// Those that wait for an answer.
    Pending,
    /// The newest of any status.
    All,
}

/// The ask that `part` names: a whole id, or the beginning or end of one that fits no other.
pub(super) async fn by_id(client: &Client, part: &str, among: Among) -> anyhow::Result<String> {
    if is_whole(part) {
        return Ok(part.to_owned());
    }
    let usage = |text: String| anyhow::Error::from(Stop::new(Exit::Usage, text));
    if part.len() < LEAST {
        return Err(usage(format!(
            "{part:?} is too short for an id; give at least {LEAST} characters of it"
        )));
    }
    let asks = asks(client, among).await?;
    match fitting(&asks, part).as_slice() {
        [one] => Ok(one.id.clone()),
        [] => Err(Stop::new(
            Exit::Error,
            format!("no ask has an id that begins or ends with {part:?}"),
        )
        .into()),
        several => Err(usage(format!("{part:?} fits several asks:\n{}", listed(several)))),
    }
}

/// The only pending ask.
pub(super) async fn only_pending(client: &Client) -> anyhow::Result<String> {
    let asks = asks(client, Among::Pending).await?;
    match asks.as_slice() {
        [one] => Ok(one.id.clone()),
        [] => Err(Stop::new(Exit::Error, "nothing is pending").into()),
        several => {
            let several: Vec<&AskView> = several.iter().collect();
            let text = format!(
                "{} asks are pending; say which:\n{}",
                several.len(),
                listed(&several)
            );
            Err(Stop::new(Exit::Usage, text).into())
        }
    }
}

/// The pending ask that `text` names, if it looks like an id and names one. For a place where a text may be either
/// an id or an answer: an answer of eight hex digits that happens to end an id is not to be expected.
pub(super) async fn as_id(client: &Client, text: &str) -> anyhow::Result<Option<String>> {
    if is_whole(text) {
        return Ok(Some(text.to_owned()));
    }
    if text.len() < 8 || !text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-') {
        return Ok(None);
    }
    let asks = asks(client, Among::Pending).await?;
    Ok(match fitting(&asks, text).as_slice() {
        [one] => Some(one.id.clone()),
        _ => None,
    })
}

async fn asks(client: &Client, among: Among) -> anyhow::Result<Vec<AskView>> {
    let mut query = vec![("limit", "200".to_owned())];
    if among == Among::Pending {
        query.push(("status", "pending".to_owned()));
    }
    let page = client.get(&["v1", "asks"], &query).await.map_err(Stop::from)?;
    page.get("asks")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(AskView::of)
        .collect()
}

fn fitting<'a>(asks: &'a [AskView], part: &str) -> Vec<&'a AskView> {
    let part = part.to_ascii_lowercase();
    asks.iter()
        .filter(|ask| ask.id.ends_with(&part) || ask.id.starts_with(&part))
        .collect()
}

/// A UUID with hyphens, as askd writes its ids.
fn is_whole(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}

fn listed(asks: &[&AskView]) -> String {
    let line = |ask: &&AskView| {
        let question = ask
            .questions
            .iter()
            .next()
            .map(|q| short(&q.text, 60))
            .unwrap_or_default();
        format!(
            "  {}  {}: {question}",
            view::short_id(&ask.id),
            short(&ask.agent, 20)
        )
    };
    asks.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn ask(id: &str) -> AskView {
        AskView::of(&json!({
            "id": id, "status": "pending", "agent": "bot", "questions": [],
            "createdAt": "2026-12-01T09:30:00Z", "deadline": "2026-12-01T09:45:00Z",
        }))
        .unwrap()
    }

    #[test]
    fn an_ask_is_named_by_the_beginning_or_the_end_of_its_id() {
        let asks = [
            ask("0193a000-0000-7000-8000-0000aaaa1111"),
            ask("0193a000-0000-7000-8000-0000bbbb2222"),
        ];
        let found = |part| fitting(&asks, part).len();

        assert_eq!(found("1111"), 1);
        assert_eq!(found("BBBB2222"), 1, "in any case");
        assert_eq!(found("0193a000"), 2, "several fit");
        assert_eq!(found("3333"), 0);
    }

    #[test]
    fn only_a_uuid_is_a_whole_id() {
        assert!(is_whole("0193a000-0000-7000-8000-0000aaaa1111"));
        assert!(!is_whole("0193a000"));
        assert!(!is_whole("another text of 36 characters, really"));
    }
}
