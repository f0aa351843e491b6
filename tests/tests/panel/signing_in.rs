//! Signing in, and who sees what.

use askd_stories::Home;
use serde_json::json;

use super::{DESKTOP, Desk, PEOPLE, ended, entry, is_meant, link, option, panel, part, ready};
use crate::{
    browser::{Page, askd},
    stage::deploy,
};

#[test]
fn a_link_signs_in_once_and_never_again() {
    let home = Home::new();
    let served = home.serve();
    let link = link(&home, None);
    {
        let page = Page::new(DESKTOP, &served.url);
        page.visits(&link);
        ready(&page);
        page.sees(&askd("timeline"));
        assert!(!page.address().contains('#'), "{}", page.address());
        page.must("the history", async |browser| browser.delete_all_cookies().await);

        page.goes_to("/sign-in");
        page.visits(&link);
        page.sees(&askd("sign-in"));
        page.sees_no(&askd("timeline"));
        assert_eq!(
            page.now("return fetch('/v1/me').then((answer) => answer.status)", &[]),
            json!(401)
        );
    }
}

#[test]
fn without_signing_in_nothing_is_told_but_how_to() {
    let home = Home::new();
    let served = home.serve();
    let ask = served.agent.ask(&deploy()).id();
    let page = Page::new(DESKTOP, &served.url);

    for path in ["/".to_owned(), format!("/ask/{ask}")] {
        page.goes_to(&path);
        page.reads(&askd("sign-in"), "askd pair --web");
        page.sees_no(&entry(&ask));
        page.sees_no(&panel(&ask));
    }
    for path in [
        "/v1/asks".to_owned(),
        format!("/v1/asks/{ask}"),
        "/v1/events".to_owned(),
    ] {
        let status = page.now(
            "return fetch(arguments[0]).then((answer) => answer.status)",
            &[json!(path)],
        );
        assert_eq!(status, json!(401), "{path}");
    }
}

#[test]
fn the_cookie_is_out_of_reach_of_scripts_and_of_other_sites() {
    let desk = Desk::new();

    assert_eq!(desk.page.now("return document.cookie", &[]), json!(""));
    let cookies = desk
        .page
        .must("its cookies", async |browser| browser.get_all_cookies().await);
    let [cookie] = &cookies[..] else {
        panic!("not one cookie: {cookies:?}");
    };
    assert_eq!(cookie.name, "askd");
    assert_eq!(format!("{:?}", cookie.same_site), "Some(Strict)");
}

#[test]
fn a_person_sees_the_asks_of_their_routes_and_no_others() {
    let routes = "[[routes]]\nsession = \"shop\"\nto = [\"sara\"]\n[[routes]]\nto = [\"omid\"]\n";
    let desk = Desk::of(Some("sara"), DESKTOP, &format!("{PEOPLE}{routes}"));
    let mut of_sara = deploy();
    of_sara["session"] = json!({ "id": "shop", "title": "Shop" });

    let of_omid = desk.askd.agent.ask(&deploy()).id();
    let of_sara = desk.asks(&of_sara);

    // The later one is there, so the earlier one would be.
    desk.page.sees_no(&entry(&of_omid));
    let status = desk.page.now(
        "return fetch(`/v1/asks/${arguments[0]}`).then((answer) => answer.status)",
        &[json!(of_omid)],
    );
    assert_eq!(status, json!(404));
    desk.page.goes_to(&format!("/ask/{of_omid}"));
    ready(&desk.page);
    desk.page.sees_no(&panel(&of_omid));
    desk.page.goes_to("/");
    desk.page.sees(&panel(&of_sara));
    is_meant(&desk.page, &panel(&of_sara));
    desk.page.clicks(&option(1));
    desk.page.clicks(&part("submit"));
    desk.page.reads(&ended(&of_sara, "answered"), "Sara");
}

#[test]
fn who_is_unpaired_is_out_at_once() {
    let desk = Desk::of(Some("sara"), DESKTOP, PEOPLE);
    desk.asks(&deploy());

    let left = desk.home.run(&["unpair", "sara"]);

    assert_eq!(left.code, 0, "{left:?}");
    desk.page.sees(&askd("sign-in"));
    desk.page.sees_no(&askd("panel"));
    desk.page.sees_no(&askd("timeline"));
}
