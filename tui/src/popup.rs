//! What a player is asked in the middle of the screen before anything else is done: what a pawn becomes, and whether it means what can't be taken back.

use crate::model::Model;
use game::Notice;
use ratatui::layout::{Position, Rect};
use rules::{Move, PieceType};

/// What is asked, or explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Popup {
    /// Keys and commands, from a line of the text on.
    Keys { text: String, from: usize },
    /// A pawn that goes to the last rank, what it can become, and which of it is marked.
    Promotion { moves: Vec<Move>, marked: usize },
    /// Something that is done once this word is typed.
    Word {
        title: &'static str,
        text: String,
        word: String,
        /// The line that it is then.
        line: String,
    },
}

const KEYS: &str = "Type a move: Nf3, exd6, O-O, e8=Q or e2e4. Tab completes it, ↑ brings back an earlier line.
Or Tab on an empty line: arrows or hjkl go over the board, Space picks and drops a piece, n is the next piece that can move, Esc lets go.
Or click a piece and where it goes, or drag it; the right button lets go.

Ctrl-Y takes a draw that is offered. Page Up, Page Down and the wheel go through the moves, after the game ← → Home End, too.
Ctrl-F turns the board, Ctrl-L draws the screen anew, Esc closes a box. `help` lists all commands; a command may begin with `:`.
Ctrl-C leaves";

/// What becomes of a game that is left: one with its chain elsewhere, and one of this machine alone.
const LEFT: [&str; 2] =
    [": the game waits for you, its clocks don't.", " and ends the game, which is on this machine alone."];

/// Those of a game that is only looked at.
const REPLAY_KEYS: &str =
    "← and → go a move back and on, Home and End to the start and the end; Page Up, Page Down and the wheel go, too.
F turns the board, Esc closes a box, `quit` leaves.";

impl Popup {
    /// The keys of a game, after its commands if they are listed.
    pub fn keys(commands: &str, model: &Model) -> Self {
        let keys = match model.is_watched() {
            true => REPLAY_KEYS.to_owned(),
            false => {
                let what = if model.ending.is_some() { "." } else { LEFT[usize::from(model.is_solo)] };
                format!("{KEYS}{what}")
            }
        };
        Self::Keys { text: format!("{commands}\n\n{keys}").trim_start_matches('\n').to_owned(), from: 0 }
    }

    /// What is asked before a line is carried out, if anything is.
    pub fn before(line: &str, model: &Model) -> Option<Self> {
        let stake = model.stake() as f64 / 1e18;
        let is_staked = model.stake() > 0;
        let (title, text, word, line) = match line {
            "resign" if is_staked => (
                "Give up?",
                format!("The opponent wins, and you lose your stake of {stake} ETH."),
                "resign",
                "resign yes",
            ),
            "resign" => ("Give up?", "The opponent wins the game.".to_owned(), "resign", "resign yes"),
            "accept" if is_staked && model.draw_offered => {
                ("A draw?", format!("The game ends, and each has its stake of {stake} ETH back."), "accept", "accept")
            }
            "fifty" if model.has_proofs() => (
                "Claim a draw by fifty moves?",
                crate::FIFTY.replace(" `fifty\nyes` claims.", ""),
                "fifty",
                "fifty yes",
            ),
            "ask" => (
                "Take the opponent's word?",
                "It may hide your last moves, and see two of your boards. A backup is better: `play --backup`."
                    .to_owned(),
                "ask",
                "ask",
            ),
            "give" => (
                "Give a sight again?",
                "Only if you know that the chain was really taken back so far: else the opponent sees two boards."
                    .to_owned(),
                "give",
                "give",
            ),
            _ => return None,
        };
        Some(Self::Word { title, text, word: word.to_owned(), line: line.to_owned() })
    }

    /// What a notice asks.
    pub fn of(notice: &Notice) -> Option<Self> {
        match notice {
            // It comes unasked, maybe in the middle of a line: Enter alone must sign nothing.
            Notice::ConfirmMove { mv, .. } => Some(Self::Word {
                title: "Not signed yet",
                text: format!("{}.", notice.note()?),
                word: mv.to_string(),
                line: mv.to_string(),
            }),
            _ => None,
        }
    }

    pub fn title(&self) -> &str {
        match self {
            Self::Keys { .. } => "Keys",
            Self::Promotion { .. } => "The pawn becomes",
            Self::Word { title, .. } => title,
        }
    }

    pub fn text(&self, symbol: impl Fn(PieceType) -> String) -> String {
        match self {
            Self::Keys { text, .. } => text.clone(),
            Self::Promotion { moves, marked } => {
                let pieces = moves.iter().enumerate().filter_map(|(at, mv)| Some((at == *marked, mv.promotion?)));
                let rows = pieces.map(|(is_marked, piece)| {
                    let mark = if is_marked { "▶" } else { " " };
                    format!("{mark} {}  {}  {piece}", piece.letter(), symbol(piece))
                });
                rows.collect::<Vec<_>>().join("\n")
            }
            Self::Word { text, word, .. } => format!("{text}\n\nType {word} and Enter to do so; Esc leaves it."),
        }
    }

    /// Which piece a pawn becomes by a click at a place of the box.
    pub fn clicked(&self, inside: Rect, column: u16, row: u16) -> Option<Move> {
        let Self::Promotion { moves, .. } = self else { return None };
        let is_inside = inside.contains(Position::new(column, row));
        moves.get(usize::from(row.checked_sub(inside.y).filter(|_| is_inside)?)).copied()
    }
}
