//! What keys and clicks ask for.

use crate::screens::{SIZES, drawn, notices, text, ui};
use game::{CommandError, Notice, Phase, View};
use rand::{Rng, SeedableRng};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use rules::{Color, Position};
use std::time::Instant;
use tui::{Action, Colors, Settings, Ui};

fn key(ui: &mut Ui, code: KeyCode) -> Option<Action> {
    let action = ui.key(KeyEvent::new(code, KeyModifiers::NONE));
    refused(ui, action)
}

/// Has a move that is given refused, so that the next one can be chosen.
fn refused(ui: &mut Ui, action: Option<Action>) -> Option<Action> {
    if let Some(Action::Line(_)) = &action {
        let error = CommandError::NotYourTurn;
        assert_eq!(ui.take(&Notice::Refused { id: None, error }, Instant::now()), None);
    }
    action
}

fn types(ui: &mut Ui, text: &str) -> Option<Action> {
    text.chars().for_each(|c| assert_eq!(key(ui, KeyCode::Char(c)), None));
    key(ui, KeyCode::Enter)
}

fn line(text: &str) -> Option<Action> {
    Some(Action::Line(text.to_owned()))
}

/// White to move in a position that it sees as it is.
fn to_move(fen: &str, moves: &[&str]) -> Notice {
    let position = Position::from_fen(fen).expect("a position");
    let legal = moves.iter().map(|mv| mv.parse().expect("a move")).collect();
    let (side, sight) = (position.side(Color::White).clone(), Some(position.sight(Color::White)));
    Notice::View(Box::new(View::new(8, Phase::Pre, side, sight, legal, [0; 2])))
}

fn fresh(notices: &[Notice]) -> Ui {
    let mut ui = Ui::new(Settings { colors: Colors::True, ascii: false, premove: true, solo: false });
    notices.iter().for_each(|notice| drop(ui.take(notice, Instant::now())));
    ui
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn moves_are_typed_picked_and_clicked() {
    let view = to_move(START, &["e2e4", "e2e3", "g1f3", "g1h3"]);
    let mut ui = fresh(&[view]);
    assert_eq!(types(&mut ui, "Nf3"), line("Nf3"));
    assert_eq!(types(&mut ui, ":draw offered"), line("draw offered"));
    // Down from e1 stays, up twice is e3: back to e2, pick, two up, drop.
    assert_eq!(key(&mut ui, KeyCode::Tab), None);
    for code in [KeyCode::Up, KeyCode::Char(' '), KeyCode::Char('k'), KeyCode::Up] {
        assert_eq!(key(&mut ui, code), None);
    }
    assert_eq!(key(&mut ui, KeyCode::Enter), line("e2e4"));
    // The next piece that can move after e4 is, around the board, the knight.
    assert_eq!(key(&mut ui, KeyCode::Char('n')), None);
    assert_eq!(key(&mut ui, KeyCode::Char(' ')), None);
    for code in [KeyCode::Char('l'), KeyCode::Up, KeyCode::Up] {
        assert_eq!(key(&mut ui, code), None);
    }
    assert_eq!(key(&mut ui, KeyCode::Char(' ')), line("g1h3"));
    let now = Instant::now();
    for size in SIZES {
        drawn(&mut ui, size, now);
        let shown = text(&drawn(&mut ui, size, now));
        assert!(shown.contains('♟') && shown.contains("a b"[..1].trim()), "{shown}");
    }
    let click = |ui: &mut Ui, kind, column, row| {
        let action = ui.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE });
        refused(ui, action)
    };
    let (down, up) = (MouseEventKind::Down(MouseButton::Left), MouseEventKind::Up(MouseButton::Left));
    drawn(&mut ui, (80, 24), now);
    // e2 is the fifth file from the left, its rank the seventh from above.
    let (x, of_rank) = (3 + 4 * 4 + 1, |rank: u16| 1 + 2 * (8 - rank));
    assert_eq!(click(&mut ui, down, x, of_rank(2)), None);
    assert_eq!(click(&mut ui, up, x, of_rank(2)), None);
    assert_eq!(click(&mut ui, down, x, of_rank(4)), line("e2e4"));
    assert_eq!(click(&mut ui, down, x, of_rank(2)), None);
    assert_eq!(click(&mut ui, up, x, of_rank(3)), line("e2e3"), "dragged");
    assert_eq!(click(&mut ui, down, 79, 0), None);
}

