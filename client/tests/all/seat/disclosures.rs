//! After a game with an engine that proves nothing: what players lay open is run again, honest ones are found to be honest, and a lie is
//! found with its ply, phase, message and byte.

use super::liar::{Liar, Lie};
use client::disclosure::{Account, Course, Disclosure, DisclosureError, Finding, Missing, check};
use client::journal::Entry;
use client::seat::{Effect, Seat};
use engines::{EngineKind, bfv::decryption::DECRYPTION_BYTES, testing::NativeSetProofs};
use fog::{engine::Engine, testing::NativeProofs};
use fogmate_test::seed;
use game::audit::Record;
use game::replay::{ReplayError, replay};
use game::{ChainEvent, GameRef, Phase, SessionId, Transaction};
use halo2curves::bn256::Fr;
use rules::Color;
use simulate::world::{self, Engines, Mischief, World, finish, shipped, short};
use std::sync::Arc;

const ENGINES: [&str; 6] = ["dh-psi", "dh-psi-plain", "emanant", "andos", "bfv", STEPPED];
/// The one whose players prove their steps, natively here.
const STEPPED: &str = "bfv-steps";

type Kind = EngineKind<Arc<NativeProofs>, NativeSetProofs, NativeSetProofs>;

/// A game that was played, and what both players can lay open.
struct Played {
    engine: &'static str,
    course: Course,
    /// What its chain says.
    records: Vec<Record>,
    disclosures: [Disclosure; 2],
    /// Whom they have accused while they played.
    accusations: usize,
}

/// Plays the short game; the player of `liar`'s colour with an engine that lies.
fn play(number: u64, engine: &'static str, liar: Option<(Color, Lie)>) -> Played {
    play_with(number, engine, liar, |_| {})
}

/// Plays the short game, with something done to the players once their colours are drawn.
fn play_with(
    number: u64,
    engine: &'static str,
    liar: Option<(Color, Lie)>,
    prepare: impl FnOnce(&mut World),
) -> Played {
    let game = world::Course::new(seed(number), short()).unproven(Engines::Shipped(engine));
    let mut world = game.join();
    for player in &mut world.players {
        let honest: Arc<dyn Engine> = match engine {
            STEPPED => Kind::BfvSteps(NativeSetProofs).engine(),
            _ => Engines::Shipped(engine).with(&world.oracle),
        };
        // Colours aren't drawn yet; the liar lies in one of them only.
        let played = match liar {
            Some((color, lie)) => Arc::new(Liar { inner: honest, color, lie }),
            None => honest,
        };
        player.seat = Seat::new(player.me, player.secrets.clone(), played, world.chain.game, world.config);
    }
    while world.players.iter().any(|player| player.seat.color().is_none()) {
        world.step();
    }
    prepare(&mut world);
    world.autoplay = true;
    finish(&mut world);
    let records = world.records();
    let course = Course::of(world.chain.game, &records).expect("a game");
    assert!(course.is_over());
    // Not before the king falls, after which a disclosure gives nothing away.
    let last = records.iter().rposition(|record| matches!(record.event, ChainEvent::Moved { .. })).expect("a move");
    assert!(!Course::of(world.chain.game, &records[..last]).expect("a game").is_over());
    assert!(matches!(Course::of(world.chain.game, &records[..2]), Err(DisclosureError::Chain(_))));
    let disclosures = Color::ALL.map(|color| disclosure(&world, color, engine));
    let accusations = (0..2).map(|i| world.accusations(i).len()).sum();
    Played { engine, course, records, disclosures, accusations }
}

fn disclosure(world: &World, color: Color, engine: &str) -> Disclosure {
    let player = &world.players[world.seat_of(color)];
    let journal: Vec<Entry> = player.journal.values().cloned().collect();
    let about = shipped(engine).about().clone();
    let made = Disclosure::of(world.chain.game, player.me, &player.secrets, &about, &journal);
    // As from a file.
    Disclosure::from_json(made.to_json().as_bytes()).expect("what was written")
}

