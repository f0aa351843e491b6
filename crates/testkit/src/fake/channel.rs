//! Our side of the fake platform: what every adapter does, in short.

use std::{sync::Arc, time::Duration};

use askd_core::{
    channel::{BadAddress, Channel, ChannelError, Posted, PostedMessage},
    clock::Clock as _,
    id::{Address, ChannelName, EventId, MessageRef, PostKey},
    inbound::{Act, Became, Inbound, Inbox, Placed, PressedMessage, Receipt, Said, Sender},
    present::{Capabilities, Controls, Message, Pace, Presentation, Style},
};
use async_trait::async_trait;
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use super::{
    network::{GROUP, Network, OpenForm},
    wire::{Event, From, MENTION, Outgoing, Refusal, What, escape},
};
use crate::channel_suite::{Call, Feature};

/// How often the network is asked whether it is there.
const PING: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub(super) struct FakeChannel {
    name: ChannelName,
    network: Arc<Network>,
}

impl FakeChannel {
    pub(super) fn new(name: ChannelName, network: Arc<Network>) -> Self {
        Self { name, network }
    }
}

#[async_trait]
impl Channel for FakeChannel {
    fn name(&self) -> &ChannelName {
        &self.name
    }

    fn parse_address(&self, local: &str) -> Result<Address, BadAddress> {
        let is_one = !local.is_empty()
            && local
                .chars()
                .all(|c| c.is_ascii_lowercase() || matches!(c, '@' | '-'));
        if is_one {
            Ok(self.address(local))
        } else {
            Err(BadAddress("an address here is a name in lower case".to_owned()))
        }
    }

    fn capabilities(&self, to: &Address) -> Capabilities {
        let profile = &self.network.profile;
        Capabilities {
            text: profile.text,
            buttons: profile.buttons.clone(),
            forms: profile.forms.clone(),
            edits: profile.has(Feature::Edits),
            hears_groups: profile.has(Feature::BareGroupTexts),
            direct: to.local != GROUP,
            pace: profile.pace.map(|same_address| Pace { same_address }),
            ..Capabilities::plain_text()
        }
    }

    fn pairing_link(&self, code: &str) -> Option<String> {
        let has_links = self.network.profile.has(Feature::PairingLinks);
        has_links.then(|| format!("https://chat.example.org/askd?start={code}"))
    }

    async fn post(&self, to: &Address, what: &Presentation, key: &PostKey) -> Result<Posted, ChannelError> {
        let mut posted: Option<Posted> = None;
        for (index, message) in what.messages.iter().enumerate() {
            let outgoing = Outgoing {
                to: to.local.clone(),
                key: self
                    .network
                    .profile
                    .has(Feature::KeyedPosts)
                    .then(|| format!("{key}{index}")),
                text: self.text(message),
                buttons: buttons(message),
                // Only once for each prompt, however many messages it takes.
                rings: what.rings && index == 0,
                ..Outgoing::default()
            };
            let sent = self.network.send(Call::Post, outgoing).await;
            let sent = match (sent, &posted) {
                (Ok(sent), _) => sent,
                (Err(refusal), None) => return Err(error(&refusal)),
                (Err(refusal), Some(_)) => {
                    return Err(ChannelError::Unclear {
                        maybe_done: true,
                        source: Box::new(error(&refusal)),
                    });
                }
            };
            let at = self.address(&sent.conversation);
            let new = PostedMessage {
                message: MessageRef::new(sent.id.to_string()),
                placed: self.placed(sent.id),
            };
            posted
                .get_or_insert(Posted {
                    at,
                    messages: Vec::new(),
                })
                .messages
                .push(new);
        }
        posted.ok_or(ChannelError::Unsupported("showing nothing"))
    }