#[test]
fn what_is_given_behind_a_move_follows_it() {
    let give = |ui: &mut Ui, text: &str| {
        text.chars().for_each(|c| drop(ui.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE))));
        ui.key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE))
    };
    let mut ui = fresh(&[to_move(START, &["e2e4", "d2d4"])]);
    assert_eq!(give(&mut ui, "e4"), line("e4"));
    // The seat hasn't said a word yet.
    assert_eq!(give(&mut ui, "d4"), None);
    let shown = text(&drawn(&mut ui, (80, 24), Instant::now()));
    assert!(shown.contains("d4 comes next, if it can.") && shown.contains("(e4)"), "{shown}");
    // A move that is refused can be chosen anew, and nothing goes in its place.
    let error = CommandError::NotYourTurn;
    assert_eq!(ui.take(&Notice::Refused { id: None, error }, Instant::now()), None);
    assert_eq!(give(&mut ui, "d4"), line("d4"));
}

const PROMOTES: &str = "8/4P3/8/8/8/8/8/k3K3 w - - 0 9";
const PROMOTIONS: [&str; 4] = ["e7e8q", "e7e8r", "e7e8b", "e7e8n"];

#[test]
fn a_pawn_asks_what_it_becomes() {
    let view = to_move(PROMOTES, &PROMOTIONS);
    let asked = || {
        let mut ui = fresh(std::slice::from_ref(&view));
        key(&mut ui, KeyCode::Tab);
        (0..6).for_each(|_| drop(key(&mut ui, KeyCode::Up)));
        key(&mut ui, KeyCode::Char(' '));
        key(&mut ui, KeyCode::Up);
        assert_eq!(key(&mut ui, KeyCode::Char(' ')), None);
        ui
    };
    for (code, expected) in [(KeyCode::Char('n'), line("e7e8n")), (KeyCode::Enter, line("e7e8q")), (KeyCode::Esc, None)]
    {
        let mut ui = asked();
        assert!(text(&drawn(&mut ui, (80, 24), Instant::now())).contains("The pawn becomes"));
        assert_eq!(key(&mut ui, code), expected);
        assert!(!text(&drawn(&mut ui, (80, 24), Instant::now())).contains("The pawn becomes"));
    }
    let mut ui = asked();
    assert_eq!(key(&mut ui, KeyCode::Char('x')), None, "no piece, and still asked");
    assert_eq!((key(&mut ui, KeyCode::Down), key(&mut ui, KeyCode::Down)), (None, None));
    assert_eq!(key(&mut ui, KeyCode::Enter), line("e7e8b"));
    let mut ui = asked();
    let shown = text(&drawn(&mut ui, (80, 24), Instant::now()));
    let place = |row: &str| row.split_once("  knight").map(|(before, _)| before.chars().count() as u16);
    let (row, column) = (0..).zip(shown.lines()).find_map(|(y, row)| Some((y, place(row)?))).expect("a knight");
    let click =
        MouseEvent { kind: MouseEventKind::Down(MouseButton::Left), column, row, modifiers: KeyModifiers::NONE };
    assert_eq!(ui.mouse(click), line("e7e8n"));
}

