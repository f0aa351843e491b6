//! (being written)
/// x
#[derive(Debug)]
pub struct Bridge;
/// x
#[derive(Debug)]
pub struct Relay;
/// x
#[derive(Debug)]
pub struct RelayError;
/// x
#[derive(Debug)]
pub struct Relayed;
/// x
pub fn serve_stdio() {}
