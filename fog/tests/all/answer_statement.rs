//! The native check of *answer*: valid draws are accepted, each broken value is refused by the relation that it breaks
//! (protocol section 7).

use fog::{
    F,
    engine::sight_lines::answer::{ELEMENTS, WireError},
    statement::{
        Unmet,
        answer::{ANSWER_INPUTS, check, gather},
    },
    testing::{AnswerCase, Walk, answers, break_each, mutations_answer, seed},
};
use std::mem::discriminant;

#[test]
fn valid_answers_of_every_kind_are_accepted() {
    let seed = seed(21);
    for case in AnswerCase::ALL {
        for (public, private) in answers(seed, Some(case)).take(3) {
            assert_eq!(check(&public, &private), Ok(()), "{case:?}");
            assert_eq!(public.to_instance().len(), ANSWER_INPUTS);
        }
    }
    for (public, private) in answers(seed, None).take(20) {
        assert_eq!(check(&public, &private), Ok(()));
    }
}

#[test]
fn every_broken_value_is_refused_by_its_relation() {
    let seed = seed(22);
    let draws = AnswerCase::ALL.into_iter().flat_map(|case| {
        let draws = answers(seed, Some(case)).take(1);
        draws.map(move |draw| (case, draw))
    });
    let mutations = mutations_answer();
    break_each(&mutations, usize::MAX, draws, |name, public, private, expected| {
        let found = check(public, private).expect_err(name);
        let same = discriminant(&found) == discriminant(&expected);
        assert!(same, "{name}: {found}");
    });
}

#[test]
fn every_single_element_counts() {
    let seed = seed(23);
    let draw = answers(seed, Some(AnswerCase::PrePendingPawnRank)).next();
    let (public, private) = draw.expect("an endless row");
    for index in (0..ELEMENTS).step_by(31) {
        let mut broken = public.clone();
        broken.elements[index] += F::one();
        let found = check(&broken, &private);
        assert_eq!(found, Err(Unmet::Element(index)));
    }
    let mut short = public.clone();
    short.elements.pop();
    let error = Unmet::Wire(WireError::Count(ELEMENTS - 1));
    assert_eq!(check(&short, &private), Err(error));
}

#[test]
fn a_statement_needs_the_other_colour_and_a_state_that_fits() {
    use rand::SeedableRng;
    let mut rng = rand::rngs::StdRng::seed_from_u64(seed(24));
    let mut walk = Walk::start();
    walk.advance(&mut rng);
    let sighting = walk.pre(&mut rng);
    let header = sighting.header();
    let make = |side| {
        let secret = sighting.secret.clone();
        gather(side, sighting.sender_salt, secret, &header, sighting.request.clone()).err()
    };
    assert_eq!(make(sighting.receiver.clone()), Some(Unmet::Color));
    let mut broken = sighting.sender.clone();
    broken.since_pawn = 128;
    assert_eq!(make(broken), Some(Unmet::StateRange));
    assert_eq!(make(sighting.sender.clone()), None);
}
