//! An ask's context, as a tree for the panel.
//!
//! Agents write Markdown. The panel makes elements of it by hand and never markup, so what it gets is the parsed tree:
//! a closed set of nodes, in which text is text. Raw HTML comes as the text it is, an image as its alternative text, and
//! a link keeps its address only where that opens a page or a mail. Parsing never fails: every text is Markdown.
//!
//! An ask holds at most 4,000 characters of context (SPEC 1), and the tree is bounded besides: what is nested deeper than
//! [`DEEPEST`] stands in the innermost node that still is one, and after [`MOST`] nodes the rest is left out.
//!
//! Tests: `tests/context.rs`.

use std::sync::Arc;

use axum::{Json, extract::State};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{Api, asks::InPath, auth::Caller, problem::Problem};

/// Deepest nesting of nodes. Four lists within each other are eight levels.
const DEEPEST: usize = 24;
/// Most nodes. 4,000 characters of Markdown make hardly more than as many.
const MOST: usize = 8_000;

/// One node of the tree.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ContextNode)]
pub(crate) struct Node {
    /// What it is: `p`, `h`, `ul`, `ol`, `li`, `quote`, `pre`, `code`, `em`, `strong`, `del`, `a`, `br`, `hr`, `text`,
    /// `table`, `tr`, `th` or `td`.
    t: &'static str,
    /// The text of `text`, `code` and `pre`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    text: Option<String>,
    /// The level of `h`, from 1 to 6.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    level: Option<u8>,
    /// The first number of `ol`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    start: Option<u64>,
    /// The address of `a`: `http`, `https` or `mailto`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    href: Option<String>,
    /// What is in it, in order; absent where there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, no_recursion)]
    c: Vec<Self>,
}

/// Read an ask's context as a tree
///
/// The Markdown in `context`, parsed: nodes with text, and no markup that has to be trusted. Empty for an ask without.
#[utoipa::path(
    get,
    path = "/v1/asks/{id}/context",
    operation_id = "context",
    tag = "panel",
    params(("id" = String, Path, description = "The ask.")),
    responses(
        (status = 200, description = "The blocks, in order.", body = Vec<Node>),
        (status = 404, description = "There is none, or it is another's (`no-ask`)."),
    ),
)]
pub(crate) async fn context(
    State(api): State<Arc<Api>>,
    caller: Caller,
    InPath(id): InPath,
) -> Result<Json<Vec<Node>>, Problem> {
    let record = api.broker.get(&caller.principal, id).await?;
    Ok(Json(record.ask.context.as_deref().map(tree).unwrap_or_default()))
}

/// The blocks of a Markdown text.
fn tree(markdown: &str) -> Vec<Node> {
    let mut building = Building::default();
    let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
    for event in Parser::new_ext(markdown, options) {
        if building.nodes >= MOST {
            break;
        }
        building.take(event);
    }
    building.finish()
}

/// The tree so far: the nodes that are open, the innermost last, and the blocks that are done.
#[derive(Default)]
struct Building {
    done: Vec<Node>,
    open: Vec<Node>,
    /// For each tag that is open, whether it made a node.
    tags: Vec<bool>,
    nodes: usize,
    /// Within the head of a table, whose cells are `th`.
    in_head: bool,
}

impl Building {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => self.end(),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => self.add(Node {
                text: Some(text.into_string()),
                ..Node::new("code")
            }),
            // As browsers show it, and as text written in lines is meant.
            Event::SoftBreak | Event::HardBreak => self.add(Node::new("br")),
            Event::Rule => self.add(Node::new("hr")),
            Event::TaskListMarker(done) => self.text(if done { "☑ " } else { "☐ " }),
            Event::FootnoteReference(name) => self.text(&name),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let node = match tag {
            // Of HTML the words of the markup itself.
            Tag::Paragraph | Tag::HtmlBlock => Some(Node::new("p")),
            Tag::Heading { level, .. } => Some(Node {
                level: Some(number(level)),
                ..Node::new("h")
            }),
            Tag::BlockQuote(_) => Some(Node::new("quote")),
            Tag::CodeBlock(_) => Some(Node {
                text: Some(String::new()),
                ..Node::new("pre")
            }),
            Tag::List(None) => Some(Node::new("ul")),
            Tag::List(Some(start)) => Some(Node {
                start: Some(start),
                ..Node::new("ol")
            }),
            Tag::Item => Some(Node::new("li")),
            Tag::Table(_) => Some(Node::new("table")),
            Tag::TableHead => {
                self.in_head = true;
                Some(Node::new("tr"))
            }
            Tag::TableRow => {
                self.in_head = false;
                Some(Node::new("tr"))
            }
            Tag::TableCell => Some(Node::new(if self.in_head { "th" } else { "td" })),
            Tag::Emphasis => Some(Node::new("em")),
            Tag::Strong => Some(Node::new("strong")),
            Tag::Strikethrough => Some(Node::new("del")),
            Tag::Link { dest_url, .. } => address(&dest_url).map(|href| Node {
                href: Some(href),
                ..Node::new("a")
            }),
            // What is in it stands for it, as an image's alternative text.
            Tag::Image { .. }
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => None,
        };
        let node = node.filter(|_| self.open.len() < DEEPEST);
        self.tags.push(node.is_some());
        if let Some(node) = node {
            self.nodes += 1;
            self.open.push(node);
        }
    }

    fn end(&mut self) {
        if self.tags.pop() == Some(true)
            && let Some(node) = self.open.pop()
        {
            self.put(node);
        }
    }

    fn text(&mut self, text: &str) {
        // A block of code holds its text itself.
        if let Some(Node {
            t: "pre",
            text: Some(code),
            ..
        }) = self.open.last_mut()
        {
            code.push_str(text);
            return;
        }
        let siblings = self.open.last_mut().map_or(&mut self.done, |node| &mut node.c);
        if let Some(Node {
            t: "text",
            text: Some(before),
            ..
        }) = siblings.last_mut()
        {
            before.push_str(text);
            return;
        }
        self.add(Node {
            text: Some(text.to_owned()),
            ..Node::new("text")
        });
    }

    fn add(&mut self, node: Node) {
        self.nodes += 1;
        self.put(node);
    }

    fn put(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(outer) => outer.c.push(node),
            None => self.done.push(node),
        }
    }

    fn finish(mut self) -> Vec<Node> {
        while let Some(node) = self.open.pop() {
            self.put(node);
        }
        self.done
    }
}

impl Node {
    fn new(t: &'static str) -> Self {
        Self {
            t,
            text: None,
            level: None,
            start: None,
            href: None,
            c: Vec::new(),
        }
    }
}

fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// An address that may be opened, as it was written. Anything else would run something, or stay within the panel.
/// Browsers drop tabs and line ends from an address and blanks before it, so what has any is none.
fn address(written: &str) -> Option<String> {
    let is_plain = !written.chars().any(|c| c.is_control() || c.is_whitespace());
    let (scheme, rest) = written.split_once(':')?;
    let web = ["http", "https"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
    let opens = (web && rest.starts_with("//") && rest.len() > 2)
        || (scheme.eq_ignore_ascii_case("mailto") && !rest.is_empty());
    (is_plain && opens).then(|| written.to_owned())
}
