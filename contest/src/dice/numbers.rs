//! A player's numbers in one game, derived from a branch of its seed and the head that they follow. Nothing is stored: wallet and chain give all of
//! it back.
//!
//! ```text
//! promised after head h = the first 32 bytes of PRF(branch; "promise" ‖ h), given after it = those of PRF(branch; "number" ‖ h)
//! ```
//!
//! They hang on the head and on no counter: if a reorganisation of the chain replaces what the opponent said, the head is another, and so
//! are the numbers that follow it.

use alloy_primitives::{Address, B256, U256};
use fog::engine::Branch;
use fog::ensure;

use crate::dice::{Acceptance, Dice, Die, Roll, Wrong, promise};
use crate::{Action, Checked, Fault, Hand};

/// One player's numbers in one game.
#[derive(Clone)]
pub struct Numbers {
    branch: Branch,
    /// The head after which this player made its standing promise.
    promised_after: B256,
}

fog::redacted!(Numbers);

/// What the game of dice asks of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    Roll,
}

impl Numbers {
    /// The number that is promised in the message after a head. An invitation follows none: zero.
    fn promised(&self, head: B256) -> U256 {
        self.draw(b"promise", head)
    }

    /// The number that is given in clear in the message after a head.
    fn given(&self, head: B256) -> U256 {
        self.draw(b"number", head)
    }

    /// The dice of the next roll, which is this player's: nobody else knows them yet.
    pub fn dice(&self, game: &Dice) -> [Die; 2] {
        game.dice_of(self.promised(self.promised_after))
    }

    /// The better one of them, by [`Square::better`](crate::dice::Square::better).
    pub fn better(&self, game: &Dice) -> Die {
        game.square(game.to_roll()).better(game.square(game.to_roll().other()), self.dice(game))
    }

    fn draw(&self, kind: &[u8], head: B256) -> U256 {
        let bytes = self.branch.prf(&[kind, head.as_slice()].concat());
        U256::from_be_slice(&bytes[..32])
    }
}

impl Hand<Dice> for Numbers {
    type Duty = Duty;
    /// What the die shows by which it moves.
    type Choice = Die;
    type Sight = ();
    const CHOICE: Duty = Duty::Roll;

    fn new(branch: Branch) -> Self {
        Self { branch, promised_after: B256::ZERO }
    }

    /// The promise for roll 1.
    fn entry(&self, creator: Address, (): &(), (): &()) -> Checked<Dice, B256> {
        Ok(promise(creator, 1, self.promised(B256::ZERO)))
    }

    fn acceptance(&self, joiner: Address, game: &Dice, (): &()) -> Checked<Dice, Acceptance> {
        let head = game.head();
        Ok(Acceptance { head, number: self.given(head), promised: promise(joiner, 2, self.promised(head)) })
    }

    fn hear(&mut self, is_own: bool, [before, after]: [&Dice; 2], _: &Action<Dice>) -> Checked<Dice> {
        if is_own && after.head() != before.head() {
            self.promised_after = before.head();
        }
        Ok(())
    }

    fn duty(&self, _: &Dice) -> Checked<Dice, Duty> {
        Ok(Duty::Roll)
    }

    /// All but the choice follows from the seed and what was said. [`Wrong::Reveal`] if the standing promise isn't of this seed.
    fn choose(&self, account: Address, game: &Dice, chosen: Die, (): &()) -> Checked<Dice, Roll> {
        let (head, roll) = (game.head(), game.rolls() + 1);
        let revealed = self.promised(self.promised_after);
        ensure!(promise(account, roll, revealed) == game.promised(game.to_roll()), Wrong::Reveal.into());
        let dice = self.dice(game);
        ensure!(dice.contains(&chosen), Wrong::NoSuchDie { chosen, dice }.into());
        let promised = promise(account, roll + 2, self.promised(head));
        Ok(Roll { head, revealed, number: self.given(head), promised, chosen, dice, square: game.after(chosen) })
    }

    /// A roll always has its choice.
    fn perform(&self, _: Address, _: &Dice, _: Duty, (): &()) -> Checked<Dice, Roll> {
        Err(Fault::WrongStatus)
    }

    fn name_of(_: Duty) -> &'static str {
        "roll"
    }
}
