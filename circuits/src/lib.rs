//! The halo2 circuits of Fogmate: *turn*, which the contract verifies on every ply; *answer*, which the peer verifies; *chain answer* and
//! *request data*, by which a sight is forced through the chain; *fifty* and *no move*, by which draws are claimed (protocol section 7);
//! the three statements of the game of tag; *item*, *view*, *key share*, *decryption* and *captured*, of the polynomials of the engine `bfv-steps`; *shown* and *asked*, of the sets of the engine `dh-psi-proven`; and *own step*, by which
//! one committed board follows from another where no contract says so.
//!
//! [`statement`] has a folder for each; [`gadget`] holds what they are composed of. What a statement says is written in plain Rust in
//! `fog::statement`, `contest::tag::statement` and the folders of `engines`, and the tests hold each circuit against that twin.

mod any;
pub mod gadget;
mod regions;
pub mod statement;

#[cfg(test)]
mod laid;
#[cfg(test)]
mod rigidity;
#[cfg(test)]
mod values;

pub use any::AnyCircuit;
pub use regions::Regions;
pub use statement::{
    StatementCircuit,
    answer::AnswerCircuit,
    bfv::{ItemCircuit, ViewCircuit},
    captured::CapturedCircuit,
    chain_answer::ChainAnswerCircuit,
    decryption::DecryptionCircuit,
    fifty::FiftyCircuit,
    key_share::KeyShareCircuit,
    no_move::NoMoveCircuit,
    own_step::OwnStepCircuit,
    psi::{AskedCircuit, ShownCircuit, SmallAskedCircuit, SmallShownCircuit},
    request_data::RequestDataCircuit,
    tag::{TagCaptureCircuit, TagReplyCircuit, TagStepCircuit},
    turn::TurnCircuit,
};
