//! A game whose moves have no proofs (mode `unproven`): what its table takes and refuses, how far an audit sees, and that the replay sees
//! the rest once both view keys are published.

use alloy_primitives::{Address, B256};
use ff::Field;
use fog::curve::{FogKey, Point};
use fog::engine::{About, Claims, Seed, Trust};
use game::audit::{Audit, Record, Unknown, audit};
use game::replay::{ReplayError, replay};
use game::report::{Said, unknown};
use game::secrets::GameSecrets;
use game::toss::{creator_is_white, toss_commitment};
use game::{ChainEvent, Demanded, GameRef, Mode, MoveFields, Opening, Outcome, OwnState, Phase, Table, Terms};
use game::{RegistrationError, TableError};
use halo2curves::bn256::Fr;
use rules::{Color, Square};

const CONTRACT: Address = Address::repeat_byte(0xf0);
const CREATOR: Address = Address::repeat_byte(0xc1);
const JOINER: Address = Address::repeat_byte(0xc2);
const PLAYERS: [Address; 2] = [CREATOR, JOINER];
const SHARE: B256 = B256::repeat_byte(0x22);

fn about(name: &'static str) -> About {
    About { name, trust: Trust::SemiHonest, caveat: "", claims: Claims::NONE, max_message: 0 }
}

fn registered(player: u8, engine: &'static str) -> [u8; 64] {
    Seed::derive(&[player; 32], &[9; 32]).commitment(&about(engine))
}

fn opening() -> Opening {
    let terms = Terms {
        mode: Mode::Unproven,
        stake: 0,
        base: 600,
        increment: 5,
        delay: 60,
        window: 3_600,
        reveal: 120,
        expiry: 1_000,
        opponent: None,
    };
    let toss = toss_commitment(&CREATOR.into(), &SHARE).into();
    Opening { creator: CREATOR, nonce: B256::ZERO, terms, toss, registration: registered(1, "dh-psi") }
}

fn game_of(opening: &Opening) -> GameRef {
    GameRef { chain_id: 31337, contract: CONTRACT, game_id: opening.game_id(31337, CONTRACT) }
}

/// A game as its events come, with the states behind the commitments.
struct Played {
    table: Table,
    events: Vec<ChainEvent>,
    secrets: [GameSecrets; 2],
    own: [OwnState; 2],
}

impl Played {
    /// The creator is White.
    fn begin() -> Self {
        let (opening, game) = (opening(), game_of(&opening()));
        let mut shares = (0..=u8::MAX).map(B256::with_last_byte);
        let share = shares.find(|share| creator_is_white(&SHARE, share, &game.game_id)).expect("one share in two");
        let toss = toss_commitment(&JOINER.into(), &share).into();
        let secrets = [1, 2].map(|byte| GameSecrets::derive(&[byte; 32], &game.game_id));
        let (table, own) = (Table::new(game), Color::ALL.map(OwnState::start));
        let mut played = Self { table, events: Vec::new(), secrets, own };
        for event in [
            ChainEvent::Created(opening),
            ChainEvent::Joined { joiner: JOINER, toss, registration: registered(2, "dh-psi") },
            ChainEvent::TossRevealed { share: SHARE },
            ChainEvent::Started { white: CREATOR, share },
        ] {
            played.take(event);
        }
        played
    }

    fn take(&mut self, event: ChainEvent) {
        self.table.apply(&event).unwrap_or_else(|error| panic!("{}: {error}", event.name()));
        self.events.push(event);
    }

    /// A move in UCI, its event changed before it is taken.
    fn play(&mut self, mv: &str, capture: Option<&str>, change: impl FnOnce(&mut MoveFields)) {
        let play = self.table.playing().expect("the game goes on").clone();
        let mover = play.turn().index();
        let next = self.own[mover].after(self.secrets[mover].view_key(), play.pending, &mv.parse().expect("UCI"));
        let ply = play.ply;
        let mut fields = MoveFields {
            ply,
            next_commitment: next.commitment,
            next_request_root: Fr::from(200 + u64::from(ply)),
            answer_root: if ply == 0 { Fr::ZERO } else { Fr::from(300 + u64::from(ply)) },
            capture: capture.map(|square| square.parse::<Square>().expect("a square")),
            king_fell: false,
            offer_draw: false,
        };
        change(&mut fields);
        let basis = Some(play.basis(self.table.game(), &fields));
        self.own[mover] = next;
        let (player, proof) = (PLAYERS[mover], Some(Vec::new()));
        self.take(ChainEvent::Moved { player, fields, basis, proof });
    }

