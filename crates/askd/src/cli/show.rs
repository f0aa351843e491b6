//! `askd show`: one ask, whole.

use askd_core::{reply::markers, words::Language};
use clap::Args;

use super::{
    Context,
    pick::{self, Among},
};
use crate::{
    client::{Caller, Reach},
    out::{self, Exit, Stop, plain},
    view::AskView,
};

/// What `askd show` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The ask, by its id or at least four characters of its beginning or end
    id: String,
    #[command(flatten)]
    reach: Reach,
}

/// Prints the ask.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    let client = context.client(&arguments.reach, Caller::Operator)?;
    let id = pick::by_id(&client, &arguments.id, Among::All).await?;
    let asked = client.get(&["v1", "asks", &id], &[]).await.map_err(Stop::from)?;
    if context.json {
        out::json(&asked)?;
    } else {
        out::line(whole(&AskView::of(&asked)?))?;
    }
    Ok(Exit::Done)
}

/// Questions with their options, as text: marked as a reply is read, so numbered, or lettered where a number could be
/// misread.
pub(super) fn question(ask: &AskView) -> String {
    let mut lines: Vec<String> = Vec::new();
    if let Some(context) = &ask.context {
        lines.extend([context.clone(), String::new()]);
    }
    for (at, question) in ask.questions.iter().enumerate() {
        let number = match ask.questions.only() {
            Some(_) => String::new(),
            None => format!("{}. ", at + 1),
        };
        let several = if question.multi_select {
            " (choose any)"
        } else {
            ""
        };
        let header = question.header.as_str();
        lines.push(format!("{number}{header}: {}{several}", question.text));
        let markers = markers(question);
        for (n, choice) in question.choices.iter().enumerate() {
            let marker = markers.shown(n, Language::English);
            let description = choice
                .description
                .as_ref()
                .map(|d| format!(": {d}"))
                .unwrap_or_default();
            lines.push(format!("  {marker}. {}{description}", choice.label));
        }
    }
    plain(&lines.join("\n"))
}

/// Where the values stand: behind the longest key and two blanks.
const VALUES: usize = "deadline".len() + 2;

fn whole(ask: &AskView) -> String {
    let mut rows = vec![
        ("id", ask.id.clone()),
        ("status", ask.status.clone()),
        ("agent", ask.agent.clone()),
    ];
    if let Some(session) = &ask.session {
        let title = session
            .title
            .as_ref()
            .map(|title| format!(" ({title})"))
            .unwrap_or_default();
        rows.push(("session", format!("{}{title}", session.id)));
    }
    rows.extend(ask.run.as_ref().map(|run| ("run", run.clone())));
    rows.push(("asked", ask.created_at.to_string()));
    rows.push(("deadline", ask.deadline.to_string()));
    for delivery in &ask.deliveries {
        let reason = delivery
            .reason
            .as_ref()
            .map(|reason| format!(": {reason}"))
            .unwrap_or_default();
        rows.push((
            "shown at",
            format!("{} ({}{reason})", delivery.address, delivery.state),
        ));
    }
    if let Some(result) = &ask.result {
        for (id, values) in result.answers.iter().flat_map(|answers| &answers.answers) {
            rows.extend(values.iter().map(|value| ("answer", format!("{id}: {value}"))));
        }
        rows.extend(
            result
                .settled_by
                .as_ref()
                .map(|by| ("by", format!("{}, on {}", by.name, by.channel))),
        );
        rows.extend(result.reason.as_ref().map(|reason| ("reason", reason.clone())));
    }
    let rows: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(key, value)| {
            // Lines that others wrote must not pass for rows of this table.
            let value = plain(&value).replace('\n', &format!("\n{:VALUES$}", ""));
            vec![key.to_owned(), value]
        })
        .collect();
    format!("{}\n\n{}", out::table(&rows), question(ask))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_ask_is_shown_with_where_it_went_who_answered_and_what() {
        let ask = AskView::of(&json!({
            "id": "0193a000-0000-7000-8000-0000aaaa1111", "status": "answered", "agent": "build-bot",
            "session": { "id": "s1", "title": "shop" }, "run": null, "context": null,
            "questions": [{
                "id": "target", "header": "Target", "question": "Where should this go?", "multiSelect": false,
                "options": [{ "label": "Staging", "description": "safe" }, { "label": "Production" }],
            }],
            "createdAt": "2026-12-01T09:30:00Z", "deadline": "2026-12-01T09:45:00Z",
            "deliveries": [{ "channel": "telegram", "address": "telegram:1", "state": "settled", "reason": null }],
            "warnings": [],
            "result": {
                "status": "answered", "answers": { "answers": { "target": ["Staging"] } },
                "settledBy": { "name": "Sara", "channel": "telegram", "how": "tap" },
            },
        }));

        let text = whole(&ask.unwrap());

        let expected = "\
id        0193a000-0000-7000-8000-0000aaaa1111
status    answered
agent     build-bot
session   s1 (shop)
asked     2026-12-01T09:30:00Z
deadline  2026-12-01T09:45:00Z
shown at  telegram:1 (settled)
answer    target: Staging
by        Sara, on telegram

Target: Where should this go?
  1. Staging: safe
  2. Production";
        assert_eq!(text, expected);
    }

    fn asked(questions: &serde_json::Value, result: &serde_json::Value) -> AskView {
        AskView::of(&json!({
            "id": "0193a000-0000-7000-8000-0000aaaa1111", "status": "answered", "agent": "build-bot",
            "session": null, "run": null, "context": null, "questions": questions,
            "createdAt": "2026-12-01T09:30:00Z", "deadline": "2026-12-01T09:45:00Z", "result": result,
        }))
        .unwrap()
    }

    #[test]
    fn options_are_marked_as_a_reply_is_read_and_several_questions_numbered() {
        let ask = asked(
            &json!([
                { "id": "a", "header": "Size", "question": "How many?", "multiSelect": false,
                  "options": [{ "label": "3 replicas" }, { "label": "1 replica" }] },
                { "id": "b", "header": "Who", "question": "Who hears?", "multiSelect": true,
                  "options": [{ "label": "Ops" }, { "label": "Developers" }] },
            ]),
            &json!(null),
        );

        let expected = "\
1. Size: How many?
  A. 3 replicas
  B. 1 replica
2. Who: Who hears? (choose any)
  1. Ops
  2. Developers";
        assert_eq!(question(&ask), expected);
    }

    #[test]
    fn own_words_of_several_lines_do_not_pass_for_rows() {
        let ask = asked(
            &json!([{ "id": "a", "header": "A", "question": "A?", "multiSelect": false, "options": [] }]),
            &json!({ "answers": { "answers": { "a": ["no\nby        Sara"] } } }),
        );

        let text = whole(&ask);

        assert!(
            text.contains("answer    a: no\n          by        Sara"),
            "{text}"
        );
    }
}
