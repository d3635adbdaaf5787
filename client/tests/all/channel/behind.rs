//! A machine that has lost some of its game, or all: it signs nothing, takes what the opponent can show, and has the chain go on from there.

use super::games::SHORT;
use client::journal::Entry;
use client::seat::Event;
use game::{Command, CommandError, Message, Notice, Outcome, PlyFault, Waking};
use rules::Color;
use simulate::channel::pair::Pair;

/// After so many plies of the short game.
fn after(plies: usize) -> Pair {
    let mut pair = Pair::begin();
    SHORT[..plies].iter().for_each(|mv| pair.play(mv));
    pair
}

fn is_told(pair: &Pair, i: usize, words: &str) -> bool {
    pair.is_told(i, |notice| matches!(notice, Notice::JournalNote { text } if text.contains(words)))
}

fn is_refused(pair: &Pair, i: usize, with: &CommandError) -> bool {
    pair.is_told(i, |notice| matches!(notice, Notice::Refused { error, .. } if error == with))
}

/// Whether a player has said anything that is signed, or a sight, and that it had not said among its first messages.
fn has_signed(pair: &Pair, i: usize, since: usize) -> bool {
    let is_signed = |message: &Message| match message {
        Message::Countersigned { .. } | Message::Answer { .. } | Message::Result { .. } => true,
        Message::Ply(signed) => Some(Color::of_ply(signed.fields.ply.into())) == pair.machines[i].side.seat().color(),
        _ => false,
    };
    let (before, after) = pair.machines[i].said.split_at(since);
    after.iter().any(|message| is_signed(message) && !before.contains(message))
}

/// The game is woken and goes on on the chain to the end that it would have had.
fn goes_on_on_the_chain(pair: &mut Pair, plies: usize) {
    pair.wait(600, 20);
    let told = pair.machines.each_ref().map(|machine| machine.shown.last().map(|notice| format!("{notice:?}")));
    assert!((0..2).all(|i| pair.is_told(i, |notice| matches!(notice, Notice::Awake { .. }))), "{told:?}");
    for mv in &SHORT[plies..] {
        pair.wait(40, 10);
        pair.play(mv);
        pair.wait(40, 10);
    }
    let ending = pair.ending(0).expect("over");
    assert_eq!((ending.color, ending.outcome), (Some(Color::White), Outcome::KingCaptured));
}

/// Whatever the copy lacks, own plies or the opponent's, it comes from the opponent, and no second move of a ply is signed.
#[test]
fn a_machine_with_an_old_copy_takes_what_the_opponent_shows_and_wakes() {
    for color in Color::ALL {
        for (plies, kept) in [(3, 2), (3, 1), (4, 2), (4, 0)] {
            let mut pair = after(plies);
            let who = pair.of(color);
            let said = pair.machines[who].said.len();
            let known = pair.machines[who].journal.values().filter(|entry| matches!(entry, Entry::Ply(_))).count();
            pair.restart_from_an_old_copy(who, kept);
            let lags = Color::of_ply(kept.into()) == color || plies > usize::from(kept) + 1;
            assert_eq!(is_told(&pair, who, "is its memory an old copy"), lags, "{color:?}, {kept} of {plies}");
            if !lags {
                continue;
            }
            pair.command(who, Command::Move { mv: "a2a3".parse().expect("UCI"), offer_draw: false });
            assert!(is_refused(&pair, who, &CommandError::Forgotten));
            let now = pair.machines[who].journal.values().filter(|entry| matches!(entry, Entry::Ply(_))).count();
            assert_eq!((now, known), (plies, plies), "{color:?}, {kept}: all is shown");
            assert!(!has_signed(&pair, who, said), "{color:?}, {kept} of {plies}");
            goes_on_on_the_chain(&mut pair, plies);
            assert!(pair.is_told(who, |notice| matches!(notice, Notice::Waking { why: Waking::Behind, .. })));
        }
    }
}

/// With nothing at all it waits for its player's word, and then takes the opponent's.
#[test]
fn a_machine_that_has_nothing_signs_nothing_and_asks_only_when_it_is_told_to() {
    let mut pair = after(3);
    let white = pair.of(Color::White);
    let said = pair.machines[white].said.len();
    pair.restart_with_nothing(white);
    assert!(is_told(&pair, white, "signs nothing"));
    pair.command(white, Command::Move { mv: "d2d4".parse().expect("UCI"), offer_draw: false });
    assert!(is_refused(&pair, white, &CommandError::Forgotten));
    pair.wait(100, 20);
    assert_eq!(pair.machines[white].said.len(), said, "not a word");
    assert!(!pair.is_woken_by(white));
    pair.command(white, Command::AskOpponent);
    assert!(!has_signed(&pair, white, said));
    goes_on_on_the_chain(&mut pair, 3);
}

#[test]
fn a_machine_that_has_nothing_can_resign() {
    let mut pair = after(3);
    let white = pair.of(Color::White);
    pair.restart_with_nothing(white);
    pair.command(white, Command::Resign);
    assert_eq!(pair.ending(1 - white).map(|ending| ending.outcome), Some(Outcome::Resigned));
}

/// The opponent says that it has more, and can show nothing: the game is woken at what both have, and nothing was signed.
#[test]
fn an_opponent_that_lies_about_its_plies_gains_a_woken_game() {
    let mut pair = after(2);
    let (white, black) = (pair.of(Color::White), pair.of(Color::Black));
    let said = pair.machines[white].said.len();
    let mut forged = pair.last_ply_of(white);
    forged.fields.ply = 2;
    pair.tell(white, Event::Received(Message::Have { plies: 9 }));
    pair.tell(white, Event::Received(Message::Ply(Box::new(forged))));
    pair.settle();
    let refused = |notice: &Notice| {
        matches!(notice, Notice::PlyRefused { ply: 2, why: PlyFault::Impossible | PlyFault::Signature })
    };
    assert!(pair.is_told(white, refused), "a ply that this player has not signed is none of its own");
    assert!(!has_signed(&pair, white, said));
    goes_on_on_the_chain(&mut pair, 2);
    assert!(pair.machines[black].shown.iter().all(|notice| !matches!(notice, Notice::JournalNote { .. })));
}

#[test]
fn who_has_forgotten_nothing_has_nothing_to_ask_for() {
    let mut pair = after(1);
    for i in 0..2 {
        pair.command(i, Command::AskOpponent);
        assert!(is_refused(&pair, i, &CommandError::NothingForgotten));
    }
}
