//! Following a contract's logs, and nodes that fall silent.

mod follow;
