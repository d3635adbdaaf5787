//! With which sight engine a game is played: its name on the command line, and the engine of a game on the chain.

use clap::Args;
use client::chain::GameState;
use client::runtime::{Accountable, EngineKind};
use eyre::Result;
use std::sync::Arc;

use crate::failure::bad_input;
use crate::output::note;

/// The engine of a game without proofs: the quickest whose sights need no keys.
pub const UNPROVEN: &str = "dh-psi-plain";

#[derive(Clone, Debug, Args)]
pub struct EngineArgs {
    /// The sight engine: `sight-lines`, whose moves and sights are proven; `dh-psi-proven`, whose sights are, and moves as far as own men tell; or `dh-psi`,
    /// `dh-psi-plain`, `emanant`, `andos`, `andos-first`, `andos-hardened`, `andos-chained` or `bfv`, whose players must trust each other while
    /// the game lasts; with `andos-steps` and `andos-hardened-steps` they prove that boards follow from one another, with `bfv-steps` also all that is asked and shown. All but the first have games without stakes, whose moves no contract verifies
    #[arg(long, value_name = "NAME", default_value = EngineKind::default().name(), value_parser = named)]
    engine: EngineKind,
    /// Without proofs, which take time: the players trust each other while the game lasts. The same as --engine dh-psi-plain
    #[arg(long, conflicts_with = "engine")]
    no_prove: bool,
}

impl EngineArgs {
    pub fn kind(&self) -> EngineKind {
        if self.no_prove { EngineKind::named(UNPROVEN).unwrap_or_default() } else { self.engine }
    }
}

/// The engine that a game on the chain is played with.
pub fn engine_of(state: &GameState) -> Result<EngineKind> {
    match (state.terms.mode.has_proofs(), &state.engine) {
        (true, _) => Ok(EngineKind::default()),
        (false, Some(name)) => named(name).map_err(bad_input),
        (false, None) => Err(bad_input("the game is played with a sight engine without a name")),
    }
}

/// The engine, if its players trust each other and can be called to account after a game; or in a sentence why there is nothing that a player could
/// lay open.
pub fn accountable(engine: EngineKind) -> Result<Arc<dyn Accountable>, &'static str> {
    engine.accountable().ok_or(match engine {
        EngineKind::DhPsiProven(_) => {
            "there is nothing to disclose of this game: its sights were proven to be those of the committed boards, and whether moves \
             led to these is seen by both view keys, once they are published"
        }
        _ => "there is nothing to disclose of this game: its moves and sights were proven as they were made",
    })
}

/// Tells what an engine that proves no moves doesn't protect.
pub fn tell_caveat(engine: EngineKind) {
    if let Some(about) = engine.about() {
        note!("With {} the contract verifies no move: {}.", about.name, about.caveat);
    }
}

/// The engine with a name.
fn named(text: &str) -> Result<EngineKind, String> {
    let names = || EngineKind::ALL.map(|kind| kind.name()).join(", ");
    let missing = || format!("{text:?} is no sight engine that games are played with: there are {}", names());
    EngineKind::named(text).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_proven_has_nothing_to_disclose_and_says_why() {
        for (name, words) in [("sight-lines", "moves and sights were proven"), ("dh-psi-proven", "by both view keys")] {
            let refusal = accountable(named(name).expect("an engine")).err().expect(name);
            assert!(refusal.starts_with("there is nothing to disclose") && refusal.contains(words), "{refusal}");
        }
        for name in [
            "dh-psi",
            "dh-psi-plain",
            "emanant",
            "andos",
            "andos-first",
            "andos-hardened",
            "andos-chained",
            "bfv",
            "andos-steps",
            "andos-hardened-steps",
            "bfv-steps",
        ] {
            assert!(accountable(named(name).expect("an engine")).is_ok(), "{name}");
        }
    }

    #[test]
    fn engines_have_their_names() {
        for name in EngineKind::ALL.map(|kind| kind.name()) {
            assert_eq!(named(name).expect("an engine").name(), name);
        }
        let refusal = named("open").expect_err("an engine of tests");
        assert!(
            refusal.contains("sight-lines, dh-psi-proven, dh-psi, dh-psi-plain, emanant, andos, andos-first"),
            "{refusal}"
        );
    }
}
