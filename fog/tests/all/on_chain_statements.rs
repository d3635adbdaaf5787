//! The native checks of *chain answer* and *request data* (protocol section 7), and what binds calldata to their roots.

use ff::Field;
use fog::{
    F,
    binding::{binding, evaluate},
    engine::sight_lines::answer::{Answer, ELEMENTS},
    statement::{Unmet, chain_answer, request_data},
    testing::{
        AnswerCase, answers, break_each, chain_answers, mutations_chain_answer, mutations_request_data, requests, seed,
        wrong_answers,
    },
    word::{keccak256, to_word},
};
use std::collections::BTreeSet;

#[test]
fn valid_answers_of_every_kind_are_accepted() {
    let seed = seed(61);
    for case in AnswerCase::ALL {
        for (public, private) in chain_answers(seed, Some(case)).take(2) {
            assert_eq!(chain_answer::check(&public, &private), Ok(()), "{case:?}");
        }
    }
}

#[test]
fn every_broken_value_is_refused_by_its_relation() {
    let seed = seed(62);
    let draws = AnswerCase::ALL.into_iter().flat_map(|case| {
        let draws = chain_answers(seed, Some(case)).take(1);
        draws.map(move |draw| (case, draw))
    });
    break_each(&mutations_chain_answer(), usize::MAX, draws, |name, public, private, expected| {
        assert_eq!(chain_answer::check(public, private), Err(expected), "{name}");
    });
    let draws = requests(seed).take(2).enumerate();
    break_each(&mutations_request_data(), usize::MAX, draws, |name, public, private, expected| {
        assert_eq!(request_data::check(public, private), Err(expected), "{name}");
    });
}

/// Elements that the board doesn't make are refused though their root and `y` are right.
#[test]
fn wrong_elements_under_their_own_root_are_refused() {
    let seed = seed(63);
    let mut refused = BTreeSet::new();
    for case in [AnswerCase::PrePendingPawnRank, AnswerCase::Post] {
        let (public, private) = answers(seed, Some(case)).next().expect("an endless row");
        for (name, public, private) in wrong_answers(&public, &private) {
            let found = chain_answer::check(&public, &private).expect_err(name);
            let expected = matches!(found, Unmet::AnswerRoot | Unmet::Request(_));
            assert!(expected, "{name}: {found}");
            refused.insert(name);
        }
    }
    assert!(refused.contains("elements: the clear pass") && refused.len() >= 15, "{refused:?}");
}

#[test]
fn requests_are_accepted() {
    for (public, private) in requests(seed(64)).take(3) {
        assert_eq!(request_data::check(&public, &private), Ok(()));
    }
}

/// Every word of calldata counts, at its own place: for `z`, and for `y` at the same `z`.
#[test]
fn every_word_is_bound() {
    let (public, _) = answers(seed(65), Some(AnswerCase::PrePendingPawnRank)).next().expect("an endless row");
    let header = public.header;
    let root = Answer::from_wire(&public.elements, header.receiver, header.pending_receiver).expect("an answer").root();
    let bound = binding(root, &public.elements);
    assert_eq!(public.elements.len(), ELEMENTS);
    for index in 0..ELEMENTS {
        let mut other = public.elements.clone();
        other[index] += F::ONE;
        assert_ne!(binding(root, &other).z, bound.z, "word {index}");
        let change = evaluate(&other, bound.z) - bound.y;
        assert_eq!(change, bound.z.pow([index as u64]), "word {index}");
    }
    assert_ne!(binding(root + F::ONE, &public.elements).z, bound.z);
}

/// As a contract computes it: `keccak256(abi.encodePacked(root, values)) % r`, then Horner with `mulmod` and `addmod`. Pinned; the hashes
/// were made with Foundry's `cast`, the values with Python's integers.
#[test]
fn the_binding_is_frozen() {
    let words: Vec<F> = [7u64, 11, 13].map(F::from).into();
    let packed: Vec<u8> = [F::from(4)].iter().chain(&words).flat_map(to_word).collect();
    assert_eq!(hex::encode(keccak256(&packed)), "de22f780e246a8b6878e54e519a0a8e2ec58d8ef72f56e5272cc461b82636173");
    let bound = binding(F::from(4), &words);
    assert_eq!(hex::encode(to_word(&bound.z)), "1c91bdb55d80280fa64d3e0b139b476e4b8937cd8c0fac0d63446fcbc263616f");
    assert_eq!(hex::encode(to_word(&bound.y)), "2b702884b80e79d8e681aff85f62daff149d772eaf0203bce87b4eda0c85a74b");
}