#[test]
fn what_cannot_be_taken_back_is_asked_first() {
    let asked = |file: &str, typed: &str| {
        let mut ui = fresh(&notices(file));
        assert_eq!(types(&mut ui, typed), None);
        ui
    };
    for (file, typed, told, word, given) in [
        ("middle.jsonl", "resign", "The opponent wins the game", "resign", "resign yes"),
        ("draw.jsonl", "resign", "you lose your stake of 0.1 ETH", "Resign", "resign yes"),
        ("draw.jsonl", "accept", "has its stake of 0.1 ETH back", "accept", "accept"),
        ("draw.jsonl", "fifty", "You know your own moves", "fifty", "fifty yes"),
        ("draw.jsonl", "give", "taken back so far", "give", "give"),
    ] {
        let mut ui = asked(file, typed);
        let shown = text(&drawn(&mut ui, (120, 32), Instant::now()));
        assert!(shown.contains(told), "{shown}");
        assert_eq!(types(&mut ui, word), line(given));
        assert_eq!(types(&mut asked(file, typed), "no"), None);
        let mut ui = asked(file, typed);
        assert_eq!(key(&mut ui, KeyCode::Esc), None);
        assert_eq!(types(&mut ui, "clock"), line("clock"), "nothing is asked any more");
    }
    let mut ui = fresh(&notices("draw.jsonl"));
    assert_eq!(ui.key(KeyEvent::new(KeyCode::Char('y'), KeyModifiers::CONTROL)), None, "a stake is asked for");
    assert_eq!(types(&mut ui, "accept"), line("accept"));
    let mut ui = fresh(&notices("doubt.jsonl"));
    assert!(text(&drawn(&mut ui, (80, 24), Instant::now())).contains("Not signed yet"));
    assert_eq!(types(&mut ui, "e3e4"), line("e3e4"));
}

/// A box that opens in the middle of a line takes nothing of that line, nor the Enter that ends it.
#[test]
fn a_line_that_is_being_typed_signs_no_doubted_move() {
    let mv = "e2e4".parse().expect("a move");
    for (before, after) in [("clo", "ck"), ("e2", "e4"), ("e2e4", "")] {
        let mut ui = fresh(&[to_move(START, &["e2e4"])]);
        before.chars().for_each(|c| drop(key(&mut ui, KeyCode::Char(c))));
        ui.take(&Notice::ConfirmMove { ply: 8, mv, doubt: game::Doubt::Unwritten }, Instant::now());
        assert_eq!(types(&mut ui, after), None, "{before}{after}");
    }
}

/// A capture that has not become possible is not played by another piece.
#[test]
fn a_move_given_early_is_that_move_or_none() {
    let fen = "rnbqkbnr/pppppppp/8/8/3P4/8/PPPBPPPP/RN1QKBNR w KQkq - 0 1";
    for (early, legal) in [("b2c3", "d2c3"), ("bxc3", "d2c3"), ("Bxc3", "b2c3")] {
        let mut ui = fresh(&[to_move(fen, &[])]);
        assert_eq!(types(&mut ui, early), None);
        assert_eq!(ui.take(&to_move(fen, &[legal]), Instant::now()), None, "{early}");
    }
}

#[test]
fn a_box_is_closed_and_what_is_typed_under_it_stays() {
    for (file, title) in [("demand.jsonl", "The opponent is silent"), ("draw.jsonl", "A draw is offered")] {
        let mut ui = fresh(&notices(file));
        let shows = |ui: &mut Ui| text(&drawn(ui, (80, 24), Instant::now())).contains(&format!("┌ {title}"));
        assert!(shows(&mut ui), "{file}");
        key(&mut ui, KeyCode::Char('m'));
        assert!(shows(&mut ui));
        key(&mut ui, KeyCode::Esc);
        assert!(shows(&mut ui), "the line goes first");
        key(&mut ui, KeyCode::Esc);
        assert!(!shows(&mut ui));
        assert_eq!(types(&mut ui, "moves"), line("moves"));
    }
}