    async fn find(
        &self,
        _: &Address,
        what: &Presentation,
        key: &PostKey,
        _: Timestamp,
    ) -> Result<Option<Posted>, ChannelError> {
        let parts = 0..what.messages.len();
        let sent: Vec<_> = parts
            .filter_map(|part| self.network.posted(&format!("{key}{part}")))
            .collect();
        Ok(sent.first().map(|first| Posted {
            at: self.address(&first.conversation),
            messages: sent
                .iter()
                .map(|sent| PostedMessage {
                    message: MessageRef::new(sent.id.to_string()),
                    placed: self.placed(sent.id),
                })
                .collect(),
        }))
    }

    async fn edit(&self, at: &MessageRef, what: &Message) -> Result<(), ChannelError> {
        if !self.network.profile.has(Feature::Edits) {
            return Err(ChannelError::Unsupported("changing messages"));
        }
        self.network
            .change(number(at), &self.text(what), buttons(what))
            .await
            .map_err(|refusal| error(&refusal))
    }

    fn deaf_after(&self) -> Duration {
        Duration::from_mins(1)
    }

    async fn listen(&self, inbox: &dyn Inbox, stop: CancellationToken) -> Result<(), ChannelError> {
        loop {
            let connection = self.network.connect();
            loop {
                // Each look is a ping, too.
                if self.network.answers() {
                    inbox.heard_from(&self.name);
                }
                let clock = &self.network.clock;
                let event = tokio::select! {
                    () = stop.cancelled() => return Ok(()),
                    event = self.network.next_event(connection) => event,
                    () = clock.sleep_until(clock.now() + PING) => continue,
                };
                let Some(event) = event else { break };
                self.take(inbox, &event).await;
            }
        }
    }
}

impl FakeChannel {
    fn address(&self, local: &str) -> Address {
        Address::new(self.name.clone(), local)
    }

    fn placed(&self, id: i64) -> Option<Placed> {
        self.network.profile.has(Feature::Order).then_some(Placed(id))
    }

    fn text(&self, message: &Message) -> String {
        if !self.network.profile.markup {
            return message.text();
        }
        let line = |spans: &[askd_core::present::Span]| -> String {
            let span = |span: &askd_core::present::Span| match span.style {
                Style::Strong => format!("<b>{}</b>", escape(&span.text)),
                _ => escape(&span.text),
            };
            spans.iter().map(span).collect()
        };
        let lines: Vec<String> = message.lines.iter().map(|l| line(&l.spans)).collect();
        lines.join("\n")
    }

    /// Hands one event over, shows what became of it, and acknowledges it only if it was taken.
    async fn take(&self, inbox: &dyn Inbox, event: &Event) {
        let taken = inbox.accept(self.read(event)).await;
        // Feedback is best effort: what is stored counts, whatever becomes of it.
        match &taken {
            Ok(receipt) => {
                if let Some(posted) = self.show(event, receipt).await {
                    inbox.shown(receipt, &posted).await;
                }
            }
            Err(not_taken) => {
                self.tell(event, &not_taken.text, true).await;
            }
        }
        self.network.through(event.id, taken.is_ok());
    }

    fn read(&self, event: &Event) -> Inbound {
        let from = match &event.from {
            From::Account(account) => Sender::Account {
                account: self.address(account),
                language: None,
            },
            From::Hidden => Sender::Hidden,
            From::Machine => Sender::Machine,
        };
        let reference = |id: i64| MessageRef::new(id.to_string());
        let act = match &event.what {
            What::Press { on, data } => Act::Pressed {
                payload: data.clone(),
                message: PressedMessage {
                    message: reference(*on),
                    placed: self.placed(*on),
                },
            },
            What::Form { data, text } => Act::Filled {
                payload: data.clone(),
                text: text.clone(),
                message: None,
            },
            What::Message {
                id,
                text,
                reply_to,
                thread,
                attachment,
                forwarded,
                edited,
            } => {
                let bare = text.strip_prefix(MENTION);
                Act::Said(Said {
                    addressed: bare.is_some() || text.starts_with('/'),
                    text: bare.unwrap_or(text).to_owned(),
                    message: reference(*id),
                    placed: self.placed(*id),
                    reply_to: reply_to.map(reference),
                    thread: thread.map(reference),
                    attachment: *attachment,
                    edited: *edited,
                    forwarded: *forwarded,
                })
            }
        };
        Inbound {
            event: EventId::new(event.id.to_string()),
            from,
            at: self.address(&event.conversation),
            direct: event.direct,
            when: event.date,
            act,
        }
    }