impl Played {
    /// A player's disclosure with something else in it.
    fn changed(&self, color: Color, change: impl FnOnce(&mut Disclosure)) -> Disclosure {
        let mut other = self.disclosures[color.index()].clone();
        change(&mut other);
        other
    }

    fn check(&self, disclosures: &[Disclosure]) -> Result<Account, DisclosureError> {
        check(&self.course, &*shipped(self.engine), disclosures)
    }

    /// What is found if both lay their parts open, White alone, and Black alone.
    fn findings(&self) -> [Vec<Finding>; 3] {
        let [white, black] = &self.disclosures;
        let found = |disclosures: &[Disclosure]| self.check(disclosures).expect("of this game").findings;
        [found(&self.disclosures), found(std::slice::from_ref(white)), found(std::slice::from_ref(black))]
    }
}

fn sight(ply: u16, phase: Phase) -> SessionId {
    SessionId::Exchange { ply, phase }
}

#[test]
fn honest_players_of_every_engine_have_said_what_they_should() {
    for engine in ENGINES {
        let played = play(421, engine, None);
        let set_up = usize::from(["andos", "bfv", STEPPED].contains(&engine));
        for disclosures in [&played.disclosures[..], &played.disclosures[..1], &played.disclosures[1..]] {
            let account = played.check(disclosures).expect("of this game");
            assert_eq!((&account.findings[..], &account.missing[..]), (&[][..], &[][..]), "{engine}");
            assert_eq!((account.players.len(), account.transcripts), (disclosures.len(), 5), "{engine}");
            assert!(
                account.sessions >= 3 + set_up && account.sessions + account.unfinished == 7 + set_up,
                "{account:?}"
            );
        }
        println!("{engine}: {:?}", played.check(&played.disclosures).expect("of this game"));
    }
}

/// The last question before White's second move, whose answer is of no use: nobody notices during the game.
#[test]
fn one_byte_of_one_question_is_named() {
    let (message, byte) = (141, 5);
    let lie = Lie::Asks { ply: 2, phase: Phase::Pre, message, byte };
    let [both, white, black] = play(422, "andos", Some((Color::White, lie))).findings();
    let session = sight(2, Phase::Pre);
    let said = Finding::Message { by: Color::White, session, message, byte };
    let transcript = Finding::Transcript { of: Color::White, ply: 2, file: Color::White };
    assert_eq!(both, [transcript.clone(), said.clone()]);
    assert_eq!(white, [transcript]);
    // What Black was told is what White swore to.
    assert_eq!(black, []);
    assert_eq!(
        said.to_string(),
        "sight before ply 2: byte 5 of white's message 141, as black discloses it, isn't what follows from white's disclosure"
    );
}

#[test]
fn a_man_that_was_hidden_in_a_promised_sight_is_found() {
    // Where what is shown is proven, nobody can give such a sight.
    for engine in ENGINES.into_iter().filter(|engine| *engine != STEPPED) {
        let lie = Lie::Hides { ply: 2, phase: Phase::Pre };
        let [both, white, black] = play(423, engine, Some((Color::Black, lie))).findings();
        let promise = Finding::Promise { of: Color::Black, ply: 1 };
        assert!(both.contains(&promise) && black.contains(&promise), "{engine}: {both:?} {black:?}");
        let is_said = |finding: &Finding| matches!(finding, Finding::Message { by: Color::Black, session, message: 0, .. } if *session == sight(2, Phase::Pre));
        assert!(both.iter().any(is_said), "{engine}: {both:?}");
        // White's answers to a lie are no fault of White's.
        let accuses_white = |finding: &Finding| matches!(finding, Finding::Refused { .. });
        assert!(!both.iter().chain(&black).any(accuses_white), "{engine}: {both:?} {black:?}");
        assert_eq!(white, [], "{engine}: White said what it should");
    }
}

#[test]
fn a_man_that_was_hidden_after_a_move_is_found() {
    let lie = Lie::Hides { ply: 0, phase: Phase::Post };
    let [both, white, black] = play(424, "emanant", Some((Color::Black, lie))).findings();
    let is_said = |finding: &Finding| matches!(finding, Finding::Message { by: Color::Black, session, message: 0, .. } if *session == sight(0, Phase::Post));
    assert!(matches!(&both[..], [said] if is_said(said)), "{both:?}");
    assert_eq!(white, []);
    assert_eq!(black, [Finding::Transcript { of: Color::White, ply: 2, file: Color::Black }]);
}

