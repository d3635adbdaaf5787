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
    /// Who makes its proofs.
    const BACKEND: Backend = Backend::Fast;
    /// The keys and parameters that this program knows, a line each. Of a key: statement, ceremony, SHA-256 of the bytes of the verifying key and
    /// of the proving key. No other key is taken for such parameters, wherever it comes from; with others, keys are made at each start. Whoever
    /// changes a circuit on purpose runs `make verifiers` and changes the changelog.
    const KNOWN_KEYS: &'static str = KNOWN_KEYS;
}

/// The keys and parameters that this program knows; its first lines say what stands there.
pub(crate) const KNOWN_KEYS: &str = include_str!("known_keys.txt");

/// The instance columns of *item* and *view*: polynomials, weights of coefficients, weights of slots, and what is public of the board.
const ENCRYPTED: &[usize] = &[DEGREE, DEGREE, DEGREE, DEGREE, DEGREE, DEGREE, SLOTS, SLOTS, BOARD_INPUTS];

/// A row for each statement: its circuit, how challenges are derived, the values in each instance column, and who makes its proofs.
macro_rules! statements {
    ($($(#[$doc:meta])* $circuit:ty: $transcript:ident, $instances:expr, $backend:ident;)*) => {
        $($(#[$doc])*
        impl Statement for $circuit {
            const TRANSCRIPT: Transcript = Transcript::$transcript;
            const INSTANCES: &'static [usize] = $instances;
            const BACKEND: Backend = Backend::$backend;
        })*
    };
}

statements! {
    TurnCircuit: Keccak, &[PUBLIC_INPUTS], Fast;
    FiftyCircuit: Keccak, &[PUBLIC_INPUTS], Fast;
    NoMoveCircuit: Keccak, &[PUBLIC_INPUTS], Fast;
    RequestDataCircuit: Keccak, &[PUBLIC_INPUTS], Fast;
    TagStepCircuit: Keccak, &[PUBLIC_INPUTS], Fast;
    TagReplyCircuit: Keccak, &[PUBLIC_INPUTS], Fast;
    TagCaptureCircuit: Keccak, &[PUBLIC_INPUTS], Fast;
    /// The form of *answer* that a contract verifies.
    ChainAnswerCircuit: Keccak, &[CHAIN_ANSWER_INPUTS], Fast;
    /// The peer-to-peer form of *answer*.
    AnswerCircuit: Blake2b, &[ANSWER_INPUTS], Fast;
    /// From sender to receiver, of the lines of the whole board.
    ShownCircuit<false>: Blake2b, &[SHOWN_INPUTS + Extent::Full.entries(SetKind::Shown)], Fast;
    /// From receiver to sender, of the lines of the whole board.
    AskedCircuit<false>: Blake2b, &[ASKED_INPUTS + Extent::Full.entries(SetKind::Asked)], Fast;
    /// From the player who has moved to the other, in games whose contract asks for no proof of a move.
    OwnStepCircuit: Blake2b, &[OWN_STEP_INPUTS], Fast;
    /// From each player to the other in the set-up: polynomials, a column each.
    KeyShareCircuit: Blake2b, &[DEGREE; KEY_SHARE_COLUMNS], Library;
    /// From the sender of a sight to its receiver.
    ItemCircuit: Blake2b, ENCRYPTED, Library;
    /// From the receiver of a sight to its sender.
    ViewCircuit: Blake2b, ENCRYPTED, Library;
    /// From the sender of a sight to its receiver.
    DecryptionCircuit: Blake2b, &[DEGREE; DECRYPTION_COLUMNS], Library;
    /// From the player who has captured to the other: polynomials, a column each.
    CapturedCircuit: Blake2b, &[DEGREE; CAPTURED_COLUMNS], Library;
}
