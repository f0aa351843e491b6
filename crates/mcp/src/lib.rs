//! askd over MCP.
