//! What a player may try with a die: each is refused by the machine of the other side, by name, and the game goes on without it.

use alloy_primitives::U256;
use contest::dice::{Die, Duty, GOAL, Roll, Square, Wrong, promise, roll_dice, seed_of};
use contest::{Action, Fault, Outcome, Role};
use rand::Rng as _;

use crate::dice::pair::{CREATOR, JOINER, Pair, TURN, better, chosen, draws, joining};

/// Tries numbers until the roll is the one it likes best, and reveals that one instead of what it promised.
#[test]
fn a_biased_roll_is_caught() {
    let mut draws = draws(707);
    let mut pair = Pair::joined(&mut draws);
    pair.play(5);
    // No game takes fewer than 13 rolls.
    for _ in 0..7 {
        let (sender, honest) = pair.next_roll();
        let table = pair.sides[0].table().clone();
        let liked = |die: &Die| table.after(*die);
        let best = Die::ALL.into_iter().max_by_key(liked).expect("six sides");
        let mut number = honest.revealed;
        while !table.dice_of(number).contains(&best) {
            number = U256::from_be_bytes(draws.r#gen::<[u8; 32]>());
        }
        let dice = table.dice_of(number);
        let biased = Roll { revealed: number, chosen: best, dice, square: liked(&best), ..honest.clone() };
        let expected = if number == honest.revealed { None } else { Some(Fault::Rule(Wrong::Reveal)) };
        if let Some(fault) = expected {
            assert_eq!(pair.say(sender, &Action::Move(biased)), Err(fault));
        }
        pair.say(sender, &Action::Move(honest)).expect("the one that was promised");
    }
}

/// The giver of the other number tries to choose the opponent's roll: it knows the promise, and not what is promised. Whatever it gives, every
/// side comes up as often.
#[test]
fn the_giver_of_the_number_cannot_choose_the_opponents_roll() {
    let mut draws = draws(720);
    for given in [U256::ZERO, U256::MAX, U256::from(7)] {
        let mut counts = [[0; 6]; 2];
        for _ in 0..1_200 {
            let mut pair = Pair::open(&mut draws);
            let mut acceptance = pair.sides[1].acceptance(&()).expect("an open game");
            acceptance.number = given;
            pair.say(JOINER, &Action::Join(acceptance)).expect("an acceptance");
            let (_, roll) = pair.next_roll();
            for (die, counts) in roll.dice.iter().zip(&mut counts) {
                counts[usize::from(die.pips()) - 1] += 1;
            }
        }
        // 200 on average, with a standard deviation of 13.
        assert!(counts.iter().flatten().all(|count| (120..280).contains(count)), "{counts:?}");
    }
}

/// Grinds its number before it promises it, so that the first die would be a six if the opponent then gave what it guesses: nothing, what it gave before, or what
/// it gave on another fork of the chain. Every side comes up as often all the same. Whoever promised after the opponent's number would roll sixes alone.
#[test]
fn a_roller_that_grinds_its_number_before_it_promises_gains_nothing() {
    let mut draws = draws(721);
    for kind in 0..3 {
        let mut counts = [0; 6];
        for _ in 0..600 {
            let mut fork = Pair::joined(&mut draws.clone());
            let mut pair = Pair::joined(&mut draws);
            fork.play(1);
            let guess = [U256::ZERO, pair.sides[0].table().number(), fork.next_roll().1.number][kind];
            let mut ground = |pair: &Pair, given| {
                let numbers = std::iter::repeat_with(|| U256::from_be_bytes(draws.r#gen::<[u8; 32]>()));
                let game = pair.sides[0].table().game_id();
                let mut sixes = numbers.filter(|number| roll_dice(seed_of(*number, given), game, 3)[0].pips() == 6);
                sixes.next().expect("one of six")
            };
            let number = ground(&pair, guess);
            let (_, honest) = pair.next_roll();
            let promising = Roll { promised: promise(CREATOR, 3, number), ..honest };
            pair.say(CREATOR, &Action::Move(promising)).expect("nobody sees how it was chosen");
            pair.play(1);
            let late = ground(&pair, pair.sides[0].table().number());
            assert_eq!(pair.table().dice_of(late)[0].pips(), 6);
            assert_eq!(pair.say(CREATOR, &Action::Move(pair.revealing(late))), Err(Fault::Rule(Wrong::Reveal)));
            counts[usize::from(pair.table().dice_of(number)[0].pips()) - 1] += 1;
            pair.say(CREATOR, &Action::Move(pair.revealing(number))).expect("the number that was promised");
        }
        // 100 on average, with a standard deviation of 9.
        assert!(counts.iter().all(|count| (50..150).contains(count)), "guess {kind}: {counts:?}");
    }
}

/// Says other dice, the same in another order, or another square than its numbers and its choice give.
#[test]
fn a_roll_that_was_not_rolled_is_caught() {
    let mut draws = draws(709);
    let mut pair = Pair::joined(&mut draws);
    for _ in 0..12 {
        let (sender, honest) = pair.next_roll();
        let pairs = Die::ALL.into_iter().flat_map(|first| Die::ALL.map(|second| [first, second]));
        for dice in pairs.filter(|dice| *dice != honest.dice) {
            let claimed = Roll { dice, ..honest.clone() };
            let fault = Fault::Rule(Wrong::Dice { declared: dice, found: honest.dice });
            assert_eq!(pair.say(sender, &Action::Move(claimed)), Err(fault));
        }
        let square = if honest.square == GOAL { Square::START } else { GOAL };
        let claimed = Roll { square, ..honest.clone() };
        let fault = Fault::Rule(Wrong::Square { declared: square, found: honest.square });
        assert_eq!(pair.say(sender, &Action::Move(claimed)), Err(fault));
        pair.say(sender, &Action::Move(honest)).expect("the honest one");
    }
}

/// Has seen both dice, and moves by one of them or not at all: whatever neither shows is refused, by its own machine too. Either is accepted, and the
/// heads after them differ, so that neither passes for the other.
#[test]
fn who_has_seen_the_dice_can_choose_one_of_two_and_nothing_else() {
    let mut draws = draws(722);
    let mut choices = 0;
    for _ in 0..40 {
        let mut pair = Pair::joined(&mut draws);
        pair.play(draws.gen_range(0..6));
        let (sender, honest) = pair.next_roll();
        let side = pair.sides[pair.to_roll()].clone();
        for die in Die::ALL.into_iter().filter(|die| !honest.dice.contains(die)) {
            let fault = Fault::Rule(Wrong::NoSuchDie { chosen: die, dice: honest.dice });
            assert_eq!(side.choose(die, &()), Err(fault));
            let claimed = Roll { chosen: die, square: side.table().after(die), ..honest.clone() };
            assert_eq!(pair.say(sender, &Action::Move(claimed)), Err(fault));
        }
        let either = honest.dice.map(|die| chosen(&side, die));
        assert_eq!(either[0] == either[1], honest.dice[0] == honest.dice[1], "of two equal dice there is one roll");
        assert_eq!(either[0].next_head() == either[1].next_head(), either[0] == either[1]);
        assert!(either.iter().all(|roll| roll.square == side.table().after(roll.chosen)));
        let [roll, other] = either;
        let swapped = Roll { square: other.square, ..roll.clone() };
        if roll.square != other.square {
            let fault = Fault::Rule(Wrong::Square { declared: other.square, found: roll.square });
            assert_eq!(pair.say(sender, &Action::Move(swapped)), Err(fault), "chosen by one die, moved by the other");
        }
        choices += usize::from(roll != other);
        pair.say(sender, &Action::Move(roll)).expect("it may be the worse one");
        pair.play(1);
        let head = pair.table().head();
        let changed = pair.say(sender, &Action::Move(other.clone()));
        assert_eq!(changed, Err(Fault::Rule(Wrong::Head(head))), "a choice is made once");
        // What follows the one choice doesn't follow the other.
        let mut elsewhere = side;
        elsewhere.hear(sender, &Action::Move(other.clone()), 20, &()).expect("the other choice");
        let last = pair.records.last().expect("a record");
        let Action::Move(reply) = &last.action else { panic!("{last:?}") };
        let follows = elsewhere.hear(last.sender, &Action::Move(reply.clone()), 21, &());
        let expected =
            if honest.dice[0] == honest.dice[1] { Ok(()) } else { Err(Fault::Rule(Wrong::Head(other.next_head()))) };
        assert_eq!(follows, expected);
    }
    assert!(choices > 20, "{choices}");
}

/// Sends an earlier roll of its own again, as it was, or under the latest head.
#[test]
fn a_replayed_roll_is_caught() {
    let mut draws = draws(710);
    let mut pair = Pair::joined(&mut draws);
    pair.play(8);
    let head = pair.sides[0].table().head();
    let mut tried = 0;
    for record in pair.records.clone() {
        let Action::Move(roll) = record.action else { continue };
        let is_its_turn = record.sender == [CREATOR, JOINER][pair.to_roll()];
        let fault = if is_its_turn { Fault::Rule(Wrong::Head(head)) } else { Fault::NotYourTurn };
        assert_eq!(pair.say(record.sender, &Action::Move(roll.clone())), Err(fault));
        let again = Roll { head, ..roll };
        let fault = if is_its_turn { Fault::Rule(Wrong::Reveal) } else { Fault::NotYourTurn };
        assert_eq!(pair.say(record.sender, &Action::Move(again)), Err(fault));
        tried += 1;
    }
    assert_eq!(tried, 8);
}

/// Promises again what it promised and opened before, so that it need not decide: a promise is for one roll, and can't be opened for another.
#[test]
fn a_replayed_promise_cannot_be_opened() {
    let mut draws = draws(711);
    let mut pair = Pair::joined(&mut draws);
    let (sender, honest) = pair.next_roll();
    let opened = pair.sides[0].table().promised(Role::Creator);
    let replayed = Roll { promised: opened, ..honest.clone() };
    pair.say(sender, &Action::Move(replayed)).expect("nobody sees yet that it can't be opened");
    pair.play(1);
    let again = pair.revealing(honest.revealed);
    assert_eq!(pair.say(sender, &Action::Move(again)), Err(Fault::Rule(Wrong::Reveal)));
}

/// Promises what the opponent has promised, to show the opponent's number after it: the promise has the player's address in it.
#[test]
fn a_copied_promise_cannot_be_opened() {
    let mut draws = draws(712);
    let mut pair = Pair::open(&mut draws);
    let mut acceptance = pair.sides[1].acceptance(&()).expect("an open game");
    acceptance.promised = pair.sides[0].table().promised(Role::Creator);
    pair.say(JOINER, &Action::Join(acceptance)).expect("nobody sees yet that it can't be opened");
    let (sender, first) = pair.next_roll();
    pair.say(sender, &Action::Move(first.clone())).expect("the creator's");
    let copied = pair.revealing(first.revealed);
    assert_eq!(pair.say(JOINER, &Action::Move(copied)), Err(Fault::Rule(Wrong::Reveal)));
    // The machine of who copied has nothing to send either.
    assert_eq!(pair.sides[1].choose(better(&pair.sides[1]), &()), Err(Fault::Rule(Wrong::Reveal)));
}

/// Any other number than the promised one, and any other promise than the standing one.
#[test]
fn a_wrong_hash_is_caught() {
    let mut draws = draws(713);
    let mut pair = Pair::joined(&mut draws);
    for bit in 0..256 {
        let (sender, honest) = pair.next_roll();
        let revealed = honest.revealed ^ (U256::from(1) << bit);
        assert_eq!(pair.say(sender, &Action::Move(Roll { revealed, ..honest })), Err(Fault::Rule(Wrong::Reveal)));
    }
    // The same number for another roll, or of another player, is another promise.
    let number = U256::from(5);
    assert_ne!(promise(CREATOR, 1, number), promise(CREATOR, 3, number));
    assert_ne!(promise(CREATOR, 1, number), promise(JOINER, 1, number));
}

/// Rolls out of turn, before the game is joined, after another message than the latest, after the end.
#[test]
fn a_wrong_order_is_caught() {
    let mut draws = draws(714);
    let other = Pair::joined(&mut draws);
    let (_, foreign) = other.next_roll();
    let mut pair = Pair::open(&mut draws);
    assert_eq!(pair.say(CREATOR, &Action::Move(foreign.clone())), Err(Fault::WrongStatus));
    assert_eq!(pair.sides[0].choose(foreign.chosen, &()), Err(Fault::WrongStatus));
    let foreign_join = joining(&other.sides[1]);
    let head = pair.sides[0].table().head();
    assert_eq!(pair.say(JOINER, &foreign_join), Err(Fault::Rule(Wrong::Head(head))), "an acceptance of another game");
    let join = joining(&pair.sides[1]);
    pair.say(JOINER, &join).expect("an acceptance");
    assert_eq!(pair.say(JOINER, &join), Err(Fault::WrongStatus), "joined twice");
    let head = pair.sides[0].table().head();
    assert_eq!(
        pair.say(CREATOR, &Action::Move(foreign)),
        Err(Fault::Rule(Wrong::Head(head))),
        "a roll of another game"
    );
    let (_, honest) = pair.next_roll();
    assert_eq!(pair.say(JOINER, &Action::Move(honest.clone())), Err(Fault::NotYourTurn));
    assert_eq!(pair.sides[1].choose(honest.chosen, &()), Err(Fault::NotYourTurn));
    assert_eq!(pair.sides[0].perform(Duty::Roll, &()), Err(Fault::WrongStatus), "a roll has its choice");
    for i in 0..32 {
        let mut late = honest.clone();
        late.head.0[i] ^= 1;
        assert_eq!(pair.say(CREATOR, &Action::Move(late)), Err(Fault::Rule(Wrong::Head(head))));
    }
    pair.play(2_000);
    assert_eq!(pair.say(CREATOR, &Action::Move(honest)), Err(Fault::WrongStatus), "after the end");
    assert_eq!(pair.sides[0].choose(Die::ALL[0], &()), Err(Fault::WrongStatus));
}

/// Knows a roll that it doesn't like, and keeps it to itself: that costs it the game, and nothing earlier does.
#[test]
fn a_withheld_reveal_loses() {
    let mut draws = draws(715);
    for rolls in 0..6 {
        let mut pair = Pair::joined(&mut draws);
        pair.play(rolls);
        let silent = pair.to_roll();
        let (sender, honest) = pair.next_roll();
        let deadline = pair.time + u64::from(TURN);
        assert_eq!(pair.sides[0].table().deadline(), deadline);
        let waiting = &pair.sides[1 - silent];
        assert!(!waiting.is_overdue(deadline) && waiting.is_overdue(deadline + 1));
        assert!(!pair.sides[silent].is_overdue(deadline + 1), "nobody claims against itself");
        // A second each for what is said.
        pair.time = deadline - 1;
        assert_eq!(pair.say(sender, &Action::ClaimTimeout), Err(Fault::StillInTime(deadline)));
        let late = pair.say(sender, &Action::Move(honest.clone()));
        assert_eq!(late, Err(Fault::OutOfTime));
        assert_eq!(pair.say(sender, &Action::Resign), Err(Fault::OutOfTime));
        let winner = [Role::Creator, Role::Joiner][1 - silent];
        pair.say(sender, &Action::ClaimTimeout).expect("whoever calls");
        let ending = pair.ending();
        assert_eq!((ending.winner, ending.outcome), (Some(winner), Outcome::TimedOut));
    }
}
