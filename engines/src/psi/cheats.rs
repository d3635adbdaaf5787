//! Peers that cheat with points, lengths and sets: each is refused by name, and the right message is taken afterwards.

use super::{
    element::{Element, Fact},
    engine::SetEngine,
    filter::FILTER_BYTES,
    group::{Encoded, Group, Grumpkin, POINT_BYTES, Ristretto},
    layout::{OPENING_LABEL, SetForm},
    pairs::{Boards, run},
    proof::{PROOF_BYTES, Statement},
    protocol::Protocol,
    query::Query,
    secrets::{Own, Transcript},
    sender::Exponent,
};
use crate::testing::NativeSetProofs;
use crate::{
    dh_psi::{DhPsi, DhPsiPlain, proven_sets},
    emanant::Emanant,
};
use fog::{
    F,
    curve::Point,
    engine::{Fault, Party},
    testing::{Walk, seed},
    word::to_word,
};
use halo2curves::ff::Field;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::PieceType;

/// A group with what encodes none of its points.
trait TestedGroup: Group {
    fn no_points() -> Vec<Encoded>;
}

impl TestedGroup for Ristretto {
    fn no_points() -> Vec<Encoded> {
        RISTRETTO_NO_POINTS.iter().map(|hex| bytes(hex).try_into().expect("32 bytes")).collect()
    }
}

impl TestedGroup for Grumpkin {
    /// The identity; x not below the modulus, of either parity; x of no point of the curve; the second of the two free bits.
    fn no_points() -> Vec<Encoded> {
        let identity = Self::encode(&Point::default());
        let mut modulus = to_word(&-F::one());
        modulus[31] += 1;
        let is_of_a_point = |x: &F| bool::from((x.square() * x - F::from(17)).sqrt().is_some());
        let off_curve = (0..).map(F::from).find(|x| !is_of_a_point(x)).expect("half of all are");
        let mut both_bits = Self::encode(&Self::generator());
        both_bits[0] |= 0x40;
        let with_odd = |mut word: Encoded| {
            word[0] |= 0x80;
            word
        };
        let of_either = [modulus, to_word(&off_curve)].into_iter().flat_map(|word| [word, with_odd(word)]);
        [identity, both_bits, [0; 32], with_odd([0; 32])].into_iter().chain(of_either).collect()
    }
}

/// What encodes no point by RFC 9496, appendix A.2 (not canonical, negative, no square, y = 0), and the identity.
const RISTRETTO_NO_POINTS: [&str; 12] = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20",
    "c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562",
    "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
    "3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

fn bytes(hex: &str) -> Vec<u8> {
    let digits = (0..hex.len()).step_by(2);
    digits.map(|place| u8::from_str_radix(&hex[place..place + 2], 16).expect("two digits")).collect()
}

/// Calls a test for every engine.
macro_rules! each {
    ($test:ident, $rng:expr) => {
        $test::<_>(DhPsiPlain::default(), $rng);
        $test::<_>(DhPsi::default(), $rng);
        $test::<_>(Emanant::default(), $rng);
        $test::<_>(proven_sets(NativeSetProofs.into()), $rng);
    };
}

fn boards(rng: &mut StdRng) -> Boards {
    let mut walk = Walk::start();
    for _ in 0..20 {
        walk.advance(rng);
    }
    Boards::random(&mut walk, rng)
}

fn is_malformed(result: Result<(), Fault>, at: usize) -> bool {
    matches!(result, Err(Fault::Malformed { index, .. }) if index == at)
}

fn is_unproven(result: Result<(), Fault>, at: usize) -> bool {
    matches!(result, Err(Fault::Proof { index, .. }) if index == at)
}

fn replaced(message: &[u8], entry: usize, point: &[u8]) -> Vec<u8> {
    let mut changed = message.to_vec();
    changed[entry * POINT_BYTES..(entry + 1) * POINT_BYTES].copy_from_slice(point);
    changed
}

#[test]
fn the_identity_and_what_is_no_point_are_refused() {
    assert!(Ristretto::no_points().iter().all(|point| Ristretto::decode(point).is_none()));
    assert!(Grumpkin::no_points().iter().all(|point| Grumpkin::decode(point).is_none()));
    let mut rng = StdRng::seed_from_u64(seed(151));
    each!(bad_points, &mut rng);
}