/// Who lays open other messages than it had heard is contradicted by the other disclosure, and by its own transcript where it made one.
#[test]
fn a_disclosure_that_was_changed_is_found() {
    let mut played = play(425, "andos", None);
    let change = |played: &mut Played, color: Color, session, message: u16, byte: usize| {
        let flip = |other: &mut Disclosure| {
            let heard = other.heard.get_mut(&session).expect("a session");
            heard.get_mut(&message).expect("a message")[byte] ^= 1;
        };
        played.disclosures[color.index()] = played.changed(color, flip);
    };
    // White's sight: White's own transcript is of what Black said.
    let session = sight(2, Phase::Pre);
    change(&mut played, Color::White, session, 140, 0);
    let [both, white, black] = played.findings();
    let other = Finding::Message { by: Color::Black, session, message: 140, byte: 0 };
    let transcript = Finding::Transcript { of: Color::White, ply: 2, file: Color::White };
    assert!(both.contains(&other) && both.contains(&transcript), "{both:?}");
    assert!(white.contains(&transcript), "{white:?}");
    assert_eq!(black, []);
    change(&mut played, Color::White, session, 140, 0);
    // What White said there, as Black has it: White's transcript is of the right one.
    change(&mut played, Color::Black, session, 141, 5);
    let [both, white, black] = played.findings();
    assert_eq!(both, [Finding::Message { by: Color::White, session, message: 141, byte: 5 }]);
    assert_eq!(white, []);
    assert!(black.contains(&Finding::Transcript { of: Color::White, ply: 2, file: Color::Black }), "{black:?}");
    change(&mut played, Color::Black, session, 141, 5);
    // The set-up: Black's key, as White has it.
    let session = SessionId::SetUp;
    change(&mut played, Color::White, session, 1, 255);
    let [both, ..] = played.findings();
    assert!(both.contains(&Finding::Message { by: Color::Black, session, message: 1, byte: 255 }), "{both:?}");
}

/// Who looks by a node that lacks the last moves, or hides them, accuses nobody of what came after the ones that it has.
#[test]
fn what_a_node_does_not_show_speaks_against_nobody() {
    let played = play(417, "emanant", None);
    let moves = |(at, record): (usize, &Record)| matches!(record.event, ChainEvent::Moved { .. }).then_some(at);
    let moves: Vec<usize> = played.records.iter().enumerate().filter_map(moves).collect();
    for shown in &moves[moves.len() - 3..] {
        let course = Course::of(played.course.game, &played.records[..*shown]).expect("a game");
        assert!(!course.is_over());
        for disclosures in [&played.disclosures[..], &played.disclosures[..1], &played.disclosures[1..]] {
            let account = check(&course, &*shipped("emanant"), disclosures).expect("of this game");
            assert_eq!(account.findings, []);
        }
    }
}

