//! Chromium and its driver, shared by the stories of this process.
//!
//! One driver runs as long as the process. A browser takes a second of two cores to start, so one that a story has left
//! behind in order is handed to the next: each story's askd has an address of its own, so nothing that is stored for
//! one is there for another. A browser that is set up in another way, or whose story failed, is not handed on.

use std::{
    io::{BufRead as _, BufReader},
    os::unix::process::CommandExt as _,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use askd_stories::PATIENCE;
use serde_json::json;
use thirtyfour::{
    ChromiumLikeCapabilities as _, DesiredCapabilities, LoggingPrefsLogLevel, TimeoutConfiguration,
    WebDriver, error::WebDriverResult,
};
use tokio::{
    runtime::{Builder, Runtime},
    sync::{OwnedSemaphorePermit, Semaphore},
};

use super::http::Direct;

/// How many browsers run at once. Each wants a core while its page loads.
const AT_ONCE: usize = 2;

/// Starts the driver in a folder of its own, and ends both when stdin does: however this process ends, no browser and
/// nothing on disk is left behind. The shell leads the process group, so 0 is all of it; it stays to clear up, for which
/// the browsers have to be gone.
const KEEPER: &str = r#"
folder=$(mktemp -d) || exit
TMPDIR=$folder HOME=$folder "$1" --port=0 &
cat >/dev/null
trap : TERM
kill 0
wait
for try in 1 2 3 4 5 6 7 8 9; do
    rm -rf "$folder" && break
    sleep 0.2
done
kill -9 0
"#;

/// What Chromium is started with: quietly, as root, and without calls to its maker. Its folder for user data is new and
/// empty each time, which the driver sees to.
const ARGUMENTS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
];

/// The screen it shows on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Device {
    /// A wide window, a mouse and a keyboard.
    Desktop,
    /// A narrow touch screen.
    Phone,
}

/// How a browser is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Looks {
    pub(crate) device: Device,
    /// The language that its person prefers, as a tag.
    pub(crate) language: &'static str,
}

/// What most stories use.
const PLAIN: Looks = Looks {
    device: Device::Desktop,
    language: "en",
};

impl Default for Looks {
    fn default() -> Self {
        PLAIN
    }
}

struct Driver {
    url: String,
    runtime: Runtime,
    places: Arc<Semaphore>,
    /// Browsers with [`PLAIN`] looks that no story uses.
    idle: Mutex<Vec<WebDriver>>,
    /// Its stdin is what keeps the driver alive.
    _keeper: Child,
}

/// The driver; starts it if it does not run yet.
fn driver() -> &'static Driver {
    static DRIVER: OnceLock<Driver> = OnceLock::new();
    DRIVER.get_or_init(Driver::start)
}

impl Driver {
    fn start() -> Self {
        // A missing program would only show as a driver that says nothing.
        for program in ["chromium", "chromedriver"] {
            let runs = Command::new(program).arg("--version").output();
            assert!(
                runs.is_ok_and(|output| output.status.success()),
                "{program} does not run; run `cargo xtask test` once: it installs what the tests need"
            );
        }
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper", "chromedriver"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(keeper.stdout.take().unwrap()).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| port(&line))
            .expect("the driver says where it listens");
        // A full pipe would stop it.
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            url: format!("http://127.0.0.1:{port}"),
            runtime: Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build()
                .unwrap(),
            places: Arc::new(Semaphore::new(AT_ONCE)),
            idle: Mutex::default(),
            _keeper: keeper,
        }
    }

    async fn browser(&self, looks: Looks) -> WebDriverResult<WebDriver> {
        let mut wanted = DesiredCapabilities::chrome();
        for argument in ARGUMENTS {
            wanted.add_arg(argument)?;
        }
        wanted.add_arg(&format!("--lang={}", looks.language))?;
        wanted.add_experimental_option(
            "prefs",
            json!({ "intl": { "accept_languages": looks.language, "selected_languages": looks.language } }),
        )?;
        match looks.device {
            Device::Desktop => wanted.add_arg("--window-size=1200,900")?,
            Device::Phone => wanted.add_experimental_option(
                "mobileEmulation",
                json!({ "deviceMetrics": { "width": 390, "height": 844, "pixelRatio": 2.0, "touch": true, "mobile": true } }),
            )?,
        }
        for log in ["browser", "performance"] {
            wanted.set_logging_prefs(log, LoggingPrefsLogLevel::All)?;
        }
        let browser = WebDriver::builder(self.url.as_str(), wanted)
            .client(Direct::new())
            .await?;
        let timeouts = TimeoutConfiguration::new(Some(PATIENCE), Some(PATIENCE), None);
        browser.update_timeouts(timeouts).await?;
        Ok(browser)
    }
}

/// `ChromeDriver was started successfully on port 1234.`
fn port(line: &str) -> Option<u16> {
    let (_, port) = line.split_once("successfully on port ")?;
    port.trim_end_matches('.').parse().ok()
}

/// A browser that one story uses.
pub(super) struct Lease {
    browser: Option<WebDriver>,
    looks: Looks,
    _place: OwnedSemaphorePermit,
}

impl Lease {
    /// Waits for a place, and takes an idle browser or starts one.
    pub(super) fn new(looks: Looks) -> Self {
        let driver = driver();
        let place = driver
            .runtime
            .block_on(Arc::clone(&driver.places).acquire_owned());
        let idle = if looks == PLAIN {
            driver.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
        } else {
            None
        };
        let browser = idle.unwrap_or_else(|| {
            let started = driver.runtime.block_on(driver.browser(looks));
            started.unwrap_or_else(|error| panic!("the browser does not start: {error}"))
        });
        Self {
            browser: Some(browser),
            looks,
            _place: place.unwrap(),
        }
    }

    /// Does something with it.
    pub(super) fn run<T>(
        &self,
        work: impl AsyncFnOnce(&WebDriver) -> WebDriverResult<T>,
    ) -> WebDriverResult<T> {
        let browser = self.browser.as_ref().expect("it is given back only at the end");
        driver().runtime.block_on(work(browser))
    }

    /// Gives it to the next story; without this it ends.
    pub(super) fn give_back(mut self) {
        if self.looks == PLAIN {
            let idle = &driver().idle;
            idle.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend(self.browser.take());
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(browser) = self.browser.take() {
            // Whether it ends well or not, it goes with the driver.
            let _ = driver().runtime.block_on(browser.quit());
        }
    }
}
