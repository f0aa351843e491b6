//! Whose turn it is.
//!
//! What is typed in one conversation is handed in in its order, because a text may depend on the one before it;
//! conversations do not wait for each other. While it is being found out what was said during a gap, new texts wait for
//! that, so that the older are handed in first.

use std::collections::{BTreeMap, VecDeque};

use serenity::model::id::ChannelId;

/// Something that was typed, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) channel: ChannelId,
    /// The event's name.
    pub(super) kind: String,
    pub(super) json: String,
}

/// A line for each conversation.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Of the conversations in which one is being handed in, those behind it.
    behind: BTreeMap<ChannelId, VecDeque<Text>>,
    /// What came while somebody was looking back.
    held: VecDeque<Text>,
    /// How many are looking back.
    looking_back: usize,
    /// How many texts wait.
    waiting: usize,
}

impl Lines {
    /// Something was typed. Returns it if it can be handed in now.
    pub(super) fn join(&mut self, text: Text) -> Option<Text> {
        if self.looking_back > 0 {
            self.held.push_back(text);
            self.waiting += 1;
            return None;
        }
        if let Some(line) = self.behind.get_mut(&text.channel) {
            line.push_back(text);
            self.waiting += 1;
            return None;
        }
        self.behind.insert(text.channel, VecDeque::new());
        Some(text)
    }

    /// The one before was handed in. Returns the next of this conversation.
    pub(super) fn next(&mut self, channel: ChannelId) -> Option<Text> {
        let next = self.behind.get_mut(&channel)?.pop_front();
        if next.is_none() {
            self.behind.remove(&channel);
        } else {
            self.waiting = self.waiting.saturating_sub(1);
        }
        next
    }

    /// How many texts wait for their turn.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Somebody looks back at a gap.
    pub(super) fn hold(&mut self) {
        self.looking_back += 1;
    }

    /// Whether somebody does.
    pub(super) fn are_held(&self) -> bool {
        self.looking_back > 0
    }

    /// They found this, oldest first. Returns what can be handed in now.
    pub(super) fn let_go(&mut self, found: Vec<Text>) -> Vec<Text> {
        self.looking_back = self.looking_back.saturating_sub(1);
        let held = std::mem::take(&mut self.held);
        self.waiting = self.waiting.saturating_sub(held.len());
        if self.looking_back > 0 {
            self.held = found.into_iter().chain(held).collect();
            self.waiting += self.held.len();
            return Vec::new();
        }
        found
            .into_iter()
            .chain(held)
            .filter_map(|text| self.join(text))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(channel: u64, json: &str) -> Text {
        Text {
            channel: ChannelId::new(channel),
            kind: "MESSAGE_CREATE".to_owned(),
            json: json.to_owned(),
        }
    }

    #[test]
    fn conversations_go_side_by_side_and_each_in_its_order() {
        let mut lines = Lines::default();

        assert_eq!(lines.join(text(1, "a")), Some(text(1, "a")));
        assert_eq!(lines.join(text(1, "b")), None);
        assert_eq!(lines.join(text(2, "c")), Some(text(2, "c")));

        assert_eq!(lines.next(ChannelId::new(1)), Some(text(1, "b")));
        assert_eq!(lines.next(ChannelId::new(1)), None);
        assert_eq!(
            lines.join(text(1, "d")),
            Some(text(1, "d")),
            "the line is free again"
        );
    }

    #[test]
    fn how_many_wait_is_known() {
        let mut lines = Lines::default();
        lines.hold();
        lines.join(text(1, "a"));
        lines.join(text(1, "b"));
        assert_eq!(lines.waiting(), 2);

        lines.let_go(vec![text(1, "old")]);
        assert_eq!(lines.waiting(), 2, "behind the one that is being handed in");
        for left in [1, 0, 0] {
            lines.next(ChannelId::new(1));
            assert_eq!(lines.waiting(), left);
        }
    }

    #[test]
    fn what_was_said_in_a_gap_goes_before_what_came_after_it() {
        let mut lines = Lines::default();
        lines.hold();
        lines.hold();
        assert_eq!(lines.join(text(1, "new")), None);

        assert_eq!(lines.let_go(vec![text(1, "old")]), []);
        let now = lines.let_go(vec![text(2, "elsewhere")]);

        assert_eq!(now, [text(2, "elsewhere"), text(1, "old")]);
        assert_eq!(lines.next(ChannelId::new(1)), Some(text(1, "new")));
    }
}