fn bad_points<P: Protocol<Group: TestedGroup>>(engine: SetEngine<P>, rng: &mut StdRng) {
    let boards = boards(rng);
    let rounds = P::LAYOUT.rounds;
    let mut points = rng.clone();
    let sight = run(boards.honest(&engine, rng), |index, take, right| {
        let asked = index.checked_sub(1).and_then(|round| rounds.get(round / 2)).map_or(0, |round| round.asked);
        for no_point in P::Group::no_points() {
            // Of the opening only the announced point: its set is under the proof, see below.
            let entry = match asked {
                0 => (P::LAYOUT.set_bytes() + P::LAYOUT.evidence.digest) / POINT_BYTES,
                asked => points.gen_range(0..asked),
            };
            let mut changed = right.to_vec();
            let announced = P::LAYOUT.set_bytes() + P::LAYOUT.evidence.digest;
            let place = if asked == 0 { announced } else { entry * POINT_BYTES };
            changed[place..place + POINT_BYTES].copy_from_slice(&no_point);
            assert!(is_malformed(take(&changed), index), "message {index}: {no_point:?}");
        }
    });
    assert_eq!(sight.expect("right messages"), boards.right());
}

#[test]
fn repeated_points_and_wrong_lengths_are_refused() {
    let mut rng = StdRng::seed_from_u64(seed(152));
    each!(repeated_points, &mut rng);
}

fn repeated_points<P: Protocol>(engine: SetEngine<P>, rng: &mut StdRng) {
    let boards = boards(rng);
    let sight = run(boards.honest(&engine, rng), |index, take, right| {
        for length in [0, POINT_BYTES, right.len() - POINT_BYTES, right.len() - 1, right.len() + 1, 2 * right.len()] {
            let mut changed = right.to_vec();
            changed.resize(length, 1);
            let refused = take(&changed);
            assert!(matches!(refused, Err(Fault::Length { index: i, got, .. }) if (i, got) == (index, length)));
        }
        if index % 2 == 1 {
            let last = P::LAYOUT.rounds[index / 2].asked - 1;
            assert!(is_malformed(take(&replaced(right, last, &right[..POINT_BYTES])), index));
        }
    });
    assert_eq!(sight.expect("right messages"), boards.right());
}

/// One point raised to another exponent, two exchanged, another sender's points, a changed proof: the equality proof catches each.
#[test]
fn false_raising_is_caught() {
    let mut rng = StdRng::seed_from_u64(seed(153));
    each!(false_raising, &mut rng);
}

fn false_raising<P: Protocol>(engine: SetEngine<P>, rng: &mut StdRng) {
    let boards = boards(rng);
    let mut places = rng.clone();
    let mut caught = 0;
    let sight = run(boards.honest(&engine, rng), |index, take, right| {
        let Some(round) = index.checked_sub(2).and_then(|round| P::LAYOUT.rounds.get(round / 2)) else { return };
        if index % 2 == 1 {
            return;
        }
        let entry = |entry: usize| &right[entry * POINT_BYTES..(entry + 1) * POINT_BYTES];
        for _ in 0..3 {
            let [one, other] =
                [0, 1].map(|side| places.gen_range(side * round.asked / 2..(side + 1) * round.asked / 2));
            let point = P::Group::decode(entry(one)).expect("a right point");
            let factor = P::Group::small(places.gen_range(2..u128::MAX));
            let elsewhere = P::Group::encode(&P::Group::times(&factor, &point));
            let exchanged = replaced(&replaced(right, one, entry(other)), other, entry(one));
            for changed in [replaced(right, one, &elsewhere), replaced(right, one, entry(other)), exchanged] {
                assert!(is_unproven(take(&changed), index));
            }
            let mut changed = right.to_vec();
            changed[right.len() - 1 - places.gen_range(0..PROOF_BYTES)] ^= 1 << places.gen_range(0..8);
            assert!(is_unproven(take(&changed), index));
            caught += 4;
        }
    });
    assert_eq!(sight.expect("right messages"), boards.right());
    assert_eq!(caught, 12 * P::LAYOUT.rounds.len());
}

/// A sender that raises all to another exponent than it announced can't prove it, whichever of the two it proves with.
#[test]
fn another_exponent_than_the_announced_one_has_no_proof() {
    let mut rng = StdRng::seed_from_u64(seed(154));
    another_exponent::<Ristretto>(&mut rng);
    another_exponent::<Grumpkin>(&mut rng);
}

