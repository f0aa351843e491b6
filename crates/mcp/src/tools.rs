//! The two tools, as clients and their models see them.
//!
//! What a model should know about asking (SPEC 2) stands in the description of `ask_user`: it is the one text that
//! every client shows to its model, with every call. Claude Code cuts descriptions and instructions at 2048
//! characters.

mod schema;

use std::sync::{Arc, LazyLock};

use rmcp::model::{Implementation, JsonObject, ServerCapabilities, ServerConfig, Tool, ToolAnnotations};

/// Asks, and waits.
pub(crate) const ASK: &str = "ask_user";

/// Goes on waiting.
pub(crate) const WAIT: &str = "ask_user_wait";

const ASK_DESCRIPTION: &str = "\
Ask the user one to three questions and wait for the answer. It reaches them wherever they are (phone, chat, browser), \
so it also works when nobody sits at the screen. An answer may take minutes.

When to ask: only when you are blocked on a decision that is truly the user's. Never ask for permission to proceed, to \
confirm your own plan, for routine confirmations, or for what the request, the code or a sensible default already \
tells. Prefer one question; never more than three. Never ask for a password, a token or another credential.

How to ask:
- Put every choice you see into `options`, each label short and clear by itself, with a `description` where the label \
does not say what it means.
- Put the option you recommend first and end its label with ` (Recommended)`.
- Set `multiSelect` only where several options can hold at once.
- Do not add an option \"Other\": people can always answer in their own words, or skip.
- Use `context` for background the user needs in order to decide; they may not have seen this conversation.

What comes back: `status` \"answered\" has `answers.answers`, from question id to a list of values: option labels, \
or the user's own words (their questions are listed in `freeText`). `status` \"no_answer\" (expired, skipped, \
cancelled, undelivered) means: continue with your best judgment and do not ask the same again. `status` \"pending\" \
means that nobody has answered yet: call ask_user_wait with its `askId`.";

const WAIT_DESCRIPTION: &str = "\
Go on waiting for a question that ask_user left open with `status` \"pending\". Holds for up to 50 seconds; repeat it \
while the status is \"pending\". It asks nothing anew.";

const INSTRUCTIONS: &str = "\
askd asks people on behalf of agents and brings their answers back. Call ask_user when you are blocked on a decision \
that only the user can make, and not otherwise. It waits until somebody answers, which may take minutes.";

static TOOLS: LazyLock<[Tool; 2]> = LazyLock::new(|| [ask(), wait()]);

/// Every tool.
pub(crate) fn all() -> Vec<Tool> {
    TOOLS.to_vec()
}

/// The tool of this name.
pub(crate) fn named(name: &str) -> Option<Tool> {
    TOOLS.iter().find(|tool| tool.name == name).cloned()
}

/// What the server says of itself.
pub(crate) fn server() -> ServerConfig {
    let us = Implementation::new("askd", env!("CARGO_PKG_VERSION")).with_title("askd");
    ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
        .with_server_info(us)
        .with_instructions(INSTRUCTIONS)
}

fn ask() -> Tool {
    Tool::new(ASK, ASK_DESCRIPTION, object(schema::ask()))
        .with_title("Ask the user")
        .with_raw_output_schema(object(schema::result()))
        .with_annotations(annotations("Ask the user").idempotent(false))
}

fn wait() -> Tool {
    Tool::new(WAIT, WAIT_DESCRIPTION, object(schema::wait()))
        .with_title("Wait for the user's answer")
        .with_raw_output_schema(object(schema::result()))
        .with_annotations(annotations("Wait for the user's answer").idempotent(true))
}

/// Clients ask before they let a tool run that is not read-only, and a question about a question helps nobody. It is
/// true, too: asking changes nothing that the agent works on.
fn annotations(title: &str) -> ToolAnnotations {
    ToolAnnotations::with_title(title)
        .read_only(true)
        .destructive(false)
        .open_world(true)
}

fn object(schema: serde_json::Value) -> Arc<JsonObject> {
    match schema {
        serde_json::Value::Object(schema) => Arc::new(schema),
        _ => unreachable!("a schema here is written as an object"),
    }
}
