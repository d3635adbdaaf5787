//! Wrong messages of the set-up are refused by name, and right ones still taken.

use crate::pair::{deliver, registered, step};
use engines::bfv::{
    Bfv,
    parameters::{OPENING_BYTES, POLY_BYTES, ROUND_2_BYTES},
    shares::KEY_SHARE_BYTES,
};
use engines::testing::NativeSetProofs;
use fog::{
    engine::{Engine, Fault, GameKeys, Session},
    testing::seed,
    word::WORD,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::Color;
use std::sync::Arc;

type Side = Session<Arc<dyn GameKeys>>;

/// Both sides of a set-up, before the first message has come.
fn sides(rng: &mut StdRng) -> [Side; 2] {
    sides_of(&Bfv::default(), rng)
}

fn sides_of(engine: &Bfv, rng: &mut StdRng) -> [Side; 2] {
    let (game, seeds) = registered(engine, rng);
    let party = |color: Color| engine.set_up(color, &seeds[color.index()], &game).expect("both have registered");
    let (mut white, opening) = Session::start(party(Color::White), true);
    let (mut black, waiting) = Session::start(party(Color::Black), false);
    step(&mut black, waiting).expect("it waits");
    step(&mut white, opening).expect("it opens");
    [white, black]
}

/// Brings messages over until number `index` is said; gives who will hear it, and the message.
fn until(sides: &mut [Side; 2], index: usize) -> (usize, Vec<u8>) {
    for said in 0..index {
        let message = sides[said % 2].messages()[said].clone();
        deliver(&mut sides[1 - said % 2], said, &message).expect("a right message");
    }
    (1 - index % 2, sides[index % 2].messages()[index].clone())
}

fn changed(right: &[u8], place: usize) -> Vec<u8> {
    let mut bytes = right.to_vec();
    bytes[place] ^= 1;
    bytes
}

#[test]
fn sizes_are_those_of_the_documents() {
    let mut rng = StdRng::seed_from_u64(seed(181));
    let mut sides = sides(&mut rng);
    let sizes = [WORD, WORD, OPENING_BYTES, OPENING_BYTES, ROUND_2_BYTES + WORD, ROUND_2_BYTES + WORD];
    assert_eq!(sizes, [32, 32, 2_455_552, 2_455_552, 1_116_192, 1_116_192]);
    assert_eq!(Bfv::default().about().max_message, OPENING_BYTES);
    for (index, size) in sizes.into_iter().enumerate() {
        let message = sides[index % 2].messages()[index].clone();
        assert_eq!(message.len(), size);
        let hearer = &mut sides[1 - index % 2];
        for length in [0, size - 1, size + 1] {
            let refused = deliver(hearer, index, &vec![0; length]);
            assert!(matches!(refused, Err(Fault::Length { index: i, got, .. }) if (i, got) == (index, length)));
        }
        deliver(hearer, index, &message).expect("the right message");
    }
    assert!(sides.iter().all(|side| side.is_over() && side.output().is_some()));
}

/// Any change of a part of the opening, another set-up's opening, and an opening of bytes that are no polynomials: none is what was committed to.
#[test]
fn an_opening_that_was_not_committed_to_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(182));
    let mut elsewhere = sides(&mut rng);
    let [_, foreign] = [1, 2].map(|index| until(&mut elsewhere, index).1);
    for index in [2, 3] {
        let mut sides = sides(&mut rng);
        let (hearer, right) = until(&mut sides, index);
        // One byte of each polynomial.
        let mut wrong: Vec<Vec<u8>> = (0..OPENING_BYTES / POLY_BYTES)
            .map(|poly| changed(&right, poly * POLY_BYTES + rng.gen_range(0..POLY_BYTES)))
            .collect();
        wrong.extend([foreign.clone(), vec![0; OPENING_BYTES], vec![0xff; OPENING_BYTES]]);
        for opening in wrong {
            let refused = deliver(&mut sides[hearer], index, &opening);
            assert!(matches!(refused, Err(Fault::Proof { index: i, .. }) if i == index));
        }
        deliver(&mut sides[hearer], index, &right).expect("what was committed to");
    }
}

/// Whoever changes its commitment can't open it; a right commitment is one word only.
#[test]
fn a_changed_commitment_can_t_be_opened() {
    let mut rng = StdRng::seed_from_u64(seed(183));
    for index in [0, 1] {
        let mut sides = sides(&mut rng);
        let (hearer, right) = until(&mut sides, index);
        let reply = deliver(&mut sides[hearer], index, &changed(&right, rng.gen_range(0..WORD)));
        assert_eq!(reply.expect("any word may be a commitment"), Some(index + 1));
        let again = deliver(&mut sides[hearer], index, &right);
        assert!(matches!(again, Err(Fault::Contradiction(i)) if i == index));
        if index == 0 {
            let mine = sides[1].messages()[1].clone();
            deliver(&mut sides[0], 1, &mine).expect("a commitment");
            let opening = sides[0].messages()[2].clone();
            assert!(matches!(deliver(&mut sides[1], 2, &opening), Err(Fault::Proof { index: 2, .. })));
        } else {
            let opening = sides[0].messages()[2].clone();
            deliver(&mut sides[1], 2, &opening).expect("what White committed to");
            let opening = sides[1].messages()[3].clone();
            assert!(matches!(deliver(&mut sides[0], 3, &opening), Err(Fault::Proof { index: 3, .. })));
        }
    }
}