#[test]
fn every_field_of_a_disclosure_counts() {
    let played = play(426, "emanant", None);
    let [white, black] = played.disclosures.clone();
    let refused = |disclosures: &[Disclosure], words: &str| {
        let error = played.check(disclosures).expect_err(words).to_string();
        assert!(error.contains(words) && !error.contains('\n'), "{error}");
    };
    for game in [
        GameRef { chain_id: 1, ..white.game },
        GameRef { contract: white.player, ..white.game },
        GameRef { game_id: [1; 32].into(), ..white.game },
    ] {
        refused(&[Disclosure { game, ..white.clone() }], "it is of another game");
    }
    refused(&[Disclosure { player: [1; 20].into(), ..white.clone() }], "is no player of this game");
    refused(&[white.clone(), white.clone()], "both disclosures are of 0x");
    refused(
        &[Disclosure { engine: "bfv".to_owned(), ..white.clone() }],
        "with the engine bfv, and this game was played with emanant",
    );
    let with = |session, message| {
        let add = |more: &mut Disclosure| {
            more.heard.entry(session).or_default().insert(message, vec![1]);
        };
        [played.changed(Color::White, add)]
    };
    for (session, message, words) in [
        (SessionId::SetUp, 0, "message 0 of the set-up"),
        (sight(0, Phase::Pre), 0, "message 0 of the sight before ply 0"),
        (sight(4, Phase::Post), 0, "message 0 of the sight after ply 4"),
        (sight(2, Phase::Pre), 1, "message 1 of the sight before ply 2"),
        (sight(2, Phase::Pre), 4_000, "message 4000 of the sight before ply 2"),
    ] {
        // It doesn't keep the other's from being looked at.
        let strays = with(session, message);
        for disclosures in [&strays[..], &[strays[0].clone(), black.clone()]] {
            let account = played.check(disclosures).expect("of this game");
            let stray = Finding::NoSuchMessage { of: Color::White, session, message };
            assert_eq!(
                (&account.findings[..], account.players.len()),
                (std::slice::from_ref(&stray), disclosures.len())
            );
            assert!(stray.to_string().starts_with(&format!("white's disclosure has a {words}")), "{stray}");
        }
    }

    let found = |disclosure: Disclosure| played.check(&[disclosure]).expect("of this game").findings;
    let of = Color::White;
    assert_eq!(found(played.changed(of, |other| other.branch[31] ^= 1)), [Finding::Branch { of }]);
    // Another player's part under one's own name.
    let theft = |other: &mut Disclosure| *other = Disclosure { player: other.player, ..black.clone() };
    assert_eq!(found(played.changed(of, theft)), [Finding::Branch { of }]);
    assert_eq!(found(played.changed(of, |other| other.view_key[0] ^= 1)), [Finding::State { of, ply: 0 }]);
    let session = sight(2, Phase::Pre);
    for message in [0, 2, 18] {
        let remove = |less: &mut Disclosure| {
            less.heard.get_mut(&session).expect("a sight").remove(&message);
        };
        // What is missing is no lie.
        let account = played.check(&[played.changed(of, remove)]).expect("of this game");
        let missing = Missing { of, session, message: message.into() };
        assert_eq!((&account.findings[..], &account.missing[..]), (&[][..], &[missing][..]));
        assert!(missing.to_string().starts_with("white's disclosure has no message"), "{missing}");
        assert!(account.ok() && !account.is_complete());
        let flip = |other: &mut Disclosure| {
            other.heard.get_mut(&session).expect("a sight").get_mut(&message).expect("a message")[3] ^= 1;
        };
        let found = played.check(&[played.changed(of, flip)]).expect("of this game").findings;
        let is_named = |finding: &Finding| {
            matches!(finding, Finding::Refused { by: Color::White, session: of, message: number, .. }
                if (*of, *number) == (session, usize::from(message)))
        };
        assert!(
            matches!(&found[..], [_, Finding::Transcript { of: Color::White, ply: 2, file: Color::White }]),
            "{found:?}"
        );
        assert!(found.iter().any(is_named), "{found:?}");
    }
}