    /// White resigns, and both publish their view keys.
    fn end(&mut self) {
        self.take(ChainEvent::Ended { winner: Some(JOINER), outcome: Outcome::Resigned });
        for (player, secrets) in PLAYERS.into_iter().zip(self.secrets.clone()) {
            self.take(ChainEvent::ViewKeyPublished { player, key: secrets.view_key().to_bytes() });
        }
    }

    fn records(&self) -> Vec<Record> {
        self.events.iter().map(|event| Record::of_chain(event.clone(), None)).collect()
    }

    fn audit(&self) -> Audit {
        let nothing = |_: &_, _: &[u8]| -> Result<(), &str> { panic!("there is no proof to be verified") };
        audit(*self.table.game(), &self.records(), nothing)
    }
}

fn short() -> Played {
    let mut played = Played::begin();
    for (mv, capture) in [("e2e4", None), ("d7d5", None), ("e4d5", Some("d5")), ("d8d5", Some("d5"))] {
        played.play(mv, capture, |_| ());
    }
    played
}

#[test]
fn a_game_without_proofs_is_audited_as_far_as_it_can_be_and_replayed_whole() {
    let mut played = short();
    played.end();
    let found = played.audit();
    assert!(found.ok, "{:?}", found.findings);
    assert_eq!((found.mode, found.plies, found.by_nobody), (Some(Mode::Unproven), 4, 4));
    assert_eq!((found.by_chain, found.proofs), (0, 0));
    let replayed = replay(*played.table.game(), &played.records()).expect("both keys are published");
    assert!(replayed.ok(), "{:?}", replayed.findings);
    assert_eq!(replayed.uci(), ["e2e4", "d7d5", "e4d5", "d8d5"]);
}

