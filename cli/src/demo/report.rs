//! The demo's report as JSON.

use rules::{Color, Move};
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DemoReport {
    pub plies: Vec<PlyReport>,
    /// Every transaction with the game contract, in the chain's order.
    pub actions: Vec<ActionReport>,
    pub engine: EngineReport,
    /// How the game ended.
    pub result: ResultReport,
    /// Most memory that each player's process had, in MiB; null where the system doesn't tell.
    pub peak_mib: [Option<u64>; 2],
    /// Bytes of the backup of a game between the machines.
    pub backup_bytes: Option<u64>,
    /// What the audit found: from the chain alone, or with a player's transcript of a game between the machines.
    pub audit: AuditReport,
    /// The replay from the published view keys.
    pub replay: ReplayReport,
}

/// The sight engine; what its sights cost stands with the plies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineReport {
    pub name: String,
    /// Bytes on the wire of its set-up, of both players together; 0 for engines without one.
    pub set_up_bytes: usize,
    /// What both parts, run again, have shown; null for sight-lines.
    pub account: Option<AccountReport>,
}

/// What came of running both players' parts again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AccountReport {
    /// Whether all is as the protocol wants it.
    pub ok: bool,
    /// Sessions that were run again.
    pub sessions: usize,
    /// Moves whose transcripts on chain fit.
    pub transcripts: usize,
}

/// A transaction with the game contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionReport {
    /// The contract's function, with the phase of a demand and its answer.
    pub action: String,
    /// Gas used, all included.
    pub gas: u64,
    /// What it cost, in wei.
    pub fee_wei: u128,
    pub calldata_bytes: usize,
}

/// A ply, as its mover sees it, and what it cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlyReport {
    pub ply: u16,
    pub mover: Color,
    #[serde(rename = "move")]
    pub mv: Move,
    /// Seconds to make the turn proof.
    pub turn_prove_s: f64,
    /// Milliseconds to verify it.
    pub turn_verify_ms: f64,
    /// Seconds to make an answer proof: the slower one, if the mover was answered before and after its move.
    pub answer_prove_s: f64,
    /// Bytes on the wire of the mover's answers of this ply, proofs included.
    pub answer_bytes: usize,
    /// Bytes on the wire of the mover's new request.
    pub request_bytes: usize,
    /// Messages of either player about this ply.
    pub messages: usize,
    /// Their bytes on the wire.
    pub message_bytes: usize,
    /// Seconds from the move's receipt at its mover to the sight that its opponent is shown.
    pub sight_s: Option<f64>,
    /// Seconds from the choice at its mover to the sight that its opponent is shown.
    pub ply_s: Option<f64>,
    /// Gas of the move's transaction, all included; 0 if it took none.
    pub gas: u64,
    /// Bytes of its calldata.
    pub calldata_bytes: usize,
}

/// How the game ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultReport {
    /// `white`, `black` or null.
    pub winner: Option<Color>,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditReport {
    /// Whether all is in order.
    pub ok: bool,
    pub plies: u16,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplayReport {
    pub pgn: String,
    /// Whether the moves found are the script's.
    pub matches_script: bool,
}
