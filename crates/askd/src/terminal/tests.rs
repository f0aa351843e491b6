use std::sync::Arc;

use askd_core::{
    id::EventId,
    inbound::{Became, NotTaken, Receipt},
    present::{Controls, Line, Span, Style},
    store::StoreError,
};

use super::*;

/// What was shown so far.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Paper {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Gives every line back as a hint, and remembers the events.
#[derive(Default)]
struct Echo(Mutex<Vec<Inbound>>);

#[async_trait]
impl Inbox for Echo {
    fn heard_from(&self, _: &ChannelName) {}

    async fn accept(&self, event: Inbound) -> Result<Receipt, NotTaken> {
        let Act::Said(said) = &event.act else {
            panic!("a terminal only says: {event:?}")
        };
        let text = format!("heard {}", said.text);
        self.0.lock().unwrap().push(event);
        Ok(Receipt {
            became: Became::Hint,
            text,
            ask: None,
            shows: None,
        })
    }

    async fn shown(&self, _: &Receipt, posted: &Posted) {
        assert_eq!(posted.messages.len(), 1);
    }

    async fn open_on(&self, _: &ChannelName) -> Result<Vec<Posted>, StoreError> {
        Ok(Vec::new())
    }

    async fn has_heard(&self, _: &ChannelName, _: &EventId) -> Result<bool, StoreError> {
        Ok(false)
    }
}

fn terminal() -> (Terminal, Paper, mpsc::UnboundedSender<String>) {
    let (type_in, lines) = mpsc::unbounded_channel();
    let paper = Paper::default();
    (
        Terminal::new("terminal", Box::new(paper.clone()), lines, true),
        paper,
        type_in,
    )
}

fn prompt(text: &str) -> Presentation {
    let span = |line: &str| Span {
        text: line.to_owned(),
        style: Style::Plain,
    };
    let lines = text
        .lines()
        .map(|line| Line {
            spans: vec![span(line)],
        })
        .collect();
    Presentation {
        messages: vec![Message {
            lines,
            controls: Controls::None,
        }],
        rings: true,
    }
}

fn key() -> PostKey {
    PostKey::prompt(askd_core::id::DeliveryId::make(&crate::clock::OsChance))
}

#[tokio::test]
async fn a_prompt_is_shown_line_by_line_and_cannot_steer_the_terminal() {
    let (terminal, paper, _keyboard) = terminal();

    let posted = terminal
        .post(&terminal.you(), &prompt("Where to?\n1. \u{1b}[2JStaging"), &key())
        .await
        .unwrap();

    assert_eq!(paper.text(), "  | Where to?\n  | 1. [2JStaging\n\n");
    assert_eq!(posted.messages.len(), 1);
}

#[tokio::test]
async fn lines_are_heard_in_order_after_the_prompt_and_each_gets_its_receipt() {
    let (terminal, paper, keyboard) = terminal();
    let posted = terminal
        .post(&terminal.you(), &prompt("Where to?"), &key())
        .await
        .unwrap();
    keyboard.send("9".to_owned()).unwrap();
    keyboard.send("2".to_owned()).unwrap();
    drop(keyboard);
    let (inbox, stop) = (Echo::default(), CancellationToken::new());

    let listening = terminal.listen(&inbox, stop.clone());
    let (listened, ()) = tokio::join!(listening, async {
        terminal.over().await;
        stop.cancel();
    });

    listened.unwrap();
    assert!(
        paper
            .text()
            .ends_with("> 9\n\n  | heard 9\n\n> 2\n\n  | heard 2\n\n"),
        "{}",
        paper.text()
    );
    let events = inbox.0.into_inner().unwrap();
    let placed = |event: &Inbound| match &event.act {
        Act::Said(said) => said.placed,
        _ => None,
    };
    assert!(
        placed(&events[0]) > posted.messages[0].placed,
        "an answer stands after its question"
    );
    assert!(placed(&events[1]) > placed(&events[0]));
    assert_ne!(events[0].event, events[1].event);
}

#[tokio::test]
async fn a_stop_ends_listening_while_nothing_is_typed() {
    let (terminal, _paper, _keyboard) = terminal();
    let stop = CancellationToken::new();
    stop.cancel();

    terminal.listen(&Echo::default(), stop).await.unwrap();
}

#[test]
fn the_only_address_is_you() {
    let (terminal, _paper, _keyboard) = terminal();

    assert_eq!(terminal.parse_address("you").unwrap(), terminal.you());
    assert!(terminal.parse_address("12345").is_err());
}
