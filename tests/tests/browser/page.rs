//! A page that somebody looks at.

use std::{fs, path::Path, thread};

use askd_stories::{PATIENCE, Stopwatch};
use serde_json::{Value, json};
use thirtyfour::{By, Key, WebDriver, WebElement, error::WebDriverResult};

use super::{
    driver::{Lease, Looks},
    waiting::{self, FOCUSED, GONE, HOLDS, SHOWN},
};

/// The elements of this name.
pub(crate) fn askd(name: &str) -> String {
    format!("[data-askd=\"{name}\"]")
}

/// A page in a browser. Demands at its end that it was quiet.
pub(crate) struct Page {
    /// Empty once it was given back.
    lease: Option<Lease>,
    /// The only place it may ask for anything.
    origin: String,
}

impl Page {
    /// An empty page, which may go to this origin and nowhere else.
    pub(crate) fn new(looks: Looks, origin: &str) -> Self {
        Self {
            lease: Some(Lease::new(looks)),
            origin: origin.to_owned(),
        }
    }

    /// Goes to a path.
    pub(crate) fn goes_to(&self, path: &str) {
        self.visits(&format!("{}{path}", self.origin));
    }

    /// Goes to an address.
    pub(crate) fn visits(&self, url: &str) {
        self.must(&format!("going to {url}"), async |browser| {
            browser.goto(url).await
        });
    }

    /// Loads it again.
    pub(crate) fn reloads(&self) {
        self.must("loading again", async |browser| browser.refresh().await);
    }

    /// The address it shows.
    pub(crate) fn address(&self) -> String {
        let address = self.must("its address", async |browser| browser.current_url().await);
        address.to_string()
    }

