//! What the page shows: in Persian, and of agents who mean no good.

use serde_json::{Value, json};
use thirtyfour::Key;

use super::{DESKTOP, Desk, PEOPLE, PERSIAN, PHONE, chosen, ended, is_meant, option, panel, part, ready};
use crate::{
    browser::askd,
    stage::{answers, deploy, deploy_and_tell, result},
};

#[test]
fn a_browser_that_prefers_persian_gets_a_page_from_right_to_left_with_its_own_digits() {
    let desk = Desk::of(None, PERSIAN, PEOPLE);
    let ask = desk.asks(&deploy_and_tell());

    assert_eq!(
        desk.page.now(
            "return [document.documentElement.lang, document.documentElement.dir]",
            &[]
        ),
        json!(["fa", "rtl"])
    );
    let countdown = desk.page.sees(&part("countdown"));
    assert!(has_persian_digits(&countdown), "{countdown}");
    let first = desk.page.sees(&option(0));
    assert!(has_persian_digits(&first), "{first}");
    let (start, end) = (left(&desk, &part("skip")), left(&desk, &part("next")));
    assert!(end < start, "Next is where one goes on to: {end} < {start}");
    // Keys are what is on the keyboard.
    desk.page.presses("۲");
    desk.page.sees(&chosen(1));
    desk.page.clicks(&part("next"));
    desk.page.types(&part("other"), "همسایه‌ها");
    desk.page.clicks(&part("submit"));

    desk.page.reads(&ended(&ask, "answered"), "همسایه‌ها");
    assert_eq!(
        answers(&result(&desk.askd, &ask)),
        &json!({ "deploy_target": ["Production"], "alerts": ["همسایه‌ها"] })
    );
}

#[test]
fn a_person_may_choose_the_language_and_it_stays_chosen() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy());

    desk.page.chooses(&askd("language"), "fa");
    desk.page.sees("html[lang=fa][dir=rtl]");
    desk.page.reloads();
    desk.page.sees("html[lang=fa][dir=rtl]");
    ready(&desk.page);
    is_meant(&desk.page, &panel(&ask));

    desk.page.clicks(&part("collapse"));
    desk.page.types(&askd("composer-text"), "۷");
    desk.page.presses_key(Key::Enter);
    desk.page.reads(&askd("receipt"), "وجود ندارد");
    desk.page.presses_key(Key::Backspace);
    desk.page.types(&askd("composer-text"), "۲");
    desk.page.clicks(&askd("composer-send"));
    desk.page.sees(&ended(&ask, "answered"));
}

/// Everything that an agent may write, written to break out.
fn hostile() -> Value {
    let script = "<script>alert('q')</script><img src=x onerror=alert(1)>";
    // An override that is not closed would turn around what follows.
    let question = format!("{script}\u{202e}desrever {{name}} https://evil.example/?q=");
    let rest = "x".repeat(2000 - question.chars().count());
    json!({
        "session": { "id": "s", "title": format!("\u{202e}{script}") },
        "context": format!(
            "# {script}\n\n<iframe src='https://evil.example/'></iframe>\n\n![seen](https://evil.example/pixel.png)\n\n\
             [press](javascript:alert(1)) [data](data:text/html,{script}) [good](https://example.org/)\n\n\
             ```html\n{script}\n```\n\n<https://example.org/>\n\n<svg onload=alert(1)>\n"
        ),
        "questions": [{
            "id": "constructor", "header": "<b>\u{202e}x</b>", "question": format!("{question}{rest}"),
            "options": [
                { "label": format!("{}{script}", "y".repeat(200 - script.len())), "description": format!("{}{script}", "z".repeat(1000 - script.len())) },
                { "label": "</button><button onclick=alert(1)>", "description": "\u{2067}\u{202e}{ DATETIME() }" },
                { "label": "__proto__" },
            ],
        }],
    })
}

#[test]
fn what_agents_write_is_text_and_nothing_of_it_runs() {
    for looks in [DESKTOP, PHONE] {
        let desk = Desk::of(None, looks, PEOPLE);
        let ask = desk.asks(&hostile());

        let question = desk.page.reads(&part("question"), "<script>alert('q')</script>");
        assert!(question.contains(&"x".repeat(1800)), "it is whole: {question}");
        desk.page.reads(&option(0), "<script>alert('q')</script>");
        desk.page.reads(&option(1), "</button><button onclick=alert(1)>");
        is_harmless(&desk);
        desk.page.clicks(&option(2));
        desk.page.clicks(&part("submit"));
        desk.page.reads(&ended(&ask, "answered"), "__proto__");
        is_harmless(&desk);
        assert_eq!(
            answers(&result(&desk.askd, &ask)),
            &json!({ "constructor": ["__proto__"] })
        );
    }
}

#[test]
fn own_words_are_text_too() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy());
    let words = "<img src=x onerror=alert(1)>\u{202e}<script>alert(2)</script>";

    desk.page.types(&part("other"), words);
    desk.page.clicks(&part("submit"));

    desk.page
        .reads(&ended(&ask, "answered"), "<script>alert(2)</script>");
    is_harmless(&desk);
}

/// Nothing of the page's is made of what somebody wrote. That nothing was stopped, and nothing asked for elsewhere, every
/// story demands at its end.
fn is_harmless(desk: &Desk) {
    let made = desk.page.now(
        "const all = [...document.querySelectorAll('*')];
        return {
            scripts: [...document.scripts].map((of) => new URL(of.src, location).origin === location.origin && of.src !== ''),
            embedded: all.filter((of) => of.matches('body img, iframe, object, embed, form[action], base, svg script')).map((of) => of.outerHTML),
            inline: all.flatMap((of) => of.getAttributeNames().filter((name) => name.startsWith('on')).map((name) => `${of.tagName} ${name}`)),
            links: all.filter((of) => of.matches('a[href]') && !/^(https?|mailto):$/.test(of.protocol)).map((of) => of.outerHTML),
            overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
            turned: [...document.querySelectorAll('[data-askd=panel] *, [data-askd=entry] *')]
                .filter((of) => [...of.childNodes].some((node) => node.nodeType === 3 && node.data.includes('\\u202e')))
                .filter((of) => !['isolate', 'isolate-override', 'plaintext'].includes(getComputedStyle(of).unicodeBidi)
                    && !of.textContent.includes('\\u2068'))
                .map((of) => of.outerHTML.slice(0, 80)),
        }",
        &[],
    );
    for list in ["embedded", "inline", "links", "turned"] {
        assert_eq!(made[list], json!([]), "{list}");
    }
    let scripts = made["scripts"].as_array().unwrap();
    assert!(scripts.iter().all(|ours| ours == true), "{scripts:?}");
    assert_eq!(made["overflow"], json!(0), "it scrolls sideways");
}

fn has_persian_digits(text: &str) -> bool {
    text.chars().any(|c| ('۰'..='۹').contains(&c)) && !text.chars().any(|c| c.is_ascii_digit())
}

/// Where an element begins, in CSS pixels from the left.
fn left(desk: &Desk, css: &str) -> f64 {
    desk.page.sees(css);
    let left = desk.page.now(
        "return document.querySelector(arguments[0]).getBoundingClientRect().left",
        &[json!(css)],
    );
    left.as_f64().unwrap()
}
