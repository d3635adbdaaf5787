//! The JSON lines of `fogmate play --json`: every notice has exactly the fields that it has had since the first release, then the
//! fields that give it back, and reads back as it was.

use crate::golden::golden;
use alloy_primitives::{Address, B256};
use fog::curve::CurveError;
use game::{
    Action, Awaiting, CommandError, Doubt, Ending, GameRef, Introduction, MessageId, MessageKind, Mode, Notice,
    Outcome, Past, PeerFault, Phase, Terms, View, What, Who, WireError,
};
use rules::{Color, Move, PieceType, Position, Square};

/// A notice, its line as of version 0.1 (a frozen format), and what has been added to that since.
type Case = (Notice, String, String);

fn case(notice: Notice, line: &str, added: &str) -> Case {
    (notice, line.to_owned(), added.to_owned())
}

fn mv(text: &str) -> Move {
    text.parse().expect("a move")
}

fn square(text: &str) -> Option<Square> {
    Some(text.parse().expect("a square"))
}

/// What comes before and in a move.
fn of_moves() -> Vec<Case> {
    vec![
        case(Notice::Waiting, r#"{"event":"waiting"}"#, ""),
        case(Notice::Playing { color: Color::Black, ply: 0 }, r#"{"event":"playing","color":"black","ply":0}"#, ""),
        case(
            Notice::CheckingSight { ply: 2, phase: Phase::Pre },
            r#"{"event":"checking","ply":2,"when":"before"}"#,
            "",
        ),
        case(Notice::OpponentSeen { ply: 3 }, r#"{"event":"opponent_seen","ply":3}"#, ""),
        case(
            Notice::OpponentMoved { ply: 3, capture: square("d5"), draw_offered: true, lost: Some(PieceType::Pawn) },
            r#"{"event":"opponent_moved","ply":3,"capture":"d5","draw_offered":true}"#,
            r#""lost":"pawn""#,
        ),
        case(Notice::Proving { ply: 1, mv: mv("e7e5") }, r#"{"event":"proving","ply":1,"move":"e7e5"}"#, ""),
        case(Notice::Sent { ply: 1, mv: mv("e7e8q") }, r#"{"event":"sent","ply":1,"move":"e7e8q"}"#, ""),
        case(
            Notice::Moved { ply: 3, mv: mv("e2e4"), capture: None, captured: None, draw_offered: true },
            r#"{"event":"moved","ply":3,"move":"e2e4","capture":null}"#,
            r#""captured":null,"draw_offered":true"#,
        ),
        case(
            Notice::Game(Box::new(Introduction {
                at: GameRef { chain_id: 1, contract: Address::repeat_byte(1), game_id: B256::repeat_byte(2) },
                you: Address::repeat_byte(3),
                opponent: Address::repeat_byte(4),
                color: Color::White,
                terms: Terms {
                    mode: Mode::Challengeable,
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
            &format!(
                r#"{{"event":"game","at":{{"chain_id":1,"contract":"0x{}","game":"0x{}"}},"you":"0x{}","opponent":"0x{}","color":"white","terms":{},"engine":"sight-lines"}}"#,
                "01".repeat(20),
                "02".repeat(32),
                "03".repeat(20),
                "04".repeat(20),
                r#"{"mode":"challengeable","stake_wei":"1237940039285380274899124224","base_s":1,"increment_s":2,"delay_s":3,"window_s":4,"reveal_s":5,"expiry":6,"opponent":null}"#
            ),
            "",
        ),
        case(
            Notice::Awaiting(Awaiting { who: Who::Opponent, what: What::Demand, since: 5, until: Some(9) }),
            r#"{"event":"awaiting","who":"opponent","what":"demand","since":5,"until":9}"#,
            "",
        ),
        case(
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
            r#"{"event":"history","plies":[{"ply":4,"own":true,"move":"e4d5","piece":"pawn","capture":"d5","captured":"queen","draw_offered":false}]}"#,
            "",
        ),
        case(
            Notice::Over(Ending {
                winner: Some(Address::repeat_byte(7)),
                color: Some(Color::White),
                outcome: Outcome::KingCaptured,
            }),
            r#"{"event":"over","winner":"white","reason":"king captured"}"#,
            r#""account":"0x0707070707070707070707070707070707070707""#,
        ),
    ]
}

/// What this machine does.
fn of_work() -> Vec<Case> {
    vec![
        case(
            Notice::Clocks {
                white: 600,
                black: 599,
                turn: Some(Color::Black),
                runs_from: 1_799_999_401,
                hold: None,
                deadline: 1_800_000_000,
                now: 1_799_999_000,
            },
            r#"{"event":"clocks","white":600,"black":599,"turn":"black","runs_from":1799999401,"hold":null,"deadline":1800000000,"now":1799999000}"#,
            "",
        ),
        case(
            Notice::Mined {
                action: Action::Move,
                ply: Some(4),
                transaction: B256::repeat_byte(0xab),
                gas: 512_345,
                calldata_bytes: 3_100,
                fee_wei: u128::MAX,
            },
            r#"{"event":"mined","action":"move","ply":4,"transaction":"0xabababababababababababababababababababababababababababababababab","gas":512345,"calldata_bytes":3100,"fee_wei":"340282366920938463463374607431768211455"}"#,
            "",
        ),
        case(Notice::Fetched { wei: 1 << 64 }, r#"{"event":"fetched","wei":"18446744073709551616"}"#, ""),
        case(
            Notice::TurnProved { ply: 1, prove_s: 2.5, verify_ms: 4.25 },
            r#"{"event":"turn_proved","ply":1,"prove_s":2.5,"verify_ms":4.25}"#,
            "",
        ),
        case(
            Notice::AnswerProved { ply: 2, phase: Phase::Post, prove_s: 3.5 },
            r#"{"event":"answer_proved","ply":2,"when":"after","prove_s":3.5}"#,
            "",
        ),
        case(
            Notice::AnswerVerified { ply: 2, phase: Phase::Pre, verify_ms: 9.0 },
            r#"{"event":"answer_verified","ply":2,"when":"before","verify_ms":9.0}"#,
            "",
        ),
        case(
            Notice::Stepped { kind: MessageKind::Exchange, ply: 2, phase: Phase::Post, cpu_ms: 12.5 },
            r#"{"event":"stepped","kind":"exchange","ply":2,"when":"after","cpu_ms":12.5}"#,
            "",
        ),
        case(
            Notice::Failed("the move of ply 4: the node failed".into()),
            r#"{"event":"failed","reason":"the move of ply 4: the node failed"}"#,
            "",
        ),
        case(
            Notice::Refused(CommandError::Illegal { mv: mv("e2e5") }),
            r#"{"event":"refused","reason":"e2e5 is not a legal move here"}"#,
            r#""error":{"illegal":{"move":"e2e5"}}"#,
        ),
    ]
}

/// What comes and goes on the link.
fn of_the_link() -> Vec<Case> {
    let id = MessageId::new(MessageKind::Answer, 1, Phase::Post);
    vec![
        case(
            Notice::Listening(vec!["/ip4/127.0.0.1/tcp/4040".into()]),
            r#"{"event":"listening","addresses":["/ip4/127.0.0.1/tcp/4040"]}"#,
            "",
        ),
        case(Notice::Connected, r#"{"event":"connected"}"#, ""),
        case(Notice::Disconnected, r#"{"event":"disconnected"}"#, ""),
        case(
            Notice::MessageSent { kind: MessageKind::Want, ply: 1, phase: Phase::Post, bytes: 37 },
            r#"{"event":"message_sent","kind":"want","ply":1,"when":"after","bytes":37}"#,
            "",
        ),
        case(
            Notice::MessageReceived { kind: MessageKind::Request, ply: 0, phase: Phase::Pre, bytes: 4_133 },
            r#"{"event":"message_received","kind":"request","ply":0,"when":"before","bytes":4133}"#,
            "",
        ),
        case(
            Notice::Fault(PeerFault::Proof(id)),
            r#"{"event":"fault","reason":"the opponent's answer after ply 1 has a wrong proof","may_be_honest":false}"#,
            r#""fault":{"proof":{"ply":1,"when":"after","kind":"answer"}}"#,
        ),
    ]
}

fn of_notes() -> Vec<Case> {
    let note = |notice, text: &str, about: &str| {
        let line = format!(r#"{{"event":"note","text":"{text}"}}"#);
        (notice, line, format!(r#""about":{about}"#))
    };
    vec![
        note(Notice::LinkTrouble("a {peer}:{".into()), "a {peer}:{", r#""link_trouble","reason":"a {peer}:{""#),
        note(Notice::ChainTrouble("away".into()), "away", r#""chain_trouble","reason":"away""#),
        note(
            Notice::AwaitingFinality { block: 90, last_final: Some(64) },
            "the game goes on once block 90 is final; the last final one is 64",
            r#""awaiting_finality","block":90,"last_final":64"#,
        ),
        note(
            Notice::AwaitingFinality { block: 90, last_final: None },
            "the game goes on once block 90 is final; none is yet",
            r#""awaiting_finality","block":90,"last_final":null"#,
        ),
        note(
            Notice::AnotherPosition { ply: 7, phase: Phase::Post },
            "the chain shows another position than the one in which the opponent was given its sight after ply 7: it isn't given a second one. Ask another node; only if the chain really was taken back so far, `give` gives it",
            r#""another_position","ply":7,"when":"after""#,
        ),
        note(
            Notice::SignedInAnotherPosition { ply: 7, mv: mv("e7e8q") },
            "e7e8q, signed for ply 7, was made in another position than the chain has now: it isn't sent again. Choose anew; that is sent once the earlier transaction can't be included any more",
            r#""signed_in_another_position","ply":7,"move":"e7e8q""#,
        ),
        note(
            Notice::ConfirmMove { ply: 7, mv: mv("e7e8q"), doubt: Doubt::Unwritten },
            "e7e8q of ply 7 is not signed yet: there is no room on the disk to remember it, and after a restart you might sign another move of that ply, which shows the opponent two requests. Make room, or give e7e8q again to have it signed all the same",
            r#""confirm_move","ply":7,"move":"e7e8q","doubt":"unwritten""#,
        ),
        note(
            Notice::ConfirmMove { ply: 7, mv: mv("e7e8q"), doubt: Doubt::Sent },
            "e7e8q of ply 7 is not signed yet: this wallet has a transaction on its way that isn't remembered here, and it may be another move of that ply. If you have signed one, on this machine or another, choose the same; give e7e8q again to have it signed",
            r#""confirm_move","ply":7,"move":"e7e8q","doubt":"sent""#,
        ),
        note(Notice::JournalNote("torn".into()), "torn", r#""journal_note","reason":"torn""#),
        note(
            Notice::NoSightPosted { ply: 3 },
            "the opponent has posted no sight for ply 3: it says that it never had your request",
            r#""no_sight_posted","ply":3"#,
        ),
        note(
            Notice::AwaitingRequest { mv: mv("e2e4") },
            "e2e4 waits for the opponent's request, without which it would get no sight (`go` moves all the same)",
            r#""awaiting_request","move":"e2e4""#,
        ),
        note(
            Notice::MovingWithoutAnswer { mv: mv("e2e4") },
            "e2e4 is played without a sight for the opponent, whose request never came",
            r#""moving_without_answer","move":"e2e4""#,
        ),
        note(
            Notice::Reorganised { ply: 4 },
            "the chain has taken back the move of ply 4; it is sent again",
            r#""reorganised","ply":4"#,
        ),
        note(
            Notice::OutOfTime,
            "by this machine's clock your time is over: the opponent can claim the game",
            r#""out_of_time""#,
        ),
        note(
            Notice::OpponentOutOfTime,
            "the opponent's time has run out; the game is being claimed",
            r#""opponent_out_of_time""#,
        ),
        note(
            Notice::NotThisWallet { ply: 4 },
            "the move of ply 4 on chain was not made with this wallet's secrets: this game can't be played from here",
            r#""not_this_wallet","ply":4"#,
        ),
        note(
            Notice::ChainRefused("ply 5 is due".into()),
            "the chain tells something that can't be: ply 5 is due",
            r#""chain_refused","reason":"ply 5 is due""#,
        ),
    ]
}

/// Sentences about what goes through the chain.
fn of_disputes() -> Vec<Case> {
    let note = |notice, text: &str, about: &str| {
        let line = format!(r#"{{"event":"note","text":"{text}"}}"#);
        (notice, line, format!(r#""about":{about}"#))
    };
    let (pre, post, deadline) = (Phase::Pre, Phase::Post, 1_800_000_000);
    vec![
        note(
            Notice::FalseMove { ply: 3, can_refute: true },
            "the proof of the opponent's move of ply 3 is false: the contract is being told, which wins the game",
            r#""false_move","ply":3,"can_refute":true"#,
        ),
        note(
            Notice::FalseMove { ply: 3, can_refute: false },
            "the proof of the opponent's move of ply 3 is false, and the contract has taken it: don't trust this deployment",
            r#""false_move","ply":3,"can_refute":false"#,
        ),
        note(
            Notice::DemandingSight { ply: 4, phase: pre },
            "the sight before the move of ply 4 has not come: it is demanded through the chain, which costs each player about 1,050,000 gas",
            r#""demanding_sight","ply":4,"when":"before""#,
        ),
        note(
            Notice::SightDemanded { ply: 4, phase: pre, own: true, deadline },
            "the opponent must now give the sight before ply 4 through the chain, or loses",
            r#""sight_demanded","ply":4,"when":"before","own":true,"deadline":1800000000"#,
        ),
        note(
            Notice::SightDemanded { ply: 4, phase: post, own: false, deadline },
            "the opponent demands its sight after ply 4 through the chain: the answer is made and sent; it costs each player about 1,050,000 gas",
            r#""sight_demanded","ply":4,"when":"after","own":false,"deadline":1800000000"#,
        ),
        note(
            Notice::SightAnswered { ply: 4, phase: pre, own: true },
            "the sight before ply 4 has come through the chain",
            r#""sight_answered","ply":4,"when":"before","own":true"#,
        ),
        note(
            Notice::SightAnswered { ply: 4, phase: post, own: false },
            "the sight after ply 4 was given through the chain",
            r#""sight_answered","ply":4,"when":"after","own":false"#,
        ),
        note(
            Notice::FiftyClaimed { own: true, disputed: false, deadline },
            "you claim a draw by fifty moves: unless the opponent shows that it has made fewer, the game is drawn",
            r#""fifty_claimed","own":true,"disputed":false,"deadline":1800000000"#,
        ),
        note(
            Notice::FiftyClaimed { own: false, disputed: true, deadline },
            "the opponent claims a draw by fifty moves: you have made fewer, which is being shown",
            r#""fifty_claimed","own":false,"disputed":true,"deadline":1800000000"#,
        ),
        note(
            Notice::FiftyClaimed { own: false, disputed: false, deadline },
            "the opponent claims a draw by fifty moves, rightly: the game will be drawn",
            r#""fifty_claimed","own":false,"disputed":false,"deadline":1800000000"#,
        ),
    ]
}

/// White's board before its second move, with and without its sight.
fn of_views() -> Vec<Case> {
    let position = Position::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9").expect("a position");
    let side = position.side(Color::White).clone();
    let view = View {
        ply: 16,
        phase: Phase::Pre,
        side,
        sight: Some(position.sight(Color::White)),
        legal: vec![mv("e5d6"), mv("e1e2")],
    };
    let own = format!(
        r#""side":{{"color":"white","pieces":"....k...{}....p...{}","rights":{{"king_side":false,"queen_side":false}},"double_push":null,"since_pawn":0}}"#,
        ".".repeat(24),
        ".".repeat(24)
    );
    let seen = format!("{}{}{}", "***.*.*****...**".to_owned() + &"*".repeat(16), "***p*******...**", "*".repeat(16));
    let sight = format!(r#""sight":{{"squares":"{seen}","en_passant":"d6"}}"#);
    let unproven = View { sight: None, legal: Vec::new(), phase: Phase::Post, ..view.clone() };
    vec![
        case(
            Notice::View(Box::new(view)),
            r#"{"event":"view","ply":16,"when":"before","board":"********/********/***...**/***pP***/********/********/***...**/***.K.**","legal":2}"#,
            &format!(r#""moves":["e5d6","e1e2"],{own},{sight}"#),
        ),
        case(
            Notice::View(Box::new(unproven)),
            r#"{"event":"view","ply":16,"when":"after","board":null,"legal":0}"#,
            &format!(r#""moves":[],{own},"sight":null"#),
        ),
    ]
}

/// A number for each kind of notice, without gaps: a new one must be given one, and a case above.
fn number(notice: &Notice) -> usize {
    match notice {
        Notice::Waiting => 0,
        Notice::Listening(_) => 1,
        Notice::Connected => 2,
        Notice::Disconnected => 3,
        Notice::LinkTrouble(_) => 4,
        Notice::ChainTrouble(_) => 5,
        Notice::Clocks { .. } => 6,
        Notice::Mined { .. } => 7,
        Notice::Playing { .. } => 8,
        Notice::View(_) => 9,
        Notice::CheckingSight { .. } => 10,
        Notice::OpponentSeen { .. } => 11,
        Notice::OpponentMoved { .. } => 12,
        Notice::NoSightPosted { .. } => 13,
        Notice::AwaitingRequest { .. } => 14,
        Notice::MovingWithoutAnswer { .. } => 15,
        Notice::Proving { .. } => 16,
        Notice::Sent { .. } => 17,
        Notice::Moved { .. } => 18,
        Notice::Reorganised { .. } => 19,
        Notice::Fault(_) => 20,
        Notice::Refused(_) => 21,
        Notice::Failed(_) => 22,
        Notice::OutOfTime => 43,
        Notice::OpponentOutOfTime => 23,
        Notice::NotThisWallet { .. } => 24,
        Notice::ChainRefused(_) => 25,
        Notice::JournalNote(_) => 26,
        Notice::Over(_) => 27,
        Notice::TurnProved { .. } => 28,
        Notice::AnswerProved { .. } => 29,
        Notice::AnswerVerified { .. } => 30,
        Notice::MessageSent { .. } => 31,
        Notice::Stepped { .. } => 42,
        Notice::MessageReceived { .. } => 32,
        Notice::FalseMove { .. } => 33,
        Notice::DemandingSight { .. } => 34,
        Notice::SightDemanded { .. } => 35,
        Notice::SightAnswered { .. } => 36,
        Notice::FiftyClaimed { .. } => 37,
        Notice::AwaitingFinality { .. } => 38,
        Notice::Fetched { .. } => 39,
        Notice::AnotherPosition { .. } => 40,
        Notice::SignedInAnotherPosition { .. } => 41,
        Notice::ConfirmMove { .. } => 44,
        Notice::History { .. } => 45,
        Notice::Awaiting(_) => 46,
        Notice::Game(_) => 47,
    }
}

fn cases() -> Vec<Case> {
    [of_moves(), of_work(), of_the_link(), of_notes(), of_disputes(), of_views()].concat()
}

#[test]
fn every_notice_has_its_line_and_reads_back() {
    let mut missing: Vec<usize> = (0..=47).collect();
    for (notice, line, added) in cases() {
        let expected = match added.is_empty() {
            true => line,
            false => format!("{},{added}}}", line.strip_suffix('}').expect("an object")),
        };
        assert_eq!(notice.to_line().expect("JSON"), expected);
        assert_eq!(Notice::from_line(&expected).as_ref(), Some(&notice));
        missing.retain(|known| *known != number(&notice));
    }
    assert!(missing.is_empty(), "kinds of notices without a case: {missing:?}");
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
        CommandError::NotFifty { plies: 99, own: 49 },
        CommandError::ClaimBarred(120),
        CommandError::HasMove,
        CommandError::Internal("a \"defect\"".into()),
    ];
    let endings = Outcome::NAMES.map(|(outcome, _)| Ending { winner: None, color: None, outcome });
    let faults = faults.into_iter().map(Notice::Fault);
    let refusals = refusals.into_iter().map(Notice::Refused);
    faults.chain(refusals).chain(endings.map(Notice::Over)).collect()
}

#[test]
fn every_fault_and_refusal_reads_back() {
    for notice in of_reasons() {
        let line = notice.to_line().expect("JSON");
        assert_eq!(Notice::from_line(&line), Some(notice), "{line}");
    }
}

/// What `fogmate play --json` prints, whatever happens.
#[test]
fn lines_are_golden() {
    let notices = cases().into_iter().map(|(notice, ..)| notice).chain(of_reasons());
    golden("notices.jsonl", &notices.map(|notice| notice.to_line().expect("JSON") + "\n").collect::<String>());
}

#[test]
fn other_lines_are_no_notices() {
    for line in [
        "",
        "[]",
        "{}",
        r#"{"event":"nonsense"}"#,
        r#"{"event":"proving"}"#,
        r#"{"event":"note","text":"hello"}"#,
        r#"{"event":"playing","color":"green","ply":0}"#,
        r#"{"event":7}"#,
    ] {
        assert_eq!(Notice::from_line(line), None, "{line}");
    }
}
