//! What differs between two games: their rules, and what a player holds in its hand.

use std::error::Error;
use std::fmt::Debug;

use alloy_primitives::{Address, B256};
use fog::engine::Branch;

use crate::{Ending, Fault, Outcome, Role};

/// What comes of something in a game, or why it is wrong.
pub type Checked<R, T = ()> = Result<T, Fault<<R as Rules>::Wrong>>;

/// The rules of a game. A value is what its table shows besides players, clock and stake.
pub trait Rules: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The name of the game: its subcommand, the branch of a player's seed, and what its files are called.
    const NAME: &'static str;
    /// What is agreed besides stake, time and opponent.
    type Setup: Copy + Debug + PartialEq + Send + Sync;
    /// What the creator begins with.
    type Entry: Clone + Debug + PartialEq + Send + Sync;
    /// What the joiner begins with.
    type Acceptance: Clone + Debug + PartialEq + Send + Sync;
    type Move: Clone + Debug + PartialEq + Send + Sync;
    /// How a move can break the rules.
    type Wrong: Copy + Error + PartialEq + Send + Sync + 'static;
    /// Who makes and verifies the proofs of moves.
    type Proofs: ?Sized;
    /// What a player holds.
    type Hand: Hand<Self>;

    /// The setup as words of a game's id.
    fn setup_words(setup: &Self::Setup) -> Vec<B256>;

    /// The creator's entry as words of a game's id.
    fn entry_words(entry: &Self::Entry) -> Vec<B256>;

    /// A game that waits for an opponent, by what its opening says of it.
    fn open(game_id: B256, setup: Self::Setup, entry: &Self::Entry, proofs: &Self::Proofs) -> Checked<Self, Self>;

    /// Lets an account in as joiner. A fault changes nothing.
    fn join(&mut self, joiner: Address, acceptance: &Self::Acceptance, proofs: &Self::Proofs) -> Checked<Self>;

    /// Turns that are over.
    fn turn(&self) -> u64;

    /// Who has to say the next thing of a game in play.
    fn due(&self) -> Role {
        Role::of_turn(self.turn())
    }

    /// Whether such a move belongs where the game in play is.
    fn awaits(&self, _: &Self::Move) -> bool {
        true
    }

    /// Makes a move of the account that is due; gives the end of the game, if it is one. A fault changes nothing.
    fn make(&mut self, by: Address, mv: &Self::Move, proofs: &Self::Proofs) -> Checked<Self, Option<Ending>>;

    /// How the game ends if who is due lets its time pass.
    fn late(&self) -> Ending {
        Ending { winner: Some(self.due().other()), outcome: Outcome::TimedOut }
    }

    /// The contract's function for a move.
    fn name_of(mv: &Self::Move) -> &'static str;
}

/// Whatever anybody does to a game that is open.
#[derive(Clone, Debug, PartialEq)]
pub enum Action<R: Rules> {
    /// Anybody takes it back after its expiry. Not before: the creator would see on its way what a joiner begins with, and could step back at no cost.
    Cancel,
    Join(R::Acceptance),
    /// The player that is due makes a move.
    Move(R::Move),
    /// A player gives up.
    Resign,
    /// Anybody claims what time has decided.
    ClaimTimeout,
}

impl<R: Rules> Action<R> {
    /// The contract's function for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::Join(_) => "join",
            Self::Move(mv) => R::name_of(mv),
            Self::Resign => "resign",
            Self::ClaimTimeout => "claimTimeout",
        }
    }
}

/// What a player knows beyond the state of the game, and what follows from that. Nothing of it is stored: a branch of the player's seed and what was said give it
/// all back.
pub trait Hand<R: Rules>: Clone + Send + Sync + 'static {
    /// What the game asks of a player.
    type Duty: Copy + Debug + PartialEq + Send + Sync;
    /// What a player chooses where it has a choice.
    type Choice: Copy + Send + Sync;
    /// What a player perceives by an action.
    type Sight: Clone + Debug + PartialEq + Send;
    /// The duty that the player does when it likes, and as it likes.
    const CHOICE: Self::Duty;

    /// A hand from a branch of the seed, which belongs to one player and one game.
    fn new(branch: Branch) -> Self;

    /// What a game is opened with.
    fn entry(&self, creator: Address, setup: &R::Setup, proofs: &R::Proofs) -> Checked<R, R::Entry>;

    /// What an open game is joined with.
    fn acceptance(&self, joiner: Address, game: &R, proofs: &R::Proofs) -> Checked<R, R::Acceptance>;

    /// Takes the creator's place in an open game; a fault if the entry isn't of this hand.
    fn sit(&mut self, _game: &R) -> Checked<R> {
        Ok(())
    }

    /// Takes an action, its own or not, that has led from one state of the game to the next. A fault changes nothing.
    fn hear(&mut self, is_own: bool, states: [&R; 2], action: &Action<R>) -> Checked<R, Self::Sight>;

    /// What the game asks of the account that is due.
    fn duty(&self, game: &R) -> Checked<R, Self::Duty>;

    /// The move that the account that is due chooses.
    fn choose(&self, account: Address, game: &R, choice: Self::Choice, proofs: &R::Proofs) -> Checked<R, R::Move>;

    /// The move that does a duty of the account that is due, where there is no choice.
    fn perform(&self, account: Address, game: &R, duty: Self::Duty, proofs: &R::Proofs) -> Checked<R, R::Move>;

    /// The contract's function for a duty.
    fn name_of(duty: Self::Duty) -> &'static str;
}
