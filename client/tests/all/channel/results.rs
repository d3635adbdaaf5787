//! What an opponent may try around the end of a game, each against an honest machine. H is the honest player, X the other.

use super::attacks::{after, positions, woke};
use super::games::SHORT;
use client::journal::Entry;
use client::seat::{Effect, Event};
use game::{Command, CommandError, GameResult, Message, Notice, Outcome, Transaction, Waking, What, Who};
use rules::Color;
use simulate::channel::pair::{Pair, TERMS};

/// X signs a result, which H takes, and plays on until that is final: H signs nothing more, and X's ply of before that neither.
#[test]
fn nothing_is_signed_after_a_result_that_was_taken() {
    for is_drawn in [true, false] {
        let mut pair = Pair::begin();
        let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
        pair.machines[h].filter = Some(Box::new(|effect| !closes(effect)));
        pair.command(h, Command::Move { mv: SHORT[0].parse().expect("UCI"), offer_draw: true });
        let last = positions(&pair)[0].digest(&pair.chain.game);
        let (creator_won, outcome) =
            if is_drawn { (None, Outcome::DrawAgreed) } else { (Some(h == 0), Outcome::Resigned) };
        let result = GameResult { creator_won, outcome, last };
        let signature = pair.machines[x].wallet.sign(&result.digest(&pair.chain.game)).expect("a signature");
        pair.tell(h, Event::Received(Message::Result { result, signature }));
        pair.settle();
        assert!(pair.is_told(h, |notice| matches!(notice, Notice::Closing { .. })), "{outcome}");
        pair.command(x, Command::Move { mv: SHORT[1].parse().expect("UCI"), offer_draw: false });
        let has_signed =
            pair.machines[h].journal.values().any(|entry| matches!(entry, Entry::Countersigned { ply: 1, .. }));
        assert!(!has_signed, "{outcome}");
        pair.command(h, Command::Move { mv: SHORT[2].parse().expect("UCI"), offer_draw: false });
        assert!(pair.is_told(h, |notice| matches!(notice, Notice::Refused { error: CommandError::ResultSigned, .. })));
    }
}

/// X takes the draw, plays on while H's `close` waits for its block, and captures the king: the game is drawn, and H signs nothing more.
#[test]
fn who_has_taken_the_draw_is_not_played_on_with() {
    let mut pair = after(3);
    let (h, x) = (pair.of(Color::Black), pair.of(Color::White));
    pair.command(h, Command::Move { mv: SHORT[3].parse().expect("UCI"), offer_draw: true });
    let last = positions(&pair)[3].digest(&pair.chain.game);
    let result = GameResult { creator_won: None, outcome: Outcome::DrawAgreed, last };
    let signature = pair.machines[x].wallet.sign(&result.digest(&pair.chain.game)).expect("a signature");
    // In no block yet.
    pair.machines[h].filter = Some(Box::new(|effect| !closes(effect)));
    pair.tell(h, Event::Received(Message::Result { result, signature }));
    pair.settle();
    pair.play(SHORT[4]);
    let has_signed = |entry: &Entry| matches!(entry, Entry::Result { own: true, .. });
    assert!(!pair.machines[h].journal.values().any(has_signed), "H has signed that it has lost");
    pair.machines[h].filter = None;
    pair.machines[x].is_off = true;
    pair.wait(100, 10);
    assert_eq!(pair.ending(h).map(|ending| ending.outcome), Some(Outcome::DrawAgreed));
}

fn closes(effect: &Effect) -> bool {
    matches!(effect, Effect::SendTransaction(Transaction::Close { .. }))
}

/// H has captured the king by the link, X hasn't signed that, and H is away when the game goes on on the chain: it is told what the chain says.
#[test]
fn a_capture_that_nobody_signed_is_no_end() {
    let mut pair = after(4);
    let (h, x) = (pair.of(Color::White), pair.of(Color::Black));
    pair.machines[x].filter = Some(Box::new(|effect| !matches!(effect, Effect::SendMessage(Message::Result { .. }))));
    pair.machines[x].is_off = true;
    pair.play(SHORT[4]);
    let awaited = |notice: &Notice| match notice {
        Notice::Awaiting(awaiting) => Some((awaiting.who, awaiting.what)),
        _ => None,
    };
    assert_eq!(pair.machines[h].shown.iter().filter_map(awaited).next_back(), Some((Who::Opponent, What::Loss)));
    pair.wait(20, 5);
    assert!(woke(&pair, h, Waking::NoResult));
    pair.machines[h].is_off = true;
    pair.chain.now += u64::from(TERMS.window + TERMS.delay + TERMS.base) + 100;
    assert!(pair.send(x, Transaction::ClaimTimeout));
    pair.machines[h].is_off = false;
    pair.settle();
    assert_eq!(pair.ending(h).map(|ending| ending.outcome), Some(Outcome::TimedOut));
    assert!(!pair.is_told(h, |notice| matches!(notice, Notice::ChainRefused { .. })));
}
