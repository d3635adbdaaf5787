//! The JSON lines of `fogmate play --json`: every notice has the line that stands in `test/data/golden/notices.jsonl`, which reads back as it was and
//! is valid by the schema.

use crate::golden::golden;
use alloy_primitives::{Address, B256};
use fog::curve::CurveError;
use game::{
    Action, Awaiting, CommandError, Doubt, Ending, GameRef, Introduction, LinkState, MessageId, MessageKind, Mode,
    NodeState, Notice, Outcome, Past, PeerFault, Phase, PlyFault, ProofJob, Terms, View, Waking, What, Who, WireError,
};
use rules::{Color, Move, PieceType, Position, Square};

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

fn square(text: &str) -> Option<Square> {
    Some(text.parse().expect("a square"))
}

/// What comes before and in a move.
fn of_moves() -> Vec<Notice> {
    vec![
        Notice::Waiting,
        Notice::Accepted { id: 1 << 60 },
        Notice::Chain {
            head: 70,
            last_final: 64,
            now: 1_800_000_000,
            base_fee_wei: u128::MAX,
            nodes: vec![NodeState { host: "node.example".to_owned(), asked: true, silent: false }],
        },
        Notice::Money { wallet_wei: u128::MAX, owed_wei: 0, staked_wei: 1 << 70, bonded_wei: 4 },
        Notice::BondBack { wei: 1 << 70 },
        Notice::Proof {
            job: ProofJob::Answer,
            ply: 3,
            stage: 4,
            stages: 5,
            elapsed_ms: 6_100,
            expected_ms: Some(9_000),
        },
        Notice::FiftyFailed { own: true, claims_from: 120 },
        Notice::ViewKey { own: false },
        Notice::RematchOpened { game: B256::repeat_byte(5) },
        Notice::RematchWithdrawn,
        Notice::Replay { moves: vec![mv("e2e4"), mv("e7e5")], fault: Some("the view key is not the game's".into()) },
        Notice::Playing { color: Color::Black, ply: 0 },
        Notice::CheckingSight { ply: 2, phase: Phase::Pre },
        Notice::OpponentSeen { ply: 3 },
        Notice::OpponentMoved { ply: 3, capture: square("d5"), draw_offered: true, lost: Some(PieceType::Pawn) },
        Notice::Proving { ply: 1, mv: mv("e7e5") },
        Notice::Sent { ply: 1, mv: mv("e7e8q") },
        Notice::Moved { ply: 3, mv: mv("e2e4"), capture: None, captured: None, draw_offered: true },
        Notice::Game(Box::new(Introduction {
            at: GameRef { chain_id: 1, contract: Address::repeat_byte(1), game_id: B256::repeat_byte(2) },
            you: Address::repeat_byte(3),
            opponent: Address::repeat_byte(4),
            color: Color::White,
            terms: Terms {
                mode: Mode::Verified,
                stake: 1 << 90,
                base: 1,
                increment: 2,
                delay: 3,
                window: 4,
                reveal: 5,
                expiry: 6,
                opponent: None,
            },
            engine: "sight-lines".to_owned(),
        })),
        Notice::Awaiting(Awaiting { who: Who::Opponent, what: What::Demand, since: 5, until: Some(9) }),
        Notice::History {
            plies: vec![Past {
                ply: 4,
                own: true,
                mv: Some(mv("e4d5")),
                piece: Some(PieceType::Pawn),
                capture: square("d5"),
                captured: Some(PieceType::Queen),
                draw_offered: false,
            }],
        },
        Notice::Over(Ending {
            winner: Some(Address::repeat_byte(7)),
            color: Some(Color::White),
            outcome: Outcome::KingCaptured,
        }),
    ]
}

/// What this machine does.
fn of_work() -> Vec<Notice> {
    vec![
        Notice::Clocks {
            white: 600,
            black: 599,
            turn: Some(Color::Black),
            runs_from: 1_799_999_401,
            hold: None,
            deadline: 1_800_000_000,
            now: 1_799_999_000,
        },
        Notice::Mined {
            action: Action::Move,
            ply: Some(4),
            transaction: B256::repeat_byte(0xab),
            gas: 512_345,
            calldata_bytes: 3_100,
            fee_wei: u128::MAX,
        },
        Notice::Fetched { wei: 1 << 64 },
        Notice::TurnProved { ply: 1, prove_s: 2.5, verify_ms: 4.25 },
        Notice::AnswerProved { ply: 2, phase: Phase::Post, prove_s: 3.5 },
        Notice::AnswerVerified { ply: 2, phase: Phase::Pre, verify_ms: 9.0 },
        Notice::Stepped { kind: MessageKind::Exchange, ply: 2, phase: Phase::Post, cpu_ms: 12.5 },
        Notice::Failed { reason: "the move of ply 4: the node failed".into() },
        Notice::Refused { id: None, error: CommandError::Illegal { mv: mv("e2e5") } },
    ]
}