#[test]
fn a_game_that_is_over_is_gone_through() {
    let mut ui = fresh(&notices("replay.jsonl"));
    let mut shown = |codes: &[KeyCode]| {
        codes.iter().for_each(|code| assert_eq!(key(&mut ui, *code), None));
        text(&drawn(&mut ui, (80, 24), Instant::now()))
    };
    let end = shown(&[]);
    assert!(end.contains("The fog has lifted") && end.contains("You saw"), "{end}");
    let start = shown(&[KeyCode::Home]);
    assert!(start.contains("After the start") && !start.contains("The fog has lifted"), "{start}");
    assert!(start.contains("8  ♜   ♞   ♝   ♛   ♚   ♝   ♞   ♜"), "{start}");
    assert!(shown(&[KeyCode::Right]).contains("After 1. "));
    assert!(shown(&[KeyCode::PageDown]).contains("After 1… "));
    assert!(shown(&[KeyCode::Left, KeyCode::Left, KeyCode::Left]).contains("After the start"));
    assert!(!shown(&[KeyCode::End]).contains("After "));
    // With the own key alone only the own side is known, and what was lost.
    let mut ui = fresh(&notices("end.jsonl"));
    let end = text(&drawn(&mut ui, (80, 24), Instant::now()));
    assert!(end.contains("The fog lifts once") && !end.contains("You saw"), "{end}");
    key(&mut ui, KeyCode::Home);
    assert!(text(&drawn(&mut ui, (80, 24), Instant::now())).contains("8 ░░░░"));
}

#[test]
fn a_move_given_early_is_played_or_dropped_with_a_sentence() {
    for (moves, expected) in [(&["e2e4"][..], line("e2e4")), (&["d2d4"], None)] {
        let mut ui = fresh(&[to_move(START, &[])]);
        assert_eq!(types(&mut ui, "e2e4"), None);
        let early = text(&drawn(&mut ui, (120, 32), Instant::now()));
        assert!(early.contains("e2e4 comes next, if it can"), "{early}");
        assert_eq!(ui.take(&to_move(START, moves), Instant::now()), expected);
        let after = text(&drawn(&mut ui, (120, 32), Instant::now()));
        assert_eq!(after.contains("can't be played now"), expected.is_none(), "{after}");
    }
    // What is asked meanwhile takes it back as little.
    for question in ["look e5", "clock", "moves"] {
        let mut ui = fresh(&[to_move(START, &[])]);
        assert_eq!(types(&mut ui, "Nf3"), None);
        types(&mut ui, question);
        assert_eq!(ui.take(&to_move(START, &["e2e4", "g1f3"]), Instant::now()), line("g1f3"), "{question}");
    }
    for (early, expected) in [("Nf3", line("g1f3")), ("e4", line("e2e4"))] {
        let mut ui = fresh(&[to_move(START, &[])]);
        assert_eq!(types(&mut ui, early), None);
        assert_eq!(ui.take(&to_move(START, &["g1f3", "e2e4"]), Instant::now()), expected);
    }
    for early in ["e7e8", "e8", "e8=Q"] {
        let mut ui = fresh(&[to_move(PROMOTES, &[])]);
        assert_eq!(types(&mut ui, early), None);
        assert_eq!(ui.take(&to_move(PROMOTES, &PROMOTIONS), Instant::now()), line("e7e8q"), "{early}");
    }
    let mut ui = Ui::new(Settings { colors: Colors::True, ascii: false, premove: false, solo: false });
    ui.take(&to_move(START, &[]), Instant::now());
    assert_eq!(types(&mut ui, "e2e4"), line("e2e4"), "the seat says that it isn't its turn");
}

