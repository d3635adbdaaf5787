//! A scene as it is told, to a reader and to the report.

use client::lobby::{about_in_ether, in_ether};
use eyre::{Result, bail};
use game::{Action, Ending, Notice};

use super::ground::Mined;
use super::report::{SceneReport, StepReport};
use super::scene::Scene;
use super::who::Who;
use crate::output::say;
use crate::words::cost;

/// What happens in a scene.
#[derive(Debug)]
pub struct Story {
    report: SceneReport,
}

impl Story {
    pub fn begin(scene: Scene) -> Result<Self> {
        say!("\n{}\n", scene.title())?;
        let (scene, bond_wei) = (scene.to_string(), "0".to_owned());
        Ok(Self { report: SceneReport { scene, bond_wei, ..SceneReport::default() } })
    }

    /// Somebody does something, or the chain says something.
    pub fn tell(&self, who: &str, what: &str) -> Result<()> {
        say!("  {who:8} {what}")
    }

    /// The contract has taken a transaction of Bob's, as it must.
    pub fn taken(&mut self, what: &str, mined: &Mined) -> Result<()> {
        if let Some(refusal) = &mined.refusal {
            bail!("the chain has refused what it must take, {what}: {refusal}");
        }
        self.step(Who::Bob, what, mined);
        self.tell("Chain", &format!("takes it ({}).", cost(mined.gas, mined.fee)))
    }

    /// The contract has refused a transaction, as it must, by the name of its error; `payer` has paid for it all the same.
    pub fn refused(&mut self, payer: Who, what: &str, mined: &Mined, name: &str) -> Result<()> {
        let Some(refusal) = &mined.refusal else {
            bail!("the chain has taken what it must refuse: {what}");
        };
        if refusal.name() != name {
            bail!("the chain refuses {what} by {} and not by {name}", refusal.name());
        }
        self.step(payer, what, mined);
        let cost = cost(mined.gas, mined.fee);
        self.tell("Chain", &format!("refuses it ({name}): {refusal}. {payer} has paid for that: {cost}."))
    }

    /// Alice has got something of Bob's bond, in wei.
    pub fn pay(&mut self, wei: u128) -> Result<()> {
        self.report.bond_wei = wei.to_string();
        self.tell("Alice", &format!("gets {} ETH of Bob's bond for that.", about_in_ether(wei)))
    }

    fn step(&mut self, by: Who, what: &str, mined: &Mined) {
        let refusal = mined.refusal.as_ref().map(|refusal| refusal.name());
        let (what, fee_wei) = (what.to_owned(), mined.fee.to_string());
        self.report.steps.push(StepReport { by, what, refusal, gas: mined.gas, fee_wei });
    }

    /// What Alice's machine has done and said while something of the game was waited for.
    pub fn heard(&mut self, notice: &Notice) -> Result<()> {
        match notice {
            Notice::Mined { action, gas, fee_wei, .. } => {
                self.step(Who::Alice, &action.to_string(), &Mined { gas: *gas, fee: *fee_wei, refusal: None });
                match action {
                    Action::Reveal => Ok(()),
                    _ => self.tell("Alice", &format!("has this mined: {action} ({}).", cost(*gas, *fee_wei))),
                }
            }
            Notice::Fault { fault } if !fault.may_be_honest() => {
                self.report.faults.push(fault.to_string());
                self.tell("Alice", &format!("refuses it by herself: {fault}."))
            }
            Notice::Fetched { wei } => {
                self.tell("Alice", &format!("fetches {} ETH from the contract.", in_ether(*wei)))
            }
            Notice::FalseMove { .. }
            | Notice::DemandingSight { .. }
            | Notice::SightDemanded { .. }
            | Notice::SightAnswered { .. }
            | Notice::FiftyClaimed { .. }
            | Notice::FiftyFailed { .. }
            | Notice::Woken { .. }
            | Notice::Awake { .. }
            | Notice::OpponentOutOfTime => {
                self.tell("Alice", &format!("is told: {}.", notice.note().unwrap_or_default()))
            }
            _ => Ok(()),
        }
    }

    /// How the scene has ended for both: what each has more than at its beginning, in wei.
    pub fn end(mut self, ending: Option<Ending>, winner: Option<Who>, gains: [i128; 2]) -> Result<SceneReport> {
        let [alice, bob] = gains.map(in_words);
        let how = match (ending, winner) {
            (Some(ending), Some(winner)) => format!("{winner} wins: {}.", ending.outcome),
            (Some(ending), None) => format!("Drawn: {}.", ending.outcome),
            (None, _) => "The game goes on.".to_owned(),
        };
        self.tell("So", &format!("{how} Alice has {alice}, Bob {bob}."))?;
        self.report.ending = ending.map(|ending| ending.outcome.to_string());
        self.report.winner = winner;
        (self.report.alice_wei, self.report.bob_wei) = (gains[0].to_string(), gains[1].to_string());
        Ok(self.report)
    }
}

/// A gain or a loss, in ether to the fourth place.
fn in_words(gain: i128) -> String {
    let ether = gain.unsigned_abs() as f64 / 1e18;
    match gain {
        0 => "nothing more or less".to_owned(),
        1.. => format!("{ether:.4} ETH more"),
        _ => format!("{ether:.4} ETH less"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy::primitives::keccak256;
    use client::chain::ContractError;

    /// Whoever takes a rule out of the contract is told by the demo.
    #[test]
    fn a_chain_that_takes_what_it_must_refuse_fails_the_scene() {
        let refused_by = |name: &str| {
            let refusal = ContractError::decode(&keccak256(format!("{name}()"))[..4]);
            Mined { gas: 50_000, fee: 1, refusal: Some(refusal.expect("an error of the contract")) }
        };
        let taken = Mined { refusal: None, ..refused_by("InvalidProof") };
        let mut story = Story::begin(Scene::Illegal).expect("standard output");
        assert!(story.refused(Who::Bob, "e2e5", &taken, "InvalidProof").is_err());
        assert!(story.refused(Who::Bob, "e2e5", &refused_by("NoVerdict"), "InvalidProof").is_err());
        assert!(story.taken("e2e4", &refused_by("InvalidProof")).is_err());
        assert!(story.refused(Who::Bob, "e2e5", &refused_by("InvalidProof"), "InvalidProof").is_ok());
        assert!(story.taken("e2e4", &taken).is_ok());
        let report = story.end(None, None, [0, -2]).expect("standard output");
        let refusals: Vec<_> = report.steps.iter().map(|step| step.refusal).collect();
        assert_eq!(refusals, [Some("InvalidProof"), None]);
    }
}
