//! New messages: where they may go, how long they may be, and what in them is not meant.

use askd_testkit::slack::Setup;
use serde_json::{Value, json};

use super::app::{App, section};

#[tokio::test]
async fn a_message_to_an_account_goes_to_the_conversation_with_it() {
    let app = App::start().await;
    let sara = app.sara();

    let at = app.posts(sara.id(), "Where?").await;

    assert_eq!(at.channel, sara.direct().id());
    let seen = sara.sees_last(&sara.direct()).unwrap();
    assert_eq!(
        (seen.text.as_str(), seen.from.as_str(), seen.by_app),
        ("Where?", "askd", true)
    );
}

#[tokio::test]
async fn where_nobody_can_be_reached_is_said_by_why() {
    let app = App::start().await;
    let (sara, robot) = (app.sara(), app.slack.machine("Robot"));
    let (open, closed) = (
        app.slack.channel("all", &[&sara]),
        app.slack.private_channel("few", &[&sara]),
    );
    let archived = app.slack.channel("old", &[&sara]);
    open.remove_app();
    closed.remove_app();
    archived.archive();
    let to = |channel: &str| json!({"channel": channel, "text": "x"});

    for (channel, error) in [
        ("C0NOWHERE0", "channel_not_found"),
        ("U0NOBODY00", "channel_not_found"),
        (robot.id(), "cannot_dm_bot"),
        (open.id(), "not_in_channel"),
        (closed.id(), "channel_not_found"),
        (archived.id(), "is_archived"),
    ] {
        assert_eq!(
            app.error("chat.postMessage", to(channel)).await,
            error,
            "{channel}"
        );
    }
    app.slack.set_messages_tab(false);
    assert_eq!(
        app.error("chat.postMessage", to(sara.id())).await,
        "messages_tab_disabled"
    );
    app.slack.set_messages_tab(true);
    sara.is_deactivated();
    assert_eq!(
        app.error("chat.postMessage", to(sara.id())).await,
        "channel_not_found"
    );
    open.invite_app();
    archived.unarchive();
    app.posts(open.id(), "x").await;
    app.posts(archived.id(), "x").await;
    assert_eq!(app.slack.violations(), [""; 0], "none of this is the app's fault");
}

#[tokio::test]
async fn a_text_has_to_be_there_and_to_fit() {
    let app = App::start().await;
    let sara = app.sara();
    let text = |text: String| json!({"channel": sara.id(), "text": text});

    assert_eq!(
        app.error("chat.postMessage", text(String::new())).await,
        "no_text"
    );
    assert_eq!(
        app.error("chat.postMessage", json!({"channel": sara.id()})).await,
        "no_text"
    );
    assert_eq!(
        app.error("chat.postMessage", text("x".repeat(40_001))).await,
        "msg_too_long"
    );
    app.call("chat.postMessage", text("x".repeat(40_000))).await;
    // What has to be escaped is longer than it looks.
    assert_eq!(
        app.error("chat.postMessage", text("&amp;".repeat(8001))).await,
        "msg_too_long"
    );
}

#[tokio::test]
async fn timestamps_rise_within_a_conversation_and_repeat_between_them() {
    let app = App::start().await;
    let (sara, omid) = (app.sara(), app.slack.person("Omid"));

    let first = app.posts(sara.id(), "x").await;
    let second = app.posts(sara.id(), "x").await;
    let elsewhere = app.posts(omid.id(), "x").await;

    assert!(first.ts < second.ts);
    assert_eq!(first.ts, elsewhere.ts);
    assert_ne!(first, elsewhere);
}

