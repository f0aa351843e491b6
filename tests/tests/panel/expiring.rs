//! An ask whose time is over, on a clock that the story moves: the shortest a real one lasts is 30 seconds.

use std::{sync::Arc, time::Duration};

use askd_core::{
    broker::Settings,
    clock::Clock as _,
    id::{PersonName, TokenName},
    rights::{Principal, Role},
};
use askd_http::HttpOptions;
use askd_store_sqlite::Options;
use askd_testkit::{
    clock::{TestClock, WallClock},
    fake::plain,
};
use tokio::net::TcpListener;

use super::{DESKTOP, ended, panel, part, ready};
use crate::{
    browser::{Page, askd},
    inside::World,
    stage::{deploy, runtime},
};

#[test]
fn at_the_deadline_the_panel_closes_and_a_summary_stays() {
    let runtime = runtime();
    // The page counts down by the clock of its machine.
    let clock = TestClock::at(WallClock.now());
    let world = World::on(Arc::new(plain::new(clock.clone())), clock);
    let (daemon, url, link) = runtime.block_on(async {
        let daemon = world.start(Options::default(), Settings::default()).await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let operator = Principal {
            token: TokenName::new("operator"),
            role: Role::Operator,
        };
        let sara = PersonName::new("sara");
        let offer = daemon.broker.offer_sign_in(&operator, Some(&sara)).await.unwrap();
        let stop = daemon.broker.stopping().clone();
        runtime.spawn(askd_http::serve(
            listener,
            Arc::clone(&daemon.broker),
            HttpOptions::default(),
            stop,
        ));
        let link = offer.link(&url);
        (daemon, url, link)
    });
    let page = Page::new(DESKTOP, &url);
    page.visits(&link);
    ready(&page);
    let ask = runtime.block_on(daemon.ask(&deploy())).to_string();
    page.sees(&panel(&ask));
    page.types(&part("other"), "half a thought");

    world.clock.advance(Duration::from_mins(15));

    page.reads(&ended(&ask, "expired"), "Where should this go?");
    page.sees_no(&askd("panel"));
    page.sees(&format!("{}:disabled", askd("composer-text")));
    // What was being written is given back.
    page.clicks(&format!("{} summary", askd("receipt")));
    page.reads(&askd("receipt"), "half a thought");
    page.reloads();
    page.reads(&ended(&ask, "expired"), "Where should this go?");
}