/// A man that was just moved stands where it went, long before the sight from there has come.
#[test]
fn the_own_move_stands_on_the_board_at_once() {
    let knight = "4k3/8/8/8/8/5p2/8/4K1N1 w - - 0 1";
    let mv = "g1f3".parse().expect("a move");
    let moved = Notice::Moved { ply: 8, mv, capture: "f3".parse().ok(), captured: None, draw_offered: false };
    let on_its_way = [to_move(knight, &["g1f3"]), Notice::AwaitingRequest { mv }];
    for notices in [&on_its_way[..], &[to_move(knight, &["g1f3"]), moved]] {
        let mut ui = fresh(notices);
        let shown = text(&drawn(&mut ui, (80, 24), Instant::now()));
        assert!(shown.contains('♞') && !shown.contains('♟'), "{shown}");
        // It can be moved on from there before its turn, by its name and by its squares.
        for early in ["Ng5", "f3g5"] {
            assert_eq!(types(&mut ui, early), None);
            let shown = text(&drawn(&mut ui, (80, 24), Instant::now()));
            assert_eq!(shown.matches('°').count(), 2, "{shown}");
        }
    }
    // What was refused goes back.
    let mut ui = fresh(&on_its_way);
    ui.take(&Notice::Refused { id: None, error: CommandError::NotYourTurn }, Instant::now());
    let shown = text(&drawn(&mut ui, (80, 24), Instant::now()));
    assert!(shown.contains('♞') && shown.contains('♟'), "{shown}");
}

#[test]
fn an_early_move_that_could_mean_two_is_refused_when_it_is_typed() {
    let knights = "4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1";
    let mut ui = fresh(&[to_move(knights, &[])]);
    assert_eq!(types(&mut ui, "Ne2"), None);
    let shown = text(&drawn(&mut ui, (120, 32), Instant::now()));
    assert!(shown.contains("Ne2 could be g1e2 or c3e2.") && !shown.contains("comes next"), "{shown}");
    assert_eq!(ui.take(&to_move(knights, &["g1e2", "c3e2"]), Instant::now()), None);
}

#[test]
fn lines_are_completed_and_recalled() {
    let mut ui = fresh(&[to_move(START, &["g1f3", "g1h3", "e2e4"])]);
    for (typed, expected) in
        [("nf", "Nf3"), ("n", "n"), ("N", "N"), (":pub", "publish"), ("wi", "withdraw"), ("clo", "clock")]
    {
        typed.chars().for_each(|c| drop(key(&mut ui, KeyCode::Char(c))));
        key(&mut ui, KeyCode::Tab);
        assert_eq!(key(&mut ui, KeyCode::Enter), line(expected), "{typed}");
    }
    (0..3).for_each(|_| drop(key(&mut ui, KeyCode::Up)));
    assert_eq!(key(&mut ui, KeyCode::Enter), line("publish"));
    ui.paste("clock\nresign yes\n");
    assert_eq!(key(&mut ui, KeyCode::Enter), line("clock"));
}

/// Who can't tell red, green and yellow apart, or has no colors, sees the same.
#[test]
fn what_colors_say_marks_say_too() {
    let lost =
        notices("end.jsonl").into_iter().take_while(|notice| !matches!(notice, Notice::Over(_))).collect::<Vec<_>>();
    for (colors, size) in [(Colors::True, (80, 24)), (Colors::None, (120, 32)), (Colors::Of16, (48, 26))] {
        let mut ui = Ui::new(Settings { colors, ascii: false, premove: true, solo: false });
        lost.iter().for_each(|notice| drop(ui.take(notice, Instant::now())));
        let shown = text(&drawn(&mut ui, size, Instant::now()));
        assert!(shown.contains('†') && shown.contains('′'), "{shown}");
        let mut ui = Ui::new(Settings { colors, ascii: false, premove: true, solo: false });
        ui.take(&to_move(START, &["e2e4"]), Instant::now());
        for code in [KeyCode::Tab, KeyCode::Up, KeyCode::Char(' ')] {
            assert_eq!(key(&mut ui, code), None);
        }
        let shown = text(&drawn(&mut ui, size, Instant::now()));
        assert!(shown.contains('‹') && shown.contains('•'), "{shown}");
    }
}

#[test]
fn control_keys_leave_suspend_and_turn_the_board() {
    let mut ui = fresh(&[]);
    let mut control = |c| ui.key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL));
    assert_eq!((control('c'), control('z'), control('f')), (Some(Action::Quit), Some(Action::Suspend), None));
    assert_eq!(control('l'), Some(Action::Redraw));
}