fn another_exponent<G: Group>(rng: &mut StdRng) {
    let boards = boards(rng);
    let own: Own = boards.own(&boards.sender, rng);
    let [announced, other] = [(); 2].map(|()| G::small(rng.r#gen()));
    let public = G::times_generator(&announced);
    let query = Query::<G>::new(&own, &Transcript::new(&own.id), Vec::new(), 20).expect("dummies alone");
    let encoded = G::encode(&public);
    let statement = Statement::<G>::new([3; 32], &encoded);
    let raise = |exponent: G::Scalar| query.points.iter().map(|point| G::times(&exponent, point)).collect::<Vec<_>>();
    for raised_by in [announced, other] {
        for proven_by in [announced, other] {
            let proof = statement.prove(&proven_by, &G::small(99), &query.points);
            let verified = statement.verify(&public, &query.points, &raise(raised_by), &proof);
            assert_eq!(verified.is_ok(), (raised_by, proven_by) == (announced, announced));
        }
    }
}

/// Sets whose openings are proven but that aren't in order, hold an entry twice or no point; filters that take too much.
#[test]
fn sets_out_of_form_are_refused() {
    let mut rng = StdRng::seed_from_u64(seed(155));
    each!(sets_out_of_form, &mut rng);
}

fn sets_out_of_form<P: Protocol>(engine: SetEngine<P>, rng: &mut StdRng) {
    let boards = boards(rng);
    let own = boards.own(&boards.sender, rng);
    let start = Transcript::new(&own.id);
    let exponent = Exponent::<P::Group>::new(&own, &start);
    let tags = exponent.tags(&own, &[], P::LAYOUT.set_size).expect("dummies alone").sorted.concat();
    let sets = match P::LAYOUT.form {
        SetForm::Filter => vec![vec![0xff; FILTER_BYTES], vec![0x77; FILTER_BYTES]],
        SetForm::Tags => {
            let entry = |entry: usize| &tags[entry * POINT_BYTES..(entry + 1) * POINT_BYTES];
            let exchanged = replaced(&replaced(&tags, 2, entry(3)), 3, entry(2));
            // The last entry may have any bytes that are higher.
            let no_point = replaced(&tags, P::LAYOUT.set_size - 1, &[0xff; POINT_BYTES]);
            vec![exchanged, replaced(&tags, 3, entry(2)), no_point]
        }
    };
    for set in sets {
        let (_, mut receiver) = boards.honest(&engine, rng);
        // The form of the set is looked at before its proof.
        let [digest, proof] = [P::LAYOUT.evidence.digest, P::LAYOUT.evidence.shown].map(|bytes| vec![0; bytes]);
        let content = [&set[..], &digest, &exponent.public].concat();
        let knowledge = exponent.prove(&own, OPENING_LABEL, &[], &start.with(&content));
        let message = [content, knowledge, proof].concat();
        assert!(is_malformed(receiver.step(Some(&message)).map(drop), 0));
    }
}

/// A sender that shows two pieces on one square is refused, where the receiver sees it.
#[test]
fn boards_that_contradict_themselves_are_refused() {
    let mut rng = StdRng::seed_from_u64(seed(156));
    two_on_one_square(DhPsiPlain::default(), &mut rng);
    two_on_one_square(DhPsi::default(), &mut rng);
    two_on_one_square(Emanant::default(), &mut rng);
}

fn two_on_one_square<P: Protocol>(engine: SetEngine<P>, rng: &mut StdRng) {
    let mut boards = boards(rng);
    let square = |name: &str| name.parse::<rules::Square>().expect("a square");
    for side in [&mut boards.receiver, &mut boards.sender] {
        side.pieces = [None; 64];
        side.double_push = None;
    }
    boards.receiver.pieces[square("a1").index()] = Some(PieceType::Rook);
    boards.sender.pieces[square("a5").index()] = Some(PieceType::Queen);
    let doubled = |set: Vec<Element>, other: Element| [set, vec![other]].concat();
    let knight = Fact::Piece(PieceType::Knight);
    let attack = Element::attack(knight, square("a5"), PieceType::Rook, square("a1"));
    let on_board = Element::board(knight, square("a5"));
    let (set, exact) = (P::set(&boards.sender, boards.phase), P::exact(&boards.sender, boards.phase));
    // What an engine doesn't ask of the other family does no harm.
    let sets = (doubled(set, attack), doubled(exact, on_board));
    let refused = run(boards.with_sets(&engine, &sets.0, sets.1, rng), |_, _, _| ());
    let last = 2 * P::LAYOUT.rounds.len();
    assert!(is_malformed(refused.map(drop), last));
}

/// A padding that is too small by one ends in an error of this side, not in a smaller set.
#[test]
fn a_set_that_outgrows_its_padding_is_not_sent() {
    let mut rng = StdRng::seed_from_u64(seed(157));
    outgrown::<Ristretto>(&mut rng);
    outgrown::<Grumpkin>(&mut rng);
}

fn outgrown<G: Group>(rng: &mut StdRng) {
    let boards = boards(rng);
    let own = boards.own(&boards.sender, rng);
    let start = Transcript::new(&own.id);
    let set = super::lines::shown(&boards.sender, boards.phase);
    for (size, fits) in [(set.len(), true), (set.len() - 1, false)] {
        let tags = Exponent::<G>::new(&own, &start).tags(&own, &set, size);
        let query = Query::<G>::new(&own, &start, set.clone(), size);
        assert_eq!([tags.is_ok(), query.is_ok()], [fits; 2]);
        assert!(fits || [tags.err(), query.err()].iter().flatten().all(Fault::is_own));
    }
}
