//! What a push is, and what its answer means.

use askd_testkit::push_service::Fault;

use super::*;

#[tokio::test]
async fn a_push_is_signed_urgent_short_lived_and_says_nothing() {
    let bench = Bench::new().await;
    let sara = bench.subscribed("sara");
    let push = bench.next();

    bench.sender.push(&sara.browser, push).await.unwrap();

    let [pushed] = bench.service.pushed(&sara).try_into().unwrap();
    assert_eq!(pushed.content, b"{}");
    assert_eq!(pushed.ttl, 15 * 60);
    assert_eq!(pushed.urgency, "high");
    assert_eq!(pushed.topic, push.topic.to_string());
    assert_eq!(pushed.contact, "mailto:ops@example.org");
    let mut headers = pushed.headers;
    headers.sort_unstable();
    let known = [
        "accept",
        "authorization",
        "content-encoding",
        "content-length",
        "content-type",
        "host",
        "topic",
        "ttl",
        "urgency",
        "user-agent",
    ];
    assert_eq!(headers, known, "and nothing else");
    assert_eq!(bench.service.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn each_browser_alone_can_read_what_comes_and_no_two_pushes_look_alike() {
    let bench = Bench::new().await;
    let (sara, omid) = (bench.subscribed("sara"), bench.subscribed("omid"));
    for device in [&sara, &omid, &sara] {
        bench.push(device).await.unwrap();
    }

    assert_eq!(bench.service.pushed(&sara).len(), 2);
    assert_eq!(bench.service.pushed(&omid).len(), 1);
    assert_eq!(bench.service.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn a_repeat_takes_the_place_of_what_still_waits() {
    let bench = Bench::new().await;
    let sara = bench.subscribed("sara");
    let push = bench.next();

    for _ in 0..2 {
        bench.sender.push(&sara.browser, push).await.unwrap();
    }

    assert_eq!(bench.service.requests(&sara), 2);
    assert_eq!(bench.service.pushed(&sara).len(), 1);
}

#[tokio::test]
async fn a_signature_is_made_anew_for_every_push() {
    let bench = Bench::new().await;
    let sara = bench.subscribed("sara");
    bench.push(&sara).await.unwrap();
    bench.clock.advance(25 * 60 * MINUTE);

    bench.push(&sara).await.unwrap();

    assert_eq!(bench.service.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn every_success_is_taken_over() {
    let bench = Bench::new().await;
    let sara = bench.subscribed("sara");
    for status in [200, 201, 202, 204] {
        bench.service.fails(&sara, [Fault::Says(status, None)]);

        bench
            .push(&sara)
            .await
            .unwrap_or_else(|error| panic!("{status}: {error}"));
    }
}

#[tokio::test]
async fn what_is_no_more_is_given_up_and_forgotten() {
    let bench = Bench::new().await;
    let sara = bench.subscribed("sara");
    bench
        .service
        .fails(&sara, [Fault::Says(404, None), Fault::Says(410, None)]);
    for _ in 0..2 {
        let error = bench.push(&sara).await.unwrap_err();
        assert!(matches!(error, ChannelError::Unreachable(_)), "{error:?}");
    }

    bench.service.forget(&sara);

    let error = bench.push(&sara).await.unwrap_err();
    assert!(matches!(error, ChannelError::Unreachable(_)), "{error:?}");
}

#[tokio::test]
async fn what_may_work_later_is_tried_again_with_the_pause_that_the_service_names() {
    let bench = Bench::new().await;
    let sara = bench.subscribed("sara");
    let seconds = |n| Next::Retry(Some(Duration::from_secs(n)));
    for (fault, next) in [
        (Fault::Says(429, Some("120")), seconds(120)),
        (
            Fault::Says(503, Some("Tue, 01 Dec 2026 09:31:30 GMT")),
            seconds(90),
        ),
        (Fault::Says(429, None), Next::Retry(None)),
        (Fault::Says(429, Some("soon")), Next::Retry(None)),
        (Fault::Says(408, None), Next::Retry(None)),
        (Fault::Says(500, None), Next::Retry(None)),
        (Fault::Says(502, None), Next::Retry(None)),
        (Fault::Breaks, Next::Retry(None)),
    ] {
        bench.service.fails(&sara, [fault.clone()]);

        let error = bench.push(&sara).await.unwrap_err();

        assert_eq!(error.next(), next, "{fault:?}");
    }
    bench.push(&sara).await.unwrap();
}

#[tokio::test]
async fn what_will_never_work_is_given_up_without_an_end_for_the_other_services() {
    let bench = Bench::new().await;
    let sara = bench.subscribed("sara");
    for status in [400, 401, 403, 413, 415] {
        bench.service.fails(&sara, [Fault::Says(status, None)]);

        let error = bench.push(&sara).await.unwrap_err();

        assert_eq!(error.next(), Next::GiveUp, "{status}");
        assert!(
            matches!(error, ChannelError::Rejected { .. }),
            "{status}: it stays subscribed"
        );
    }
}

#[tokio::test]
async fn a_browser_that_subscribed_with_another_key_is_not_woken() {
    let bench = Bench::new().await;
    let other = sender(8, &[], &bench.clock);
    let sara = bench.service.subscribe("sara", other.public_key());

    let error = bench.push(&sara).await.unwrap_err();

    assert_eq!(error.next(), Next::GiveUp);
    assert_eq!(
        bench.service.violations(),
        ["the key is the one that the browser subscribed with"]
    );
}

#[tokio::test]
async fn where_nobody_listens_it_is_tried_again() {
    let bench = Bench::new().await;
    let sara = bench.subscribed("sara");
    let Bench {
        service,
        sender,
        clock,
        chance,
    } = bench;
    drop(service);
    // The port is closed once the task is gone.
    tokio::task::yield_now().await;
    let push = Push {
        until: clock.now() + MINUTE,
        topic: PostKey::prompt(DeliveryId::make(&chance)),
    };

    let error = sender.push(&sara.browser, push).await.unwrap_err();

    assert_eq!(error.next(), Next::Retry(None), "{error:?}");
}