/// What comes and goes on the link.
fn of_the_link() -> Vec<Notice> {
    let id = MessageId::new(MessageKind::Answer, 1, Phase::Post);
    vec![
        Notice::Listening { addresses: vec!["/ip4/127.0.0.1/tcp/4040".into()] },
        Notice::Connected,
        Notice::Disconnected,
        Notice::Link { state: LinkState::Dialling, tries: 4, since: None },
        Notice::Link { state: LinkState::Direct, tries: 0, since: Some(1_800_000_000) },
        Notice::MessageSent { kind: MessageKind::Want, ply: 1, phase: Phase::Post, bytes: 37 },
        Notice::MessageReceived { kind: MessageKind::Request, ply: 0, phase: Phase::Pre, bytes: 4_133 },
        Notice::Fault { fault: PeerFault::Proof(id) },
    ]
}

fn of_notes() -> Vec<Notice> {
    vec![
        Notice::LinkTrouble { text: "a {peer}:{".into() },
        Notice::ChainTrouble { text: "away".into() },
        Notice::AwaitingFinality { block: 90, last_final: Some(64) },
        Notice::AwaitingFinality { block: 90, last_final: None },
        Notice::AnotherPosition { ply: 7, phase: Phase::Post },
        Notice::SignedInAnotherPosition { ply: 7, mv: mv("e7e8q") },
        Notice::ConfirmMove { ply: 7, mv: mv("e7e8q"), doubt: Doubt::Unwritten },
        Notice::ConfirmMove { ply: 7, mv: mv("e7e8q"), doubt: Doubt::Sent },
        Notice::JournalNote { text: "torn".into() },
        Notice::NoSightPosted { ply: 3 },
        Notice::AwaitingRequest { mv: mv("e2e4") },
        Notice::MovingWithoutAnswer { mv: mv("e2e4") },
        Notice::Reorganised { ply: 4 },
        Notice::OutOfTime,
        Notice::OpponentOutOfTime,
        Notice::NotThisWallet { ply: 4 },
        Notice::ChainRefused { reason: "ply 5 is due".into() },
    ]
}

/// Sentences about what goes through the chain.
fn of_disputes() -> Vec<Notice> {
    let (pre, post, deadline) = (Phase::Pre, Phase::Post, 1_800_000_000);
    vec![
        Notice::FalseMove { ply: 3 },
        Notice::DemandingSight { ply: 4, phase: pre },
        Notice::SightDemanded { ply: 4, phase: pre, own: true, deadline },
        Notice::SightDemanded { ply: 4, phase: post, own: false, deadline },
        Notice::SightAnswered { ply: 4, phase: pre, own: true },
        Notice::SightAnswered { ply: 4, phase: post, own: false },
        Notice::FiftyClaimed { own: true, disputed: false, deadline },
        Notice::FiftyClaimed { own: false, disputed: true, deadline },
        Notice::FiftyClaimed { own: false, disputed: false, deadline },
    ]
}

/// White's board before its second move, with and without its sight.
fn of_views() -> Vec<Notice> {
    let position = Position::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9").expect("a position");
    let view = |phase, sight, legal| {
        let side = position.side(Color::White).clone();
        Notice::View(Box::new(View::new(16, phase, side, sight, legal, [3, 2])))
    };
    let legal = vec![mv("e5d6"), mv("e1e2")];
    vec![view(Phase::Pre, Some(position.sight(Color::White)), legal), view(Phase::Post, None, Vec::new())]
}

/// What comes in a game between the machines.
fn of_a_channel() -> Vec<Notice> {
    let why = [
        Waking::OpponentOutOfTime,
        Waking::NoSight,
        Waking::NoResult,
        Waking::BadRequest,
        Waking::TooLong,
        Waking::NotClosed,
        Waking::Claim,
        Waking::NoLink,
        Waking::TakenBack,
        Waking::Again,
        Waking::Behind,
    ];
    let faults = [
        PlyFault::Impossible,
        PlyFault::Signature,
        PlyFault::Points,
        PlyFault::NoAnswer,
        PlyFault::Clock,
        PlyFault::Proof,
        PlyFault::Another,
    ];
    let woken = |plies, contested| Notice::Woken { ply: 4, plies, contested, until: 1_800_000_000 };
    let of_results = [
        Notice::ResultSigned { outcome: Outcome::DrawAgreed },
        Notice::Closing { outcome: Outcome::KingCaptured },
        Notice::Awake { ply: 4 },
        woken(5, false),
        woken(7, true),
        woken(3, false),
    ];
    let waking = why.into_iter().map(|why| Notice::Waking { ply: 4, why });
    let refused = faults.into_iter().map(|why| Notice::PlyRefused { ply: 3, why });
    waking.chain(refused).chain(of_results).collect()
}

