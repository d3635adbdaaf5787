//! Wrong actions: each is refused by name, and changes nothing.

use alloy_primitives::Address;
use contest::tag::{
    Duty, Move, Phase, Placement, Reply, Secrets, Set, Size, Square, Tag, Wrong, find, lift, reply_to, set_of,
    statement::{reply, step},
    testing::{NativeProofs, position},
};
use contest::{Action, Ending, Fault, Outcome, Role, Side, Status, Table, Terms};
use fog::{F, statement::Proves};
use rand::{SeedableRng, rngs::StdRng};

use crate::tag::pair::{PROOFS, Pair, account, branch, hand, joining, opening, terms};

fn at(name: &str) -> Square {
    name.parse().expect("a square")
}

/// An action at the game's time: refused for this reason, the game as it was.
fn refused(pair: &Pair, sender: Address, action: &Action<Tag>, time: u64) -> Fault<Wrong> {
    let mut table = pair.table().clone();
    let fault = table.apply(sender, action, time, PROOFS).expect_err("a wrong action");
    assert_eq!(&table, pair.table(), "{fault}: nothing has changed");
    fault
}

fn refuse(pair: &Pair, role: Role, action: &Action<Tag>) -> Fault<Wrong> {
    refused(pair, account(role), action, pair.time)
}

/// After the creator's first step, with the step and the reply that follows it.
fn stepped() -> (Pair, Action<Tag>, Action<Tag>) {
    let mut pair = Pair::new(Size::Six, 9, fog::testing::seed(51));
    let step = pair.step(at("b2")).expect("a step");
    pair.say(Role::Creator, &step).expect("proven");
    let (_, reply) = pair.next();
    (pair, step, reply)
}

#[test]
fn a_wrong_order_is_refused() {
    let (mut pair, step, reply) = stepped();
    let [creator, joiner] = [Role::Creator, Role::Joiner];
    assert_eq!(refuse(&pair, creator, &step), Fault::WrongStatus, "the same step twice");
    assert_eq!(refuse(&pair, creator, &reply), Fault::NotYourTurn);
    assert_eq!(refuse(&pair, creator, &Action::Move(Move::Settle)), Fault::WrongStatus);
    assert_eq!(refuse(&pair, joiner, &Action::Cancel), Fault::WrongStatus);
    assert_eq!(refused(&pair, Address::ZERO, &Action::Resign, pair.time), Fault::NotPlayer);
    assert_eq!(refused(&pair, account(joiner), &reply, pair.table().deadline() + 1), Fault::OutOfTime);
    pair.say(joiner, &reply).expect("proven");
    assert_eq!(refuse(&pair, joiner, &reply), Fault::WrongStatus, "the same reply twice");
    assert_eq!(refuse(&pair, creator, &step), Fault::NotYourTurn);
    // The creator's step of ply 0 again, at ply 2: it starts from another commitment.
    pair.go(at("f5")).expect("a step");
    assert_eq!(refuse(&pair, creator, &step), Fault::Rule(Wrong::StepProof));
}

#[test]
fn a_reply_to_another_set_or_from_another_square_is_refused() {
    let (mut pair, _, first) = stepped();
    let joiner = Role::Joiner;
    let Action::Move(Move::Reply { reply, proof }) = first.clone() else { panic!("a reply") };
    let mut swapped = reply;
    swapped.raised.swap(0, 1);
    for wrong in [swapped, Reply { own: reply.raised[0], ..reply }, Reply { raised: [reply.own; 9], ..reply }] {
        let action = Action::Move(Move::Reply { reply: wrong, proof: proof.clone() });
        assert_eq!(refuse(&pair, joiner, &action), Fault::Rule(Wrong::ReplyProof));
    }
    // A true proof for the right set, but of a king that isn't there.
    let set = pair.table().set(Role::Creator).expect("a set");
    let other = position(at("a6"), &mut StdRng::seed_from_u64(1));
    let (public, private) = reply::gather(&set, &other).expect("points");
    let proof = Proves::<reply::ReplyStatement>::prove(&NativeProofs, &public, &private).expect("true");
    let elsewhere = Action::Move(Move::Reply { reply: public.reply, proof });
    assert_eq!(refuse(&pair, joiner, &elsewhere), Fault::Rule(Wrong::ReplyProof));
    // The reply of ply 0 again, to another set.
    pair.say(joiner, &first).expect("proven");
    pair.go(at("f5")).expect("a step");
    let step = pair.step(at("b3")).expect("a step");
    pair.say(Role::Creator, &step).expect("proven");
    assert_eq!(refuse(&pair, joiner, &first), Fault::Rule(Wrong::ReplyProof));
}

