//! What a machine has missed, a contest or the start of the game, and what it has begun and not finished. H is the honest player, X the other.

use super::attacks::{after, drawn_and_woken, positions, sent, wake_at, woke};
use super::games::SHORT;
use client::journal::Entry;
use client::seat::{Effect, Event};
use game::{Action, ChainEvent, Command, CommandError, Message, Notice, Outcome, Phase, Position, Transaction, Waking};
use rules::Color;
use simulate::channel::pair::{Pair, TERMS};
use simulate::oracle::Oracle;

/// A game of so many plies in which X has gone back to before one of them, and nobody has shown a later position: H was away. Gives H and X.
fn missed(plies: usize, color: Color, back_to: usize) -> (Pair, usize, usize) {
    let mut pair = after(plies);
    let (h, x) = (pair.of(color), pair.of(!color));
    let old = back_to.checked_sub(1).map_or(Position::start(TERMS.base), |last| positions(&pair)[last]);
    pair.is_linked = false;
    pair.machines[h].is_off = true;
    let is_kept = |entry: &Entry| usize::from(entry.ply()) < back_to || matches!(entry, Entry::Received(_));
    pair.forget(x, |entry| *entry == Entry::Begun || back_to > 0 && is_kept(entry));
    pair.restart_in_secret(x);
    wake_at(&mut pair, x, old);
    pair.settle();
    pair.wait(u64::from(TERMS.window) + 60, 20);
    (pair, h, x)
}

fn comes_back(pair: &mut Pair, h: usize) {
    pair.machines[h].is_off = false;
    pair.settle();
    pair.wait(60, 10);
    pair.is_linked = true;
    (0..2).for_each(|i| pair.tell(i, Event::Connected));
    pair.settle();
}

fn plays(pair: &mut Pair, i: usize, mv: &str) {
    pair.command(i, Command::Move { mv: mv.parse().expect("UCI"), offer_draw: false });
    pair.wait(60, 10);
}

/// Whether a player has given a sight since it had said so many messages.
fn gave(pair: &Pair, i: usize, since: usize, (of, at): (u16, Phase)) -> bool {
    let is_given = |said: &Message| matches!(said, Message::Answer { ply, phase, .. } if (*ply, *phase) == (of, at));
    pair.machines[i].said[since..].iter().any(is_given)
}

/// A game whose chain has so many events.
fn begun_until(events: usize) -> Pair {
    let mut pair = Pair::join(&Oracle::default());
    pair.pass(1);
    while pair.chain.log.len() < events && (0..2).any(|i| pair.goes_on(i)) {}
    assert_eq!(pair.chain.log.len(), events);
    pair
}

/// X has made another move in the place of one that H had seen by: H still gives what it owes on the chain, and doesn't lose the game by refusing it.
#[test]
fn after_a_contest_that_was_missed_the_sights_that_are_owed_are_given() {
    let (mut pair, h, x) = missed(3, Color::Black, 2);
    comes_back(&mut pair, h);
    let said = pair.machines[h].said.len();
    plays(&mut pair, x, "a2a3");
    assert_eq!(sent(&pair, x, Action::Move), 1);
    assert!(gave(&pair, h, said, (2, Phase::Post)));
}

/// The same where H's machine starts after that.
#[test]
fn who_comes_after_a_contest_gives_the_sights_that_it_owes() {
    let (mut pair, h, x) = missed(4, Color::Black, 2);
    plays(&mut pair, x, "a2a3");
    pair.is_linked = true;
    let said = pair.machines[h].said.len();
    pair.restart(h);
    pair.wait(40, 10);
    assert!(gave(&pair, h, said, (2, Phase::Post)));
    plays(&mut pair, h, "a7a6");
    assert!(gave(&pair, h, said, (4, Phase::Pre)));
}

/// X makes another move at the start: H's old reply is none to that.
#[test]
fn after_a_contest_that_was_missed_no_old_reply_goes_out() {
    let (mut pair, h, x) = missed(2, Color::Black, 0);
    comes_back(&mut pair, h);
    plays(&mut pair, x, "d2d4");
    assert_eq!((sent(&pair, x, Action::Move), sent(&pair, h, Action::Move)), (1, 0));
    plays(&mut pair, h, "a7a6");
    assert_eq!(sent(&pair, h, Action::Move), 1, "another is chosen");
}