    /// Waits until such an element is shown and holds this text; returns its whole text.
    pub(crate) fn reads(&self, css: &str, text: &str) -> String {
        let read = self.until(&format!("{css} with {text:?}"), SHOWN, &[json!(css), json!(text)]);
        read.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until such an element is shown.
    pub(crate) fn sees(&self, css: &str) -> String {
        self.reads(css, "")
    }

    /// Waits until no such element is shown.
    pub(crate) fn sees_no(&self, css: &str) {
        self.until(&format!("the end of {css}"), GONE, &[json!(css)]);
    }

    /// Waits until the field holds exactly this.
    pub(crate) fn holds(&self, css: &str, value: &str) {
        self.until(&format!("{value:?} in {css}"), HOLDS, &[json!(css), json!(value)]);
    }

    /// Waits until such an element has the focus.
    pub(crate) fn is_at(&self, css: &str) {
        self.until(&format!("the focus on {css}"), FOCUSED, &[json!(css)]);
    }

    /// Waits until a function of the page's gives something, and returns it.
    pub(crate) fn until(&self, what: &str, condition: &str, wanted: &[Value]) -> Value {
        let script = waiting::until(condition);
        let since = Stopwatch::start();
        loop {
            let script = script.clone();
            let found = self.tries(async |browser| browser.execute_async(script, wanted).await);
            match found {
                Ok(found) => return found.json().clone(),
                // A page that is left in the meantime takes the script with it.
                Err(error) if since.elapsed() > PATIENCE => {
                    self.fail(&format!("waiting for {what}: {error}"))
                }
                Err(_) => {}
            }
        }
    }

    /// What the body of a function gives now.
    pub(crate) fn now(&self, script: &str, wanted: &[Value]) -> Value {
        let found = self.must(script, async |browser| browser.execute(script, wanted).await);
        found.json().clone()
    }

    /// Presses keys one after the other, wherever the focus is.
    pub(crate) fn presses(&self, keys: &str) {
        self.must("pressing keys", async |browser| {
            browser.action_chain().send_keys(keys).perform().await
        });
    }

    /// Presses a key that has a name.
    pub(crate) fn presses_key(&self, key: Key) {
        self.presses(&char::from(key).to_string());
    }

    /// Presses a key while another is held down.
    pub(crate) fn presses_with(&self, held: Key, key: Key) {
        self.must("pressing two keys", async |browser| {
            let keys = browser
                .action_chain()
                .key_down(held.clone())
                .key_down(key.clone());
            keys.key_up(key).key_up(held).perform().await
        });
    }

    /// Clicks the first such element once it is there, or taps it on a touch screen.
    pub(crate) fn clicks(&self, css: &str) {
        self.sees(css);
        self.on(css, async |element| element.click().await);
    }

    /// Chooses from a list that unfolds.
    pub(crate) fn chooses(&self, css: &str, value: &str) {
        self.sees(css);
        let option = format!("{css} option[value=\"{value}\"]");
        self.on(&option, async |element| element.click().await);
    }

    /// Clicks into a field and types.
    pub(crate) fn types(&self, css: &str, text: &str) {
        self.clicks(css);
        self.on(css, async |element| element.send_keys(text).await);
    }

    /// Does something with the first such element. One that was drawn anew in between is looked for again.
    fn on(&self, css: &str, work: impl AsyncFn(WebElement) -> WebDriverResult<()>) {
        let since = Stopwatch::start();
        loop {
            let done = self.tries(async |browser| work(browser.find(By::Css(css)).await?).await);
            match done {
                Ok(()) => return,
                Err(error) if since.elapsed() > PATIENCE => self.fail(&format!("acting on {css}: {error}")),
                Err(_) => {}
            }
        }
    }

    /// Does something with the browser.
    pub(crate) fn must<T>(&self, what: &str, work: impl AsyncFnOnce(&WebDriver) -> WebDriverResult<T>) -> T {
        self.tries(work)
            .unwrap_or_else(|error| self.fail(&format!("{what}: {error}")))
    }

    fn tries<T>(&self, work: impl AsyncFnOnce(&WebDriver) -> WebDriverResult<T>) -> WebDriverResult<T> {
        self.lease
            .as_ref()
            .expect("it is given back only at the end")
            .run(work)
    }

    /// Fails the story with what the page shows.
    fn fail(&self, what: &str) -> ! {
        let text = self.tries(async |browser| {
            let text = browser.execute("return document.body?.innerText", []).await?;
            Ok(text.json().as_str().unwrap_or_default().to_owned())
        });
        let log = self.tries(async |browser| browser.browser_log().await);
        let log: Vec<_> = log.into_iter().flatten().map(|entry| entry.message).collect();
        let picture = picture();
        let pictured = self.tries(async |browser| browser.screenshot(Path::new(&picture)).await);
        let picture = pictured.map_or_else(|error| error.to_string(), |()| picture);
        panic!(
            "{what}\n--- the page says\n{}\n--- the browser says\n{}\n--- picture\n{picture}",
            text.unwrap_or_default(),
            log.join("\n")
        );
    }

    /// What was wrong with it: uncaught errors, what the Content Security Policy stopped, and foreign requests.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.must("its log", async |browser| browser.browser_log().await);
        let requests = self.must("its requests", async |browser| {
            browser.get_log("performance").await
        });
        let loud = log.into_iter().filter(|entry| {
            let source = entry.source.as_deref().unwrap_or_default();
            // That askd is away, or refuses, is said by the page itself.
            (entry.level == "SEVERE" && source != "network") || source == "security"
        });
        let foreign = requests.iter().filter_map(|entry| requested(&entry.message));
        let foreign = foreign.filter(|url| !self.allows(url));
        loud.map(|entry| entry.message).chain(foreign).collect()
    }

    fn allows(&self, url: &str) -> bool {
        let within = url.strip_prefix(&self.origin);
        within.is_some_and(|path| path.is_empty() || path.starts_with('/'))
            || url.starts_with("data:")
            || url.starts_with("blob:")
    }

    fn empties(&self) -> WebDriverResult<()> {
        self.tries(async |browser| {
            browser.goto("about:blank").await?;
            browser.browser_log().await?;
            browser.get_log("performance").await?;
            Ok(())
        })
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        assert_eq!(self.complaints(), [""; 0], "the page was not quiet");
        if self.empties().is_ok()
            && let Some(lease) = self.lease.take()
        {
            lease.give_back();
        }
    }
}

/// The address of a request, if the browser's note is of one.
fn requested(note: &str) -> Option<String> {
    let note: Value = serde_json::from_str(note).ok()?;
    let event = &note["message"];
    let sent = event["method"] == "Network.requestWillBeSent";
    let url = event["params"]["request"]["url"].as_str().filter(|_| sent)?;
    Some(url.to_owned())
}

/// Where to keep a picture of the page for this story.
fn picture() -> String {
    let folder = format!("{}/panel", env!("CARGO_TARGET_TMPDIR"));
    // Without the folder there is no picture, which is said.
    let _ = fs::create_dir_all(&folder);
    let story = thread::current().name().unwrap_or("story").replace("::", "-");
    format!("{folder}/{story}.png")
}
