//! A machine that has lost some of its game, or all: it signs nothing, takes what the opponent can show, and has the chain go on from there.

use super::attacks::{after, positions, signed_by, wake_at};
use super::games::SHORT;
use client::journal::Entry;
use client::seat::{Effect, Event};
use ff::Field as _;
use game::{
    Action, ChainEvent, Command, CommandError, Message, Notice, Outcome, PlyFault, SignedPly, Transaction, Waking,
};
use halo2curves::bn256::Fr;
use rules::{Color, Square};
use simulate::channel::pair::{Pair, TERMS};

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

/// White has lost its own ply 2, and X shows it with something in it changed: none of that is taken, and the true ply is.
#[test]
fn an_own_ply_that_is_shown_with_anything_changed_is_none() {
    type Spoil = fn(&mut SignedPly);
    let spoiled: [(PlyFault, Spoil); 10] = [
        (PlyFault::Proof, |signed| signed.proof[0] ^= 1),
        (PlyFault::Proof, |signed| signed.proof.clear()),
        (PlyFault::Points, |signed| signed.points.rotate_left(64)),
        (PlyFault::Signature, |signed| signed.signature[9] ^= 1),
        (PlyFault::Signature, |signed| signed.clock += 1),
        (PlyFault::Signature, |signed| signed.fields.offer_draw = !signed.fields.offer_draw),
        (PlyFault::Signature, |signed| signed.fields.next_commitment += Fr::ONE),
        (PlyFault::Signature, |signed| signed.fields.next_request_root += Fr::ONE),
        (PlyFault::Signature, |signed| signed.fields.answer_root += Fr::ONE),
        (PlyFault::Signature, |signed| signed.fields.capture = Some(Square::new(60).expect("a square"))),
    ];
    for (number, (fault, spoil)) in spoiled.into_iter().enumerate() {
        let mut pair = after(3);
        let (white, black) = (pair.of(Color::White), pair.of(Color::Black));
        let of_the_ply = |entry: &Entry| matches!(entry, Entry::Ply(kept) if kept.signed.fields.ply == 2);
        let Some(Entry::Ply(made)) = pair.machines[black].journal.values().find(|entry| of_the_ply(entry)).cloned()
        else {
            panic!("it was made")
        };
        let has = |pair: &Pair| pair.machines[white].journal.values().any(of_the_ply);
        pair.is_linked = false;
        pair.restart_from_an_old_copy(white, 2);
        pair.tell(white, Event::Received(Message::Have { plies: 3 }));
        let mut wrong = made.signed.clone();
        spoil(&mut wrong);
        pair.tell(white, Event::Received(Message::Ply(Box::new(wrong))));
        pair.settle();
        let is_refused = |notice: &Notice| matches!(notice, Notice::PlyRefused { ply: 2, why } if *why == fault);
        assert!(pair.is_told(white, is_refused), "{number}: {:?}", pair.machines[white].shown.last());
        assert!(!has(&pair), "{number}");
        pair.tell(white, Event::Received(Message::Ply(Box::new(made.signed))));
        pair.settle();
        assert!(has(&pair), "{number}: the true one");
    }
}

#[test]
fn who_has_forgotten_nothing_has_nothing_to_ask_for() {
    let mut pair = after(1);
    for i in 0..2 {
        pair.command(i, Command::AskOpponent);
        assert!(is_refused(&pair, i, &CommandError::NothingForgotten));
    }
}

/// A machine that is killed before the game is woken doesn't play on.
#[test]
fn who_has_fallen_behind_is_so_after_a_restart() {
    type Lose = fn(&mut Pair, usize);
    let ways: [Lose; 2] = [
        |pair, who| pair.restart_from_an_old_copy(who, 1),
        |pair, who| {
            pair.restart_with_nothing(who);
            pair.command(who, Command::AskOpponent);
        },
    ];
    for lose in ways {
        let mut pair = after(3);
        let white = pair.of(Color::White);
        let said = pair.machines[white].said.len();
        lose(&mut pair, white);
        pair.restart(white);
        pair.command(white, Command::Move { mv: SHORT[2].parse().expect("UCI"), offer_draw: false });
        assert!(is_refused(&pair, white, &CommandError::Forgotten));
        assert!(!has_signed(&pair, white, said));
        goes_on_on_the_chain(&mut pair, 3);
    }
}