/// The claim that woke the game is made where it goes on, whatever happens to the machine before.
#[test]
fn a_claim_outlives_a_restart_in_its_contest() {
    let mut pair = Pair::begin();
    let white = pair.of(Color::White);
    ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(100).for_each(|mv| pair.play(mv));
    pair.command(white, Command::ClaimFifty);
    assert!(woke(&pair, white, Waking::Claim));
    pair.restart(white);
    pair.wait(3_000, 20);
    assert_eq!(pair.ending(white).map(|ending| ending.outcome), Some(Outcome::FiftyMoves));
}

/// A claim that has failed is made once: the game has gone on, and a restart is no claim.
#[test]
fn a_claim_that_has_failed_is_not_made_again_by_a_restart() {
    let mut pair = Pair::begin();
    let h = pair.of(Color::White);
    let cycle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    cycle.into_iter().cycle().take(96).for_each(|mv| pair.play(mv));
    // A pawn's move of X: 100 plies without a capture all the same, and X can show fewer than fifty moves.
    ["g1f3", "a7a6", "f3g1", "g8f6"].into_iter().for_each(|mv| pair.play(mv));
    pair.command(h, Command::ClaimFifty);
    pair.wait(u64::from(TERMS.window) + 200, 20);
    assert!(pair.is_told(h, |notice| matches!(notice, Notice::FiftyFailed { own: true, .. })));
    assert_eq!(sent(&pair, h, Action::ClaimFifty), 1);
    // Barred for twenty plies.
    for mv in ["g1f3", "f6g8", "f3g1", "g8f6"].into_iter().cycle().take(20) {
        pair.wait(40, 10);
        pair.play(mv);
        pair.wait(40, 10);
    }
    pair.restart(h);
    pair.wait(60, 10);
    assert_eq!(sent(&pair, h, Action::ClaimFifty), 1, "nobody has asked for a second one");
    assert!(pair.machines[h].side.seat().can_move());
}

/// The transaction that takes the draw comes to nothing: it is sent again, and whoever has signed the draw plays nothing else.
#[test]
fn a_signed_draw_is_taken_again_until_it_stands() {
    let (mut pair, h) = drawn_and_woken();
    let takes = |effect: &Effect| matches!(effect, Effect::SendTransaction(Transaction::AcceptDraw { .. }));
    pair.machines[h].filter = Some(Box::new(move |effect| !takes(effect)));
    pair.wait(u64::from(TERMS.window) + 30, 5);
    pair.command(h, Command::Move { mv: SHORT[1].parse().expect("UCI"), offer_draw: false });
    assert!(pair.is_told(h, |notice| matches!(notice, Notice::Refused { error: CommandError::ResultSigned, .. })));
    pair.machines[h].filter = None;
    pair.wait(1_000, 20);
    assert_eq!(pair.ending(h).map(|ending| ending.outcome), Some(Outcome::DrawAgreed));
}

/// X wakes the game in the block after the toss, which H's machine sees before the toss is final.
#[test]
fn a_wake_that_is_seen_before_the_start_is_final_is_remembered() {
    let mut pair = begun_until(4);
    let (h, x) = (0, 1);
    pair.pending = 2;
    wake_at(&mut pair, x, Position::start(TERMS.base));
    pair.settle();
    assert_eq!(pair.machines[h].side.seat().color(), None);
    // The toss gets final, and the wake not yet.
    pair.pending = 1;
    pair.settle();
    assert!(pair.machines[h].side.seat().color().is_some());
    assert!(pair.is_told(h, |notice| matches!(notice, Notice::Woken { ply: 0, .. })));
    pair.command(h, Command::Move { mv: SHORT[0].parse().expect("UCI"), offer_draw: false });
    let contested = CommandError::Contested;
    assert!(pair.is_told(h, |notice| matches!(notice, Notice::Refused { error, .. } if *error == contested)));
    assert!(!pair.machines[h].said.iter().any(|said| matches!(said, Message::Ply(_))));
}