/// What was typed before the board was there ends its lines by line feeds, which are read as Ctrl-J.
#[test]
fn a_line_that_was_typed_ahead_is_given() {
    let mut ui = fresh(&[]);
    "clock".chars().for_each(|c| assert_eq!(key(&mut ui, KeyCode::Char(c)), None));
    assert_eq!(ui.key(KeyEvent::new(KeyCode::Char('j'), KeyModifiers::CONTROL)), line("clock"));
}

/// Any keys and clicks, at any time, in any size.
#[test]
fn garbage_breaks_nothing() {
    let seed: u64 =
        std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(|| rand::thread_rng().r#gen());
    println!("SEED={seed}");
    let mut rng = rand_chacha::ChaCha12Rng::seed_from_u64(seed);
    let (lines, now) = (notices("end.jsonl"), Instant::now());
    for _ in 0..60 {
        let mut ui = ui(Colors::Of16, &[], now);
        for notice in &lines {
            ui.take(notice, now);
            for _ in 0..rng.gen_range(0..6) {
                let codes = [
                    KeyCode::Tab,
                    KeyCode::Enter,
                    KeyCode::Esc,
                    KeyCode::Up,
                    KeyCode::Down,
                    KeyCode::Left,
                    KeyCode::Right,
                    KeyCode::Home,
                    KeyCode::End,
                    KeyCode::Backspace,
                    KeyCode::Delete,
                    KeyCode::F(5),
                    KeyCode::Char(char::from_u32(rng.gen_range(0..0x2700)).unwrap_or('?')),
                    KeyCode::Char('e'),
                    KeyCode::Char(' '),
                ];
                let modifiers = if rng.gen_ratio(1, 9) { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
                ui.key(KeyEvent::new(codes[rng.gen_range(0..codes.len())], modifiers));
                let button = [MouseButton::Left, MouseButton::Right][rng.gen_range(0..2)];
                let kind = [MouseEventKind::Down(button), MouseEventKind::Up(button)][rng.gen_range(0..2)];
                let (column, row) = (rng.gen_range(0..130), rng.gen_range(0..40));
                ui.mouse(MouseEvent { kind, column, row, modifiers });
            }
            if rng.gen_ratio(1, 5) {
                drawn(&mut ui, (rng.gen_range(1..140), rng.gen_range(1..45)), now);
            }
        }
    }
}

/// Between the own move and the next board the last one still stands on the screen, with moves that can't be made any more.
#[test]
fn a_move_that_is_typed_before_the_next_board_waits_for_it() {
    let moves = ["e2e4", "g1f3"];
    let mv = moves[0].parse().expect("a move");
    let moved = Notice::Moved { ply: 8, mv, capture: None, captured: None, draw_offered: false };
    let opponent = Notice::OpponentMoved { ply: 9, capture: None, draw_offered: false, lost: None };
    for told in [vec![moved.clone()], vec![moved, opponent]] {
        let mut ui = fresh(&[to_move(START, &moves), Notice::Sent { ply: 8, mv }]);
        told.iter().for_each(|notice| assert_eq!(ui.take(notice, Instant::now()), None));
        assert_eq!(types(&mut ui, "Nf3"), None, "it is kept");
        assert_eq!(ui.take(&Notice::Connected, Instant::now()), None);
        assert_eq!(ui.take(&to_move(START, &moves), Instant::now()), line("g1f3"));
    }
}

/// While the own move is proven and sent, the next one may be given, with an offer and by the mouse, too. It goes with the next board that
/// has it, and never in place of the move that it was to follow.
#[test]
fn a_move_given_after_the_own_one_waits_for_the_next_turn() {
    let moves = ["e2e4", "d2d4"];
    let mv = moves[0].parse().expect("a move");
    let turn = || to_move(START, &moves);
    let later = || match turn() {
        Notice::View(mut view) => {
            view.ply += 2;
            Notice::View(view)
        }
        other => other,
    };
    let already = Notice::Refused { id: None, error: CommandError::AlreadyChosen { mv } };
    for on_its_way in
        [Notice::AwaitingRequest { mv }, Notice::Proving { ply: 8, mv }, Notice::Sent { ply: 8, mv }, already]
    {
        for (typed, expected) in [("d4", "d2d4"), ("d4 draw", "d2d4 draw")] {
            let mut ui = fresh(&[turn(), on_its_way.clone()]);
            assert_eq!(types(&mut ui, typed), None, "{typed} is kept");
            let shown = text(&drawn(&mut ui, (80, 24), Instant::now()));
            assert!(shown.contains(&format!("{typed} comes next, if it can")), "{shown}");
            let moved = Notice::Moved { ply: 8, mv, capture: None, captured: None, draw_offered: false };
            assert_eq!(ui.take(&moved, Instant::now()), None);
            assert_eq!(ui.take(&later(), Instant::now()), line(expected));
        }
    }
    let mut ui = fresh(&[turn(), Notice::Sent { ply: 8, mv }]);
    drawn(&mut ui, (80, 24), Instant::now());
    for row in [1 + 2 * (8 - 2), 1 + 2 * (8 - 4)] {
        let (kind, column) = (MouseEventKind::Down(MouseButton::Left), 3 + 4 * 3 + 1);
        assert_eq!(ui.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }), None);
    }
    assert_eq!(ui.take(&later(), Instant::now()), line("d2d4"), "clicked");
    let mut ui = fresh(&[turn(), Notice::Sent { ply: 8, mv }]);
    assert_eq!(types(&mut ui, "d4"), None);
    assert_eq!(ui.take(&Notice::Failed { reason: "no node".to_owned() }, Instant::now()), None);
    let shown = text(&drawn(&mut ui, (80, 24), Instant::now()));
    assert!(shown.contains("d4, given early, can't be played now"), "{shown}");
}

