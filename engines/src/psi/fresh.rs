//! Tests that no secret serves twice: exchanges that differ in anything share no point, and equal ones are equal byte for byte.

use super::{
    engine::SetEngine,
    group::{Group, POINT_BYTES},
    pairs::{Boards, run},
    points::decode_distinct,
    proof::{PROOF_BYTES, read},
    protocol::Protocol,
    receiver::Receiver,
    secrets::{Own, Transcript},
    sender::{Exponent, Sender},
};
use crate::testing::NativeSetProofs;
use crate::{
    dh_psi::{DhPsi, DhPsiPlain, proven_sets},
    emanant::Emanant,
};
use fog::{
    engine::{Branch, Phase, digest},
    testing::{Walk, seed},
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{Color, Position};
use std::collections::BTreeSet;

/// All messages of an exchange.
fn messages<P: Protocol>(engine: &SetEngine<P>, boards: &Boards, [sender, receiver]: [Own; 2]) -> Vec<Vec<u8>> {
    let (set, exact) = (P::set(&boards.sender, boards.phase), P::exact(&boards.sender, boards.phase));
    let (sender, _) = Sender::new(engine.protocol().clone(), sender, &set, exact).expect("sets that fit");
    let receiver = Receiver::new(engine.protocol().clone(), receiver, None);
    let mut messages = Vec::new();
    // Proofs of sets are the prover's business, and those of tests are the witness.
    let evidence = |index| match index {
        0 => P::LAYOUT.evidence.shown,
        index => index % 2 * P::LAYOUT.evidence.asked,
    };
    let sight = run((sender, receiver), |index, _, message| {
        messages.push(message[..message.len() - evidence(index)].to_vec());
    });
    assert_eq!(sight.expect("right messages"), boards.right());
    messages
}

/// What could be a point or a scalar: all aligned entries.
fn entries(messages: &[Vec<u8>]) -> BTreeSet<&[u8]> {
    messages.iter().flat_map(|message| message.chunks(POINT_BYTES)).collect()
}

fn is_fresh<P: Protocol>(engine: SetEngine<P>, rng: &mut StdRng) {
    let boards = Boards::random(&mut Walk::start(), rng);
    let own = [boards.own(&boards.sender, rng), boards.own(&boards.receiver, rng)];
    let [first, again] = [0, 1].map(|_| messages(&engine, &boards, own.clone()));
    assert_eq!(first, again);
    let mut elsewhere = own.clone();
    let id = rng.r#gen();
    elsewhere.iter_mut().for_each(|own| own.id = id);
    let other = messages(&engine, &boards, elsewhere);
    assert!(entries(&first).is_disjoint(&entries(&other)));
    let count: usize = first.iter().map(|message| message.len().div_ceil(POINT_BYTES)).sum();
    assert_eq!(entries(&first).len(), count, "no entry comes twice in an exchange");
}

#[test]
fn exchanges_share_no_point_and_repeat_byte_for_byte() {
    let mut rng = StdRng::seed_from_u64(seed(158));
    is_fresh(DhPsiPlain::default(), &mut rng);
    is_fresh(DhPsi::default(), &mut rng);
    is_fresh(Emanant::default(), &mut rng);
    is_fresh(proven_sets(NativeSetProofs.into()), &mut rng);
}

/// Two proofs with one nonce would tell the exponent, and with it the whole set. A sender that has forgotten what it answered, after a
/// crash on a full disk, may be asked otherwise the second time.
#[test]
fn another_question_takes_another_nonce() {
    fn differ<P: Protocol>(engine: SetEngine<P>, rng: &mut StdRng) {
        let boards = Boards::random(&mut Walk::start(), rng);
        let [sender, receiver] = [boards.own(&boards.sender, rng), boards.own(&boards.receiver, rng)];
        let announced = Exponent::<P::Group>::new(&sender, &Transcript::new(&sender.id)).public;
        let announced = decode_distinct::<P::Group>(&announced).expect("a point")[0];
        let other = Own { branch: Branch::from_bytes(rng.r#gen()), ..receiver.clone() };
        let [one, again, other] = [receiver.clone(), receiver, other].map(|receiver| {
            let reply = messages(&engine, &boards, [sender.clone(), receiver]).swap_remove(2);
            let [challenge, response] = read::<P::Group>(&reply[reply.len() - PROOF_BYTES..]).expect("a proof");
            P::Group::encode(&P::Group::sum(&[response, challenge], &[P::Group::generator(), announced]))
        });
        assert_eq!(one, again, "what was committed to is the same after the same question");
        assert_ne!(one, other);
    }
    let mut rng = StdRng::seed_from_u64(seed(159));
    differ(DhPsiPlain::default(), &mut rng);
    differ(DhPsi::default(), &mut rng);
    differ(Emanant::default(), &mut rng);
    differ(proven_sets(NativeSetProofs.into()), &mut rng);
}

/// A player's branch decides exponent, blindings and salts, which the proofs leave free. Another one gives other points and the same sight, so
/// of sets that are proven a branch that is laid open after the game could show nothing.
#[test]
fn what_the_proofs_leave_free_changes_no_sight() {
    let mut rng = StdRng::seed_from_u64(seed(160));
    let engine = proven_sets(NativeSetProofs.into());
    let boards = Boards::random(&mut Walk::start(), &mut rng);
    let own = [boards.own(&boards.sender, &mut rng), boards.own(&boards.receiver, &mut rng)];
    let first = messages(&engine, &boards, own.clone());
    for player in 0..2 {
        let mut other = own.clone();
        other[player].branch = Branch::from_bytes(rng.r#gen());
        // That the sight is the right one is looked at there.
        let said = messages(&engine, &boards, other);
        let fresh = if player == 0 { 0 } else { 1 };
        assert!(entries(&first[fresh..]).is_disjoint(&entries(&said[fresh..])));
    }
}

/// What the unproven forms said before the group became a parameter, as digests of all messages of one exchange.
#[test]
fn messages_of_the_unproven_forms_stay_as_they_are() {
    fn said<P: Protocol>(engine: SetEngine<P>) -> String {
        let position = Position::from_fen("r1bqk2r/ppp2ppp/2n5/3pP3/1b2n3/2N2N2/PP2QPPP/R1B1KB1R w KQkq d6 0 8");
        let position = position.expect("a position");
        let [receiver, sender] = Color::ALL.map(|color| position.side(color).clone());
        let boards = Boards { receiver, sender, phase: Phase::Pre };
        let mut rng = StdRng::seed_from_u64(0);
        let mut own = [boards.own(&boards.sender, &mut rng), boards.own(&boards.receiver, &mut rng)];
        for (own, byte) in own.iter_mut().zip(1..) {
            own.branch = Branch::from_bytes([byte; 32]);
        }
        let messages = messages(&engine, &boards, own);
        let word = digest(messages.iter().map(Vec::as_slice));
        word[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }
    assert_eq!(
        [said(DhPsiPlain::default()), said(DhPsi::default()), said(Emanant::default())],
        ["54fd727981770b77", "a865c7f0f207ba0b", "2b41cc16216bcf38"]
    );
}
