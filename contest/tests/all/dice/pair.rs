//! Two sides of one game, and everything that they say to each other.

use alloy_primitives::{Address, B256, U256};
use contest::dice::{Dice, Die, Numbers, Roll, Wrong};
use contest::{Action, Ending, Fault, Hand as _, Opening, Side, Status, Table, Terms};
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

pub fn terms() -> Terms<()> {
    Terms { stake: 7, turn: TURN, expiry: 1_000, opponent: None, setup: () }
}

/// A player's numbers: a wallet key's branch for an opening.
pub fn numbers(key: u8, nonce: B256) -> Numbers {
    Numbers::new(Seed::derive(&[key; 32], &nonce.0).branch("dice"))
}

pub fn opening(nonce: B256) -> Opening<Dice> {
    let entry = numbers(1, nonce).entry(CREATOR, &(), &()).expect("a promise");
    let contract = Address::repeat_byte(0xf0);
    Opening { chain_id: 31337, contract, creator: CREATOR, nonce, terms: terms(), entry }
}

/// A side of a game that waits for an opponent.
pub fn side(account: Address, key: u8, opening: Opening<Dice>) -> Side<Dice> {
    let numbers = numbers(key, opening.nonce);
    Side::new(account, numbers, Table::open(opening, &()).expect("a promise")).expect("a seat")
}

/// What a side says to join a game.
pub fn joining(side: &Side<Dice>) -> Action<Dice> {
    Action::Join(side.acceptance(&()).expect("an open game"))
}

/// An action as it was recorded.
#[derive(Clone, Debug)]
pub struct Record {
    pub sender: Address,
    pub action: Action<Dice>,
    /// The block time, in seconds.
    pub time: u64,
}

/// Replays a game from its opening and its records, all of which are in order.
pub fn replayed(opening: Opening<Dice>, records: &[Record]) -> Table<Dice> {
    let mut table = Table::open(opening, &()).expect("a promise");
    for Record { sender, action, time } in records {
        table.apply(*sender, action, *time, &()).expect("in order");
    }
    table
}

/// The better one of the dice of a side whose turn it is.
pub fn better(side: &Side<Dice>) -> Die {
    side.hand().better(side.table())
}

/// The roll of a side by a die.
pub fn chosen(side: &Side<Dice>, die: Die) -> Roll {
    match side.choose(die, &()).expect("its turn") {
        Action::Move(roll) => roll,
        other => panic!("{other:?}"),
    }
}

/// A joined game: both sides, and its records.
pub struct Pair {
    pub sides: [Side<Dice>; 2],
    pub records: Vec<Record>,
    pub time: u64,
}

impl Pair {
    /// A game that waits for an opponent.
    pub fn open(draws: &mut ChaCha20Rng) -> Self {
        let nonce = B256::from(draws.r#gen::<[u8; 32]>());
        let sides = [(CREATOR, 1), (JOINER, 2)].map(|(account, key)| side(account, key, opening(nonce)));
        Self { sides, records: Vec::new(), time: 10 }
    }

    /// A game with both players.
    pub fn joined(draws: &mut ChaCha20Rng) -> Self {
        let mut pair = Self::open(draws);
        let join = joining(&pair.sides[1]);
        pair.say(JOINER, &join).expect("an acceptance");
        pair
    }

    pub fn table(&self) -> &Table<Dice> {
        self.sides[0].table()
    }

    pub fn ending(&self) -> Ending {
        match self.table().status() {
            Status::Over(ending) => ending,
            other => panic!("{other:?} after {} rolls", self.table().rolls()),
        }
    }

    /// Both sides hear what somebody says, and judge alike.
    pub fn say(&mut self, sender: Address, action: &Action<Dice>) -> Result<(), Fault<Wrong>> {
        self.time += 1;
        let time = self.time;
        let [creator, joiner] = self.sides.each_mut().map(|side| side.hear(sender, action, time, &()));
        assert_eq!(creator, joiner);
        assert_eq!(self.sides[0].table(), self.sides[1].table());
        creator?;
        self.records.push(Record { sender, action: action.clone(), time });
        Ok(())
    }

    pub fn to_roll(&self) -> usize {
        self.table().to_roll() as usize
    }

    /// The next roll, by whose turn it is.
    pub fn next_roll(&self) -> (Address, Roll) {
        let index = self.to_roll();
        ([CREATOR, JOINER][index], chosen(&self.sides[index], better(&self.sides[index])))
    }

    /// The next roll with this number revealed, by the first of its dice, and nothing promised or given.
    pub fn revealing(&self, revealed: U256) -> Roll {
        let table = self.table();
        let dice = table.dice_of(revealed);
        let [chosen, _] = dice;
        let (number, promised) = Default::default();
        Roll { head: table.head(), revealed, number, promised, chosen, dice, square: table.after(chosen) }
    }

    /// Rolls as often as this, or to the end.
    pub fn play(&mut self, rolls: usize) {
        for _ in 0..rolls {
            if self.table().status() != Status::Playing {
                return;
            }
            let (sender, roll) = self.next_roll();
            self.say(sender, &Action::Move(roll)).expect("an honest roll");
        }
    }
}