/// The one that revealed its share was there, and may have played since.
#[test]
fn a_creator_that_comes_after_its_reveal_with_nothing_is_behind() {
    let mut pair = begun_until(3);
    let creator = 0;
    assert!(matches!(pair.chain.log[2].event, ChainEvent::TossRevealed { .. }));
    pair.restart_with_nothing(creator);
    pair.wait(20, 5);
    let is_told = |notice: &Notice| matches!(notice, Notice::JournalNote { text } if text.contains("signs nothing"));
    assert!(pair.is_told(creator, is_told), "{:?}", pair.machines[creator].shown);
    pair.command(creator, Command::Move { mv: SHORT[0].parse().expect("UCI"), offer_draw: false });
    let refused = |notice: &Notice| matches!(notice, Notice::Refused { error: CommandError::Forgotten, .. });
    assert!(pair.is_told(creator, refused), "{:?}", pair.machines[creator].shown);
}

/// The move that H has signed in the place of its old one is the one of its ply, also after a restart.
#[test]
fn a_move_that_is_signed_after_a_missed_contest_outlives_a_restart() {
    let (mut pair, h, x) = missed(2, Color::Black, 0);
    comes_back(&mut pair, h);
    plays(&mut pair, x, "d2d4");
    // Signed, and in no block yet.
    let moves = |effect: &Effect| matches!(effect, Effect::SendTransaction(Transaction::Move { .. }));
    pair.machines[h].filter = Some(Box::new(move |effect| !moves(effect)));
    plays(&mut pair, h, "a7a6");
    let signed = pair.machines[h].journal.values().find_map(|entry| match entry {
        Entry::Signed { fields, .. } if fields.ply == 1 => Some(fields.next_commitment),
        _ => None,
    });
    let first = signed.expect("signed");
    pair.machines[h].filter = None;
    let before = pair.machines[h].sent.len();
    pair.restart(h);
    pair.wait(60, 10);
    assert!(!pair.is_told(h, |notice| matches!(notice, Notice::SignedInAnotherPosition { .. })));
    let sent = pair.machines[h].sent[before..].iter().filter_map(|sent| match sent {
        Transaction::Move { fields, .. } => Some(fields.next_commitment),
        _ => None,
    });
    assert_eq!(sent.collect::<Vec<_>>(), [first], "that very move goes out");
}

/// H's last ply had not left when X went back: it isn't shown when the chain has another in its place.
#[test]
fn an_own_ply_that_has_not_left_is_not_shown_once_the_chain_is_beyond_it() {
    let mut pair = after(2);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.machines[h].filter = Some(Box::new(|effect| !matches!(effect, Effect::SendMessage(Message::Ply(_)))));
    pair.is_linked = false;
    pair.play(SHORT[2]);
    pair.machines[h].filter = None;
    let old = positions(&pair)[0];
    pair.machines[h].is_off = true;
    pair.forget(x, |entry| *entry == Entry::Begun || entry.ply() < 1 || matches!(entry, Entry::Received(_)));
    pair.restart_in_secret(x);
    wake_at(&mut pair, x, old);
    pair.settle();
    pair.wait(u64::from(TERMS.window) + 60, 20);
    comes_back(&mut pair, h);
    plays(&mut pair, x, "a7a6");
    plays(&mut pair, h, "a2a3");
    let said = pair.machines[h].said.len();
    pair.tell(h, Event::Received(Message::Have { plies: 2 }));
    let shown = |message: &Message| matches!(message, Message::Ply(signed) if signed.fields.ply == 2);
    assert!(!pair.machines[h].said[said..].iter().any(shown));
}

/// What H was given since the game goes on on the chain it still has after a restart, however long the old line was.
#[test]
fn a_sight_that_was_given_after_a_missed_contest_outlives_a_restart() {
    let mut pair = Pair::begin();
    let (h, x) = (pair.of(Color::Black), pair.of(Color::White));
    ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(12).for_each(|mv| pair.play(mv));
    let old = positions(&pair)[1];
    pair.is_linked = false;
    pair.machines[h].is_off = true;
    pair.forget(x, |entry| *entry == Entry::Begun || entry.ply() < 2 || matches!(entry, Entry::Received(_)));
    pair.restart_in_secret(x);
    wake_at(&mut pair, x, old);
    pair.settle();
    pair.wait(u64::from(TERMS.window) + 60, 20);
    comes_back(&mut pair, h);
    plays(&mut pair, x, "a2a3");
    plays(&mut pair, h, "a7a6");
    plays(&mut pair, x, "b2b3");
    assert!(pair.machines[h].side.seat().can_move());
    pair.is_linked = false;
    pair.restart_in_secret(h);
    pair.settle();
    assert!(pair.machines[h].side.seat().can_move(), "it had its sight");
}
