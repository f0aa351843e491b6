//! askd on Slack.
