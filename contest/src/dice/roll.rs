//! What is said in a game of dice, and its public state.

use alloy_primitives::{Address, B256, U256};
use fog::word::small_word;
use thiserror::Error;

use crate::Role;
use crate::dice::{Die, Square, roll_dice, seed_of};
use crate::terms::hash;

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
    /// What the roller has chosen to move by: what one of the dice shows. If both show the same there is nothing to choose, and one such roll.
    pub chosen: Die,
    /// What the roller, or the contract, says that the dice show, in order.
    pub dice: [Die; 2],
    /// Where it says that the roller then stands.
    pub square: Square,
}

impl Roll {
    /// The head after it.
    pub fn next_head(&self) -> B256 {
        let chosen = small_word(self.chosen.pips().into()).into();
        hash(&[self.head, self.revealed.into(), self.number.into(), self.promised, chosen])
    }
}

/// How a message can break the rules. The contract's errors have the same names, but for those of declared dice and square: it declares them itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Wrong {
    /// The message follows another one than the latest: it is out of order, repeated, or of another game.
    #[error("the message does not follow the latest one, whose head is {0}")]
    Head(B256),
    /// The number shown isn't the one promised.
    #[error("the number revealed is not the one promised")]
    Reveal,
    /// The dice aren't those that the two numbers give.
    #[error("the dice show {} and {}, and not {} and {}", .found[0], .found[1], .declared[0], .declared[1])]
    Dice { declared: [Die; 2], found: [Die; 2] },
    /// Neither die shows what was chosen.
    #[error("the dice show {} and {}, and neither {chosen}", .dice[0], .dice[1])]
    NoSuchDie { chosen: Die, dice: [Die; 2] },
    /// The square isn't the one that the chosen die leads to.
    #[error("the roll leads to {found}, and not to {declared}")]
    Square { declared: Square, found: Square },
}

/// The public state of a game of dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice {
    pub(super) game_id: B256,
    pub(super) head: B256,
    pub(super) rolls: u64,
    pub(super) squares: [Square; 2],
    /// What each player has promised for its next roll.
    pub(super) promised: [B256; 2],
    /// The number given in clear for the next roll.
    pub(super) number: U256,
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

    /// What the numbers make of the next roll, if this one is revealed.
    pub fn dice_of(&self, revealed: U256) -> [Die; 2] {
        roll_dice(seed_of(revealed, self.number), self.game_id, self.rolls + 1)
    }

    /// Where a die leads the player who is to roll.
    pub fn after(&self, die: Die) -> Square {
        self.square(self.to_roll()).after(die)
    }
}
