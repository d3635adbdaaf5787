//! With which sight engine a game is played: its name on the command line, and the engine of a game on the chain.

use clap::Args;
use client::chain::GameState;
use client::runtime::{DH_PSI_PROVEN, SemiHonest, semi_honest};
use eyre::Result;
use fog::engine::About;
use std::fmt;
use std::sync::Arc;

use crate::failure::bad_input;
use crate::output::note;

/// The engine that proves its moves.
const SIGHT_LINES: &str = "sight-lines";

#[derive(Clone, Debug, Args)]
pub struct EngineArgs {
    /// The sight engine: `sight-lines`, whose moves and sights are proven; `dh-psi-proven`, whose sights are, but no moves; or `dh-psi`,
    /// `dh-psi-plain`, `emanant`, `andos` or `bfv`, whose players must trust each other while the game lasts. All but the first have games
    /// without stakes, and moves that nobody proves
    #[arg(long, value_name = "NAME", default_value = SIGHT_LINES, value_parser = named)]
    pub engine: Choice,
}

/// An engine, or one that needs a prover to be made.
#[derive(Clone, Default)]
pub enum Choice {
    #[default]
    SightLines,
    /// The one whose sets are proven.
    DhPsiProven,
    Other(Arc<dyn SemiHonest>),
}

impl Choice {
    /// The engine that a game on the chain is played with.
    pub fn of(state: &GameState) -> Result<Self> {
        match (state.terms.mode.has_proofs(), &state.engine) {
            (true, _) => Ok(Self::SightLines),
            (false, Some(name)) => named(name).map_err(bad_input),
            (false, None) => Err(bad_input("the game is played with a sight engine without a name")),
        }
    }

    /// The engine, if its players trust each other and can be called to account after a game.
    ///
    /// # Errors
    ///
    /// Why there is nothing that a player could lay open, in a sentence.
    pub fn accountable(&self) -> Result<&Arc<dyn SemiHonest>, &'static str> {
        match self {
            Self::SightLines => {
                Err("there is nothing to disclose of this game: its moves and sights were proven as they were made")
            }
            Self::DhPsiProven => Err(
                "there is nothing to disclose of this game: its sights were proven to be those of the committed boards, and whether moves \
                 led to these is seen by both view keys, once they are published",
            ),
            Self::Other(engine) => Ok(engine),
        }
    }

    /// What it says of itself, if it isn't sight-lines.
    pub fn about(&self) -> Option<&About> {
        match self {
            Self::SightLines => None,
            Self::DhPsiProven => Some(DH_PSI_PROVEN),
            Self::Other(engine) => Some(engine.about()),
        }
    }

    pub fn name(&self) -> &str {
        self.about().map_or(SIGHT_LINES, |about| about.name)
    }

    /// Tells what it doesn't protect.
    pub fn tell_caveat(&self) {
        if let Some(about) = self.about() {
            note!("engine {}: {}", about.name, about.caveat);
        }
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The engine with a name.
fn named(text: &str) -> Result<Choice, String> {
    if text == SIGHT_LINES {
        return Ok(Choice::SightLines);
    }
    if text == DH_PSI_PROVEN.name {
        return Ok(Choice::DhPsiProven);
    }
    let others = semi_honest();
    let names: Vec<String> = others.iter().map(|engine| engine.about().name.to_owned()).collect();
    let found = others.into_iter().find(|engine| engine.about().name == text);
    let missing = || {
        let (proven, others) = (DH_PSI_PROVEN.name, names.join(", "));
        format!("{text:?} is no sight engine that games are played with: there are {SIGHT_LINES}, {proven}, {others}")
    };
    found.map(Choice::Other).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_proven_has_nothing_to_disclose_and_says_why() {
        for (name, words) in [("sight-lines", "moves and sights were proven"), ("dh-psi-proven", "by both view keys")] {
            let refusal = named(name).expect("an engine").accountable().err().expect(name);
            assert!(refusal.starts_with("there is nothing to disclose") && refusal.contains(words), "{refusal}");
        }
        for name in ["dh-psi", "dh-psi-plain", "emanant", "andos", "bfv"] {
            assert!(named(name).expect("an engine").accountable().is_ok(), "{name}");
        }
    }

    #[test]
    fn engines_have_their_names() {
        for name in ["sight-lines", "dh-psi-proven", "dh-psi", "dh-psi-plain", "emanant", "andos", "bfv"] {
            assert_eq!(named(name).expect("an engine").name(), name);
        }
        let refusal = named("open").expect_err("an engine of tests");
        assert!(refusal.contains("sight-lines, dh-psi-proven, dh-psi, dh-psi-plain, emanant, andos, bfv"), "{refusal}");
    }
}
