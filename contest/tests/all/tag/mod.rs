//! Tag without a chain: whole games against a plain oracle, wrong messages, statements and their broken values, and the attack on groups of smooth
//! order.

mod cheats;
mod games;
mod pair;
mod smooth_order;
mod statements;
