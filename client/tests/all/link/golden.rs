//! Every kind of message as its frames have it. Hellos and acknowledgements are held by the hostile peer of these tests, which writes and reads
//! their bytes itself.

use alloy::primitives::B256;
use client::link::to_wire;
use fogmate_test::{golden, golden_line};
use game::message::{ELEMENTS, PIECE_BYTES, POINTS_BYTES, SIGNATURE_BYTES};
use game::{GameResult, Message, MoveFields, Outcome, Phase, SessionId, SignedPly};
use halo2curves::bn256::Fr;

#[test]
fn frames_are_golden() {
    let elements: Vec<Fr> = (0..ELEMENTS as u64).map(|i| -Fr::from(i)).collect();
    let answer =
        |phase, proof| Message::Answer { ply: 511, phase, elements: elements.clone(), proof: vec![0xef; proof] };
    let (set_up, exchange) = (SessionId::SetUp, SessionId::Exchange { ply: 300, phase: Phase::Post });
    let said = |session, index, length| Message::Session { session, index, bytes: vec![0xa5; length] };
    let messages = [
        Message::Request { ply: 7, points: Box::new([0xcd; POINTS_BYTES]) },
        answer(Phase::Pre, 0),
        answer(Phase::Post, 2_000),
        Message::Want { ply: 9, phase: Phase::Post },
        said(set_up, 0, 0),
        said(exchange, 258, 40_000),
        said(exchange, 3, 3 * PIECE_BYTES),
        Message::WantSession { session: set_up, index: 5 },
        Message::WantSession { session: exchange, index: 258 },
        Message::Ply(Box::new(SignedPly {
            fields: MoveFields {
                ply: 300,
                next_commitment: Fr::from(1),
                next_request_root: -Fr::from(2),
                answer_root: Fr::from(3),
                capture: rules::Square::new(63),
                king_fell: false,
                offer_draw: true,
            },
            clock: 65_537,
            signature: [0x5a; SIGNATURE_BYTES],
            points: Box::new([0xcd; POINTS_BYTES]),
            proof: vec![7; 2_000],
        })),
        Message::Countersigned { ply: 258, signature: [1; SIGNATURE_BYTES] },
        Message::Result {
            result: GameResult { creator_won: Some(false), outcome: Outcome::Resigned, last: B256::repeat_byte(9) },
            signature: [0xa5; SIGNATURE_BYTES],
        },
        Message::Have { plies: 513 },
    ];
    let game = B256::repeat_byte(0x11);
    let lines = messages.iter().map(|message| golden_line(&message.id().to_string(), &to_wire(message, game)));
    golden("frames.txt", &lines.collect::<String>());
}
