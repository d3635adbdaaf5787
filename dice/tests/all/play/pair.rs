//! Two sides of one game, and everything that they say to each other.

use alloy_primitives::{Address, B256};
use dice::{Action, Effect, Event, Fault, Opening, Record, Secrets, Side, Status, Terms};
use fog::engine::Seed;
use rand::Rng as _;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng as _;

pub const CREATOR: Address = Address::repeat_byte(0xc1);
pub const JOINER: Address = Address::repeat_byte(0xc2);
pub const TURN: u32 = 600;

/// The generator of a test, whose seed is printed.
pub fn draws(default: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(fog::testing::seed(default))
}

pub fn terms() -> Terms {
    Terms { stake: 7, turn: TURN, expiry: 1_000, opponent: None }
}

/// A player's numbers: a wallet key's branch for an opening.
pub fn secrets(key: u8, nonce: B256) -> Secrets {
    Secrets::new(Seed::derive(&[key; 32], &nonce.0).branch("dice"))
}

pub fn opening(nonce: B256) -> Opening {
    let promised = Side::first_promise(CREATOR, &secrets(1, nonce));
    let contract = Address::repeat_byte(0xf0);
    Opening { chain_id: 31337, contract, creator: CREATOR, nonce, terms: terms(), promised }
}

/// A joined game: both sides, and its records.
pub struct Pair {
    pub sides: [Side; 2],
    pub records: Vec<Record>,
    pub time: u64,
}

impl Pair {
    /// A game that waits for an opponent.
    pub fn open(draws: &mut ChaCha20Rng) -> Self {
        let nonce = B256::from(draws.r#gen::<[u8; 32]>());
        let side = |account, key| Side::new(account, secrets(key, nonce), opening(nonce));
        Self { sides: [side(CREATOR, 1), side(JOINER, 2)], records: Vec::new(), time: 10 }
    }

    /// A game with both players.
    pub fn joined(draws: &mut ChaCha20Rng) -> Self {
        let mut pair = Self::open(draws);
        let join = Action::Join(pair.sides[1].acceptance());
        pair.say(JOINER, &join).expect("an acceptance");
        pair
    }

    /// Both sides hear what somebody says, and judge alike.
    pub fn say(&mut self, sender: Address, action: &Action) -> Result<Vec<Effect>, Fault> {
        self.time += 1;
        let event = Event::Said { sender, action: action.clone(), time: self.time };
        let [creator, joiner] = self.sides.each_mut().map(|side| side.on(&event));
        assert_eq!(creator.as_ref().err(), joiner.as_ref().err());
        assert_eq!(self.sides[0].table(), self.sides[1].table());
        let heard = creator?;
        self.records.push(Record { sender, action: action.clone(), time: self.time });
        Ok(heard)
    }

    pub fn to_roll(&self) -> usize {
        self.sides[0].table().to_roll() as usize
    }

    /// The next roll, by whose turn it is.
    pub fn next_roll(&mut self) -> (Address, dice::Roll) {
        let index = self.to_roll();
        let effects = self.sides[index].on(&Event::Throw).expect("its turn");
        match &effects[..] {
            [Effect::Send(Action::Roll(roll))] => ([CREATOR, JOINER][index], roll.clone()),
            other => panic!("{other:?}"),
        }
    }

    /// Rolls as often as this, or to the end.
    pub fn play(&mut self, rolls: usize) {
        for _ in 0..rolls {
            if self.sides[0].table().status() != Status::Playing {
                return;
            }
            let (sender, roll) = self.next_roll();
            self.say(sender, &Action::Roll(roll)).expect("an honest roll");
        }
    }
}
