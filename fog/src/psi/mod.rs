//! The sets that engines over private set intersection exchange, and that the statements *shown* and *asked* speak of: [`element`]s, and the
//! two sets over [`lines`] of sight. What is done with them is in the crate `engines`.

pub mod element;
pub mod lines;
