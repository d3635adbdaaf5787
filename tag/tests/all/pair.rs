//! Two sides and a line between them, over bytes.

use alloy_primitives::Address;
use fog::engine::Seed;
use tag::{
    Action, Effect, Event, Fault, Phase, Role, Secrets, Side, Size, Square, Status, Table, Terms, testing::NativeProofs,
};

/// Seconds for an action.
pub const TURN: u32 = 60;

/// Both players, and block time.
pub struct Pair {
    pub sides: [Side; 2],
    pub time: u64,
    /// What each side has been told to see, in order.
    pub sights: [Vec<Option<Square>>; 2],
    /// What was sent and waits to be said.
    pub waiting: Vec<(Role, Action)>,
}

pub fn account(role: Role) -> Address {
    Address::repeat_byte(0xa0 + role as u8)
}

pub fn terms(size: Size, plies: u16) -> Terms {
    Terms { size, plies, turn: TURN, expiry: 100, opponent: None }
}

pub fn secrets(role: Role, seed: u64) -> Secrets {
    let mut key = [role as u8 + 1; 32];
    key[..8].copy_from_slice(&seed.to_be_bytes());
    Secrets::new(Seed::derive(&key, &[9; 32]).branch("tag"))
}

impl Pair {
    /// A game that both have joined.
    pub fn new(size: Size, plies: u16, seed: u64) -> Self {
        let [creator, joiner] = [Role::Creator, Role::Joiner];
        let placement = Side::first_placement(size, &secrets(creator, seed), &NativeProofs).expect("a start");
        let table = Table::open(terms(size, plies), account(creator), &placement, &NativeProofs).expect("proven");
        let side = |role| Side::new(account(role), secrets(role, seed), table.clone()).expect("its own secrets");
        let mut pair = Self {
            sides: [side(creator), side(joiner)],
            time: 50,
            sights: [Vec::new(), Vec::new()],
            waiting: Vec::new(),
        };
        let join = pair.sides[1].joining(&NativeProofs).expect("an open game");
        pair.say(joiner, &join).expect("the game is open");
        pair
    }

    /// Both hear an action, from its bytes.
    pub fn say(&mut self, role: Role, action: &Action) -> Result<(), Fault> {
        let action = Action::from_bytes(&action.to_bytes(), NativeProofs::BYTES).expect("its own bytes");
        let event = Event::Said { sender: account(role), action, time: self.time };
        for (listener, side) in self.sides.iter_mut().enumerate() {
            let effects = side.on(&event, &NativeProofs)?;
            let of = if listener == 0 { Role::Creator } else { Role::Joiner };
            for effect in effects {
                match effect {
                    Effect::Send(action) => self.waiting.push((of, action)),
                    Effect::Sees(square) => self.sights[listener].push(square),
                    Effect::YourTurn(_) | Effect::Over(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Says what the machines have sent by themselves, until they have nothing more to say.
    pub fn settle(&mut self) {
        while !self.waiting.is_empty() {
            let (role, action) = self.waiting.remove(0);
            self.time += 1;
            self.say(role, &action).expect("what a machine sends is right");
        }
    }

    /// The step of the player to move, as its machine makes it.
    pub fn step(&mut self, square: Square) -> Result<Action, Fault> {
        let mover = self.table().mover();
        let effects = self.sides[mover as usize].on(&Event::Go(square), &NativeProofs)?;
        match &effects[..] {
            [Effect::Send(action)] => Ok(action.clone()),
            other => panic!("a step sends one action: {other:?}"),
        }
    }

    /// Makes a step and whatever follows.
    pub fn go(&mut self, square: Square) -> Result<(), Fault> {
        let (mover, action) = (self.table().mover(), self.step(square)?);
        self.say(mover, &action)?;
        self.settle();
        Ok(())
    }

    pub fn table(&self) -> &Table {
        assert_eq!(self.sides[0].table(), self.sides[1].table());
        self.sides[0].table()
    }

    pub fn square(&self, role: Role) -> Square {
        self.sides[role as usize].square().expect("a placed king")
    }

    pub fn waits_for_step(&self) -> bool {
        self.table().status() == Status::Playing(Phase::Step)
    }
}