#[tokio::test]
async fn a_thread_begins_at_its_first_message_and_at_no_reply() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let prompt = app.posts(ops.id(), "Where?").await;
    let reply = sara.replies(&prompt, "which?");
    let below = |ts: String| json!({"channel": ops.id(), "text": "x", "thread_ts": ts});

    let ours = app.posts_with(below(prompt.ts.to_string())).await;

    assert_eq!(sara.sees(&ops.thread(&reply)).len(), 3);
    assert_eq!(sara.sees(&ops).pop().unwrap().thread, Some(prompt.ts));
    let wrong = app.refused("chat.postMessage", below(ours.ts.to_string())).await;
    assert_eq!(wrong.0, "cannot_reply_to_message");
    assert_eq!(app.slack.violations().len(), 1, "{:?}", app.slack.violations());
    for nothing in ["1000000000.000100", "soon"] {
        assert_eq!(
            app.error("chat.postMessage", below(nothing.to_owned())).await,
            "thread_not_found"
        );
    }
}

#[tokio::test]
async fn what_is_not_escaped_is_a_broken_rule_and_what_is_meant_is_not() {
    let app = App::start().await;
    let sara = app.sara();
    let faults = |text: &str| {
        let post = json!({"channel": sara.id(), "text": text});
        let app = &app;
        async move {
            let before = app.slack.violations().len();
            app.call("chat.postMessage", post).await;
            app.slack.violations().split_off(before)
        }
    };

    for (text, fault) in [
        ("to <!channel>", "mentions many"),
        ("to <!subteam^S1>", "mentions many"),
        ("to <@U0000000>", "mentions somebody"),
        ("in <#C0000000>", "mentions a channel"),
        ("<b>bold</b>", "`<` is not escaped"),
        ("a & b", "`&` is not escaped"),
        ("a > b", "`>` is not escaped"),
        ("at <!date^soon^{time}|9>", "a date that cannot be read"),
    ] {
        let found = faults(text).await;
        assert!(
            found.contains(&format!("chat.postMessage: {fault}")),
            "{text}: {found:?}"
        );
    }
    for text in [
        "a &amp; b &lt;!channel&gt; c",
        "<https://example.org|the panel>",
        "until <!date^1796118300^{time}|09:45>",
        "> quoted",
    ] {
        assert_eq!(faults(text).await, [""; 0], "{text}");
    }
}

#[tokio::test]
async fn the_text_beside_blocks_is_looked_at_too() {
    let app = App::start().await;
    let sara = app.sara();
    let post = |text: &str, block: Value| json!({"channel": sara.id(), "text": text, "blocks": [block]});
    let rich = json!({"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [
        {"type": "text", "text": "<!channel> & *x*"}, {"type": "broadcast", "range": "here"},
    ]}]});

    app.call("chat.postMessage", post("<!here>", section("x"))).await;
    app.call("chat.postMessage", post("x", section("<!everyone>")))
        .await;
    app.call("chat.postMessage", post("x", rich)).await;

    assert_eq!(app.slack.violations(), ["chat.postMessage: mentions many"; 3]);
    assert_eq!(
        sara.sees_last(&sara.direct()).unwrap().text,
        "<!channel> & *x*@here"
    );
}

#[tokio::test]
async fn markup_is_applied_to_what_is_read() {
    let app = App::start().await;
    let sara = app.sara();
    sara.lives_in("Asia/Tehran");
    for (text, read) in [
        ("*bold* _italic_ ~gone~ `code`", "bold italic gone code"),
        ("2 * 3 * 4, a_b_c and x*y*z", "2 * 3 * 4, a_b_c and x*y*z"),
        ("(*bold*), *two words*.", "(bold), two words."),
        ("* not bold* and *not\nbold*", "* not bold* and *not\nbold*"),
        ("```a *b*\nc```!", "a *b*\nc!"),
        ("`a *b* &lt;`", "a *b* <"),
        ("*_both_*", "both"),
        ("&gt; quoted\n> too", "quoted\ntoo"),
        ("&amp;lt; &lt;@U1&gt;", "&lt; <@U1>"),
        (":two: :nothing: 10:30:00", "2\u{20e3} :nothing: 10:30:00"),
        (
            "see <https://example.org?a=1&amp;b=2|the *page*>",
            "see the *page*",
        ),
        ("see <https://example.org>", "see https://example.org"),
        ("<!date^1796118300^{date_num} {time}|x>", "2026-12-01 13:15"),
        (
            "<!date^1796118300^{date_pretty}, {ago}|x>",
            "today, in 15 minutes",
        ),
    ] {
        app.posts(sara.id(), text).await;
        assert_eq!(sara.sees_last(&sara.direct()).unwrap().text, read, "{text}");
    }
    app.posts_with(json!({"channel": sara.id(), "text": "*plain* &amp; `x`", "mrkdwn": false}))
        .await;
    assert_eq!(sara.sees_last(&sara.direct()).unwrap().text, "*plain* & `x`");
}