/// What came of a line is seen in any size, beside a box, too, and goes with the next line or move.
#[test]
fn a_refusal_is_shown_whole_until_the_next_line_or_move() {
    let refusal = "\"Zz9\" is no move; or give a command, `help` lists them";
    for (file, size) in
        [("middle.jsonl", (40, 16)), ("middle.jsonl", (60, 20)), ("demand.jsonl", (45, 16)), ("end.jsonl", (80, 24))]
    {
        let shows = |ui: &mut Ui| {
            let shown = text(&drawn(ui, size, Instant::now()));
            let words: Vec<&str> = shown.split_whitespace().collect();
            words.join(" ").contains("or give a command") && words.contains(&"them")
        };
        let mut ui = fresh(&notices(file));
        ui.reply(refusal);
        assert!(shows(&mut ui), "{file} {size:?}");
        assert_eq!(types(&mut ui, "moves"), line("moves"));
        assert!(!shows(&mut ui), "{file} {size:?}: the next line");
        ui.reply(refusal);
        ui.take(&Notice::OpponentMoved { ply: 9, capture: None, draw_offered: false, lost: None }, Instant::now());
        assert!(!shows(&mut ui), "{file} {size:?}: the next move");
    }
    let mut ui = fresh(&notices("replay.jsonl"));
    assert!(text(&drawn(&mut ui, (80, 24), Instant::now())).contains("the small ones are"));
    let small = text(&drawn(&mut ui, (60, 20), Instant::now()));
    assert!(small.contains("the board is the truth"), "{small}");
}

#[test]
fn the_end_offers_what_can_still_be_done() {
    let shown = |ui: &mut Ui| text(&drawn(ui, (80, 24), Instant::now()));
    let bar = |ui: &mut Ui| shown(ui).lines().last().unwrap_or_default().to_owned();
    let mut ui = fresh(&notices("end.jsonl"));
    assert!(
        bar(&mut ui).contains("rematch   publish   quit") && shown(&mut ui).contains("rematch       plays once more")
    );
    ui.take(&Notice::ViewKey { own: true }, Instant::now());
    assert!(!shown(&mut ui).contains("publish   ") && !shown(&mut ui).contains("opens your side"));
    key(&mut ui, KeyCode::Esc);
    assert!(!shown(&mut ui).contains("plays once more"), "the box is closed");
    ui.take(&Notice::RematchOpened { game: Default::default() }, Instant::now());
    assert!(shown(&mut ui).contains("rematch       joins the game"), "it is there again");
    let mut ui = Ui::new(Settings { colors: Colors::True, ascii: false, premove: true, solo: true });
    notices("end.jsonl").iter().for_each(|notice| drop(ui.take(notice, Instant::now())));
    let end = shown(&mut ui);
    assert!(!end.contains("rematch") && end.contains(" bot ") && !end.contains("wallet"), "{end}");
    key(&mut ui, KeyCode::Char('?'));
    let keys = shown(&mut ui);
    assert!(!keys.contains("ends the game") && !keys.contains("waits for you"), "{keys}");
}