#[test]
fn a_step_that_is_no_step_is_refused() {
    let seed = fog::testing::seed(52);
    let pair = Pair::new(Size::Six, 9, seed);
    let honest = pair.step(at("b2")).expect("a step");
    let Action::Move(Move::Step { placement, reply, proof }) = honest else { panic!("a step") };
    let with = |placement: Placement| Action::Move(Move::Step { placement, reply, proof: proof.clone() });
    let mut other_set = placement.clone();
    other_set.set.0.swap(0, 8);
    assert_eq!(refuse(&pair, Role::Creator, &with(other_set)), Fault::Rule(Wrong::StepProof));
    let mut other_commitment = placement.clone();
    other_commitment.commitment += F::one();
    assert_eq!(refuse(&pair, Role::Creator, &with(other_commitment)), Fault::Rule(Wrong::StepProof));
    // True of another game: placed once more, and a step from a corner under other secrets.
    let again = opening(terms(Size::Six, 9), seed).entry;
    assert_eq!(refuse(&pair, Role::Creator, &with(again)), Fault::Rule(Wrong::StepProof));
    let rng = &mut StdRng::seed_from_u64(2);
    let from = position(at("a1"), rng);
    let (public, private) = step::gather(Size::Six, Some(&from), position(at("b2"), rng)).expect("a step");
    let elsewhere = Proves::<step::StepStatement>::prove(&NativeProofs, &public, &private).expect("true");
    let placed = Placement { commitment: public.commitment, set: public.set, proof: elsewhere };
    assert_eq!(refuse(&pair, Role::Creator, &with(placed)), Fault::Rule(Wrong::StepProof));
    // A right step whose reply isn't from the new square.
    let mut wrong = reply;
    wrong.raised.swap(2, 3);
    let action = Action::Move(Move::Step { placement, reply: wrong, proof });
    assert_eq!(refuse(&pair, Role::Creator, &action), Fault::Rule(Wrong::ReplyProof));
}

#[test]
fn only_a_king_that_is_there_is_captured() {
    let (mut pair, _, reply) = stepped();
    let proof = vec![0; NativeProofs::BYTES];
    let capture = Action::Move(Move::Capture { place: 0, proof });
    let unmoved = Pair::new(Size::Six, 9, fog::testing::seed(51));
    assert_eq!(refuse(&unmoved, Role::Creator, &capture), Fault::Rule(Wrong::NothingAnswered));
    for is_replied in [false, true] {
        assert_eq!(refuse(&pair, Role::Creator, &capture), Fault::NotYourTurn);
        for place in 0..9 {
            let action = Action::Move(Move::Capture { place, proof: vec![0; NativeProofs::BYTES] });
            assert_eq!(refuse(&pair, Role::Joiner, &action), Fault::Rule(Wrong::CaptureProof));
        }
        let nowhere = Action::Move(Move::Capture { place: 9, proof: vec![0; NativeProofs::BYTES] });
        assert_eq!(refuse(&pair, Role::Joiner, &nowhere), Fault::Rule(Wrong::NoPlace(9)));
        if !is_replied {
            pair.say(Role::Joiner, &reply).expect("proven");
        }
    }
}

/// Whose turn is next captures from the step on that came beside its king until it steps itself, in place of its reply, of its step, and of the last
/// word; who stepped never does.
#[test]
fn a_step_beside_the_other_is_a_capture_until_the_other_steps() {
    let walk = ["b2", "f5", "c3", "f6", "d4", "e6", "d3", "f5"];
    for (plies, is_last) in [(40, false), (9, true)] {
        let mut pair = Pair::new(Size::Six, plies, fog::testing::seed(53));
        for name in walk {
            pair.go(at(name)).expect("a step");
            assert!(pair.waits_for_step(), "{name}");
        }
        // The creator comes beside f5.
        let step = pair.step(at("e4")).expect("a step");
        pair.say(Role::Creator, &step).expect("proven");
        let (captor, capture) = pair.next();
        assert_eq!(captor, Role::Joiner);
        let Action::Move(Move::Capture { place, proof }) = capture.clone() else { panic!("{capture:?}") };
        let tried = |pair: &Pair| {
            for wrong in (0..9).filter(|wrong| *wrong != place) {
                let action = Action::Move(Move::Capture { place: wrong, proof: proof.clone() });
                assert_eq!(refuse(pair, Role::Joiner, &action), Fault::Rule(Wrong::CaptureProof));
            }
            assert_eq!(refuse(pair, Role::Creator, &capture), Fault::NotYourTurn);
            let mut table = pair.table().clone();
            table.apply(account(Role::Joiner), &capture, pair.time, PROOFS).expect("seen");
            assert_eq!(table.status(), Status::Over(Ending { winner: Some(Role::Joiner), outcome: Outcome::Won }));
        };
        tried(&pair);
        // Its machine captures at once. Another program may reply first, and then its machine captures in place of the step or of the last word.
        let reply = pair.sides[1].perform(Duty::Reply, PROOFS).expect("a reply");
        pair.say(Role::Joiner, &reply).expect("proven");
        let phase = if is_last { Phase::Last } else { Phase::Step };
        assert_eq!((pair.table().status(), pair.table().phase()), (Status::Playing, phase));
        assert_eq!(pair.next(), (Role::Joiner, capture.clone()));
        tried(&pair);
        if !is_last {
            // It lets its capture go, and has then stepped beside the creator itself.
            let step = pair.step(at("f4")).expect("a step");
            pair.say(Role::Joiner, &step).expect("proven");
            assert_eq!(refuse(&pair, Role::Joiner, &capture), Fault::NotYourTurn);
            let (captor, capture) = pair.next();
            assert!(captor == Role::Creator && capture.name() == "capture");
        }
    }
}

