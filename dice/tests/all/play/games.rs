//! Honest games, from the invitation to the audit.

use alloy_primitives::{Address, B256, U256};
use dice::{
    Action, Die, Effect, Event, Fault, GOAL, Outcome, Record, Role, Side, Square, Status, Table, audit, promise,
};
use fog::engine::Seed;

use crate::play::pair::{CREATOR, JOINER, Pair, TURN, draws, opening, secrets};

#[test]
fn whole_games_end_and_are_in_order() {
    let mut draws = draws(701);
    let (mut winners, mut rolls) = ([0, 0], 0);
    for _ in 0..60 {
        let mut pair = Pair::joined(&mut draws);
        pair.play(2_000);
        let table = pair.sides[0].table();
        let Status::Over(ending) = table.status() else { panic!("no end after {} rolls", table.rolls()) };
        assert_eq!(ending.outcome, Outcome::Finished);
        let winner = ending.winner.expect("a winner");
        assert_eq!((table.square(winner), Role::of_roll(table.rolls())), (GOAL, winner));
        winners[winner as usize] += 1;
        rolls += table.rolls();
        let found = audit(table.opening().clone(), &pair.records, Some(ending));
        assert!(found.is_in_order() && found.table == *table);
        assert!(!audit(table.opening().clone(), &pair.records, None).is_in_order(), "the end was kept back");
    }
    // A game of two takes 52 rolls on average.
    assert!(winners.iter().all(|won| *won > 10) && (40 * 60..70 * 60).contains(&rolls), "{winners:?}, {rolls}");
}

#[test]
fn a_side_is_rebuilt_from_its_wallet_and_the_records() {
    let mut draws = draws(702);
    let mut pair = Pair::joined(&mut draws);
    for _ in 0..6 {
        pair.play(1);
        let opening = pair.sides[0].table().opening().clone();
        let index = pair.to_roll();
        let (account, key) = [(CREATOR, 1), (JOINER, 2)][index];
        let mut side = Side::new(account, secrets(key, opening.nonce), opening);
        for record in &pair.records {
            let (sender, action, time) = (record.sender, record.action.clone(), record.time);
            side.on(&Event::Said { sender, action, time }).expect("recorded");
        }
        let (_, roll) = pair.next_roll();
        assert_eq!(side.on(&Event::Throw), Ok(vec![Effect::Send(Action::Roll(roll))]));
    }
    // Another wallet's numbers open nothing, and the machine says so rather than send them.
    let mut stranger = Side::new(CREATOR, secrets(9, B256::ZERO), opening(B256::ZERO));
    let acceptance = Side::new(JOINER, secrets(2, B256::ZERO), opening(B256::ZERO)).acceptance();
    let joined = Event::Said { sender: JOINER, action: Action::Join(acceptance), time: 1 };
    stranger.on(&joined).expect("an acceptance");
    assert_eq!(stranger.on(&Event::Throw), Err(Fault::WrongReveal));
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
            Action::Roll(roll) => (roll.number, roll.promised),
            other => panic!("{other:?}"),
        };
        assert!(seen.insert(number) && seen.insert(U256::from_be_bytes(promised.0)));
        if let Action::Roll(roll) = &record.action {
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
    let (mut table, mut checked) = (Table::open(pair.sides[0].table().opening().clone()), 0);
    let nonce = table.opening().nonce;
    // As the documentation of `Secrets` says it.
    let follows = |sender: Address, kind: &str, head: B256| {
        let key = if sender == CREATOR { 1 } else { 2 };
        let branch = Seed::derive(&[key; 32], &nonce.0).branch("dice");
        U256::from_be_slice(&branch.prf(&[kind.as_bytes(), head.as_slice()].concat())[..32])
    };
    assert_eq!(table.opening().promised, promise(CREATOR, 1, follows(CREATOR, "promise", B256::ZERO)));
    for Record { sender, action, time } in &pair.records {
        let head = table.head();
        let (number, promised) = match action {
            Action::Join(acceptance) => (acceptance.number, acceptance.promised),
            Action::Roll(roll) => (roll.number, roll.promised),
            other => panic!("{other:?}"),
        };
        table.apply(*sender, action, *time).expect("recorded");
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
    let honest = pair.sides[1].acceptance();
    let mut rolls = Vec::new();
    for change in 0..2 {
        let opening = pair.sides[0].table().opening().clone();
        let mut side = Side::new(CREATOR, secrets(1, opening.nonce), opening);
        let mut acceptance = honest.clone();
        acceptance.promised.0[0] ^= change;
        side.on(&Event::Said { sender: JOINER, action: Action::Join(acceptance), time: 11 }).expect("an acceptance");
        match side.on(&Event::Throw).expect("its turn").remove(0) {
            Effect::Send(Action::Roll(roll)) => rolls.push(roll),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(rolls[0].revealed, rolls[1].revealed, "what was promised stays");
    assert!(rolls[0].number != rolls[1].number && rolls[0].promised != rolls[1].promised);
    pair.say(JOINER, &Action::Join(honest)).expect("an acceptance");
    pair.say(CREATOR, &Action::Roll(rolls.remove(0))).expect("the roll that follows it");
}

#[test]
fn a_game_is_cancelled_after_its_expiry_and_not_before() {
    let mut draws = draws(705);
    let mut pair = Pair::open(&mut draws);
    // Else the creator could look at a joiner's number before it decides.
    assert_eq!(pair.say(CREATOR, &Action::Cancel), Err(Fault::StillInTime(1_000)));
    assert_eq!(pair.say(CREATOR, &Action::Resign), Err(Fault::WrongStatus));
    assert_eq!(pair.say(CREATOR, &Action::ClaimTimeout), Err(Fault::WrongStatus));
    let join = Action::Join(pair.sides[1].acceptance());
    assert_eq!(pair.say(CREATOR, &join), Err(Fault::SelfPlay));
    pair.time = 1_000;
    assert_eq!(pair.say(JOINER, &join), Err(Fault::Expired));
    pair.say(Address::ZERO, &Action::Cancel).expect("expired");
    assert_eq!(pair.say(CREATOR, &Action::Cancel), Err(Fault::WrongStatus));
}

#[test]
fn an_invited_opponent_alone_may_join_and_players_alone_give_up() {
    let mut draws = draws(706);
    let mut named = Pair::open(&mut draws).sides[0].table().opening().clone();
    named.terms.opponent = Some(JOINER);
    let mut side = Side::new(CREATOR, secrets(1, named.nonce), named.clone());
    let acceptance = Side::new(JOINER, secrets(2, named.nonce), named).acceptance();
    let join = |sender| Event::Said { sender, action: Action::Join(acceptance.clone()), time: 1 };
    assert_eq!(side.on(&join(Address::ZERO)), Err(Fault::NotInvited));
    assert_eq!(side.on(&join(JOINER)), Ok(vec![Effect::YourTurn(1 + u64::from(TURN))]));
    let resign = |sender| Event::Said { sender, action: Action::Resign, time: 2 };
    assert_eq!(side.on(&resign(Address::ZERO)), Err(Fault::NotPlayer));
    assert_eq!(side.on(&Event::GiveUp), Ok(vec![Effect::Send(Action::Resign)]));
    let Ok(effects) = side.on(&resign(CREATOR)) else { panic!("it may") };
    assert!(matches!(effects[..], [Effect::Over(ending)] if ending.winner == Some(Role::Joiner)));
    assert_eq!(side.on(&Event::GiveUp), Err(Fault::WrongStatus));
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
