//! What the bot may do where. Source of the bits: Discord docs, "Permissions".

/// Something that can be allowed or denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u64)]
pub enum Permission {
    /// Delete what others wrote.
    ManageMessages = 1 << 13,
    /// See a channel at all.
    ViewChannel = 1 << 10,
    /// Write in a channel.
    SendMessages = 1 << 11,
    /// Have links shown with a preview.
    EmbedLinks = 1 << 14,
    /// Read what was written before, and reply to it.
    ReadMessageHistory = 1 << 16,
    /// Ping everyone.
    MentionEveryone = 1 << 17,
    /// Use slash commands.
    UseApplicationCommands = 1 << 31,
    /// Open up archived and locked threads.
    ManageThreads = 1 << 34,
    /// Begin threads.
    CreatePublicThreads = 1 << 35,
    /// Write in threads.
    SendMessagesInThreads = 1 << 38,
}

impl Permission {
    /// As the API writes it.
    #[must_use]
    pub const fn bit(self) -> u64 {
        self as u64
    }
}

/// What the role of everybody allows.
pub(crate) const OF_EVERYBODY: u64 = Permission::ViewChannel.bit()
    | Permission::SendMessages.bit()
    | Permission::ReadMessageHistory.bit()
    | Permission::UseApplicationCommands.bit()
    | Permission::CreatePublicThreads.bit()
    | Permission::SendMessagesInThreads.bit();

/// What the bot's own role allows beside that: what it was invited with.
pub(crate) const OF_BOT: u64 = Permission::ViewChannel.bit()
    | Permission::SendMessages.bit()
    | Permission::EmbedLinks.bit()
    | Permission::ReadMessageHistory.bit()
    | Permission::SendMessagesInThreads.bit();