/// One ply is missing in the middle of what is kept.
#[test]
fn who_lacks_a_ply_in_the_middle_is_behind() {
    for color in Color::ALL {
        let mut pair = after(4);
        let who = pair.of(color);
        let said = pair.machines[who].said.len();
        pair.forget(who, |entry| !matches!(entry, Entry::Ply(kept) if kept.signed.fields.ply == 1));
        pair.restart(who);
        assert!(
            is_told(&pair, who, "break off before White's move 2") && is_told(&pair, who, "has lost some of the game")
        );
        let mv = SHORT[4].parse().expect("UCI");
        pair.command(who, Command::Move { mv, offer_draw: false });
        assert!(is_refused(&pair, who, &CommandError::Forgotten));
        assert!(!has_signed(&pair, who, said));
        goes_on_on_the_chain(&mut pair, 4);
    }
}

/// An old copy of a game that is woken beyond it, before or after the machine is started, in the contest or after it: it gets what it lacks from the
/// opponent, whose game is woken too, and goes on.
#[test]
fn an_old_copy_of_a_woken_game_gets_what_it_lacks_and_goes_on() {
    for (is_woken_first, seconds) in [(true, 20), (false, 20), (true, 500)] {
        let mut pair = after(4);
        let (who, x) = (pair.of(Color::White), pair.of(Color::Black));
        let latest = positions(&pair)[3];
        pair.is_linked = false;
        if is_woken_first {
            pair.machines[who].is_off = true;
            wake_at(&mut pair, x, latest);
            pair.settle();
            pair.wait(seconds, 20);
        }
        pair.restart_from_an_old_copy(who, 1);
        if !is_woken_first {
            wake_at(&mut pair, x, latest);
            pair.settle();
        }
        assert!(is_told(&pair, who, "goes on on the chain from a position that both players have signed"));
        pair.wait(30, 20);
        pair.command(who, Command::Move { mv: "a2a3".parse().expect("UCI"), offer_draw: false });
        assert!(is_refused(&pair, who, &CommandError::Forgotten));
        pair.is_linked = true;
        (0..2).for_each(|i| pair.tell(i, Event::Connected));
        pair.settle();
        goes_on_on_the_chain(&mut pair, 4);
    }
}

/// The opponent shows an earlier position than this machine has: it shows that in the contest, lost though the rest may be.
#[test]
fn who_is_behind_shows_what_it_has_in_a_contest() {
    for is_final in [false, true] {
        let mut pair = after(5 - 1);
        let (who, x) = (pair.of(Color::Black), pair.of(Color::White));
        pair.is_linked = false;
        pair.restart_from_an_old_copy(who, 2);
        pair.tell(who, Event::Received(Message::Have { plies: 4 }));
        let old = positions(&after(4))[0];
        if is_final {
            wake_at(&mut pair, x, old);
            pair.settle();
        } else {
            let until = pair.chain.now + 400;
            pair.tell(who, Event::WakeSeen { ply: 1, until });
        }
        let wakes = pair.machines[who].sent.iter().filter(|sent| sent.action() == Action::Wake).count();
        assert_eq!(wakes, 1, "{is_final}");
    }
}

/// The opponent speaks before this machine's chain has the coin toss for good.
#[test]
fn a_first_ply_that_came_too_early_is_said_again() {
    let mut pair = Pair::join(&Default::default());
    while pair.chain.log.len() < 4 {
        assert!((0..2).any(|i| pair.goes_on(i)), "both reveal their shares");
    }
    pair.pending = 1;
    pair.settle();
    let started = pair.chain.log.last().map(|logged| logged.event.clone()).expect("colors are drawn");
    assert!(matches!(started, ChainEvent::Started { .. }));
    let own = |i: usize, pair: &mut Pair| {
        pair.tell(i, Event::Final(started.clone()));
        pair.machines[i].side.seat().color()
    };
    let white = (0..2).find(|i| own(*i, &mut pair) == Some(Color::White)).expect("one is White");
    pair.command(white, Command::Move { mv: SHORT[0].parse().expect("UCI"), offer_draw: false });
    pair.pending = 0;
    pair.tick(1);
    pair.play(SHORT[1]);
}

