//! Screens as they are drawn from files of JSON lines, in sizes, colors and both orientations, and what they remember.

use crate::golden::golden;
use game::Notice;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rules::{PieceType, Square};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};
use tui::{Colors, Settings, Ui};

pub const SIZES: [(u16, u16); 3] = [(120, 32), (80, 24), (48, 26)];
const COLORS: [Colors; 4] = [Colors::True, Colors::Of256, Colors::Of16, Colors::None];

/// The notices of a file of `test/data/lines`.
pub fn notices(name: &str) -> Vec<Notice> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test/data/lines").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(|line| Notice::from_line(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

pub fn ui(colors: Colors, notices: &[Notice], now: Instant) -> Ui {
    let mut ui = Ui::new(Settings { colors, ascii: false, premove: true, solo: false });
    for notice in notices {
        assert_eq!(ui.take(notice, now), None);
    }
    ui
}

pub fn drawn(ui: &mut Ui, (width, height): (u16, u16), now: Instant) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal in memory");
    terminal.draw(|frame| ui.draw(frame, now)).expect("it is drawn").buffer.clone()
}

pub fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width);
    let rows = buffer.content.chunks(width);
    rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned() + "\n").collect()
}

/// A number that changes with any color or modifier of any cell.
fn style_hash(buffer: &Buffer) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for cell in &buffer.content {
        for byte in format!("{:?}", cell.style()).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

/// The files of lines, and the keys that follow them.
const SCENES: [(&str, &[KeyCode]); 16] = [
    ("opening.jsonl", &[]),
    ("middle.jsonl", &[]),
    ("proof.jsonl", &[]),
    ("demand.jsonl", &[]),
    ("demanded.jsonl", &[]),
    ("claim.jsonl", &[]),
    ("claimed.jsonl", &[]),
    ("draw.jsonl", &[]),
    ("draw.jsonl", RESIGNS),
    ("doubt.jsonl", &[]),
    (
        "promotion.jsonl",
        &[KeyCode::Tab, KeyCode::Char('n'), KeyCode::Char(' '), KeyCode::Up, KeyCode::Char(' '), KeyCode::Down],
    ),
    ("end.jsonl", &[]),
    ("replay.jsonl", &[]),
    ("replay.jsonl", &[KeyCode::Left, KeyCode::Left, KeyCode::Left]),
    ("watched.jsonl", &[KeyCode::Left, KeyCode::Left]),
    ("one_key.jsonl", &[KeyCode::Left, KeyCode::Left]),
];

const RESIGNS: &[KeyCode] = &[
    KeyCode::Char('r'),
    KeyCode::Char('e'),
    KeyCode::Char('s'),
    KeyCode::Char('i'),
    KeyCode::Char('g'),
    KeyCode::Char('n'),
    KeyCode::Enter,
];

#[test]
fn screens_are_golden() {
    let now = Instant::now();
    let mut all = String::new();
    for (file, keys) in SCENES {
        let notices = notices(file);
        for (size, is_flipped) in SIZES.into_iter().flat_map(|size| [(size, false), (size, true)]) {
            let turned = if is_flipped { "turned" } else { "as dealt" };
            let typed = if keys.is_empty() { String::new() } else { format!(", {} keys", keys.len()) };
            let _ = writeln!(all, "== {file}, {} x {}, {turned}{typed}", size.0, size.1);
            let mut of_colors = Vec::new();
            for colors in COLORS {
                let mut ui = ui(colors, &notices, now);
                if is_flipped {
                    ui.key(KeyEvent::new(KeyCode::Char('f'), KeyModifiers::CONTROL));
                }
                for code in keys {
                    assert_eq!(ui.key(KeyEvent::new(*code, KeyModifiers::NONE)), None);
                }
                let buffer = drawn(&mut ui, size, now + Duration::from_secs(3));
                let _ = writeln!(all, "{colors:?}: {:016x}", style_hash(&buffer));
                of_colors.push(text(&buffer));
            }
            assert!(of_colors[..3].iter().all(|text| *text == of_colors[0]), "colors change no letter");
            let _ = write!(all, "{}-- without colors\n{}", of_colors[0], of_colors[3]);
        }
    }
    golden("screens.txt", &all);
}

#[test]
fn a_board_grows_with_its_terminal() {
    for (size, square) in [((80, 24), 4), ((100, 28), 6), ((124, 36), 8), ((150, 44), 10)] {
        let mut ui = ui(Colors::True, &notices("middle.jsonl"), Instant::now());
        let shown = text(&drawn(&mut ui, size, Instant::now()));
        let files = shown.lines().find(|line| line.trim_start().starts_with("a  ")).expect("the files' names");
        let [a, h] = ['a', 'h'].map(|name| files.find(name).expect("a file"));
        assert_eq!(h - a, 7 * square, "{size:?}: {shown}");
    }
}

#[test]
fn a_small_terminal_asks_for_room() {
    let now = Instant::now();
    for size in [(39, 30), (100, 15), (20, 5), (1, 1)] {
        let mut ui = ui(Colors::True, &notices("middle.jsonl"), now);
        let shown = text(&drawn(&mut ui, size, now));
        assert!(size == (1, 1) || shown.contains("The board"), "{size:?}: {shown}");
    }
}

#[test]
fn what_was_seen_is_remembered_until_it_is_seen_to_be_gone() {
    let now = Instant::now();
    let mut ui = Ui::new(Settings { colors: Colors::True, ascii: false, premove: false, solo: false });
    let square: Square = "d5".parse().expect("a square");
    let view = |fen: &str, ply| {
        let position = rules::Position::from_fen(fen).expect("a position");
        let side = position.side(rules::Color::White).clone();
        let sight = Some(position.sight(rules::Color::White));
        Notice::View(Box::new(game::View::new(ply, game::Phase::Pre, side, sight, Vec::new(), [0; 2])))
    };
    ui.take(&view("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 9", 16), now);
    assert_eq!(ui.model().remembered(square), Some((PieceType::Queen, 16)));
    // The rook has left the file: the square is in the dark.
    ui.take(&view("4k3/8/8/3q4/8/8/8/R3K3 w - - 0 9", 18), now);
    assert_eq!(ui.model().remembered(square), Some((PieceType::Queen, 16)));
    ui.take(&view("4k3/8/8/8/8/8/8/3RK3 w - - 0 9", 20), now);
    assert_eq!(ui.model().remembered(square), None);
    ui.take(&view("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 9", 22), now);
    ui.take(&view("4k3/8/8/8/q7/8/8/R3K3 w - - 0 9", 24), now);
    assert_eq!(ui.model().remembered(square), None, "there is one queen");
}
