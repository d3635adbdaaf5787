//! What holds of the engine `bfv` alone, through the trait: which wrong messages of a set-up and of an exchange are refused, and that a
//! published branch gives all of a player's messages again. Cheats with right seals are in `engines/src/bfv/cheats.rs`.

mod captures;
mod exchange;
mod published;
mod set_up;
mod statements;