/// A machine that is started again while its node has the coin toss in a block and not yet for good.
#[test]
fn plies_that_are_kept_are_taken_up_once_the_start_is_final_again() {
    for color in Color::ALL {
        let mut pair = after(2);
        let who = pair.of(color);
        pair.pending = 1;
        pair.restart_in_secret(who);
        assert_eq!(pair.machines[who].side.seat().color(), None);
        pair.pending = 0;
        pair.tick(1);
        SHORT[2..].iter().for_each(|mv| pair.play(mv));
        assert_eq!(pair.ending(who).map(|ending| ending.outcome), Some(Outcome::KingCaptured));
        assert!(!pair.is_woken_by(who));
    }
}

/// X wakes the game beyond an old copy, shows nothing, and lets its time run out, or resigns: the machine that is behind wins, restarted or not.
#[test]
fn a_woken_game_ends_for_a_machine_that_is_behind_as_the_chain_says() {
    for (is_restarted, resigns) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut pair = after(4);
        let (who, x) = (pair.of(Color::Black), pair.of(Color::White));
        let latest = positions(&pair)[3];
        pair.is_linked = false;
        pair.restart_from_an_old_copy(who, 1);
        pair.machines[x].is_off = true;
        wake_at(&mut pair, x, latest);
        pair.settle();
        assert!(is_told(&pair, who, "goes on on the chain from a position that both players have signed"));
        pair.wait(u64::from(TERMS.window) + 20, 20);
        if resigns {
            if is_restarted {
                pair.machines[who].is_off = true;
            }
            assert!(pair.send(x, Transaction::Resign));
        }
        if is_restarted {
            pair.restart(who);
        }
        pair.settle();
        pair.wait(4_000, 20);
        let outcome = if resigns { Outcome::Resigned } else { Outcome::TimedOut };
        let ending = pair.ending(who).map(|ending| (ending.color, ending.outcome));
        assert_eq!(ending, Some((Some(Color::Black), outcome)), "restarted: {is_restarted}");
        assert!(!pair.is_told(who, |notice| matches!(notice, Notice::ChainRefused { .. })));
    }
}

/// Whose time runs in a woken game decides who claims it.
#[test]
fn a_machine_that_is_behind_does_not_claim_its_own_time() {
    let mut pair = after(3);
    let (who, x) = (pair.of(Color::Black), pair.of(Color::White));
    let latest = positions(&pair)[2];
    pair.is_linked = false;
    pair.restart_from_an_old_copy(who, 1);
    pair.machines[x].is_off = true;
    wake_at(&mut pair, x, latest);
    pair.settle();
    pair.wait(4_000, 20);
    let claims = pair.machines[who].sent.iter().filter(|sent| matches!(sent, Transaction::ClaimTimeout));
    assert_eq!(claims.count(), 0);
}

/// The plies after a missing one count again once X has shown that; another one in its place proves that X has signed two.
#[test]
fn plies_that_are_kept_after_a_missing_one_count_once_it_is_shown() {
    for is_false in [false, true] {
        let mut pair = after(4);
        let (who, x) = (pair.of(Color::Black), pair.of(Color::White));
        let mut missing = positions(&pair);
        missing.truncate(2);
        pair.is_linked = false;
        let shown = pair.machines[x].journal.values().find_map(|entry| match entry {
            Entry::Ply(kept) if kept.signed.fields.ply == 2 => Some(kept.signed.clone()),
            _ => None,
        });
        let mut shown = shown.expect("White has made it");
        if is_false {
            shown.clock -= 1;
        }
        let shown = signed_by(&pair, x, &shown, &missing[1]);
        pair.forget(who, |entry| !matches!(entry, Entry::Ply(kept) if kept.signed.fields.ply == 2));
        pair.machines[x].is_off = true;
        pair.restart(who);
        pair.tell(who, Event::Received(shown));
        pair.settle();
        pair.wait(400, 20);
        let stands = pair.chain.log.iter().rev().find_map(|logged| match &logged.event {
            ChainEvent::Woken { position, .. } => Some(position.ply),
            _ => None,
        });
        let is_evidence = |entry: &Entry| matches!(entry, Entry::Evidence(signed) if signed.fields.ply == 2);
        assert_eq!(pair.machines[who].journal.values().any(is_evidence), is_false);
        assert_eq!(stands, Some(if is_false { 2 } else { 4 }), "{:?}", pair.machines[who].shown);
    }
}

