//! Tag at the command line: [`mod@view`] is what a player sees of a game, [`mod@typed`] what it can type, [`mod@grid`] the grid.

mod grid;
mod typed;
mod view;

use std::path::PathBuf;
use std::sync::Arc;

use client::contest::{Audited, Latest, Prover};
use client::runtime::Parameters;
use contest::Role;
use contest::tag::{Phase, Setup, Size, Tag};
use deploy::{Deployment, Game};
use eyre::Result;
use serde_json::{Value, json};

use super::common::Action;
use super::{NoArgs, Played, Standing};
use crate::keys::{KeyArgs, tag_prover, tag_verifiers};

/// What is agreed besides stake and time.
#[derive(Clone, Debug, clap::Args)]
pub struct SetupArgs {
    /// The grid: 5x5, 6x6, 7x7 or 8x8
    #[arg(long, value_name = "GRID", default_value = "6x6", value_parser = size)]
    grid: Size,
    /// Plies after which the game is drawn
    #[arg(long, value_name = "PLIES", default_value = "40", value_parser = plies)]
    plies: u16,
}

fn plies(text: &str) -> Result<u16, String> {
    let found = text.parse().ok().filter(|plies| *plies > 0);
    found.ok_or_else(|| format!("{text:?} is no number of plies: say one from 1 to {}", u16::MAX))
}

fn size(text: &str) -> Result<Size, String> {
    let found = Size::ALL.into_iter().find(|size| text == format!("{0}x{0}", size.side()));
    found.ok_or_else(|| format!("{text:?} is not a grid: say 5x5, 6x6, 7x7 or 8x8"))
}

impl Played for Tag {
    const KIND: Game = Game::Tag;
    /// A step takes two proofs.
    const ACTION: Action<'static> = Action { name: "step and each reply", proving: 30 };
    const CHOICE: &'static str = "step";
    const UNATTENDED: &'static str = "replies, captures and claims are made";
    const WON: &'static str = "captured";
    const HELP: &'static str = typed::HELP;
    const DEMO: &'static [&'static str] = &[];
    type SetupArgs = SetupArgs;
    type KeyArgs = KeyArgs;
    type PlayArgs = NoArgs;
    type View = view::TagView;

    fn setup(args: &SetupArgs) -> Setup {
        Setup { size: args.grid, plies: args.plies }
    }

    fn described(Setup { size, plies }: &Setup) -> String {
        format!("a {0}x{0} grid, {plies} plies, ", size.side())
    }

    fn is_auto(_: &NoArgs) -> bool {
        false
    }

    async fn prover(keys: &KeyArgs, deployed: &Deployment) -> Result<Prover> {
        let parameters = keys.parameters(deployed);
        let (cache, deployed) = (keys.cache()?, deployed.clone());
        let proofs = tokio::task::spawn_blocking(move || tag_prover(&parameters, &cache, &deployed)).await??;
        Ok(Arc::new(proofs))
    }

    fn verifier(deployed: &Deployment) -> Result<Prover> {
        Ok(Arc::new(tag_verifiers(deployed)?))
    }

    fn standing(latest: &Latest<Self>) -> Standing {
        let state = latest.state;
        let mover = Role::of_turn(state.ply.into());
        let due = match state.phase {
            Phase::Step => format!("the {}'s step", mover.name()),
            Phase::Reply => format!("the {}'s reply", mover.other().name()),
            Phase::Last => format!("the last word of the {}, to capture or settle,", mover.name()),
        };
        let (ply, plies, side) = (state.ply, state.plies, state.side);
        Standing {
            value: json!({ "waits_for": due, "ply": ply, "plies": plies, "grid": side }),
            setup: format!("{side}x{side}, "),
            place: format!("ply {ply} of {plies}: "),
            due,
            after: format!("at ply {ply}"),
        }
    }

    fn turn_field(turn: u64) -> (&'static str, u64) {
        ("ply", turn)
    }

    fn audited(found: &Audited<Self>) -> (Value, String) {
        let (plies, unshown) = (found.table.ply(), found.unshown);
        let mut words = format!("{plies} plies replayed, each step, set and reply with its proof");
        if unshown > 0 {
            words += &format!(
                "; {unshown} records have proofs that the contract alone has verified, for they went through another one"
            );
        }
        (json!({ "plies": plies, "unshown": unshown }), words)
    }

    fn options(Setup { size, plies }: &Setup) -> Vec<String> {
        ["--grid".to_owned(), format!("{0}x{0}", size.side()), "--plies".to_owned(), plies.to_string()].into()
    }

    async fn prepare(cache: PathBuf, deployed: &Deployment) -> Result<()> {
        let deployed = deployed.clone();
        let prepared = move || tag_prover(&Parameters::Development, &cache, &deployed).map(drop);
        tokio::task::spawn_blocking(prepared).await?
    }

    /// Both kings walk along the diagonal, until one comes beside the other.
    fn demo_line(by: Role, said: &Value) -> Option<&str> {
        let steps = said["steps"].as_array()?.iter().filter_map(Value::as_str);
        match by {
            Role::Creator => steps.max(),
            Role::Joiner => steps.min(),
        }
    }
}
