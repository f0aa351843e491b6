//! `[push]`: one key switches it on.

use super::*;

fn faults(text: &str) -> Vec<String> {
    match Desk::with(text).read(&[]) {
        Ok(_) => Vec::new(),
        Err(bad) => bad.lines().collect(),
    }
}

#[test]
fn a_contact_switches_web_push_on_and_nothing_else_is_needed() {
    let off = Desk::with("").read(&[]).unwrap();
    let on = Desk::with("[push]\ncontact = \"mailto:ops@example.org\"\n");
    let on = on.read(&[]).unwrap().push.unwrap();
    let by_variable = Desk::with("")
        .read(&[("ASKD_PUSH__CONTACT", "https://example.org/contact")])
        .unwrap();

    assert!(off.push.is_none());
    assert_eq!(on.contact.as_str(), "mailto:ops@example.org");
    assert!(on.services.is_empty());
    assert!(by_variable.push.is_some());
}

#[test]
fn all_faults_of_web_push_are_told_at_once_with_their_keys() {
    let told = faults(
        "[push]\ncontact = \"ops@example.org\"\nservices = [\"http://10.0.0.1\", \"push.example.org\", \"a b\"]\nkey = \"x\"\n",
    );

    assert_eq!(told.len(), 4, "{told:#?}");
    assert!(told.iter().any(|line| line.contains("push.contact")), "{told:#?}");
    assert!(told.iter().any(|line| line.contains("push.key")), "{told:#?}");
    let services = told.iter().filter(|line| line.contains("push.services"));
    assert_eq!(services.count(), 2, "{told:#?}");
}

#[test]
fn services_without_a_contact_are_not_passed_over() {
    let told = faults("[push]\nservices = [\"push.example.org\"]\n");

    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("push.contact"), "{told:#?}");
}

#[test]
fn browsers_are_woken_by_pages_that_came_by_tls_or_from_their_own_machine() {
    for (url, is_fine) in [
        ("https://askd.example.org", true),
        ("http://localhost:7373", true),
        ("http://127.0.0.1:7373", true),
        ("http://[::1]:7373", true),
        ("http://askd.example.org", false),
        ("http://192.168.1.10:7373", false),
    ] {
        let told = faults(&format!(
            "[server]\npublic_url = \"{url}\"\n[push]\ncontact = \"mailto:ops@example.org\"\n"
        ));
        assert_eq!(told.is_empty(), is_fine, "{url}: {told:#?}");
    }
}

#[test]
fn no_channel_has_the_name_under_which_browsers_are_woken() {
    let told = faults("[channels.push]\nkind = \"paper\"\npen = \"x\"\n");

    assert!(
        told.iter().any(|line| line.contains("channels.push")),
        "{told:#?}"
    );
}