/// An own ply that was never said, for the backup didn't have it, is not said in a woken game either.
#[test]
fn an_own_ply_that_has_not_left_is_not_shown_in_a_woken_game() {
    let mut pair = after(2);
    let (who, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.machines[who].filter = Some(Box::new(|effect| !matches!(effect, Effect::SendMessage(Message::Ply(_)))));
    pair.play(SHORT[2]);
    pair.machines[who].filter = None;
    let latest = positions(&pair)[1];
    wake_at(&mut pair, x, latest);
    pair.settle();
    let said = pair.machines[who].said.len();
    for plies in 0..4 {
        pair.tell(who, Event::Received(Message::Have { plies }));
    }
    let again: Vec<u16> = pair.machines[who].said[said..].iter().map(|message| message.id().ply).collect();
    assert_eq!(again, [0, 1]);
}

/// What was signed before the start was final here is a reason to go on from there, whatever it is.
#[test]
fn a_result_that_is_kept_counts_once_the_start_is_final_again() {
    let mut pair = after(0);
    let who = pair.of(Color::White);
    pair.is_linked = false;
    pair.command(who, Command::Resign);
    pair.pending = 1;
    pair.restart_in_secret(who);
    assert_eq!(pair.machines[who].side.seat().color(), None);
    pair.pending = 0;
    pair.tick(1);
    pair.command(who, Command::Move { mv: SHORT[0].parse().expect("UCI"), offer_draw: false });
    assert!(is_refused(&pair, who, &CommandError::ResultSigned), "{:?}", pair.machines[who].shown);
}

/// With nothing at all a machine waits for its player's word, unless the game is woken: what stands there both have signed.
#[test]
fn a_machine_that_has_nothing_asks_once_the_game_is_woken() {
    let mut pair = after(4);
    let (who, x) = (pair.of(Color::White), pair.of(Color::Black));
    let latest = positions(&pair)[3];
    pair.restart_with_nothing(who);
    let said = pair.machines[who].said.len();
    pair.wait(30, 10);
    assert_eq!(pair.machines[who].said.len(), said, "not a word");
    wake_at(&mut pair, x, latest);
    pair.settle();
    assert!(is_told(&pair, who, "goes on on the chain from a position that both players have signed"));
    goes_on_on_the_chain(&mut pair, 4);
}

/// What was demanded and answered since the wake is no reason to leave a won game unclaimed.
#[test]
fn a_machine_that_is_behind_claims_after_an_answered_demand() {
    let mut pair = after(4);
    let (who, x) = (pair.of(Color::Black), pair.of(Color::White));
    pair.is_linked = false;
    (0..2).for_each(|i| pair.tell(i, Event::LinkCut));
    pair.settle();
    pair.restart_from_backup(x);
    pair.tell(x, Event::LinkCut);
    pair.wait(u64::from(TERMS.window) + 300, 20);
    assert!(pair.on_chain().contains(&"a demanded sight"), "{:?}", pair.on_chain());
    pair.machines[x].is_off = true;
    pair.restart_with_nothing(who);
    pair.wait(4_000, 20);
    let ending = pair.ending(who).map(|ending| (ending.color, ending.outcome));
    assert_eq!(ending, Some((Some(Color::Black), Outcome::TimedOut)), "{:?}", pair.on_chain());
}

/// An opponent that was not heard of since the start may not know the way here: it has its time for the game before the game is woken without it.
#[test]
fn who_asks_an_opponent_that_is_not_there_waits_for_it() {
    let mut pair = after(3);
    let white = pair.of(Color::White);
    pair.is_linked = false;
    pair.restart_with_nothing(white);
    pair.command(white, Command::AskOpponent);
    assert!(is_told(&pair, white, "the opponent isn't connected"));
    pair.wait(u64::from(TERMS.base) - 20, 20);
    assert!(!pair.is_woken_by(white));
    pair.wait(60, 20);
    assert!(pair.is_woken_by(white));
}