/// What a disclosure says of a view key is worth nothing beside what its player has published.
#[test]
fn a_published_view_key_is_the_one_that_counts() {
    let played = play(427, "emanant", None);
    let of = Color::White;
    let [white, black] = &played.disclosures;
    let published = |disclosure: &Disclosure, key| {
        let (player, mut records) = (disclosure.player, played.records.clone());
        records.retain(|record| !matches!(record.event, ChainEvent::ViewKeyPublished { .. }));
        records.push(Record::of_chain(ChainEvent::ViewKeyPublished { player, key }, None));
        records
    };
    let course = |records: &[Record]| Course::of(played.course.game, records).expect("a game");
    let found = |course: &Course, disclosure: &Disclosure| {
        let opened = std::slice::from_ref(disclosure);
        check(course, &*shipped("emanant"), opened).expect("of this game").findings
    };
    let other = played.changed(of, |other| other.view_key[0] ^= 1);
    // The right one on chain: the other one is told, and the game is looked at by the right one.
    let records = published(white, *white.view_key);
    assert_eq!(found(&course(&records), white), []);
    assert_eq!(found(&course(&records), &other), [Finding::ViewKey { of }]);
    let added = course(&records).opened(&[other.clone(), black.clone()]);
    let keys: Vec<_> = added.iter().map(|record| record.event.clone()).collect();
    assert_eq!(keys, [ChainEvent::ViewKeyPublished { player: black.player, key: *black.view_key }]);
    let whole = replay(played.course.game, &[records, added].concat()).expect("both keys");
    assert!(whole.ok() && whole.moves.len() == 5, "{:?}", whole.findings);
    // Another one on chain: the disclosed one doesn't take its place.
    let records = published(white, *other.view_key);
    assert_eq!(found(&course(&records), white), [Finding::ViewKey { of }, Finding::State { of, ply: 0 }]);
    assert_eq!(course(&records).opened(std::slice::from_ref(white)).len(), 0);
    assert_eq!(replay(played.course.game, &records).err(), Some(ReplayError::WrongViewKey(of)));
    // Of several the one that opens the moves counts.
    let both = [published(white, *white.view_key), vec![records.last().expect("a key").clone()]].concat();
    assert_eq!(found(&course(&both), white), []);
}

/// A player of a colour sends none of its messages from a number on in the sight after ply 0, which so comes to no end; and the word of its
/// move of ply 2 is `word`, if there is one.
fn cut(color: Color, from: u16, word: Option<Fr>) -> impl FnOnce(&mut World) {
    let is_cut = move |effect: &Effect| {
        let Effect::SendMessage(message) = effect else { return false };
        (from..from + 200).any(|index| message.id() == sight(0, Phase::Post).message(index, false))
    };
    let change = move |mut effect: Effect| {
        if let (Effect::SendTransaction(Transaction::Move { fields, .. }), Some(word)) = (&mut effect, word)
            && fields.ply == 2
        {
            fields.next_request_root = word;
        }
        if is_cut(&effect) { Vec::new() } else { vec![effect] }
    };
    move |world| {
        let player = world.seat_of(color);
        world.players[player].mischief = Some(Mischief::new(change));
    }
}

/// While the game lasts nobody compares what a sight that came to no end was; and one disclosure shows nothing of it.
#[test]
fn a_lie_in_a_sight_that_came_to_no_end_is_found() {
    let lie = Lie::Hides { ply: 0, phase: Phase::Post };
    let played = play_with(428, "emanant", Some((Color::Black, lie)), cut(Color::Black, 2, None));
    assert_eq!(played.accusations, 0);
    let [both, white, black] = played.findings();
    let is_said = |finding: &Finding| matches!(finding, Finding::Message { by: Color::Black, session, message: 0, .. } if *session == sight(0, Phase::Post));
    assert!(matches!(&both[..], [said] if is_said(said)), "{both:?}");
    assert_eq!((white, black), (Vec::new(), Vec::new()));
}

/// A transcript that tells of a sight which the opponent doesn't have to its end is compared by nobody before the end of the game.
#[test]
fn a_transcript_of_a_sight_that_came_to_no_end_is_found() {
    let word = Some(Fr::from(7));
    let played = play_with(429, "emanant", None, cut(Color::White, 3, word));
    assert_eq!(played.accusations, 0);
    // Its own part is cut off, so White may have more than it discloses.
    for disclosures in [&played.disclosures[..], &played.disclosures[..1]] {
        let account = played.check(disclosures).expect("of this game");
        let is_missing = |missing: &Missing| missing.of == Color::White && missing.session == sight(0, Phase::Post);
        assert!(account.ok() && matches!(&account.missing[..], [one] if is_missing(one)), "{account:?}");
    }
    let black = played.check(&played.disclosures[1..]).expect("of this game");
    assert!(black.ok() && black.is_complete(), "{black:?}");
}

