//! Messages that are no request or no answer are told apart by name (protocol section 5, "Encodings": Wire order).

use fog::{
    F,
    curve::{CurveError, Scalar, mul, point_to_bytes},
    engine::sight_lines::answer::{ANSWER_BYTES, Answer, ELEMENTS, WireError, answer},
    engine::sight_lines::request::{REQUEST_BYTES, Request, RequestError},
    merkle::RECORD_FIELDS,
    testing::{AnswerCase, RandomExchange, Walk, seed},
};
use group::prime::PrimeCurveAffine;
use halo2curves::grumpkin::G1Affine;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{PieceType, Square};

fn sighting(case: AnswerCase, seed: u64) -> RandomExchange {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut walk = Walk::start();
    loop {
        walk.advance(&mut rng);
        if walk.ply > 0 && case.matches(&walk) {
            return walk.pre(&mut rng);
        }
    }
}

#[test]
fn requests_are_checked_point_by_point() {
    let right = sighting(AnswerCase::Pre, seed(61)).request.to_bytes();
    assert_eq!(right.len(), REQUEST_BYTES);
    let square = Square::new(5).expect("a square");
    let with = |bytes: &[u8; 64]| {
        let mut message = right.clone();
        message[5 * 64..6 * 64].copy_from_slice(bytes);
        Request::from_bytes(&message).err()
    };
    let mut off = [0; 64];
    off.copy_from_slice(&right[5 * 64..6 * 64]);
    off[63] ^= 1;
    for (bytes, source) in
        [([0xff; 64], CurveError::CoordinateTooLarge), ([0; 64], CurveError::Infinity), (off, CurveError::OffCurve)]
    {
        assert_eq!(with(&bytes), Some(RequestError::Point { square, source }));
    }
    for length in [0, 1, REQUEST_BYTES - 1, REQUEST_BYTES + 1] {
        let mut message = right.clone();
        message.resize(length, 0);
        assert_eq!(Request::from_bytes(&message), Err(RequestError::Length(length)));
    }
    assert!(Request::from_bytes(&right).is_ok());
}

#[test]
fn answers_are_checked_element_by_element() {
    let sighting = sighting(AnswerCase::Pre, seed(62));
    let color = sighting.receiver.color;
    let right = sighting.answer().to_bytes();
    assert_eq!(right.len(), ANSWER_BYTES);
    for length in [0, ANSWER_BYTES - 1, ANSWER_BYTES + 1, ANSWER_BYTES + 32] {
        let mut message = right.clone();
        message.resize(length, 0);
        assert_eq!(Answer::from_bytes(&message, color, None), Err(WireError::Length(length)));
    }
    for index in [0, 100, ELEMENTS - 1] {
        let mut message = right.clone();
        message[32 * index..32 * (index + 1)].fill(0xff);
        let refused = Answer::from_bytes(&message, color, None);
        assert_eq!(refused, Err(WireError::ElementTooLarge(index)));
    }
    let mut message = right.clone();
    message[ANSWER_BYTES - 1] = 1;
    assert_eq!(Answer::from_bytes(&message, color, None), Err(WireError::UnexpectedPass));
    let wire = sighting.answer().to_wire();
    let short = Answer::from_wire(&wire[1..], color, None);
    assert_eq!(short, Err(WireError::Count(ELEMENTS - 1)));
    assert_eq!(Answer::from_wire(&[], color, None), Err(WireError::Count(0)));
}

#[test]
fn the_push_field_of_the_captured_square_is_zero_on_the_wire() {
    let sighting = sighting(AnswerCase::PrePendingPawnRank, seed(63));
    let (color, pending) = (sighting.receiver.color, sighting.context.pending_receiver);
    let square = pending.expect("a captured pawn");
    let made = sighting.answer();
    let wire = made.to_wire();
    assert_eq!(Answer::from_wire(&wire, color, pending).as_ref(), Ok(&made));
    let mut place = 0;
    for earlier in Square::all().take(square.index() + 1) {
        place +=
            (0..RECORD_FIELDS).filter(|f| fog::engine::sight_lines::geometry::is_present(earlier, *f, color)).count();
    }
    let mut wrong = wire.clone();
    assert_eq!(wrong[place - 1], F::zero());
    wrong[place - 1] = F::one();
    let refused = Answer::from_wire(&wrong, color, pending);
    assert_eq!(refused, Err(WireError::PushOnPending(square)));
}

#[test]
fn garbage_never_passes_and_never_panics() {
    let mut rng = StdRng::seed_from_u64(seed(64));
    for _ in 0..200 {
        let lengths = [rng.gen_range(0..2 * ANSWER_BYTES), ANSWER_BYTES, REQUEST_BYTES];
        let length = lengths[rng.gen_range(0..lengths.len())];
        let bytes: Vec<u8> = (0..length).map(|_| rng.r#gen()).collect();
        assert!(Request::from_bytes(&bytes).is_err());
        assert!(Answer::from_bytes(&bytes, rules::Color::White, None).is_err());
    }
}

/// A requester who knew the logarithm of the fog key could make a key vanish; the sender refuses to answer that.
#[test]
fn a_request_that_makes_a_key_vanish_is_malformed() {
    let mut sighting = sighting(AnswerCase::Pre, seed(65));
    let key = sighting.secret.key();
    let square = Square::new(30).expect("a square");
    for choice in 1..=PieceType::King as u64 {
        sighting.request.points[square.index()] = mul(&key.0, &Scalar::from(choice));
        let header = sighting.header();
        let refused = answer(&sighting.sender, &sighting.secret, &header, &sighting.request);
        assert_eq!(refused, Err(RequestError::Multiple(square)));
    }
    sighting.request.points[square.index()] = G1Affine::identity();
    let header = sighting.header();
    let refused = answer(&sighting.sender, &sighting.secret, &header, &sighting.request);
    let source = CurveError::Infinity;
    assert_eq!(refused, Err(RequestError::Point { square, source }));
    assert_eq!(point_to_bytes(&G1Affine::identity()), [0; 64]);
}
