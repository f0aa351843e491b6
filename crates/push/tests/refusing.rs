//! What is not pushed to, and what is not said.

use std::{error::Error, fmt::Write as _};

use askd_testkit::push_service::Fault;

use super::*;

fn fields(faults: &[BrowserFault]) -> Vec<&'static str> {
    faults.iter().map(|fault| fault.field).collect()
}

#[tokio::test]
async fn a_browser_that_subscribed_has_no_fault_and_every_other_has_all_of_its_own() {
    let bench = Bench::new().await;
    let good = bench.subscribed("sara").browser;
    assert_eq!(bench.sender.faults(&good), []);
    let text = |text: &str| text.to_owned();
    let long = "A".repeat(10_000);
    for (browser, wrong) in [
        (
            Browser {
                endpoint: text("http://169.254.169.254/latest/meta-data"),
                ..good.clone()
            },
            vec!["endpoint"],
        ),
        (
            Browser {
                p256dh: text("BP4z"),
                ..good.clone()
            },
            vec!["p256dh"],
        ),
        (
            Browser {
                p256dh: long.clone(),
                ..good.clone()
            },
            vec!["p256dh"],
        ),
        (
            // As long as a key, and no point on the curve.
            Browser {
                p256dh: format!("B{}", "A".repeat(86)),
                ..good.clone()
            },
            vec!["p256dh"],
        ),
        (
            Browser {
                auth: text("AAAA"),
                ..good.clone()
            },
            vec!["auth"],
        ),
        (
            Browser {
                auth: format!("{}==", good.auth),
                ..good.clone()
            },
            vec!["auth"],
        ),
        (
            Browser {
                endpoint: long.clone(),
                p256dh: text("\u{0}"),
                auth: text("é"),
            },
            vec!["endpoint", "p256dh", "auth"],
        ),
    ] {
        let faults = bench.sender.faults(&browser);

        assert_eq!(fields(&faults), wrong);
        assert!(!format!("{faults:?}").contains("169.254"), "nothing is quoted");
    }
}

#[tokio::test]
async fn a_service_that_is_trusted_no_more_is_not_called() {
    let bench = Bench::new().await;
    let sara = bench.subscribed("sara");
    let strict = sender(7, &[], &bench.clock);

    let error = strict.push(&sara.browser, bench.next()).await.unwrap_err();

    assert!(matches!(error, ChannelError::Unreachable(_)), "{error:?}");
    assert_eq!(bench.service.requests(&sara), 0);
}

#[tokio::test]
async fn a_service_cannot_send_askd_elsewhere() {
    let bench = Bench::new().await;
    let (sara, omid) = (bench.subscribed("sara"), bench.subscribed("omid"));
    let elsewhere = Fault::Redirects(omid.browser.endpoint.clone());
    bench.service.fails(&sara, [elsewhere]);

    let error = bench.push(&sara).await.unwrap_err();

    assert_eq!(error.next(), Next::GiveUp);
    assert_eq!(bench.service.requests(&omid), 0);
}

#[tokio::test]
async fn no_error_and_nothing_printed_holds_an_address_or_a_key() {
    let bench = Bench::new().await;
    let sara = bench.subscribed("walrus");
    let mut printed = format!("{:?} {:?}", bench.sender, sara.browser);
    for fault in [
        Fault::Says(410, None),
        Fault::Says(400, None),
        Fault::Says(500, None),
        Fault::Redirects("http://127.0.0.1:1/walrus".to_owned()),
        Fault::Breaks,
    ] {
        bench.service.fails(&sara, [fault]);
        let error = bench.push(&sara).await.unwrap_err();
        write!(printed, " {error:?} {error}").unwrap();
        let mut source = error.source();
        while let Some(error) = source {
            write!(printed, " {error}").unwrap();
            source = error.source();
        }
    }

    for secret in ["walrus", &sara.browser.p256dh, &sara.browser.auth, "7, 7"] {
        assert!(!printed.contains(secret), "{secret}: {printed}");
    }
}
