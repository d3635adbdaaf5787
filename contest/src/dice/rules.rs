//! The rules of dice: what each message does to the game.

use alloy_primitives::{Address, B256, U256};
use fog::ensure;

use crate::dice::{Acceptance, Dice, GOAL, Numbers, Roll, Square, Wrong, promise};
use crate::{Checked, Ending, Outcome, Role, Rules};

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

    fn open(game_id: B256, (): (), promised: &B256, (): &()) -> Checked<Self, Self> {
        let promised = [*promised, B256::ZERO];
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
        let dice = self.dice_of(roll.revealed);
        ensure!(roll.dice == dice, Wrong::Dice { declared: roll.dice, found: dice }.into());
        ensure!(dice.contains(&roll.chosen), Wrong::NoSuchDie { chosen: roll.chosen, dice }.into());
        let square = self.after(roll.chosen);
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
