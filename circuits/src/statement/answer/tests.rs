//! *answer* against its native twin: whatever the twin accepts satisfies the circuit, whatever it refuses doesn't. And every cell is
//! bound: see also [`cells`].

mod cells;
pub(in crate::statement) mod forgeries;
mod near_misses;
pub(in crate::statement) mod rigidity;
pub(in crate::statement) mod values;

use ff::Field;
use fog::{
    statement::{
        Unmet,
        answer::{ANSWER_INPUTS, AnswerPrivate, AnswerPublic, check, gather},
    },
    testing::{AnswerCase, answers, break_each, mutations_answer, seed},
};
use halo2curves::bn256::Fr;

use super::AnswerCircuit;
use crate::{
    StatementCircuit,
    gadget::Layout,
    laid::{self, LaidCircuit, is_satisfied},
};

/// A valid draw of a case.
fn draw(seed: u64, case: AnswerCase) -> (AnswerPublic, AnswerPrivate) {
    answers(seed, Some(case)).next().expect("an endless row")
}

#[test]
fn answers_of_every_kind_satisfy_the_circuit() {
    let seed = seed(31);
    for case in AnswerCase::ALL {
        let (public, private) = draw(seed, case);
        assert_eq!(LaidCircuit::statement::<AnswerCircuit>(&public, &private).refusals(), [], "{case:?}");
    }
}

#[test]
fn answers_of_random_games_satisfy_the_circuit() {
    for (public, private) in answers(seed(32), None).take(8) {
        assert_eq!(LaidCircuit::statement::<AnswerCircuit>(&public, &private).refusals(), []);
    }
}

#[test]
fn a_broken_value_breaks_the_circuit() {
    let seed = seed(33);
    let draws = AnswerCase::ALL.into_iter().rev().map(|case| (case, draw(seed, case)));
    break_each(&mutations_answer(), 1, draws, |name, public, private, expected| {
        match (check(public, private), expected) {
            (Err(Unmet::Element(_)), Unmet::Element(_)) => (),
            (found, expected) => assert_eq!(found, Err(expected), "{name}"),
        }
        assert!(!is_satisfied::<AnswerCircuit>(public, private), "{name}: the circuit doesn't notice");
    });
}

#[test]
fn every_public_input_is_bound() {
    let (public, private) = draw(seed(34), AnswerCase::PrePending(rules::PieceType::Queen));
    assert_eq!(AnswerCircuit::instance(&public)[0].len(), ANSWER_INPUTS);
    laid::every_public_input_is_bound::<AnswerCircuit>(&public, &private);
}

/// A point `±j·A` is refused where a key for `j` is made, for the reason that no such sum exists; and only there, as by the twin.
#[test]
fn keys_of_multiples_of_the_fog_key_are_refused() {
    let (public, private) = draw(seed(40), AnswerCase::Pre);
    for multiple in [2, -2] {
        let mut public = public.clone();
        let twice = public.fog_key.0 + public.fog_key.0;
        public.request.points[9] = if multiple > 0 { twice } else { -twice }.into();
        let laid = LaidCircuit::statement::<AnswerCircuit>(&public, &private);
        let found = laid.broken_gates(cells::LADDER_ROWS..AnswerCircuit::rows().points);
        let reason = "(px − x)·inverse = 1";
        assert!(found.iter().any(|refusal| refusal.what.contains(reason)), "{found:#?}");
    }
    let mut exchange = public.clone();
    exchange.request.points[0] = public.fog_key.0;
    let (side, salt, secret) = (private.side.clone(), private.salt, private.secret.clone());
    let made = gather(side, salt, secret, &exchange.header, exchange.request);
    let (public, private) = made.expect("no pawn stands on a1, so j = 1 isn't asked there");
    assert!(is_satisfied::<AnswerCircuit>(&public, &private));
}

#[test]
fn another_number_of_elements_has_no_instance() {
    let (mut public, _) = draw(seed(35), AnswerCase::Post);
    assert_eq!(AnswerCircuit::instance(&public)[0].len(), ANSWER_INPUTS);
    let last = public.elements.pop();
    assert_eq!(AnswerCircuit::instance(&public).len(), 0);
    public.elements.extend(last.into_iter().chain([Fr::ZERO]));
    assert_eq!(AnswerCircuit::instance(&public).len(), 0);
}