/// A game that is only looked at has keys of its own and no link, and doesn't count what isn't known.
#[test]
fn a_replay_has_a_bar_of_its_own() {
    let shown = |ui: &mut Ui| text(&drawn(ui, (80, 24), Instant::now()));
    let mut told = notices("one_key.jsonl");
    let mut ui = fresh(&told);
    let end = shown(&mut ui);
    assert!(end.contains("← → Home End   F   quit") && !end.contains("link") && !end.contains("publish "), "{end}");
    assert!(end.contains("1. e4") && end.contains("2. Bd3") && end.contains("8. Ke1"), "{end}");
    assert!(end.contains("lost ♟♚   -1"), "{end}");
    key(&mut ui, KeyCode::Left);
    assert!(shown(&mut ui).contains("lost ♟   -1"), "what was lost follows the step");
    key(&mut ui, KeyCode::Char('?'));
    let keys = shown(&mut ui);
    assert!(keys.contains("`quit` leaves") && !keys.contains("Nf3"), "{keys}");
    key(&mut ui, KeyCode::Esc);
    key(&mut ui, KeyCode::Char('F'));
    assert!(shown(&mut ui).contains("h   g   f"), "turned");
    // All of the word is read here: what leaves at its first letter would give the others to the shell.
    assert_eq!(types(&mut ui, "quit"), line("quit"));
    for notice in &mut told {
        if let Notice::History { plies } = notice {
            plies[8].capture = Some("a4".parse().expect("a square"));
        }
    }
    let unknown = shown(&mut fresh(&told));
    assert!(unknown.contains("taken ?   lost ♟♚   ? kind unknown"), "{unknown}");
}

#[test]
fn a_step_marks_its_ply_alone() {
    let mut ui = fresh(&notices("watched.jsonl"));
    for expected in ["Ke1", "Qf2", "a5"] {
        key(&mut ui, KeyCode::Left);
        let buffer = drawn(&mut ui, (80, 24), Instant::now());
        let is_marked = |cell: &&ratatui::buffer::Cell| cell.modifier.contains(ratatui::style::Modifier::REVERSED);
        assert_eq!(buffer.content.iter().filter(is_marked).map(|cell| cell.symbol()).collect::<String>(), expected);
    }
}

/// What is longer than the screen comes page by page.
#[test]
fn commands_are_listed_in_any_size() {
    let commands: String = (0..30).map(|number| format!("  command{number}  what it does\n")).collect();
    for size in [(45, 16), (80, 24), (120, 32)] {
        let mut ui = fresh(&notices("middle.jsonl"));
        ui.explain(&commands);
        let mut all = text(&drawn(&mut ui, size, Instant::now()));
        for _ in 0..8 {
            assert_eq!(key(&mut ui, KeyCode::Char(' ')), None);
            all += &text(&drawn(&mut ui, size, Instant::now()));
        }
        assert!((0..30).all(|number| all.contains(&format!("command{number} "))), "{all}");
        assert!(all.contains("may begin with"), "{all}");
        assert_eq!(ui.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)), None);
        assert_eq!(types(&mut ui, "clock"), line("clock"), "the last page is closed");
    }
    assert_eq!(types(&mut fresh(&notices("middle.jsonl")), "help"), line("help"));
}
