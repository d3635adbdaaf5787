//! What a proof of a statement looks like on the wire: the prover's side of `circuits::StatementCircuit`.

use circuits::statement::turn::config::PUBLIC_INPUTS;
use circuits::{
    AnswerCircuit, AskedCircuit, CapturedCircuit, ChainAnswerCircuit, DecryptionCircuit, FiftyCircuit, ItemCircuit,
    KeyShareCircuit, NoMoveCircuit, OwnStepCircuit, RequestDataCircuit, ShownCircuit, StatementCircuit,
    TagCaptureCircuit, TagReplyCircuit, TagStepCircuit, TurnCircuit, ViewCircuit,
};
use engines::bfv::{
    captured::CAPTURED_COLUMNS, decryption::DECRYPTION_COLUMNS, encrypted::BOARD_INPUTS, parameters::DEGREE,
    shares::KEY_SHARE_COLUMNS, vector::SLOTS,
};
use engines::psi::catalogue::{Extent, SetKind};
use engines::psi::statement::{asked::ASKED_INPUTS, shown::SHOWN_INPUTS};
use fog::statement::answer::ANSWER_INPUTS;
use fog::statement::chain_answer::CHAIN_ANSWER_INPUTS;
use fog::statement::own_step::OWN_STEP_INPUTS;

/// How a proof's challenges are derived, which also decides how its points are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transcript {
    /// Keccak-256 and uncompressed points: what the EVM verifies.
    Keccak,
    /// Blake2b and compressed points: shorter, for proofs that go from peer to peer.
    Blake2b,
}

impl Transcript {
    /// Bytes of a curve point in a proof.
    pub(crate) fn point_bytes(self) -> usize {
        match self {
            Self::Keccak => 64,
            Self::Blake2b => 32,
        }
    }
}

/// Who makes proofs. Both make the same ones with the same keys, but only the library those of circuits of two phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The prover of the crate `plonk`.
    #[default]
    Fast,
    /// The library's own: slower, and with no tables.
    Library,
}

/// A statement that this crate makes keys and proofs for.
pub trait Statement: StatementCircuit {
    /// How its proofs' challenges are derived: if nobody says it, as a contract verifies them.
    const TRANSCRIPT: Transcript = Transcript::Keccak;
    /// The number of values in each instance column: if nobody says it, as many as *turn* has, with zeros after those of a statement that has fewer.
    const INSTANCES: &'static [usize] = &[PUBLIC_INPUTS];
    /// Who makes its proofs, if nobody chooses.
    const BACKEND: Backend = Backend::Fast;
    /// The keys that this program knows, a line each: statement, ceremony, SHA-256 of the bytes of the verifying key and of the proving key. No
    /// other key is taken for such parameters, wherever it comes from; with others, keys are made at each start. Whoever changes a circuit on
    /// purpose runs `make verifiers` and changes the changelog.
    const KNOWN_KEYS: &'static str = include_str!("known_keys.txt");
}

impl Statement for TurnCircuit {}
impl Statement for FiftyCircuit {}
impl Statement for NoMoveCircuit {}
impl Statement for RequestDataCircuit {}
impl Statement for TagStepCircuit {}
impl Statement for TagReplyCircuit {}
impl Statement for TagCaptureCircuit {}

/// The form of *answer* that a contract verifies.
impl Statement for ChainAnswerCircuit {
    const INSTANCES: &'static [usize] = &[CHAIN_ANSWER_INPUTS];
}

/// The peer-to-peer form of *answer*.
impl Statement for AnswerCircuit {
    const TRANSCRIPT: Transcript = Transcript::Blake2b;
    const INSTANCES: &'static [usize] = &[ANSWER_INPUTS];
}

/// From sender to receiver, of the lines of the whole board.
impl Statement for ShownCircuit<false> {
    const TRANSCRIPT: Transcript = Transcript::Blake2b;
    const INSTANCES: &'static [usize] = &[SHOWN_INPUTS + Extent::Full.entries(SetKind::Shown)];
}

/// From receiver to sender, of the lines of the whole board.
impl Statement for AskedCircuit<false> {
    const TRANSCRIPT: Transcript = Transcript::Blake2b;
    const INSTANCES: &'static [usize] = &[ASKED_INPUTS + Extent::Full.entries(SetKind::Asked)];
}

/// From the player who has moved to the other, in games whose contract asks for no proof of a move.
impl Statement for OwnStepCircuit {
    const TRANSCRIPT: Transcript = Transcript::Blake2b;
    const INSTANCES: &'static [usize] = &[OWN_STEP_INPUTS];
}

/// From each player to the other in the set-up: polynomials, a column each.
impl Statement for KeyShareCircuit {
    const TRANSCRIPT: Transcript = Transcript::Blake2b;
    const INSTANCES: &'static [usize] = &[DEGREE; KEY_SHARE_COLUMNS];
    const BACKEND: Backend = Backend::Library;
}

/// The instance columns of *item* and *view*: polynomials, weights of coefficients, weights of slots, and what is public of the board.
const ENCRYPTED: &[usize] = &[DEGREE, DEGREE, DEGREE, DEGREE, DEGREE, DEGREE, SLOTS, SLOTS, BOARD_INPUTS];

/// From the sender of a sight to its receiver.
impl Statement for ItemCircuit {
    const TRANSCRIPT: Transcript = Transcript::Blake2b;
    const INSTANCES: &'static [usize] = ENCRYPTED;
    const BACKEND: Backend = Backend::Library;
}

/// From the receiver of a sight to its sender.
impl Statement for ViewCircuit {
    const TRANSCRIPT: Transcript = Transcript::Blake2b;
    const INSTANCES: &'static [usize] = ENCRYPTED;
    const BACKEND: Backend = Backend::Library;
}

/// From the sender of a sight to its receiver.
impl Statement for DecryptionCircuit {
    const TRANSCRIPT: Transcript = Transcript::Blake2b;
    const INSTANCES: &'static [usize] = &[DEGREE; DECRYPTION_COLUMNS];
    const BACKEND: Backend = Backend::Library;
}

/// From the player who has captured to the other: polynomials, a column each.
impl Statement for CapturedCircuit {
    const TRANSCRIPT: Transcript = Transcript::Blake2b;
    const INSTANCES: &'static [usize] = &[DEGREE; CAPTURED_COLUMNS];
    const BACKEND: Backend = Backend::Library;
}
