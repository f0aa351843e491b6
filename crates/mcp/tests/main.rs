//! MCP, called as its clients call it.
//!
//! Everything runs on the store in memory and a clock that the tests move.
