//! What a game adds to the commands and to the loop at the keyboard.

use std::path::PathBuf;

use clap::Args;
use client::contest::{Audited, Contract, Latest, News};
use contest::{Ending, Hand, Role, Rules, Side};
use deploy::{Deployment, Game};
use eyre::Result;
use serde_json::Value;

use super::common::Action;

/// What a player chooses where it has a choice.
pub type Choice<G> = <<G as Rules>::Hand as Hand<G>>::Choice;

/// A game's options where it has none.
#[derive(Clone, Debug, Default, Args)]
pub struct NoArgs {}

/// What everybody can see of a game in play.
pub struct Standing {
    /// What only this game has, as fields of the JSON.
    pub value: Value,
    /// What is agreed besides stake and time, followed by a comma.
    pub setup: String,
    /// Where the players stand, with what leads on to what the game waits for.
    pub place: String,
    /// What the game waits for, as in "the creator's step".
    pub due: String,
    /// How far it has come, as in "after 7 rolls".
    pub after: String,
}

/// A game that can be played at the command line.
pub trait Played: Contract {
    const KIND: Game;
    /// What a turn is for.
    const ACTION: Action<'static>;
    /// What a player chooses, in a word.
    const CHOICE: &'static str;
    /// What is done while nobody types.
    const UNATTENDED: &'static str;
    /// The end that a player wins by the rules, in JSON.
    const WON: &'static str;
    /// What can be typed, besides what all games have.
    const HELP: &'static str;
    /// What `play` is told in a demo.
    const DEMO: &'static [&'static str];
    /// The options of `create` and of `--demo`, beside those that all games have.
    type SetupArgs: Args + Clone + std::fmt::Debug;
    /// Where the keys of proofs are.
    type KeyArgs: Args + Clone + std::fmt::Debug;
    /// The options of `play`, beside those that all games have.
    type PlayArgs: Args + Clone + std::fmt::Debug;
    type View: View<Self>;

    fn setup(args: &Self::SetupArgs) -> Self::Setup;

    /// The setup in words, each followed by a comma.
    fn described(setup: &Self::Setup) -> String;

    /// Whether the player's choices are made by the program.
    fn is_auto(args: &Self::PlayArgs) -> bool;

    /// Who makes and verifies the proofs.
    async fn prover(keys: &Self::KeyArgs, deployed: &Deployment) -> Result<Self::Prover>;

    /// Who verifies proofs and makes none, which takes no keys.
    fn verifier(deployed: &Deployment) -> Result<Self::Prover>;

    /// The public state of a game.
    fn standing(latest: &Latest<Self>) -> Standing;

    /// A turn as a field of JSON: its name and number.
    fn turn_field(turn: u64) -> (&'static str, u64);

    /// What an audit has replayed: fields of the JSON, and words.
    fn audited(found: &Audited<Self>) -> (Value, String);

    /// The options of `create` that ask for a setup.
    fn options(_: &Self::Setup) -> Vec<String> {
        Vec::new()
    }

    /// Has the keys of a demo made in a folder, so that its players don't both make them.
    async fn prepare(_: PathBuf, _: &Deployment) -> Result<()> {
        Ok(())
    }

    /// What a player of a demo types upon what its program has said, if that asks for anything.
    fn demo_line(_: Role, _: &Value) -> Option<&str> {
        None
    }
}

/// What a line asks for that not all games have.
pub enum Typed<C> {
    /// A move that the player chooses.
    Choose(C),
    /// Something to be told.
    Tell(String),
    Nothing,
}

/// What a player sees of a game.
pub trait View<G: Played>: Default {
    /// Takes what is new; gives a line of JSON and a sentence, from the view of one player. What the chain has taken back isn't told here: a new
    /// view begins with what stands.
    fn tell(&mut self, news: &News<G>, side: &Side<G>) -> (Value, String);

    /// An end by the rules in words, from the view of one player or of none.
    fn ended(&self, ending: &Ending, me: Option<Role>) -> String;

    /// What the player is asked when it is its turn: fields of the JSON, and words; `left` is the time left.
    fn ask(&self, side: &Side<G>, left: &str) -> (Value, String);

    /// What the opponent is to do, in a word.
    fn waits_for(&self, side: &Side<G>) -> &'static str;

    /// What a line asks for that not all games have.
    fn read(&self, line: &str, side: &Side<G>) -> Result<Typed<Choice<G>>, String>;

    /// Why the player can't choose so, if it can't.
    fn refusal(&self, choice: Choice<G>, side: &Side<G>) -> Option<String>;

    /// What is told before a choice is carried out that takes its time.
    fn announce(&self, choice: Choice<G>) -> Option<String>;

    /// What is chosen where the player chooses nothing itself; none if that can't be.
    fn by_itself(&self, side: &Side<G>) -> Option<Choice<G>>;
}