fn cases() -> Vec<Notice> {
    [of_moves(), of_work(), of_the_link(), of_notes(), of_disputes(), of_a_channel(), of_views()].concat()
}

/// Faults and refusals of many kinds, and every ending.
fn of_reasons() -> Vec<Notice> {
    let id = MessageId::new(MessageKind::Request, 9, Phase::Pre);
    let mut faults = vec![
        PeerFault::BadPoint { id, source: CurveError::OffCurve },
        PeerFault::BadPoint { id, source: CurveError::Infinity },
        PeerFault::BadPoint { id, source: CurveError::CoordinateTooLarge },
    ];
    let wire = [
        WireError::Version(2),
        WireError::Kind(9),
        WireError::WrongGame(B256::repeat_byte(3)),
        WireError::Phase(7),
        WireError::Ply(1),
        WireError::Truncated,
        WireError::Oversized,
        WireError::ProofTooLong(65_535),
        WireError::Element(7),
        WireError::Acknowledgement,
        WireError::Meaningless,
    ];
    faults.extend(wire.map(PeerFault::Garbage));
    let of_a_message = [
        PeerFault::NoAnswer,
        PeerFault::Malformed,
        PeerFault::RequestRoot,
        PeerFault::AnswerRoot,
        PeerFault::Proof,
        PeerFault::Unopenable,
        PeerFault::WrongPly,
        PeerFault::Stale,
        PeerFault::TooEarly,
        PeerFault::Duplicate,
        PeerFault::Contradiction,
        PeerFault::NotToBeHad,
    ];
    faults.extend(of_a_message.map(|fault| fault(id)));
    let refusals = [
        CommandError::NotBegun,
        CommandError::Over,
        CommandError::NotOver,
        CommandError::NotYourTurn,
        CommandError::SightNotProven,
        CommandError::AlreadyChosen { mv: mv("a7a8n") },
        CommandError::NoDrawOffered,
        CommandError::NotTimedOut,
        CommandError::NotSetUp,
        CommandError::NotVerified,
        CommandError::OnHold,
        CommandError::Contested,
        CommandError::ResultSigned,
        CommandError::Forgotten,
        CommandError::NotFifty { plies: 99, own: 49 },
        CommandError::ClaimBarred { ply: 120 },
        CommandError::HasMove,
        CommandError::Internal { reason: "a \"defect\"".into() },
    ];
    let endings = Outcome::NAMES.map(|(outcome, _)| Ending { winner: None, color: None, outcome });
    let faults = faults.into_iter().map(|fault| Notice::Fault { fault });
    let refusals = refusals.into_iter().map(|error| Notice::Refused { id: Some(3), error });
    faults.chain(refusals).chain(endings.map(Notice::Over)).collect()
}

#[test]
fn every_kind_of_notice_has_a_line() {
    let schema = game::schema();
    let listed = schema["oneOf"].as_array().expect("a list of events").iter();
    let mut listed: Vec<&str> = listed.filter_map(|event| event["properties"]["event"]["const"].as_str()).collect();
    let lines: Vec<String> = cases().iter().map(|notice| notice.to_line().expect("JSON")).collect();
    listed.retain(|name| !lines.iter().any(|line| line.starts_with(&format!(r#"{{"v":1,"event":"{name}""#))));
    assert_eq!(listed, ["bad_input"], "what isn't any notice's is written by the program itself");
}

#[test]
fn lines_are_golden_and_read_back() {
    let mut lines = String::new();
    for notice in cases().into_iter().chain(of_reasons()) {
        let line = notice.to_line().expect("JSON");
        assert_eq!(Notice::from_line(&line), Some(notice), "{line}");
        lines.push_str(&(line + "\n"));
    }
    golden("notices.jsonl", &lines);
}

#[test]
fn the_schema_is_golden() {
    golden("../../../docs/src/json-lines.json", &(serde_json::to_string_pretty(&game::schema()).expect("JSON") + "\n"));
}

#[test]
fn other_lines_are_no_notices() {
    for line in [
        "",
        "[]",
        "{}",
        r#"{"v":1,"event":"nonsense"}"#,
        r#"{"v":1,"event":"proving"}"#,
        r#"{"v":1,"event":"note","text":"hello"}"#,
        r#"{"v":1,"event":"playing","color":"green","ply":0}"#,
        r#"{"v":2,"event":"connected"}"#,
        r#"{"event":"connected"}"#,
        r#"{"v":1,"event":7}"#,
    ] {
        assert_eq!(Notice::from_line(line), None, "{line}");
    }
}
