//! Capability profiles like those of the channels, and of some that nobody has written yet.

use askd_core::present::{Buttons, Capabilities, Forms, Limit, Markup, Unit};

/// A conversation that can show so much.
pub(crate) struct Profile {
    pub(crate) name: &'static str,
    pub(crate) to: Capabilities,
}

pub(crate) fn all() -> Vec<Profile> {
    [
        ("telegram private", telegram_private()),
        ("telegram group", telegram_group()),
        ("discord direct", discord_direct()),
        ("discord guild", discord_guild()),
        ("slack channel", slack_channel()),
        ("plain text", Capabilities::plain_text()),
        ("like SMS", like_sms()),
        ("like IRC", like_irc()),
        ("few buttons", few_buttons()),
        ("everything", everything()),
    ]
    .map(|(name, to)| Profile { name, to })
    .into()
}

const fn limit(max: usize, unit: Unit) -> Limit {
    Limit { max, unit }
}

pub(crate) fn telegram_private() -> Capabilities {
    Capabilities {
        text: limit(4096, Unit::Utf16),
        buttons: Some(Buttons {
            max: 100,
            per_row: 8,
            rows: 100,
            label: limit(60, Unit::Utf16),
        }),
        edits: true,
        ..Capabilities::plain_text()
    }
}

pub(crate) fn telegram_group() -> Capabilities {
    Capabilities {
        direct: false,
        hears_groups: false,
        ..telegram_private()
    }
}

pub(crate) fn discord_direct() -> Capabilities {
    Capabilities {
        text: limit(2000, Unit::MarkdownScalars),
        markup: Markup { span: 4, instant: 16 },
        buttons: Some(Buttons {
            max: 25,
            per_row: 5,
            rows: 5,
            label: limit(80, Unit::Utf16),
        }),
        forms: Some(Forms {
            title: limit(45, Unit::Utf16),
            label: limit(45, Unit::Utf16),
        }),
        edits: true,
        instants: true,
        ..Capabilities::plain_text()
    }
}

pub(crate) fn discord_guild() -> Capabilities {
    Capabilities {
        direct: false,
        hears_groups: false,
        ..discord_direct()
    }
}

pub(crate) fn slack_channel() -> Capabilities {
    Capabilities {
        text: limit(3000, Unit::EscapedScalars),
        markup: Markup { span: 2, instant: 60 },
        buttons: Some(Buttons {
            max: 25,
            per_row: 5,
            rows: 5,
            label: limit(75, Unit::Scalars),
        }),
        forms: Some(Forms {
            title: limit(24, Unit::Scalars),
            label: limit(75, Unit::Scalars),
        }),
        edits: true,
        instants: true,
        slash_commands: false,
        hears_groups: false,
        direct: false,
        threads: true,
        ..Capabilities::plain_text()
    }
}

pub(crate) fn like_sms() -> Capabilities {
    Capabilities {
        text: limit(300, Unit::Utf16),
        slash_commands: false,
        ..Capabilities::plain_text()
    }
}

pub(crate) fn like_irc() -> Capabilities {
    Capabilities {
        text: limit(400, Unit::Bytes),
        slash_commands: false,
        ..Capabilities::plain_text()
    }
}

/// Room for three short buttons, side by side, and edits in a short text.
pub(crate) fn few_buttons() -> Capabilities {
    Capabilities {
        text: limit(500, Unit::Scalars),
        buttons: Some(Buttons {
            max: 3,
            per_row: 3,
            rows: 1,
            label: limit(8, Unit::Bytes),
        }),
        edits: true,
        ..Capabilities::plain_text()
    }
}

pub(crate) fn everything() -> Capabilities {
    Capabilities {
        text: limit(100_000, Unit::Bytes),
        buttons: Some(Buttons {
            max: 50,
            per_row: 10,
            rows: 50,
            label: limit(2000, Unit::Bytes),
        }),
        forms: Some(Forms {
            title: limit(100, Unit::Bytes),
            label: limit(100, Unit::Bytes),
        }),
        edits: true,
        instants: true,
        ..Capabilities::plain_text()
    }
}