#[tokio::test]
async fn a_message_for_one_alone_is_seen_by_nobody_else_and_kept_nowhere() {
    let app = App::start().await;
    let (sara, omid) = (app.sara(), app.slack.person("Omid"));
    let ops = app.slack.private_channel("ops", &[&sara, &omid]);
    let whisper = |user: &str| json!({"channel": ops.id(), "user": user, "text": "only you"});

    let answer = app.call("chat.postEphemeral", whisper(sara.id())).await;
    ops.leave(&omid);

    assert!(answer["message_ts"].is_string());
    assert_eq!(sara.told(), ["only you"]);
    assert_eq!(sara.sees_alone(&ops).len(), 1);
    assert!(sara.sees(&ops).is_empty() && omid.sees_alone(&ops).is_empty());
    let history = app
        .call("conversations.history", json!({"channel": ops.id()}))
        .await;
    assert_eq!(history["messages"], json!([]));
    assert_eq!(
        app.error("chat.postEphemeral", whisper(omid.id())).await,
        "user_not_in_channel"
    );
    let update = json!({"channel": ops.id(), "ts": answer["message_ts"], "text": "x"});
    assert_eq!(app.error("chat.update", update).await, "message_not_found");
}

#[tokio::test]
async fn a_message_for_one_alone_is_seen_in_a_thread_only_where_there_is_one() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let prompt = app.posts(ops.id(), "Where?").await;
    let ts = prompt.ts.to_string();
    let whisper = json!({"channel": ops.id(), "user": sara.id(), "text": "x", "thread_ts": ts});

    app.call("chat.postEphemeral", whisper.clone()).await;
    let too_early = app.slack.violations();
    sara.replies(&prompt, "7");
    app.call("chat.postEphemeral", whisper).await;

    assert_eq!(
        too_early,
        ["chat.postEphemeral: nobody sees it: the thread has no reply yet"]
    );
    assert_eq!(app.slack.violations(), too_early);
}

#[tokio::test]
async fn where_rates_are_enforced_one_message_a_second_goes_to_a_conversation() {
    let app = App::start_as(Setup {
        rates: true,
        ..Setup::default()
    })
    .await;
    let (sara, omid) = (app.sara(), app.slack.person("Omid"));
    let post = |to: &str| {
        let body = json!({"channel": to, "text": "x"}).to_string();
        let request = app
            .http
            .post(app.url("chat.postMessage"))
            .bearer_auth(app.slack.bot_token());
        request
            .header("content-type", "application/json; charset=utf-8")
            .body(body)
            .send()
    };
    app.posts(sara.id(), "x").await;
    app.posts(omid.id(), "x").await;

    let early = post(sara.id()).await.unwrap();
    let (status, pause) = (early.status().as_u16(), early.headers()["retry-after"].clone());
    let early: Value = early.json().await.unwrap();
    app.clock.advance(std::time::Duration::from_secs(1));
    app.posts(sara.id(), "x").await;

    assert_eq!((status, pause.to_str().unwrap()), (429, "1"));
    assert_eq!(early["error"], "ratelimited");
    assert_eq!(app.slack.violations(), ["chat.postMessage: ratelimited"]);
}
