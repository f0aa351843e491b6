//! Rich text, whose texts are literal. Source: "Rich text block".

use serde_json::Value;

use super::{Faults, fields::Fields, limits};

/// Nothing documented limits how many; what fits into a message is little.
const ANY: usize = usize::MAX;

pub(super) fn check(block: &mut Fields<'_>, faults: &mut Faults) {
    let at = format!("{}/elements", block.at());
    for (n, element) in block.array("elements", ANY, true, faults).iter().enumerate() {
        let at = format!("{at}/{n}");
        let Some(mut fields) = Fields::of(element, &at, faults) else {
            continue;
        };
        match fields.kind() {
            "rich_text_section" => {}
            "rich_text_quote" | "rich_text_preformatted" => {
                fields.number("border", 0, 1, faults);
            }
            "rich_text_list" => {
                list(&mut fields, faults);
                fields.rest(faults);
                continue;
            }
            other => faults.add(format!("not modelled: rich text of type {other:?}"), &at),
        }
        spans(&mut fields, faults);
        fields.rest(faults);
    }
}

fn list(fields: &mut Fields<'_>, faults: &mut Faults) {
    let at = fields.at().to_owned();
    let style = fields.string("style", limits::ID, faults);
    if !style.is_some_and(|style| style == "bullet" || style == "ordered") {
        faults.add("value not allowed", &format!("{at}/style"));
    }
    fields.number("indent", 0, 8, faults);
    fields.number("offset", 0, ANY, faults);
    fields.number("border", 0, 1, faults);
    for (n, item) in fields.array("elements", ANY, true, faults).iter().enumerate() {
        let at = format!("{at}/elements/{n}");
        let Some(mut item) = Fields::of(item, &at, faults) else {
            continue;
        };
        if item.kind() != "rich_text_section" {
            faults.add("failed to match all allowed schemas", &at);
        }
        spans(&mut item, faults);
        item.rest(faults);
    }
}

fn spans(fields: &mut Fields<'_>, faults: &mut Faults) {
    let at = format!("{}/elements", fields.at());
    let Some(Value::Array(elements)) = fields.take("elements") else {
        faults.add("missing required field: elements", fields.at());
        return;
    };
    for (n, element) in elements.iter().enumerate() {
        let at = format!("{at}/{n}");
        let Some(mut span) = Fields::of(element, &at, faults) else {
            continue;
        };
        let needs: &[&'static str] = match span.kind() {
            "text" => &["text"],
            "link" => &["url"],
            "emoji" => &["name"],
            "user" => &["user_id"],
            "channel" => &["channel_id"],
            "broadcast" => &["range"],
            "date" => &["format"],
            other => {
                faults.add(format!("not modelled: an element of type {other:?}"), &at);
                continue;
            }
        };
        let may: &[&'static str] = match span.kind() {
            "link" => &["text"],
            "emoji" => &["unicode"],
            "date" => &["fallback", "url"],
            _ => &[],
        };
        for name in needs {
            match span.string(name, limits::ALL_BLOCKS, faults) {
                None => faults.add(format!("missing required field: {name}"), &at),
                Some(text) if text.is_empty() => {
                    faults.add("must be more than 0 characters", &format!("{at}/{name}"));
                }
                Some(text) => faults.length += text.chars().count(),
            }
        }
        for name in may {
            span.string(name, limits::ALL_BLOCKS, faults);
        }
        if span.kind() == "date" && span.number("timestamp", 0, ANY, faults).is_none() {
            faults.add("missing required field: timestamp", &at);
        }
        if span.kind() == "link" {
            span.switch("unsafe", faults);
        }
        if let Some(style) = span.take("style")
            && let Some(mut style) = Fields::of(style, &format!("{at}/style"), faults)
        {
            for name in ["bold", "italic", "strike", "code", "underline"] {
                style.switch(name, faults);
            }
            style.rest(faults);
        }
        span.rest(faults);
    }
}