/// Black repeats White's commitment and then White's opening, to make the joint key one that it knows of.
#[test]
fn the_other_s_commitment_can_t_be_repeated() {
    let mut rng = StdRng::seed_from_u64(seed(184));
    let [mut white, _] = sides(&mut rng);
    let commitment = white.messages()[0].clone();
    deliver(&mut white, 1, &commitment).expect("any word may be a commitment");
    let opening = white.messages()[2].clone();
    assert!(matches!(deliver(&mut white, 3, &opening), Err(Fault::Proof { index: 3, .. })));
}

/// The second round of another set-up, a change in any polynomial or in the seal, and bytes that are no polynomials.
#[test]
fn a_wrong_second_round_is_refused() {
    let mut rng = StdRng::seed_from_u64(seed(185));
    let mut elsewhere = sides(&mut rng);
    let (_, foreign) = until(&mut elsewhere, 4);
    for index in [4, 5] {
        let mut sides = sides(&mut rng);
        let (hearer, right) = until(&mut sides, index);
        let mut places: Vec<usize> = (0..ROUND_2_BYTES).step_by(POLY_BYTES).collect();
        places.extend([ROUND_2_BYTES, ROUND_2_BYTES + WORD - 1]);
        let mut wrong: Vec<Vec<u8>> = places.into_iter().map(|place| changed(&right, place)).collect();
        wrong.extend([foreign.clone(), vec![0xff; right.len()]]);
        for round in wrong {
            let refused = deliver(&mut sides[hearer], index, &round);
            assert!(matches!(refused, Err(Fault::Proof { index: i, .. }) if i == index));
        }
        deliver(&mut sides[hearer], index, &right).expect("the right round");
        assert!(sides[hearer].output().is_some());
    }
}

/// With proofs: any share that isn't proven as it must be is refused, and a proof of other shares; the right one is still taken.
#[test]
fn every_part_of_a_proven_round_is_bound() {
    let mut rng = StdRng::seed_from_u64(seed(187));
    let engine = Bfv::proven(Arc::new(NativeSetProofs));
    let mut elsewhere = sides_of(&engine, &mut rng);
    let (_, foreign) = until(&mut elsewhere, 4);
    for index in [4, 5] {
        let mut sides = sides_of(&engine, &mut rng);
        let (hearer, right) = until(&mut sides, index);
        assert_eq!(right.len(), ROUND_2_BYTES + WORD + KEY_SHARE_BYTES);
        let proven = ROUND_2_BYTES + WORD;
        let places = [0, ROUND_2_BYTES, proven - 1, proven, proven + KEY_SHARE_BYTES - 1];
        let mut wrong: Vec<Vec<u8>> = places.into_iter().map(|place| changed(&right, place)).collect();
        wrong.push([&right[..proven], &foreign[proven..]].concat());
        for round in wrong {
            let refused = deliver(&mut sides[hearer], index, &round);
            assert!(matches!(refused, Err(Fault::Proof { index: i, .. }) if i == index));
        }
        deliver(&mut sides[hearer], index, &right).expect("the right round");
        assert!(sides[hearer].output().is_some());
    }
}

/// Another coin toss gives other common polynomials, and so is another set-up: seals don't fit.
#[test]
fn players_of_two_tosses_don_t_come_together() {
    let mut rng = StdRng::seed_from_u64(seed(186));
    let (game, seeds) = registered(&Bfv::default(), &mut rng);
    let mut other = game.clone();
    other.toss[31] ^= 1;
    let party =
        |color: Color, game| Bfv::default().set_up(color, &seeds[color.index()], game).expect("both have registered");
    let (mut white, opening) = Session::start(party(Color::White, &game), true);
    let (mut black, waiting) = Session::start(party(Color::Black, &other), false);
    step(&mut black, waiting).expect("it waits");
    step(&mut white, opening).expect("it opens");
    let mut sides = [white, black];
    for index in 0..2 {
        let message = sides[index % 2].messages()[index].clone();
        deliver(&mut sides[1 - index % 2], index, &message).expect("any word may be a commitment");
    }
    let opening = sides[0].messages()[2].clone();
    assert!(matches!(deliver(&mut sides[1], 2, &opening), Err(Fault::Proof { index: 2, .. })));
}
