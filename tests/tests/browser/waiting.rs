//! Waiting inside the page: a condition is looked at whenever something changes there, and never asked for from outside.
//!
//! Texts are compared without the marks that isolate right-to-left text, and with single blanks.

/// `(css, text)`: the text of the first element shown that fits and holds `text`.
pub(super) const SHOWN: &str = "(css, text) => {
    const bare = (of) => of.innerText.replace(/[\\u2066-\\u2069]/g, '').replace(/\\s+/g, ' ').trim();
    const shown = [...document.querySelectorAll(css)].filter((of) => of.checkVisibility());
    return shown.map(bare).find((of) => of.includes(text));
}";

/// `(css)`: no such element is shown.
pub(super) const GONE: &str =
    "(css) => ![...document.querySelectorAll(css)].some((of) => of.checkVisibility())";

/// `(css, value)`: the field holds exactly `value`.
pub(super) const HOLDS: &str = "(css, value) => document.querySelector(css)?.value === value";

/// `(css)`: such an element has the focus.
pub(super) const FOCUSED: &str = "(css) => document.activeElement?.matches(css) ?? false";

/// A script that ends with what `condition` gives, as soon as that is neither nothing nor `false`. Timers stand in for what
/// changes without the document: the value of a field, the focus.
pub(super) fn until(condition: &str) -> String {
    format!(
        "const wanted = [...arguments];
        const done = wanted.pop();
        const look = {condition};
        let over = false;
        const again = () => {{
            const found = over ? undefined : look(...wanted);
            if (found === undefined || found === null || found === false) return;
            over = true;
            changes.disconnect();
            clearInterval(timer);
            done(found);
        }};
        const changes = new MutationObserver(again);
        changes.observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }});
        const timer = setInterval(again, 50);
        again();"
    )
}
