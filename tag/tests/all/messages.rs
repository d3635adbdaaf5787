//! Bytes of messages: fixed lengths, and every mangled message is refused by name.

use fog::{F, word::to_word};
use tag::{
    Action, Kind, Malformed, PLACEMENT_BYTES, Phase, REPLY_BYTES, Role, Size, Status, lift, testing::NativeProofs,
};

use crate::pair::Pair;

/// One message of each kind that has contents.
fn samples() -> Vec<Action> {
    let mut pair = Pair::new(Size::Six, 9, fog::testing::seed(41));
    let join = pair.sides[1].joining(&NativeProofs).expect("a start");
    let step = pair.step("b2".parse().expect("a square")).expect("a step");
    pair.say(Role::Creator, &step).expect("proven");
    assert_eq!(pair.table().status(), Status::Playing(Phase::Reply));
    let (_, reply) = pair.waiting.remove(0);
    vec![join, step, reply, Action::Capture { place: 8, proof: vec![3; NativeProofs::BYTES] }]
}

fn read(bytes: &[u8]) -> Result<Action, Malformed> {
    Action::from_bytes(bytes, NativeProofs::BYTES)
}

#[test]
fn messages_have_one_length_a_kind_and_are_read_as_written() {
    let proof = NativeProofs::BYTES;
    let lengths = [PLACEMENT_BYTES + proof, PLACEMENT_BYTES + REPLY_BYTES + 2 * proof, REPLY_BYTES + proof, 1 + proof];
    for (action, expected) in samples().into_iter().zip(lengths) {
        let bytes = action.to_bytes();
        assert_eq!(bytes.len(), 1 + expected);
        assert_eq!(bytes.len(), action.kind().bytes(proof));
        assert_eq!(read(&bytes).as_ref(), Ok(&action));
        for got in [0, 1, bytes.len() - 1] {
            let error = if got == 0 { Malformed::Empty } else { Malformed::WrongLength { expected: bytes.len(), got } };
            assert_eq!(read(&bytes[..got]), Err(error));
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(read(&longer), Err(Malformed::WrongLength { expected: bytes.len(), got: longer.len() }));
    }
    for action in [Action::Settle, Action::Resign, Action::ClaimTimeout, Action::Cancel] {
        assert_eq!(read(&action.to_bytes()), Ok(action));
    }
    assert_eq!(Kind::ALL.map(|kind| kind as u8), [1, 2, 3, 4, 5, 6, 7, 8]);
    for number in [0, 9, 255] {
        assert_eq!(read(&[number]), Err(Malformed::UnknownKind(number)));
    }
}

#[test]
fn words_that_are_no_points_are_refused_by_their_place() {
    let off = (0..).map(F::from).find(|x| lift(*x).is_none()).expect("half of all numbers");
    for action in samples() {
        let words = match action.kind() {
            Kind::Join => 11,
            Kind::Step => 21,
            Kind::Reply => 10,
            _ => 0,
        };
        for word in 0..words {
            // A step's reply stands behind the proof of its placement.
            let behind = if action.kind() == Kind::Step && word >= 11 { NativeProofs::BYTES } else { 0 };
            let at = 1 + 32 * word + behind;
            let mut bytes = action.to_bytes();
            bytes[at..at + 32].fill(0xff);
            assert_eq!(read(&bytes), Err(Malformed::NotInField(word)));
            bytes[at..at + 32].copy_from_slice(&to_word(&off));
            let has_header = action.kind() != Kind::Reply;
            match (has_header, word) {
                (true, 0) => assert!(read(&bytes).is_ok(), "a commitment may be any element"),
                (true, 1) => assert_eq!(read(&bytes), Err(Malformed::WrongSetHash)),
                _ => assert_eq!(read(&bytes), Err(Malformed::NoPoint(word))),
            }
        }
    }
    let mut capture = Action::Capture { place: 8, proof: vec![0; NativeProofs::BYTES] }.to_bytes();
    capture[1] = 9;
    assert_eq!(read(&capture), Err(Malformed::NoPlace(9)));
}

#[test]
fn a_set_in_another_order_has_another_hash() {
    let mut bytes = samples()[0].to_bytes();
    let (first, second) = (65..97, 97..129);
    let moved = bytes[first.clone()].to_vec();
    bytes.copy_within(second.clone(), first.start);
    bytes[second].copy_from_slice(&moved);
    assert_eq!(read(&bytes), Err(Malformed::WrongSetHash));
}