#[test]
fn seats_are_taken_as_agreed() {
    let [creator, joiner] = [Role::Creator, Role::Joiner];
    let seed = fog::testing::seed(54);
    let invited = Terms { opponent: Some(account(joiner)), ..terms(Size::Eight, 9) };
    let opening = opening(invited, seed);
    let table = Table::open(opening.clone(), PROOFS).expect("proven");
    let join = joining(&Side::new(account(joiner), hand(joiner, seed), table.clone()).expect("no king yet"));
    let refuse = |sender: Address, action: &Action<Tag>, time: u64| {
        let mut table = table.clone();
        table.apply(sender, action, time, PROOFS).expect_err("a wrong action")
    };
    assert_eq!(refuse(account(creator), &join, 50), Fault::SelfPlay);
    assert_eq!(refuse(Address::ZERO, &join, 50), Fault::NotInvited);
    assert_eq!(refuse(account(joiner), &join, 101), Fault::Expired);
    assert_eq!(refuse(account(creator), &Action::Cancel, 100), Fault::StillInTime(100));
    assert_eq!(
        refuse(account(joiner), &Action::Join(opening.entry.clone()), 50),
        Fault::Rule(Wrong::StepProof),
        "the other's corner"
    );
    let stranger = Side::new(account(creator), hand(creator, seed + 1), table.clone());
    assert_eq!(stranger.map(|_| ()), Err(Fault::Rule(Wrong::ForeignPosition)));
}

/// Another square from the same state has other exponents; the same square the same, so that nothing can be compared and nothing has to be stored.
#[test]
fn exponents_hang_on_the_square_and_on_what_they_follow() {
    let secrets = Secrets::new(branch(Role::Creator, fog::testing::seed(55)));
    let here = secrets.position(F::one(), F::one(), at("b2"));
    assert!(here == secrets.position(F::one(), F::one(), at("b2")));
    for other in [
        secrets.position(F::one(), F::one(), at("b3")),
        secrets.position(F::zero(), F::one(), at("b2")),
        secrets.position(F::one(), F::zero(), at("b2")),
    ] {
        assert!(other.look != here.look && other.answer != here.answer && other.look != here.answer);
    }
    assert!(here.look != here.answer);
    let sets: [Set; 2] = [set_of(&here), set_of(&secrets.position(F::one(), F::one(), at("b3")))];
    assert!(sets[0].0.iter().all(|x| !sets[1].0.contains(x)), "neighbouring squares share no element");
}

#[test]
fn numbers_that_are_no_points_are_refused() {
    let rng = &mut StdRng::seed_from_u64(fog::testing::seed(56));
    let off = (0..).map(F::from).find(|x| lift(*x).is_none()).expect("half of all numbers");
    let [looking, replying] = ["b2", "c3"].map(|name| position(at(name), rng));
    let honest = set_of(&looking);
    for place in 0..9 {
        let mut set = honest;
        set.0[place] = off;
        assert_eq!(reply_to(&set, &replying), Err(Wrong::OffCurve), "place {place}");
        assert_eq!(reply::gather(&set, &replying).err(), Some(Wrong::OffCurve), "place {place}");
        set.0.copy_from_slice(&honest.0);
        set.0.swap(place, (place + 1) % 9);
        assert_ne!(set.hash(), honest.hash(), "a set in another order is another one");
    }
    let reply = reply_to(&honest, &replying).expect("points");
    assert!(find(&looking, &reply).is_ok_and(|found| found.is_some()));
    assert_eq!(find(&looking, &Reply { own: off, ..reply }), Err(Wrong::OffCurve));
}
