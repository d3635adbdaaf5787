//! Following a contract's logs, nodes that fall silent, and a wallet's ledger.

mod follow;
mod send;
