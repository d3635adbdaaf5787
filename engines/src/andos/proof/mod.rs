//! What the engines `andos-hardened` and `andos-chained` prove.
//!
//! **Messages**, by the proofs of the same paper: that a key is one (in the set-up, by Fiat and Shamir's transformation, 2⁻¹²⁸:
//! [`key`]), that a sender's packet marks no square ([`symbols`]), that each question is a permuted re-randomisation of the sender's packet, by
//! cut and choose with the sender's challenge, 2⁻⁴¹ ([`copies`]), and that each answer says what the packet holds, 2⁻¹²⁸
//! ([`answer`]). A sender may still make up a board before it is asked, and a receiver ask for any one square a question.
//!
//! **Boards**, in the chained engine, between opening and first question ([`board`]): the packet is the next of the sender's [`chain`], and the pawn
//! phase's packet says of it which squares are occupied. Both players keep the chains in their keys ([`history`]), so that exchanges must come in
//! order and none be left out; a player that starts again runs the parties of the exchanges before once more. The en-passant packet isn't proven. A
//! sender's men may still move as it likes.

pub mod answer;
pub mod board;
pub mod chain;
pub mod challenge;
pub mod copies;
pub mod history;
pub mod key;
pub mod symbols;
