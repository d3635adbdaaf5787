//! The frozen encodings: every field of every exchange in test/data/sight_vectors.jsonl is reproduced bit for bit, and of
//! fresh exchanges by the same independent implementation (test/oracle/sight_reference.py).

use fog::{
    F,
    commitment::{commit, pack},
    curve::{FogKey, FogSecret, Scalar},
    engine::Phase,
    engine::sight_lines::answer::{Answer, answer},
    engine::sight_lines::context::{AnswerHeader, SightContext},
    engine::sight_lines::open::open,
    engine::sight_lines::request::Request,
    merkle::RECORD_FIELDS,
    testing::seed,
    word::{from_word, keccak256, reduce, to_word},
};
use rules::{CastlingRights, Color, PieceType, Side, Square};
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// `z = keccak256(root ‖ values) mod |F|` over words, and `y = Σ vᵢ zⁱ`: what is to tie calldata to a proof (protocol section 7). The
/// root must be bound in the circuit as well: the pair alone is forgeable.
fn binding(root: F, values: &[F]) -> (F, F) {
    let words: Vec<u8> = std::iter::once(&root).chain(values).flat_map(to_word).collect();
    let z = reduce(&keccak256(&words));
    (z, values.iter().rev().fold(F::zero(), |sum, value| sum * z + value))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("{key} is a text"))
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} is a number"))
}

fn bytes<const N: usize>(text: &str) -> [u8; N] {
    let digits = text.strip_prefix("0x").expect("hexadecimal");
    let bytes = hex::decode(digits).expect("hexadecimal");
    bytes.try_into().expect("the right length")
}

fn element(value: &Value) -> F {
    from_word(&bytes(value.as_str().expect("a word"))).expect("a field element")
}

fn elements(value: &Value) -> Vec<F> {
    value.as_array().expect("a list").iter().map(element).collect()
}

fn square(value: &Value, key: &str) -> Option<Square> {
    Square::new(u8::try_from(number(value, key)).expect("a square's number"))
}

fn side(value: &Value, color: Color) -> Side {
    let mut side = Side::empty(color);
    for (slot, digit) in side.pieces.iter_mut().zip(text(value, "types").bytes()) {
        *slot = PieceType::from_code(digit - b'0');
    }
    side.rights =
        CastlingRights { king_side: number(value, "kingSide") == 1, queen_side: number(value, "queenSide") == 1 };
    let push = number(value, "push");
    side.double_push = push.checked_sub(1).map(|file| file as u8);
    side.since_pawn = number(value, "count") as u8;
    side
}

/// One player's state of a vector: packed, removed from, committed to.
fn check_state(value: &Value, color: Color, pending: Option<Square>) -> (Side, F) {
    let side = side(value, color);
    assert_eq!(pack(&side), element(&value["state"]));
    assert_eq!(pack(&side.without(pending)), element(&value["appliedState"]));
    let commitment = commit(&side, element(&value["salt"]));
    assert_eq!(commitment, element(&value["commitment"]));
    (side, commitment)
}

struct Case {
    sender: Side,
    receiver: Side,
    secret: FogSecret,
    key: FogKey,
    scalars: [Scalar; 64],
    request: Request,
    header: AnswerHeader,
}

/// Everything up to `ctx`.
fn check_request(vector: &Value) -> Case {
    let color = Color::ALL[number(vector, "receiver") as usize];
    let pending_sender = square(vector, "pendingSender");
    let pending_receiver = square(vector, "pendingReceiver");
    let (sender, sender_commitment) = check_state(&vector["senderState"], !color, pending_sender);
    let (receiver, receiver_commitment) = check_state(&vector["receiverState"], color, pending_receiver);
    let secret = FogSecret::from_word(&bytes(text(vector, "a"))).expect("250 bits");
    let key = secret.key();
    assert_eq!(vec![key.xy().0, key.xy().1], elements(&vector["A"]));
    let scalars: Vec<Scalar> = vector["r"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|word| from_word(&bytes(word.as_str().expect("a word"))).expect("a scalar"))
        .collect();
    let scalars: [Scalar; 64] = scalars.try_into().expect("64 scalars");
    let request = Request::make(&receiver, &scalars, &key).expect("a request");
    let coordinates = elements(&vector["points"]);
    assert_eq!(request.coordinates(), coordinates);
    let wire: Vec<u8> = coordinates.iter().flat_map(to_word).collect();
    assert_eq!(request.to_bytes(), wire);
    assert_eq!(Request::from_bytes(&wire).as_ref(), Ok(&request));
    assert_eq!(request.root(), element(&vector["requestRoot"]));
    let expected = (element(&vector["requestZ"]), element(&vector["requestY"]));
    assert_eq!(binding(request.root(), &coordinates), expected);
    let context = SightContext {
        chain_id: number(vector, "chainId"),
        contract: bytes(text(vector, "contract")),
        game_id: bytes(text(vector, "gameId")),
        ply: number(vector, "ply"),
        phase: if number(vector, "phase") == 0 { Phase::Pre } else { Phase::Post },
        sender_commitment,
        pending_sender,
        receiver_commitment,
        pending_receiver,
        registered: key.to_bytes(),
        request_root: request.root(),
    };
    assert_eq!(context.ctx(), element(&vector["ctx"]));
    let header = context.header();
    assert_eq!(header.receiver, color);
    Case { sender, receiver, secret, key, scalars, request, header }
}

fn check_vector(vector: &Value) {
    let case = check_request(vector);
    let made = answer(&case.sender, &case.secret, &case.header, &case.request).expect("an answer");
    let wire = elements(&vector["elements"]);
    assert_eq!(made.to_wire(), wire);
    let (color, pending) = (case.header.receiver, case.header.pending_receiver);
    assert_eq!(Answer::from_wire(&wire, color, pending).as_ref(), Ok(&made));
    assert_eq!(Answer::from_bytes(&made.to_bytes(), color, pending).as_ref(), Ok(&made));
    for (index, record) in vector["records"].as_object().expect("a map") {
        let index: usize = index.parse().expect("a square's number");
        let record: [F; RECORD_FIELDS] = elements(record).try_into().expect("14 fields");
        assert_eq!(made.records[index], record);
    }
    assert_eq!(made.root(), element(&vector["answerRoot"]));
    let expected = (element(&vector["z"]), element(&vector["y"]));
    assert_eq!(binding(made.root(), &wire), expected);
    let sight = open(&case.receiver, &case.scalars, &case.key, &case.header, &made);
    let board = case.receiver.without(pending);
    let shown = rules::board::line(&board, &sight.expect("a right answer opens"));
    assert_eq!(shown, text(vector, "sight"));
}

fn check_lines(lines: &str) -> usize {
    let vectors = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    vectors.inspect(|vector| println!("{}", text(vector, "case"))).map(|v| check_vector(&v)).count()
}

#[test]
fn frozen_vectors_are_reproduced() {
    let path = root().join("test/data/sight_vectors.jsonl");
    let lines = std::fs::read_to_string(path).expect("the vectors are in the repository");
    assert_eq!(check_lines(&lines), 12);
}

#[test]
fn fresh_vectors_are_reproduced() {
    let oracle = root().join("test/oracle/sight_reference.py");
    let seed = seed(std::process::id().into());
    let output = Command::new("python3")
        .arg(&oracle)
        .args(["vectors", &seed.to_string(), "2"])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(check_lines(&lines), 2);
}
