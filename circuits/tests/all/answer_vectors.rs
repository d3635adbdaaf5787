//! *answer* on the frozen vectors of the sight exchange (test/data/sight_vectors.jsonl): statements and elements that an independent
//! implementation made, in another language. The circuit accepts each, and no vector's elements for another's statement.

use circuits::{AnswerCircuit, AnyCircuit, StatementCircuit};
use fog::{
    curve::{FogKey, FogSecret, point_from_xy},
    engine::Phase,
    engine::sight_lines::{context::AnswerHeader, request::Request},
    statement::answer::{AnswerPrivate, AnswerPublic},
    word::from_word,
};
use halo2_proofs::dev::MockProver;
use halo2curves::bn256::Fr;
use rules::{CastlingRights, Color, PieceType, Side, Square};
use serde_json::Value;
use std::path::Path;

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn word(value: &Value) -> [u8; 32] {
    let text = value.as_str().expect("a word");
    let bytes = hex::decode(text.trim_start_matches("0x")).expect("hexadecimal");
    bytes.try_into().expect("32 bytes")
}

fn elements(value: &Value) -> Vec<Fr> {
    let words = value.as_array().expect("a list").iter();
    let element = |value| from_word(&word(value)).expect("a field element");
    words.map(element).collect()
}

fn square(value: &Value) -> Option<Square> {
    Square::new(u8::try_from(number(value)).expect("a square"))
}

fn side(value: &Value, color: Color) -> Side {
    let mut side = Side::empty(color);
    let types = value["types"].as_str().expect("64 digits");
    for (piece, digit) in side.pieces.iter_mut().zip(types.bytes()) {
        *piece = PieceType::from_code(digit - b'0');
    }
    side.rights =
        CastlingRights { king_side: number(&value["kingSide"]) == 1, queen_side: number(&value["queenSide"]) == 1 };
    let push = u8::try_from(number(&value["push"])).expect("a file");
    side.double_push = push.checked_sub(1);
    side.since_pawn = u8::try_from(number(&value["count"])).expect("a counter");
    side
}

fn statement(vector: &Value) -> (AnswerPublic, AnswerPrivate) {
    let receiver = Color::ALL[number(&vector["receiver"]) as usize];
    let sender = &vector["senderState"];
    let coordinates = elements(&vector["points"]);
    let points =
        std::array::from_fn(|s| point_from_xy(coordinates[2 * s], coordinates[2 * s + 1]).expect("on the curve"));
    let key = elements(&vector["A"]);
    let public = AnswerPublic {
        commitment: from_word(&word(&sender["commitment"])).expect("an element"),
        fog_key: FogKey::from_xy(key[0], key[1]).expect("on the curve"),
        header: AnswerHeader {
            receiver,
            phase: if number(&vector["phase"]) == 0 { Phase::Pre } else { Phase::Post },
            pending_sender: square(&vector["pendingSender"]),
            pending_receiver: square(&vector["pendingReceiver"]),
            ctx: from_word(&word(&vector["ctx"])).expect("an element"),
        },
        request: Request { points },
        elements: elements(&vector["elements"]),
    };
    let private = AnswerPrivate {
        side: side(sender, !receiver),
        salt: from_word(&word(&sender["salt"])).expect("an element"),
        secret: FogSecret::from_word(&word(&vector["a"])).expect("250 bits"),
    };
    (public, private)
}

fn is_satisfied(public: &AnswerPublic, private: &AnswerPrivate) -> bool {
    let circuit = AnswerCircuit::new(public, private);
    let instance = AnswerCircuit::instance(public);
    let prover = MockProver::run(AnswerCircuit::K, &AnyCircuit::of(circuit), instance).expect("it fits");
    let copies = prover.verify_at_rows(0..0, 0..0);
    copies.is_ok() && prover.verify_par().is_ok()
}

#[test]
fn the_frozen_vectors_satisfy_the_circuit() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test/data/sight_vectors.jsonl");
    let text = std::fs::read_to_string(path).expect("the repository's vectors");
    let vectors: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a vector")).collect();
    assert!(!vectors.is_empty());
    let statements: Vec<_> = vectors.iter().map(statement).collect();
    for ((public, private), vector) in statements.iter().zip(&vectors) {
        assert!(is_satisfied(public, private), "{}", vector["case"]);
    }
    for pair in statements.windows(2) {
        let mut public = pair[0].0.clone();
        public.elements.clone_from(&pair[1].0.elements);
        assert!(!is_satisfied(&public, &pair[0].1));
    }
}