/// No contract has looked at the moves: what can be seen of a false one is found, and what can't is by the replay.
#[test]
fn what_a_cheat_declares_is_taken_and_found() {
    let mut played = short();
    let place = |number| Square::new(number);
    played.play("b1c3", None, |fields| (fields.capture, fields.king_fell) = (place(35), false));
    played.end();
    assert!(played.audit().ok, "a capture that was none can't be seen without the view keys");
    let replayed = replay(*played.table.game(), &played.records()).expect("both keys are published");
    assert_eq!(replayed.findings.len(), 1);
    assert!(
        replayed.findings[0].to_string().contains("White's move 3: Nc3 captures on another square"),
        "{:?}",
        replayed.findings
    );

    let mut played = Played::begin();
    played.play("e2e4", None, |fields| fields.capture = place(12));
    played.play("e7e5", None, |_| ());
    played.play("g1f3", None, |fields| fields.answer_root = Fr::ZERO);
    played.play("b8c6", None, |fields| fields.king_fell = true);
    let found = played.audit().findings.iter().map(ToString::to_string).collect::<Vec<_>>();
    let expected = [
        "White's move 1: it captures on a player's first move",
        "Black's move 2: a king fell without a capture",
        "Black's move 2: the sight that it was made by was never promised on chain",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_missing_digest_may_be_filled_and_a_proof_or_a_wrong_basis_is_found() {
    let mut played = Played::begin();
    for mv in ["e2e4", "e7e5"] {
        played.play(mv, None, |fields| fields.answer_root = Fr::ZERO);
    }
    played.take(ChainEvent::AnswerFilled { ply: 2, answer_root: Fr::ONE });
    played.play("g1f3", None, |_| ());
    assert!(played.audit().ok);
    let last = played.events.len() - 1;
    let audited = |rests_on: Option<Option<B256>>, said: Option<Vec<u8>>| {
        let mut records = played.records();
        let ChainEvent::Moved { basis, proof, .. } = &mut records[last].event else { panic!("a move") };
        (*basis, *proof) = (rests_on.unwrap_or(*basis), said);
        for record in &mut records {
            if let ChainEvent::Moved { player, .. } = record.event {
                record.sender = Some(player);
            }
        }
        audit(*played.table.game(), &records, |_, _| Err("no proof"))
    };
    let changed = |rests_on, said| {
        let found = audited(rests_on, said);
        assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
        found.findings[0].to_string()
    };
    assert!(changed(None, Some(vec![1])).contains("came with a proof"));
    let unread = audited(Some(None), None);
    let before = audited(None, None).unread;
    assert_eq!((unread.ok, unread.unread), (true, before + 1));
    assert_eq!(unread.unknown_after(true), Some(Unknown::Acts(before + 1)));
    assert!(changed(Some(Some(B256::ZERO)), None).contains("made in another position"));
}

#[test]
fn nothing_comes_of_proofs_that_are_not_there() {
    let played = short();
    let demanded = Demanded {
        phase: Phase::Pre,
        ply: 4,
        receiver: Color::White,
        pending_receiver: None,
        pending_sender: None,
        commitment: Fr::ONE,
        request_root: Fr::ONE,
        posted_root: Fr::ZERO,
        ctx: Fr::ONE,
    };
    let ended = |winner, outcome| ChainEvent::Ended { winner, outcome };
    for event in [
        ChainEvent::SightDemanded { demanded, deadline: 500, bond: 0, points: Vec::new() },
        ChainEvent::SightAnswered { ctx: Fr::ONE, answer_root: Fr::ONE, paid: 0, elements: Vec::new() },
        ChainEvent::FiftyClaimed { ply: 4, deadline: 500, bond: 0 },
        ChainEvent::FiftyFailed { ply: 4, claims_from: 20, paid: 0 },
        ended(None, Outcome::NoMove),
        ended(None, Outcome::FiftyMoves),
        ended(Some(CREATOR), Outcome::Unanswered),
    ] {
        let refused = played.table.clone().apply(&event);
        assert!(matches!(refused, Err(TableError::Unproven(_))), "{}", event.name());
    }
    let play = played.table.playing().expect("the game goes on");
    assert_eq!(play.fog_key(Color::White), None);
    let ChainEvent::Moved { fields, .. } = &played.events[7] else { panic!("a move") };
    assert_eq!(play.turn_public(played.table.game(), fields), None);
}

#[test]
fn both_play_with_the_same_engine_by_seeds_of_their_own() {
    let fog_key = FogKey(Point::generator()).to_bytes();
    let create = |mode, registration| {
        let mut opening = opening();
        (opening.terms.mode, opening.registration) = (mode, registration);
        let mut table = Table::new(game_of(&opening));
        table.apply(&ChainEvent::Created(opening)).map(|()| table)
    };
    let refusal = |result: Result<Table, TableError>| match result {
        Err(TableError::Registration(error)) => error,
        other => panic!("{other:?}"),
    };
    let own = registered(1, "dh-psi");
    assert_eq!(refusal(create(Mode::Verified, own)), RegistrationError::NoFogKey);
    let mut unnamed = own;
    unnamed[32..].fill(0);
    assert_eq!(refusal(create(Mode::Unproven, unnamed)), RegistrationError::NoEngine);

    let table = create(Mode::Unproven, own).expect("an engine");
    let join = |registration| {
        let mut table = table.clone();
        table.apply(&ChainEvent::Joined { joiner: JOINER, toss: B256::ZERO, registration }).map(|()| table)
    };
    assert_eq!(refusal(join(own)), RegistrationError::Same);
    assert_eq!(refusal(join(registered(2, "andos"))), RegistrationError::OtherEngine);
    assert_eq!(refusal(join(fog_key)), RegistrationError::OtherEngine);
    assert!(join(registered(2, "dh-psi")).is_ok());
}

#[test]
fn a_win_that_nobody_has_proven_is_not_known_without_both_keys() {
    let mut played = short();
    played.play("b1c3", None, |fields| (fields.capture, fields.king_fell) = (Square::new(60), true));
    played.take(ChainEvent::Ended { winner: Some(CREATOR), outcome: Outcome::KingCaptured });
    let by = |event: &ChainEvent| match event {
        ChainEvent::Moved { player, .. } => *player,
        ChainEvent::Created(_) | ChainEvent::TossRevealed { .. } | ChainEvent::Ended { .. } => CREATOR,
        _ => JOINER,
    };
    let records = played.events.iter();
    let records =
        records.map(|event| Record { sender: Some(by(event)), ..Record::of_chain(event.clone(), Some(1_000)) });
    let records: Vec<Record> = records.collect();
    let audit = audit(*played.table.game(), &records, |_, _| Err("no proof"));
    let kept = ReplayError::NoViewKey(Color::White);
    let said = Said::of(&audit, Err(&kept));
    assert_eq!((audit.ok, said.verdict), (true, "In order, as far as can be known"));
    assert!(said.summary.contains("which neither the chain nor this audit verifies"), "{}", said.summary);
    assert_eq!(unknown(&audit, Err(&kept)), Some(Unknown::Unproven(audit.plies)));
}