/// Nobody hides what it said by leaving out of its disclosure what it was told.
#[test]
fn what_is_left_out_of_a_disclosure_hides_nothing() {
    let (session, byte) = (sight(0, Phase::Post), 0);
    let lie = |message| Lie::Answers { ply: 0, phase: Phase::Post, message, byte };
    let left_out = |played: &mut Played, left_out: SessionId| {
        let leave_out = |other: &mut Disclosure| {
            other.heard.remove(&left_out).expect("questions");
        };
        played.disclosures[1] = played.changed(Color::Black, leave_out);
    };
    let said = |message| Finding::Message { by: Color::Black, session, message, byte };
    // Who hides nothing isn't accused for a disclosure that isn't whole.
    let mut played = play(430, "andos", None);
    let heard = &played.disclosures[0].heard[&session];
    let last = usize::from(*heard.last_key_value().expect("answers").0);
    left_out(&mut played, session);
    assert!(played.findings().iter().all(|found| found.is_empty()), "{:?}", played.findings());
    // The last answer, which is of no use.
    let mut played = play(430, "andos", Some((Color::Black, lie(last))));
    assert_eq!(played.findings()[0], [said(last)]);
    left_out(&mut played, session);
    let [both, _, black] = played.findings();
    assert_eq!(both, [said(last)]);
    assert_eq!(black, []);
    // Without the set-up none of Black's part can be run on its own disclosure.
    left_out(&mut played, SessionId::SetUp);
    let account = played.check(&played.disclosures).expect("of this game");
    assert_eq!(account.findings, [said(last)]);
    assert!(account.missing.contains(&Missing { of: Color::Black, session: SessionId::SetUp, message: 0 }));
    // The first one: White's transcript tells nothing of it, for the sight came to no end.
    let mut played = play_with(431, "andos", Some((Color::Black, lie(2))), cut(Color::White, 9, None));
    assert_eq!(played.findings()[0], [said(2)]);
    left_out(&mut played, session);
    assert_eq!(played.findings()[0], [said(2)]);
}

/// White looks along lines that it hasn't after its move, and leaves that sight out of its next transcript and of its disclosure.
#[test]
fn a_question_that_the_asker_leaves_out_of_its_disclosure_is_told() {
    let session = sight(0, Phase::Post);
    let lie = Lie::Looks { ply: 0, phase: Phase::Post };
    let mut played = play(435, "dh-psi-plain", Some((Color::White, lie)));
    assert!(played.disclosures[1].heard[&session].contains_key(&1), "Black has heard it");
    played.disclosures[0] = played.changed(Color::White, |other| {
        other.heard.remove(&session).expect("messages");
    });
    let found = played.check(&played.disclosures).expect("of this game").findings;
    let is_said = |finding: &Finding| matches!(finding, Finding::Message { by: Color::White, session: of, message: 1, .. } if *of == session);
    assert!(matches!(&found[..], [said] if is_said(said)), "{found:?}");
}

/// Proofs are in no transcript. White changes one in its own file: White's part refuses the message, so White can't have moved on it.
#[test]
fn a_message_that_its_hearer_must_have_refused_is_told() {
    let session = sight(2, Phase::Pre);
    for (engine, message) in [("dh-psi-plain", 2), ("emanant", 2), ("andos", 0), ("bfv", 2), (STEPPED, 2)] {
        let mut played = play(439, engine, None);
        played.disclosures[0] = played.changed(Color::White, |other| {
            let heard = other.heard.get_mut(&session).expect("a sight").get_mut(&message).expect("Black's");
            // The seal's last byte: nobody verifies again the proof that is behind it.
            let proof = if engine == STEPPED { DECRYPTION_BYTES } else { 0 };
            let place = heard.len() - proof - 1;
            heard[place] ^= 1;
        });
        let found = played.check(&played.disclosures[..1]).expect("of this game").findings;
        let is_refused = |finding: &Finding| {
            matches!(finding, Finding::Refused { by: Color::White, session: of, message: number, .. }
                if (*of, *number) == (session, message.into()))
        };
        let transcript = Finding::Transcript { of: Color::White, ply: 2, file: Color::White };
        assert!(
            matches!(&found[..], [refused, other] if is_refused(refused) && *other == transcript),
            "{engine}: {found:?}"
        );
    }
}
