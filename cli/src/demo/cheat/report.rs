//! What came of Bob's cheating, as JSON.

use serde::Serialize;

use super::who::Who;

/// All scenes that were played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheatReport {
    pub scenes: Vec<SceneReport>,
}

/// One game, in which Bob cheats in one way.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SceneReport {
    pub scene: String,
    /// What the chain was given, in order.
    pub steps: Vec<StepReport>,
    /// What Alice's machine has refused to take from Bob's, by the sentence that it shows.
    pub faults: Vec<String>,
    /// How the game ended; null if it goes on.
    pub ending: Option<String>,
    /// Who has won; null if nobody has.
    pub winner: Option<Who>,
    /// What Alice has got of Bob's bonds, in wei.
    pub bond_wei: String,
    /// What Alice has more than when the game began, in wei, what the contract owes her and keeps of hers included.
    pub alice_wei: String,
    /// The same of Bob.
    pub bob_wei: String,
}

/// A transaction of a scene, with what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepReport {
    /// Who pays for it.
    pub by: Who,
    pub what: String,
    /// The name of the contract's error, if it has refused it.
    pub refusal: Option<&'static str>,
    pub gas: u64,
    pub fee_wei: String,
}
