//! Two sides and a line between them.

use alloy_primitives::{Address, B256};
use contest::tag::{Duty, OwnKing, Phase, Proofs, Setup, Sight, Size, Square, Tag, Wrong, testing::NativeProofs};
use contest::{Action, Fault, Hand as _, Opening, Role, Side, Status, Table, Terms};
use fog::engine::Seed;

/// Seconds for an action.
pub const TURN: u32 = 60;
/// Statements are checked natively here in place of proofs.
pub const PROOFS: &dyn Proofs = &NativeProofs;

/// Both players, and block time.
pub struct Pair {
    pub sides: [Side<Tag>; 2],
    pub time: u64,
    /// What each side has been told to see, in order.
    pub sights: [Vec<Option<Square>>; 2],
}

pub fn account(role: Role) -> Address {
    Address::repeat_byte(0xa0 + role as u8)
}

pub fn terms(size: Size, plies: u16) -> Terms<Setup> {
    Terms { stake: 0, turn: TURN, expiry: 100, opponent: None, setup: Setup { size, plies } }
}

pub fn branch(role: Role, seed: u64) -> fog::engine::Branch {
    let mut key = [role as u8 + 1; 32];
    key[..8].copy_from_slice(&seed.to_be_bytes());
    Seed::derive(&key, &[9; 32]).branch("tag")
}

pub fn hand(role: Role, seed: u64) -> OwnKing {
    OwnKing::new(branch(role, seed))
}

/// What the creator opens a game with.
pub fn opening(terms: Terms<Setup>, seed: u64) -> Opening<Tag> {
    let creator = account(Role::Creator);
    let entry = hand(Role::Creator, seed).entry(creator, &terms.setup, PROOFS).expect("a start");
    let contract = Address::repeat_byte(0xf0);
    Opening { chain_id: 31337, contract, creator, nonce: B256::ZERO, terms, entry }
}

/// What a side says to join a game.
pub fn joining(side: &Side<Tag>) -> Action<Tag> {
    Action::Join(side.acceptance(PROOFS).expect("an open game"))
}

impl Pair {
    /// A game that both have joined.
    pub fn new(size: Size, plies: u16, seed: u64) -> Self {
        let table = Table::open(opening(terms(size, plies), seed), PROOFS).expect("proven");
        let side = |role| Side::new(account(role), hand(role, seed), table.clone()).expect("its own king");
        let mut pair = Self { sides: Role::ALL.map(side), time: 50, sights: [Vec::new(), Vec::new()] };
        let join = joining(&pair.sides[1]);
        pair.say(Role::Joiner, &join).expect("the game is open");
        pair
    }

    /// Both hear an action.
    pub fn say(&mut self, role: Role, action: &Action<Tag>) -> Result<(), Fault<Wrong>> {
        for (side, sights) in self.sides.iter_mut().zip(&mut self.sights) {
            let Sight { sees, .. } = side.hear(account(role), action, self.time, PROOFS)?;
            sights.extend(sees);
        }
        Ok(())
    }

    /// What the game asks of a player, where that leaves no choice.
    pub fn due(&self) -> Option<(Role, Duty)> {
        let duty = |role: Role| self.sides[role as usize].duty().expect("proven replies").map(|duty| (role, duty));
        let mut duties = Role::ALL.into_iter().filter_map(duty).filter(|(_, duty)| *duty != Duty::Step);
        let due = duties.next();
        assert_eq!(duties.next(), None, "one player at most");
        due
    }

    /// What is due, as the player's machine makes it.
    pub fn next(&self) -> (Role, Action<Tag>) {
        let (role, duty) = self.due().expect("something is due");
        (role, self.sides[role as usize].perform(duty, PROOFS).expect("it can be done"))
    }

    /// Says what the machines say by themselves, until they have nothing more to say.
    pub fn settle(&mut self) {
        while self.due().is_some() {
            let (role, action) = self.next();
            self.time += 1;
            self.say(role, &action).expect("what a machine sends is right");
        }
    }

    /// The step of the player to move, as its machine makes it.
    pub fn step(&self, square: Square) -> Result<Action<Tag>, Fault<Wrong>> {
        self.sides[self.table().mover() as usize].choose(square, PROOFS)
    }

    /// Makes a step and whatever follows.
    pub fn go(&mut self, square: Square) -> Result<(), Fault<Wrong>> {
        let (mover, action) = (self.table().mover(), self.step(square)?);
        self.say(mover, &action)?;
        self.settle();
        Ok(())
    }

    pub fn table(&self) -> &Table<Tag> {
        assert_eq!(self.sides[0].table(), self.sides[1].table());
        self.sides[0].table()
    }

    pub fn square(&self, role: Role) -> Square {
        self.sides[role as usize].hand().square().expect("a placed king")
    }

    pub fn waits_for_step(&self) -> bool {
        self.table().status() == Status::Playing && self.table().phase() == Phase::Step
    }
}