    /// Shows a receipt: by a form, a toast, privately or as a reply. Returns the reply.
    async fn show(&self, event: &Event, receipt: &Receipt) -> Option<Posted> {
        if receipt.text.is_empty() {
            return None;
        }
        if let (Became::WriteOwn(form), From::Account(account), true) =
            (&receipt.became, &event.from, self.network.profile.forms.is_some())
        {
            let form = OpenForm {
                conversation: event.conversation.clone(),
                title: form.title.clone(),
                label: form.label.clone(),
                data: form.payload.text(),
            };
            let _ = self.network.open_form(account, form).await;
            return None;
        }
        let to_all = matches!(receipt.became, Became::WriteOwn(_));
        let concerns_one = matches!(receipt.became, Became::NotYours | Became::Hint);
        if to_all {
            self.reply(event, &receipt.text).await
        } else {
            self.tell(event, &receipt.text, concerns_one).await
        }
    }

    /// Says something to one person: as a toast on a press, privately in a group, else as a reply.
    async fn tell(&self, event: &Event, text: &str, concerns_one: bool) -> Option<Posted> {
        let pressed = !matches!(event.what, What::Message { .. });
        let private = concerns_one && !event.direct && self.network.profile.has(Feature::PrivateTexts);
        match &event.from {
            From::Account(account) if pressed && self.network.profile.toast.fits(text) => {
                let _ = self.network.toast(account, text).await;
                None
            }
            From::Account(account) if private => {
                let what = self.answer(event, text, Some(account.clone()));
                let _ = self.network.send(Call::Feedback, what).await;
                None
            }
            _ => self.reply(event, text).await,
        }
    }

    async fn reply(&self, event: &Event, text: &str) -> Option<Posted> {
        let sent = self
            .network
            .send(Call::Feedback, self.answer(event, text, None))
            .await
            .ok()?;
        let message = PostedMessage {
            message: MessageRef::new(sent.id.to_string()),
            placed: self.placed(sent.id),
        };
        Some(Posted {
            at: self.address(&sent.conversation),
            messages: vec![message],
        })
    }

    fn answer(&self, event: &Event, text: &str, only_for: Option<String>) -> Outgoing {
        let reply_to = match &event.what {
            What::Message { id, .. } | What::Press { on: id, .. } => Some(*id),
            What::Form { .. } => None,
        };
        Outgoing {
            to: event.conversation.clone(),
            text: if self.network.profile.markup {
                escape(text)
            } else {
                text.to_owned()
            },
            reply_to,
            only_for,
            ..Outgoing::default()
        }
    }
}

/// The number behind a message's name.
pub(super) fn number(message: &MessageRef) -> i64 {
    message
        .as_str()
        .parse()
        .expect("messages are named by their number")
}

fn buttons(message: &Message) -> Vec<Vec<(String, String)>> {
    let Controls::Buttons(rows) = &message.controls else {
        return Vec::new();
    };
    let row = |row: &Vec<askd_core::present::Button>| {
        row.iter()
            .map(|button| (button.label.clone(), button.payload.text()))
            .collect()
    };
    rows.iter().map(row).collect()
}

/// What the platform's refusal means to us.
fn error(refusal: &Refusal) -> ChannelError {
    match *refusal {
        Refusal::Slower(pause) => ChannelError::Throttled { pause },
        Refusal::NoAnswer { done } => ChannelError::Unclear {
            maybe_done: done,
            source: "the connection broke".into(),
        },
        Refusal::Unauthorized => ChannelError::Refused("401".into()),
        Refusal::Forbidden => ChannelError::Unreachable("403".into()),
        Refusal::NoSuchMessage => ChannelError::Gone,
        Refusal::Bad(code) => ChannelError::Rejected {
            code: code.to_owned(),
        },
    }
}
