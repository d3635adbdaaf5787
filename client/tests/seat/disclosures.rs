//! After a game with an engine that proves nothing: what players lay open is run again, honest ones are found to be honest, and a lie is
//! found with its ply, phase, message and byte.

use super::liar::{Liar, Lie};
use client::disclosure::{Account, Course, Disclosure, DisclosureError, Evidence, Finding, check};
use client::journal::Entry;
use client::seat::Seat;
use fogmate_test::seed;
use game::{ChainEvent, GameRef, Phase, SessionId};
use rules::Color;
use simulate::world::{self, Engines, World, finish, shipped, short};
use std::sync::Arc;

const ENGINES: [&str; 5] = ["dh-psi", "dh-psi-plain", "emanant", "andos", "bfv"];

/// A game that was played, and what both players can lay open.
struct Played {
    engine: &'static str,
    course: Course,
    /// White's and Black's.
    disclosures: [Disclosure; 2],
}

/// Plays the short game; the player of `liar`'s colour with an engine that lies.
fn play(number: u64, engine: &'static str, liar: Option<(Color, Lie)>) -> Played {
    let game = world::Course::new(seed(number), short()).unproven(Engines::Shipped(engine));
    let mut world = game.join();
    if let Some((color, lie)) = liar {
        // Colours aren't drawn yet; the liar lies in one of them only.
        for player in &mut world.players {
            let inner = Engines::Shipped(engine).with(&world.oracle);
            let lying = Arc::new(Liar { inner, color, lie });
            player.seat = Seat::new(player.me, player.secrets.clone(), lying, world.chain.game, world.config);
        }
    }
    world.autoplay = true;
    finish(&mut world);
    let records = world.records();
    let course = Course::of(world.chain.game, &records).expect("a game");
    assert!(course.is_over());
    // Not before the king falls, after which a disclosure gives nothing away.
    let last = records.iter().rposition(|record| matches!(record.event, ChainEvent::Moved { .. })).expect("a move");
    assert!(!Course::of(world.chain.game, &records[..last]).expect("a game").is_over());
    assert!(matches!(Course::of(world.chain.game, &records[..2]), Err(DisclosureError::Chain(_))));
    Played { engine, course, disclosures: Color::ALL.map(|color| disclosure(&world, color, engine)) }
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
        let set_up = usize::from(matches!(engine, "andos" | "bfv"));
        for disclosures in [&played.disclosures[..], &played.disclosures[..1], &played.disclosures[1..]] {
            let account = played.check(disclosures).expect("of this game");
            assert_eq!(account.findings, [], "{engine}");
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
    let said = Finding::Said { by: Color::White, session, message, byte, evidence: Evidence::OwnWord(2) };
    assert!(both.contains(&said), "{both:?}");
    assert!(both.iter().all(|finding| matches!(
        finding,
        Finding::Said { by: Color::White, .. } | Finding::Word { of: Color::White, .. }
    )));
    assert!(white.contains(&Finding::Word { of: Color::White, ply: 2 }), "{white:?}");
    // What Black was told is what White swore to.
    assert_eq!(black, []);
    assert!(said.to_string().starts_with("sight before ply 2: byte 5 of white's message 141 isn't"), "{said}");
}

#[test]
fn a_man_that_was_hidden_in_a_promised_sight_is_found() {
    for engine in ENGINES {
        let lie = Lie::Hides { ply: 2, phase: Phase::Pre };
        let [both, white, black] = play(423, engine, Some((Color::Black, lie))).findings();
        let promise = Finding::Promise { of: Color::Black, ply: 1 };
        assert!(both.contains(&promise) && black.contains(&promise), "{engine}: {both:?} {black:?}");
        let is_said = |finding: &Finding| {
            matches!(finding, Finding::Said { by: Color::Black, session, message: 0, evidence: Evidence::Promise(1), .. }
                if *session == sight(2, Phase::Pre))
        };
        assert!(both.iter().any(is_said), "{engine}: {both:?}");
        // White's answers to a lie are no fault of White's.
        let accuses_white = |finding: &Finding| matches!(finding, Finding::Refused { .. });
        assert!(!both.iter().chain(&black).any(accuses_white), "{engine}: {both:?} {black:?}");
        assert_eq!(white, [], "{engine}: White said what it should");
    }
}

#[test]
fn a_man_that_was_hidden_after_a_move_is_found_by_the_hearers_word() {
    let lie = Lie::Hides { ply: 0, phase: Phase::Post };
    let [both, white, black] = play(424, "emanant", Some((Color::Black, lie))).findings();
    let is_said = |finding: &Finding| {
        matches!(finding, Finding::Said { by: Color::Black, session, message: 0, evidence: Evidence::HearersWord(2), .. }
            if *session == sight(0, Phase::Post))
    };
    assert!(matches!(&both[..], [said] if is_said(said)), "{both:?}");
    assert_eq!(white, []);
    assert_eq!(black, [Finding::OtherWord { of: Color::White, ply: 2 }]);
}

/// Who lays open other messages than it had heard accuses nobody by that.
#[test]
fn a_disclosure_that_was_changed_is_found_by_the_words_on_chain() {
    let mut played = play(425, "andos", None);
    let change = |played: &mut Played, color: Color, session, message: u16, byte: usize| {
        let heard = played.disclosures[color.index()].heard.get_mut(&session).expect("a session");
        heard.get_mut(&message).expect("a message")[byte] ^= 1;
    };
    // White's sight: White's own word is of what Black said.
    let session = sight(2, Phase::Pre);
    change(&mut played, Color::White, session, 140, 0);
    let [both, white, black] = played.findings();
    let other = Finding::HeardOtherwise { by: Color::White, session, message: 140, byte: 0, ply: 2 };
    assert!(both.contains(&other), "{both:?}");
    assert!(white.contains(&Finding::Word { of: Color::White, ply: 2 }), "{white:?}");
    assert_eq!(black, []);
    change(&mut played, Color::White, session, 140, 0);
    // What White said there, as Black has it: White swore to the right one, so it can't be told who is wrong.
    change(&mut played, Color::Black, session, 141, 5);
    let [both, white, black] = played.findings();
    let evidence = Evidence::SpeakersWordAgainst(2);
    assert_eq!(both, [Finding::Said { by: Color::White, session, message: 141, byte: 5, evidence }]);
    assert_eq!(white, []);
    assert!(black.contains(&Finding::OtherWord { of: Color::White, ply: 2 }), "{black:?}");
    change(&mut played, Color::Black, session, 141, 5);
    // The set-up: Black's key, as White has it.
    change(&mut played, Color::White, SessionId::SetUp, 1, 255);
    let [both, ..] = played.findings();
    let is_found = |finding: &Finding| {
        matches!(
            finding,
            Finding::HeardOtherwise { by: Color::White, session: SessionId::SetUp, message: 1, byte: 255, .. }
                | Finding::Said { by: Color::Black, session: SessionId::SetUp, message: 1, byte: 255, .. }
        )
    };
    assert!(both.iter().any(is_found), "{both:?}");
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
        let mut more = white.clone();
        more.heard.entry(session).or_default().insert(message, vec![1]);
        [more]
    };
    for (session, message, words) in [
        (SessionId::SetUp, 0, "message 0 of the set-up"),
        (sight(0, Phase::Pre), 0, "message 0 of the sight before ply 0"),
        (sight(4, Phase::Post), 0, "message 0 of the sight after ply 4"),
        (sight(2, Phase::Pre), 1, "message 1 of the sight before ply 2"),
        (sight(2, Phase::Pre), 4_000, "message 4000 of the sight before ply 2"),
    ] {
        refused(&with(session, message), words);
    }

    let found = |disclosure: Disclosure| played.check(&[disclosure]).expect("of this game").findings;
    let of = Color::White;
    let mut other = white.clone();
    other.branch[31] ^= 1;
    assert_eq!(found(other), [Finding::Branch { of }]);
    // Another player's part under one's own name.
    assert_eq!(found(Disclosure { player: white.player, ..black.clone() }), [Finding::Branch { of }]);
    let mut other = white.clone();
    other.view_key[0] ^= 1;
    assert_eq!(found(other), [Finding::State { of, ply: 0 }]);
    let session = sight(2, Phase::Pre);
    for message in [0, 2, 18] {
        let mut less = white.clone();
        less.heard.get_mut(&session).expect("a sight").remove(&message);
        let found = found(less);
        assert!(found.contains(&Finding::Missing { of, session, message: message.into() }), "{found:?}");
        let mut other = white.clone();
        let heard = other.heard.get_mut(&session).expect("a sight").get_mut(&message).expect("a message");
        heard[3] ^= 1;
        let found = played.check(&[other]).expect("of this game").findings;
        let is_named = |finding: &Finding| {
            matches!(finding, Finding::Refused { said_by: Color::Black, session: of, message: number, .. }
                if (*of, *number) == (session, usize::from(message)))
        };
        assert!(found.iter().any(is_named), "{found:?}");
    }
}
