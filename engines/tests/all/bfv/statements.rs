//! The native checks of *item*, *view*, *decryption*, *key share*, *captured* and of named vectors: what is true is accepted, each broken value is refused by the relation that it breaks.

use engines::{
    Unmet,
    bfv::{captured as captures, decryption, encrypted as ciphertexts, shares, vector::Kind},
    testing::{
        captured, decryptions, encrypted, key_shares, mutations_captured, mutations_decryption, mutations_encrypted,
        mutations_key_share, mutations_vector,
        named::{VECTOR_INPUTS, check},
        vectors,
    },
};
use fog::{
    engine::Phase,
    testing::{break_each, seed},
};

#[test]
fn vectors_of_both_colors_and_phases_are_accepted_and_no_other_kind_s() {
    for kind in Kind::ALL {
        let mut kinds_of_draws = std::collections::HashSet::new();
        for (mut public, private) in vectors(kind, seed(65)).take(200) {
            assert_eq!(check(&public, &private), Ok(()));
            assert_eq!(public.to_instance().len(), VECTOR_INPUTS);
            kinds_of_draws.insert((public.color, public.phase == Phase::Pre, public.pending.is_some()));
            public.kind = if kind == Kind::Item { Kind::View } else { Kind::Item };
            assert_eq!(check(&public, &private), Err(Unmet::Vector));
        }
        // A piece is captured only of the player to move.
        assert_eq!(kinds_of_draws.len(), 2 * 3, "{kind:?}: {kinds_of_draws:?}");
    }
}

#[test]
fn every_broken_value_is_refused_by_its_relation() {
    for (kind, number) in Kind::ALL.into_iter().zip(66..) {
        let draws = vectors(kind, seed(number)).take(60).enumerate();
        break_each(&mutations_vector(kind), usize::MAX, draws, |name, public, private, expected| {
            assert_eq!(check(public, private), Err(expected), "{kind:?}, {name}");
        });
    }
}

/// *Captured* at the edges of each relation: what is just within is true, what is just beyond breaks that relation.
#[test]
fn every_broken_value_of_a_capture_is_refused_by_its_relation() {
    let (public, private) = captured(seed(325)).next().expect("a capture");
    assert_eq!(captures::check(&public, &private), Ok(()));
    for mutation in mutations_captured(&public, &private) {
        let found = captures::check(&mutation.public, &mutation.private).err();
        assert_eq!(found, mutation.expected, "{}", mutation.name);
    }
}

/// *Key share* at the edges of each relation, for both players.
#[test]
fn every_broken_value_of_a_key_share_is_refused_by_its_relation() {
    for (public, private) in key_shares() {
        assert_eq!(shares::check(&public, &private), Ok(()));
        for mutation in mutations_key_share(&public, &private) {
            let found = shares::check(&mutation.public, &mutation.private).err();
            assert_eq!(found, mutation.expected, "{}", mutation.name);
        }
    }
}

/// *Item* and *view* in positions of both colors and phases, with a captured man and without.
#[test]
fn every_broken_value_of_a_ciphertext_is_refused_by_its_relation() {
    for (kind, number) in Kind::ALL.into_iter().zip(326..) {
        let mut kinds_of_draws = std::collections::HashSet::new();
        for (public, private) in encrypted(kind, seed(number)).take(100) {
            assert_eq!(ciphertexts::check(&public, &private), Ok(()));
            let board = public.board;
            if !kinds_of_draws.insert((board.color, board.phase == Phase::Pre, board.pending.is_some())) {
                continue;
            }
            if kinds_of_draws.len() == 2 * 3 {
                break;
            }
            for mutation in mutations_encrypted(&public, &private) {
                let found = ciphertexts::check(&mutation.public, &mutation.private).err();
                assert_eq!(found, mutation.expected, "{}", mutation.name);
            }
        }
        assert_eq!(kinds_of_draws.len(), 2 * 3, "{kind:?}: {kinds_of_draws:?}");
    }
}

#[test]
fn every_broken_value_of_a_decryption_is_refused_by_its_relation() {
    let (public, private) = decryptions(seed(328)).next().expect("a sight");
    assert_eq!(decryption::check(&public, &private), Ok(()));
    for mutation in mutations_decryption(&public, &private) {
        let found = decryption::check(&mutation.public, &mutation.private).err();
        assert_eq!(found, mutation.expected, "{}", mutation.name);
    }
}
