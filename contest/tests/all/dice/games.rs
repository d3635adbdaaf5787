//! Honest games, from the invitation to the audit.

use alloy_primitives::{Address, B256, U256};
use contest::dice::{Die, Duty, GOAL, Square, Wrong, promise};
use contest::{Action, Ending, Fault, Outcome, Role, Table};
use fog::engine::Seed;

use crate::dice::pair::{CREATOR, JOINER, Pair, Record, TURN, better, chosen, draws, joining, opening, replayed, side};

#[test]
fn whole_games_end_and_are_in_order() {
    let mut draws = draws(701);
    let (mut winners, mut rolls) = ([0, 0], 0);
    for _ in 0..60 {
        let mut pair = Pair::joined(&mut draws);
        pair.play(2_000);
        let (table, ending) = (pair.table(), pair.ending());
        assert_eq!(ending.outcome, Outcome::Won);
        let winner = ending.winner.expect("a winner");
        assert_eq!((table.square(winner), Role::of_turn(table.rolls() - 1)), (GOAL, winner));
        winners[winner as usize] += 1;
        rolls += table.rolls();
        let found = replayed(table.opening().clone(), &pair.records);
        assert_eq!((found.ending(), &found), (Some(ending), table));
    }
    // A game of two takes 23.4 rolls on average.
    assert!(winners.iter().all(|won| *won > 10) && (18 * 60..29 * 60).contains(&rolls), "{winners:?}, {rolls}");
}

#[test]
fn a_side_is_rebuilt_from_its_wallet_and_the_records() {
    let mut draws = draws(702);
    let mut pair = Pair::joined(&mut draws);
    for _ in 0..6 {
        pair.play(1);
        let (account, key) = [(CREATOR, 1), (JOINER, 2)][pair.to_roll()];
        let mut side = side(account, key, pair.table().opening().clone());
        for Record { sender, action, time } in &pair.records {
            side.hear(*sender, action, *time, &()).expect("recorded");
        }
        let (_, roll) = pair.next_roll();
        assert_eq!(side.choose(roll.chosen, &()), Ok(Action::Move(roll)));
    }
    // Another wallet's numbers open nothing, and the machine says so rather than send them.
    let mut stranger = side(CREATOR, 9, opening(B256::ZERO));
    let join = joining(&side(JOINER, 2, opening(B256::ZERO)));
    stranger.hear(JOINER, &join, 1, &()).expect("an acceptance");
    assert_eq!(stranger.choose(better(&stranger), &()), Err(Fault::Rule(Wrong::Reveal)));
}

#[test]
fn no_number_is_used_twice() {
    let mut draws = draws(703);
    let mut pair = Pair::joined(&mut draws);
    pair.play(40);
    let mut seen = std::collections::HashSet::new();
    for record in &pair.records {
        let (number, promised) = match &record.action {
            Action::Join(acceptance) => (acceptance.number, acceptance.promised),
            Action::Move(roll) => (roll.number, roll.promised),
            other => panic!("{other:?}"),
        };
        assert!(seen.insert(number) && seen.insert(U256::from_be_bytes(promised.0)));
        if let Action::Move(roll) = &record.action {
            assert!(seen.insert(roll.revealed));
        }
    }
}

/// A machine chooses nothing: what it promises and what it gives follow from its seed and from the head, and from nothing that it could have tried.
#[test]
fn every_number_follows_from_the_seed_and_the_head() {
    let mut draws = draws(716);
    let mut pair = Pair::joined(&mut draws);
    pair.play(40);
    let (mut table, mut checked) = (Table::open(pair.table().opening().clone(), &()).expect("a promise"), 0);
    let nonce = table.opening().nonce;
    // As the documentation of `Secrets` says it.
    let follows = |sender: Address, kind: &str, head: B256| {
        let key = if sender == CREATOR { 1 } else { 2 };
        let branch = Seed::derive(&[key; 32], &nonce.0).branch("dice");
        U256::from_be_slice(&branch.prf(&[kind.as_bytes(), head.as_slice()].concat())[..32])
    };
    assert_eq!(table.opening().entry, promise(CREATOR, 1, follows(CREATOR, "promise", B256::ZERO)));
    for Record { sender, action, time } in &pair.records {
        let head = table.head();
        let (number, promised) = match action {
            Action::Join(acceptance) => (acceptance.number, acceptance.promised),
            Action::Move(roll) => (roll.number, roll.promised),
            other => panic!("{other:?}"),
        };
        table.apply(*sender, action, *time, &()).expect("recorded");
        assert_eq!(number, follows(*sender, "number", head));
        assert_eq!(promised, promise(*sender, table.rolls() + 2, follows(*sender, "promise", head)));
        checked += 1;
    }
    assert!(checked > 10, "{checked}");
}

