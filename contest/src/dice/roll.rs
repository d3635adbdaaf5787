//! The rules of dice: what is said, and what it does to the game.

use alloy_primitives::{Address, B256, U256};
use fog::ensure;
use thiserror::Error;

use crate::dice::{Die, GOAL, Numbers, Square, promise, roll_die, seed_of};
use crate::terms::hash;
use crate::{Checked, Ending, Opening, Outcome, Role, Rules};

/// Joining: the joiner's number for roll 1, and its promise for roll 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// The head that it follows: the game's id.
    pub head: B256,
    /// The number for roll 1.
    pub number: U256,
    /// The promise for roll 2.
    pub promised: B256,
}

impl Acceptance {
    /// The head after it.
    pub fn next_head(&self, joiner: Address) -> B256 {
        hash(&[self.head, joiner.into_word(), self.number.into(), self.promised])
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The head that it follows.
    pub head: B256,
    /// What the roller promised for it.
    pub revealed: U256,
    /// The roller's number for the next roll, the opponent's.
    pub number: U256,
    /// The roller's promise for its own next roll.
    pub promised: B256,
    /// What the roller, or the contract, says that the die shows.
    pub die: Die,
    /// Where it says that the roller then stands.
    pub square: Square,
}

impl Roll {
    /// The head after it.
    pub fn next_head(&self) -> B256 {
        hash(&[self.head, self.revealed.into(), self.number.into(), self.promised])
    }
}

/// How a message can break the rules. The contract's errors have the same names, but for those of a declared die and square: it declares them itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Wrong {
    /// The message follows another one than the latest: it is out of order, repeated, or of another game.
    #[error("the message does not follow the latest one, whose head is {0}")]
    Head(B256),
    /// The number shown isn't the one promised.
    #[error("the number revealed is not the one promised")]
    Reveal,
    /// The die isn't the one that the two numbers give.
    #[error("the die shows {found}, and not {declared}")]
    Die { declared: Die, found: Die },
    /// The square isn't the one that the die leads to.
    #[error("the roll leads to {found}, and not to {declared}")]
    Square { declared: Square, found: Square },
}

/// The public state of a game of dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice {
    game_id: B256,
    head: B256,
    rolls: u64,
    squares: [Square; 2],
    /// What each player has promised for its next roll.
    promised: [B256; 2],
    /// The number given in clear for the next roll.
    number: U256,
}

impl Dice {
    /// What the next message has to follow.
    pub fn head(&self) -> B256 {
        self.head
    }

    /// How many rolls have been made.
    pub fn rolls(&self) -> u64 {
        self.rolls
    }

    /// Where a player stands.
    pub fn square(&self, role: Role) -> Square {
        self.squares[role as usize]
    }

    /// The promise for a player's next roll.
    pub fn promised(&self, role: Role) -> B256 {
        self.promised[role as usize]
    }

    /// The number given in clear for the next roll.
    pub fn number(&self) -> U256 {
        self.number
    }

    /// Whose roll is next.
    pub fn to_roll(&self) -> Role {
        Role::of_turn(self.rolls)
    }

    /// What the numbers make of the next roll, if this one is revealed: a die, and where the roller then stands.
    pub fn outcome_of(&self, revealed: U256) -> (Die, Square) {
        let die = roll_die(seed_of(revealed, self.number), self.game_id, self.rolls + 1);
        (die, self.square(self.to_roll()).after(die))
    }
}

impl Rules for Dice {
    const NAME: &'static str = "dice";
    type Setup = ();
    /// The creator's promise for roll 1.
    type Entry = B256;
    type Acceptance = Acceptance;
    type Move = Roll;
    type Wrong = Wrong;
    type Proofs = ();
    type Hand = Numbers;

    fn setup_words((): &()) -> Vec<B256> {
        Vec::new()
    }

    fn entry_words(promised: &B256) -> Vec<B256> {
        vec![*promised]
    }

    fn open(opening: &Opening<Self>, (): &()) -> Checked<Self, Self> {
        let (game_id, promised) = (opening.game_id(), [opening.entry, B256::ZERO]);
        Ok(Self { game_id, head: game_id, rolls: 0, squares: [Square::START; 2], promised, number: U256::ZERO })
    }

    fn join(&mut self, joiner: Address, acceptance: &Acceptance, (): &()) -> Checked<Self> {
        ensure!(acceptance.head == self.head, Wrong::Head(self.head).into());
        self.promised[Role::Joiner as usize] = acceptance.promised;
        (self.number, self.head) = (acceptance.number, acceptance.next_head(joiner));
        Ok(())
    }

    fn turn(&self) -> u64 {
        self.rolls
    }

    fn make(&mut self, by: Address, roll: &Roll, (): &()) -> Checked<Self, Option<Ending>> {
        let role = self.to_roll();
        ensure!(roll.head == self.head, Wrong::Head(self.head).into());
        let promised = promise(by, self.rolls + 1, roll.revealed);
        ensure!(promised == self.promised(role), Wrong::Reveal.into());
        let (die, square) = self.outcome_of(roll.revealed);
        ensure!(roll.die == die, Wrong::Die { declared: roll.die, found: die }.into());
        ensure!(roll.square == square, Wrong::Square { declared: roll.square, found: square }.into());
        self.squares[role as usize] = square;
        self.promised[role as usize] = roll.promised;
        (self.number, self.head) = (roll.number, roll.next_head());
        self.rolls += 1;
        Ok((square == GOAL).then_some(Ending { winner: Some(role), outcome: Outcome::Won }))
    }

    fn name_of(_: &Roll) -> &'static str {
        "roll"
    }
}
