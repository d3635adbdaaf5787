//! Games between the machines (protocol, section 8): both players' machines and the game contract in one process. [`pair`] is what the tests play single
//! scenarios in; [`opponent`] plays drawn games against an opponent that does whatever the protocol must bear.

pub mod opponent;
pub mod pair;
