//! Rolls and a whole game as `reference.py` of this folder computes them, which shares nothing with this crate.

use std::path::Path;

use alloy_primitives::{Address, B256, U256};
use contest::dice::{Acceptance, Die, Roll, Square, promise, roll_dice};
use contest::{Action, Ending, Opening, Outcome, Role, Terms};
use serde::Deserialize;

use crate::dice::pair::{Record, replayed};

#[derive(Deserialize)]
struct Data {
    rolls: Rolls,
    game: Game,
    play: Play,
}

#[derive(Deserialize)]
struct Play {
    others: Vec<u8>,
    wins: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct Rolls {
    count: usize,
    seeds: Vec<U256>,
    games: Vec<B256>,
    rolls: Vec<u64>,
    first: Vec<u8>,
    second: Vec<u8>,
    bytes: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Game {
    chain: u64,
    contract: Address,
    creator: Address,
    joiner: Address,
    nonce: B256,
    stake: u128,
    turn: u32,
    expiry: u64,
    create_promise: B256,
    join_number: U256,
    join_promise: B256,
    rolls: usize,
    heads: Vec<B256>,
    revealed: Vec<U256>,
    numbers: Vec<U256>,
    promises: Vec<B256>,
    first: Vec<u8>,
    second: Vec<u8>,
    chosen: Vec<u8>,
    squares: Vec<u8>,
}

fn data() -> Data {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test/data/dice.json");
    serde_json::from_slice(&std::fs::read(path).expect("the vectors")).expect("their form")
}

#[test]
fn rolls_are_the_references() {
    let rolls = data().rolls;
    assert!(rolls.count > 40 && rolls.bytes.contains(&3) && rolls.bytes.contains(&4), "refused bytes are among them");
    for i in 0..rolls.count {
        let dice = roll_dice(rolls.seeds[i], rolls.games[i], rolls.rolls[i]);
        assert_eq!(dice.map(Die::pips), [rolls.first[i], rolls.second[i]], "roll {i}");
    }
}

#[test]
fn the_chances_to_win_are_the_references() {
    let Play { others, wins } = data().play;
    assert_eq!((others.len(), wins.len()), (3, 3));
    for (other, wins) in others.into_iter().zip(wins) {
        assert_eq!(wins.len(), 101);
        for (square, chance) in (0..).zip(wins) {
            let [own, other] = [square, other].map(|number| Square::new(number).expect("a square"));
            let found = own.wins_against(other);
            assert!((found - chance).abs() < 2e-9, "{own} against {other}: {found} and {chance}");
        }
    }
}

#[test]
fn a_whole_game_is_the_references() {
    let game = data().game;
    let terms =
        Terms { stake: game.stake, turn: game.turn, expiry: game.expiry, opponent: Some(game.joiner), setup: () };
    let Game { creator, joiner, nonce, contract, .. } = game;
    let opening = Opening { chain_id: game.chain, contract, creator, nonce, terms, entry: game.create_promise };
    assert_eq!(opening.game_id(), game.heads[0]);
    let acceptance = Acceptance { head: game.heads[0], number: game.join_number, promised: game.join_promise };
    let mut records = vec![Record { sender: joiner, action: Action::Join(acceptance), time: 1 }];
    let side = |pips| Die::new(pips).expect("a side");
    let mut stands = [Square::START; 2];
    for i in 0..game.rolls {
        let sender = [creator, joiner][i % 2];
        let roll = Roll {
            head: game.heads[i + 1],
            revealed: game.revealed[i],
            number: game.numbers[i],
            promised: game.promises[i],
            chosen: side(game.chosen[i]),
            dice: [side(game.first[i]), side(game.second[i])],
            square: Square::new(game.squares[i]).expect("a square"),
        };
        assert_eq!(roll.next_head(), game.heads[i + 2]);
        assert_eq!(roll.chosen, stands[i % 2].better(stands[1 - i % 2], roll.dice));
        stands[i % 2] = roll.square;
        if i + 2 < game.rolls {
            assert_eq!(promise(sender, i as u64 + 3, game.revealed[i + 2]), roll.promised);
        }
        records.push(Record { sender, action: Action::Move(roll), time: i as u64 + 2 });
    }
    let found = replayed(opening, &records);
    let winner = Some(Role::of_turn(game.rolls as u64 - 1));
    assert_eq!(found.ending(), Some(Ending { winner, outcome: Outcome::Won }));
    assert_eq!(found.head(), game.heads[game.rolls + 1]);
}
