//! What the line of the status says of an opponent that is away, of an offer, and of a game that is woken.

use crate::screens::{drawn, notices, text, ui};
use game::{Awaiting, LinkState, Notice, Waking, What, Who};
use std::time::Instant;
use tui::{Colors, Ui};

fn says(ui: &mut Ui, sentence: &str) {
    let shown = text(&drawn(ui, (80, 24), Instant::now()));
    assert!(shown.contains(sentence), "{sentence}: {shown}");
}

fn game() -> Ui {
    ui(Colors::True, &notices("middle.jsonl"), Instant::now())
}

fn take(ui: &mut Ui, notices: impl IntoIterator<Item = Notice>) {
    notices.into_iter().for_each(|notice| drop(ui.take(&notice, Instant::now())));
}

fn awaiting(who: Who, what: What) -> Notice {
    Notice::Awaiting(Awaiting { who, what, since: 0, until: None })
}

#[test]
fn an_opponent_that_is_away_is_told_with_what_follows() {
    let mut ui = game();
    take(&mut ui, [awaiting(Who::Opponent, What::Move), Notice::Disconnected]);
    let dialled = Notice::Link { state: LinkState::Dialling, tries: 0, since: None };
    take(&mut ui, [dialled]);
    says(&mut ui, "The opponent is away. With its clock at 0:00 this machine turns to the chain.");
    take(&mut ui, [awaiting(Who::Opponent, What::Sight)]);
    says(&mut ui, "away and owes you a sight: its machine is called again");
    take(&mut ui, [awaiting(Who::You, What::Move)]);
    says(&mut ui, "Your move; the opponent is away.");
    take(&mut ui, [Notice::Connected, awaiting(Who::Opponent, What::Move)]);
    says(&mut ui, "The opponent is to move.");
    take(&mut ui, [Notice::Link { state: LinkState::Dialling, tries: 2, since: None }]);
    says(&mut ui, "The opponent is away");
}

#[test]
fn who_has_offered_a_draw_sees_that_it_stands() {
    let (mut ui, mv) = (game(), "e3e4".parse().expect("a move"));
    take(&mut ui, [Notice::Moved { ply: 16, mv, capture: None, captured: None, draw_offered: true }]);
    take(&mut ui, [awaiting(Who::Opponent, What::Move)]);
    says(&mut ui, "your draw is on offer");
    take(&mut ui, [Notice::OpponentMoved { ply: 17, capture: None, draw_offered: false, lost: None }]);
    take(&mut ui, [awaiting(Who::Opponent, What::Move)]);
    says(&mut ui, "The opponent is to move.");
}

#[test]
fn a_woken_game_waits_for_the_chain_alone() {
    let mut ui = game();
    take(&mut ui, [awaiting(Who::Opponent, What::Move), Notice::Waking { ply: 12, why: Waking::OpponentOutOfTime }]);
    says(&mut ui, "The game is being brought to the chain");
    let clocks = |now| Notice::Clocks {
        white: 60,
        black: 60,
        turn: Some(rules::Color::White),
        runs_from: 2_000,
        hold: None,
        deadline: 2_060,
        now,
    };
    take(&mut ui, [clocks(1_000), Notice::Woken { ply: 12, plies: 12, contested: false, until: 1_600 }]);
    says(&mut ui, "The game was woken: it goes on on the chain in ");
    take(&mut ui, [clocks(1_601)]);
    says(&mut ui, "it goes on on the chain now");
    take(&mut ui, [Notice::Awake { ply: 12 }]);
    says(&mut ui, "The opponent is to move.");
}

#[test]
fn a_ply_that_a_wake_has_left_out_counts_no_more() {
    let mut ui = game();
    assert_eq!(ui.model().made(), 16);
    take(&mut ui, [Notice::Awake { ply: 15 }]);
    assert_eq!(ui.model().made(), 15);
    take(&mut ui, [Notice::Awake { ply: 0 }]);
    assert_eq!(ui.model().made(), 0);
}

#[test]
fn a_man_whose_kind_is_forgotten_is_explained() {
    let (mut ui, mv, capture) = (game(), "e3e4".parse().expect("a move"), "e4".parse().ok());
    says(&mut ui, "lost –");
    take(&mut ui, [Notice::Moved { ply: 16, mv, capture, captured: None, draw_offered: false }]);
    says(&mut ui, "? kind unknown");
}