/// After a reorganisation the opponent may have said something else, and know the number that followed what it said first.
#[test]
fn what_follows_another_message_has_other_numbers() {
    let mut draws = draws(704);
    let mut pair = Pair::open(&mut draws);
    let honest = pair.sides[1].acceptance(&()).expect("an open game");
    let mut rolls = Vec::new();
    for change in 0..2 {
        let mut side = side(CREATOR, 1, pair.table().opening().clone());
        let mut acceptance = honest.clone();
        acceptance.promised.0[0] ^= change;
        side.hear(JOINER, &Action::Join(acceptance), 11, &()).expect("an acceptance");
        rolls.push(chosen(&side, better(&side)));
    }
    assert_eq!(rolls[0].revealed, rolls[1].revealed, "what was promised stays");
    assert!(rolls[0].number != rolls[1].number && rolls[0].promised != rolls[1].promised);
    pair.say(JOINER, &Action::Join(honest)).expect("an acceptance");
    pair.say(CREATOR, &Action::Move(rolls.remove(0))).expect("the roll that follows it");
}

#[test]
fn a_game_is_cancelled_after_its_expiry_and_not_before() {
    let mut draws = draws(705);
    let mut pair = Pair::open(&mut draws);
    // Else the creator could look at a joiner's number before it decides.
    assert_eq!(pair.say(CREATOR, &Action::Cancel), Err(Fault::StillInTime(1_000)));
    assert_eq!(pair.say(CREATOR, &Action::Resign), Err(Fault::WrongStatus));
    assert_eq!(pair.say(CREATOR, &Action::ClaimTimeout), Err(Fault::WrongStatus));
    let join = joining(&pair.sides[1]);
    assert_eq!(pair.say(CREATOR, &join), Err(Fault::SelfPlay));
    pair.time = 1_000;
    assert_eq!(pair.say(JOINER, &join), Err(Fault::Expired));
    pair.say(Address::ZERO, &Action::Cancel).expect("expired");
    assert_eq!(pair.say(CREATOR, &Action::Cancel), Err(Fault::WrongStatus));
}

#[test]
fn an_invited_opponent_alone_may_join_and_players_alone_give_up() {
    let mut draws = draws(706);
    let mut named = Pair::open(&mut draws).table().opening().clone();
    named.terms.opponent = Some(JOINER);
    let mut creator = side(CREATOR, 1, named.clone());
    let join = joining(&side(JOINER, 2, named));
    assert_eq!(creator.hear(Address::ZERO, &join, 1, &()), Err(Fault::NotInvited));
    creator.hear(JOINER, &join, 1, &()).expect("it is invited");
    assert_eq!(creator.duty(), Ok(Some(Duty::Roll)));
    assert_eq!(creator.table().deadline(), 1 + u64::from(TURN));
    assert_eq!(creator.hear(Address::ZERO, &Action::Resign, 2, &()), Err(Fault::NotPlayer));
    assert_eq!(creator.resign(), Ok(Action::Resign));
    creator.hear(CREATOR, &Action::Resign, 2, &()).expect("it may");
    let resigned = Ending { winner: Some(Role::Joiner), outcome: Outcome::Resigned };
    assert_eq!(creator.table().ending(), Some(resigned));
    assert_eq!(creator.resign(), Err(Fault::WrongStatus));
}

#[test]
fn squares_and_dice_are_in_bounds() {
    for number in 0..=100 {
        for die in Die::ALL {
            let square = Square::new(number).expect("a square");
            assert!(square.after(die) <= GOAL);
        }
    }
}
