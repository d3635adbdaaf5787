//! Moves with false proofs. In a challengeable game the opponent finds it out before it releases anything, which the world watches,
//! and wins; in a verified one the contract doesn't take them.

use super::{begin, corrupt, run_for, wins};
use client::seat::Effect;
use fogmate_test::seed;
use game::{Mode, MoveFields, Notice, Outcome, Transaction};
use halo2curves::bn256::Fr;
use rules::Color;
use simulate::world::{Course, Mischief, Weather, World, short};

/// From a ply on, the player of its color sends moves changed so.
fn lies(world: &mut World, ply: u16, change: impl Fn(&mut MoveFields, &mut [u8]) + Send + 'static) -> usize {
    let mischief = Mischief::alter(move |effect| {
        if let Effect::SendTransaction(Transaction::Move { fields, proof, .. }) = effect
            && fields.ply == ply
        {
            change(fields, proof);
        }
    });
    corrupt(world, Color::of_ply(ply.into()), mischief)
}

fn false_proof(_: &mut MoveFields, proof: &mut [u8]) {
    if let Some(last) = proof.last_mut() {
        *last ^= 1;
    }
}

#[test]
fn a_false_proof_loses_a_challengeable_game_at_any_ply() {
    let seed = seed(241);
    for ply in 0..4 {
        let mut world = begin(seed, Mode::Challengeable);
        let cheat = lies(&mut world, ply, false_proof);
        run_for(&mut world, 1 - cheat);
        wins(&world, 1 - cheat, Outcome::Refuted);
        let told = Notice::FalseMove { ply, can_refute: true };
        assert!(world.players[1 - cheat].shown.contains(&told));
        assert_eq!(world.false_plies, [ply]);
    }
}

/// Other fields than those that were proven: the proof is right for something else.
#[test]
fn a_move_that_was_not_proven_loses_a_challengeable_game() {
    let seed = seed(251);
    let changes: [fn(&mut MoveFields, &mut [u8]); 3] = [
        |fields, _| fields.next_request_root += Fr::one(),
        |fields, _| fields.next_request_root = Fr::zero(),
        |_, proof| proof.fill(0),
    ];
    for ply in [1, 2] {
        for change in changes {
            let mut world = begin(seed, Mode::Challengeable);
            let cheat = lies(&mut world, ply, change);
            run_for(&mut world, 1 - cheat);
            wins(&world, 1 - cheat, Outcome::Refuted);
        }
    }
}

/// Whatever a false move says that it captures: the king without his fall, nothing where something stands, something where nothing
/// stands, on the first plies too. The contract takes it, its opponent has to go on with what can't be, and refutes it.
#[test]
fn a_false_move_is_refuted_whatever_it_says_that_it_captures() {
    let seed = seed(255);
    for ply in 0..4 {
        for square in ["e1", "e8", "d4", "d5", "b2"] {
            let mut world = begin(seed, Mode::Challengeable);
            let square = square.parse().expect("a square");
            let cheat = lies(&mut world, ply, move |fields, _| fields.capture = Some(square));
            run_for(&mut world, 1 - cheat);
            wins(&world, 1 - cheat, Outcome::Refuted);
        }
    }
}

#[test]
fn a_refutation_that_gets_lost_is_sent_again() {
    let seed = seed(261);
    let weather = Weather { reorg: 20, lose_transaction: 50, inclusion: 15, ..Weather::default() };
    for ply in [1, 2] {
        let mut world = Course { weather, ..super::course(seed, Mode::Challengeable, short()) }.begin();
        let cheat = lies(&mut world, ply, false_proof);
        run_for(&mut world, 1 - cheat);
        wins(&world, 1 - cheat, Outcome::Refuted);
    }
}

#[test]
fn a_false_proof_is_no_move_in_a_verified_game() {
    let seed = seed(271);
    for ply in 0..4 {
        let mut world = begin(seed, Mode::Verified);
        let cheat = lies(&mut world, ply, false_proof);
        run_for(&mut world, 1 - cheat);
        wins(&world, 1 - cheat, Outcome::TimedOut);
        assert_eq!(world.chain.ply(), ply);
    }
}

/// A false move that takes the king ends nothing: the contract verifies it at once, in both modes.
#[test]
fn a_false_capture_of_the_king_is_no_move() {
    let seed = seed(281);
    for mode in super::MODES {
        let mut world = begin(seed, mode);
        let cheat = lies(&mut world, 4, false_proof);
        run_for(&mut world, 1 - cheat);
        wins(&world, 1 - cheat, Outcome::TimedOut);
        assert_eq!(world.chain.ply(), 4);
    }
}
