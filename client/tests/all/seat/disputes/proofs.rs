//! Moves with false proofs. The contract doesn't take them; from one that did, the opponent would find it out before it releases
//! anything, which the world watches.

use super::{begin, corrupt, run_for, wins};
use client::seat::Effect;
use fogmate_test::seed;
use game::{MoveFields, Notice, Outcome, Transaction};
use halo2curves::bn256::Fr;
use rules::Color;
use simulate::world::{Course, Mischief, World, short};

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
fn nothing_is_given_to_a_false_move_that_the_contract_has_taken() {
    let changes: [fn(&mut MoveFields, &mut [u8]); 3] =
        [false_proof, |fields, _| fields.next_request_root += Fr::one(), |_, proof| proof.fill(0)];
    for (ply, change) in (0..4).flat_map(|ply| changes.map(|change| (ply, change))) {
        let mut world = Course { is_gullible: true, ..super::course(seed(241), short()) }.begin();
        let cheat = lies(&mut world, ply, change);
        let honest = 1 - cheat;
        while world.players[honest].seat.table().begun().is_none_or(|play| play.ply <= ply) {
            world.step();
        }
        // Long enough for an answer, which the world would notice.
        (0..100).for_each(|_| world.step());
        assert!(world.players[honest].shown.contains(&Notice::FalseMove { ply }), "ply {ply}");
        assert_eq!(world.false_plies, [ply]);
    }
}

#[test]
fn a_false_proof_is_no_move() {
    let seed = seed(271);
    for ply in 0..4 {
        let mut world = begin(seed);
        let cheat = lies(&mut world, ply, false_proof);
        run_for(&mut world, 1 - cheat);
        wins(&world, 1 - cheat, Outcome::TimedOut);
        assert_eq!(world.chain.ply(), ply);
    }
}

/// A false move that takes the king ends nothing.
#[test]
fn a_false_capture_of_the_king_is_no_move() {
    let seed = seed(281);
    let mut world = begin(seed);
    let cheat = lies(&mut world, 4, false_proof);
    run_for(&mut world, 1 - cheat);
    wins(&world, 1 - cheat, Outcome::TimedOut);
    assert_eq!(world.chain.ply(), 4);
}
