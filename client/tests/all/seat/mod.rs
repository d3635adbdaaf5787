//! Whole games of two seats in one process, from a seed (protocol, sections 6 and 9), in the world of the crate `simulate`: undisturbed and under drops,
//! repeats, delays, reordering and reorganised chains; killed at every step; lied to in every way that has a name; with the link cut, and with an opponent that
//! withholds, lies or falls silent on chain. Proofs
//! are stood in for by the statements' native checks, so nothing here tests a circuit.

mod audits;
mod claims;
mod commands;
mod crashes;
mod disclosures;
mod disputes;
mod effect_boundaries;
mod elsewhere;
mod forks;
mod games;
mod jobs;
mod liar;
mod lies;
mod sessions;
mod silence;
mod taken_back;
mod told;
mod unwritten;
