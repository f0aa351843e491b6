use askd_testkit::clock::TestClock;
use serde::de::IgnoredAny;
use serenity::model::id::{ChannelId, InteractionId, MessageId};

use super::*;
use crate::{error::Cause, read::Token};

fn api(api_url: &str) -> Api {
    let config = DiscordConfig {
        token: SecretString::from("a.SECRET.c"),
        api_url: Some(api_url.to_owned()),
    };
    Api::new(&config, Arc::new(TestClock::new())).unwrap()
}

#[test]
fn a_call_goes_below_the_version() {
    let url = |base, route| api(base).url(&route).to_string();

    assert_eq!(
        url("https://discord.com", Route::Gateway),
        "https://discord.com/api/v10/gateway/bot"
    );
    assert_eq!(
        url(
            "http://127.0.0.1:81/",
            Route::Edit(ChannelId::new(4), MessageId::new(5))
        ),
        "http://127.0.0.1:81/api/v10/channels/4/messages/5"
    );
    assert_eq!(
        url(
            "http://127.0.0.1:81",
            Route::After(ChannelId::new(4), MessageId::new(5))
        ),
        "http://127.0.0.1:81/api/v10/channels/4/messages?after=5&limit=100"
    );
    let token = Token::new("aW50ZXJhY3Rpb24:/x?");
    assert_eq!(
        url(
            "http://127.0.0.1:81",
            Route::Answer(InteractionId::new(9), &token)
        ),
        "http://127.0.0.1:81/api/v10/interactions/9/aW50ZXJhY3Rpb24:%2Fx%3F/callback?with_response=true"
    );
}

#[test]
fn secrets_do_not_print() {
    let token = Token::new("INTERACTION");
    let route = Route::Answer(InteractionId::new(9), &token);

    let printed = format!("{:?} {route:?}", api("http://127.0.0.1"));

    assert!(
        !printed.contains("SECRET") && !printed.contains("INTERACTION"),
        "{printed}"
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_was_not_reached_and_the_error_names_no_token() {
    // Port 1 is assigned and, on a machine that runs tests, not served.
    let api = api("http://127.0.0.1:1");
    let token = Token::new("INTERACTION");

    let failure = api
        .send::<_, IgnoredAny>(Route::Answer(InteractionId::new(9), &token), &())
        .await
        .unwrap_err();

    assert!(matches!(failure, Failure::NotSent(_)), "{failure:?}");
    let mut printed = format!("{failure:?}");
    let mut source: Option<&dyn std::error::Error> = Some(&failure);
    while let Some(error) = source {
        printed.push_str(&error.to_string());
        source = error.source();
    }
    assert!(!printed.contains("INTERACTION"), "{printed}");
}

#[test]
fn an_answer_is_a_result_a_refusal_or_none() {
    let read = |status, body: &str| understand::<u64>(status, body.as_bytes());

    assert_eq!(read(200, "7").unwrap(), 7);
    understand::<IgnoredAny>(204, b"").unwrap();
    let access = r#"{"message": "Missing Access", "code": 50001}"#;
    assert_eq!(read(403, access).unwrap_err().cause(), Some(Cause::Unreachable));
    for (fields, cause) in [
        (r#"{"components": {"0": {}}}"#, Cause::Controls),
        (r#"{"content": {"_errors": []}}"#, Cause::Content),
        (r#"{"components": {}, "content": {}}"#, Cause::Content),
    ] {
        let body = format!(r#"{{"message": "Invalid Form Body", "code": 50035, "errors": {fields}}}"#);
        assert_eq!(read(400, &body).unwrap_err().cause(), Some(cause), "{body}");
    }
    for (status, body, sure) in [
        (502, "<html>Bad Gateway</html>", false),
        (500, r#"{"message": "Internal Server Error", "code": 0}"#, false),
        (200, "<html>Log in to the hotel</html>", false),
        (200, "", false),
        (200, r#""what""#, false),
        (302, "", true),
        (403, "<html>Blocked</html>", true),
        (408, "", false),
    ] {
        let failure = read(status, body).unwrap_err();
        assert_eq!(matches!(failure, Failure::NotSent(_)), sure, "{status} {body}");
        assert_eq!(failure.cause(), None, "{status} {body}");
    }
}

fn headers(pairs: &[(&'static str, &'static str)]) -> Headers {
    let pairs = pairs.iter().map(|(name, value)| {
        let name = reqwest::header::HeaderName::from_static(name);
        (name, HeaderValue::from_static(value))
    });
    Headers::read(&pairs.collect())
}

#[test]
fn headers_tell_the_state_of_a_bucket() {
    let told = headers(&[
        ("x-ratelimit-bucket", "abcd"),
        ("x-ratelimit-limit", "5"),
        ("x-ratelimit-remaining", "0"),
        ("x-ratelimit-reset", "1764607800.5"),
        ("x-ratelimit-reset-after", "1.25"),
    ]);

    let expected = Told {
        bucket: "abcd".to_owned(),
        remaining: 0,
        reset_after: Duration::from_millis(1250),
    };
    assert_eq!(told.told, Some(expected));
    assert_eq!(headers(&[]), Headers::default());
    assert_eq!(headers(&[("retry-after", "-1")]), Headers::default());
}

#[test]
fn a_pause_is_the_platforms_own_figure_whoever_answers() {
    let limit = |pairs: &[_], body: &str| {
        let limit = Limit::read(&headers(pairs), body.as_bytes());
        (limit.pause.as_millis(), limit.everything)
    };
    let header = ("retry-after", "7");

    let of_bucket = r#"{"message": "You are being rate limited.", "retry_after": 0.65, "global": false}"#;
    assert_eq!(limit(&[header], of_bucket), (650, false), "finer than the header");
    let global = r#"{"message": "", "retry_after": 2, "global": true}"#;
    assert_eq!(limit(&[], global), (2000, true));
    assert_eq!(
        limit(&[header, ("x-ratelimit-global", "true")], "{}"),
        (7000, true)
    );
    assert_eq!(limit(&[], "{}"), (USUAL_PAUSE.as_millis(), false));
    let page = "<html>error code: 1015</html>";
    assert_eq!(
        limit(&[header], page),
        (7000, true),
        "the whole address is shut out"
    );
    assert_eq!(limit(&[], page), (limits::WORTH_WAITING.as_millis(), true));
}
