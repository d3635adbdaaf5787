//! One game under a referee, which alone has the whole truth.

use std::time::Duration;

use rules::{Color, Move, Position};

use crate::players::{Player, Seat};

/// What was played, and who took the king; nobody if the game was too long, or there was no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub moves: Vec<Move>,
    pub winner: Option<Color>,
}

/// What one move took.
pub struct Thought<'a> {
    pub seat: &'a Seat,
    /// Of the thread that thinks.
    pub processor_time: Duration,
    /// On how many opponents moves were searched.
    pub searched: usize,
}

/// The processor time of this thread: what else runs on the machine doesn't count.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|ns| ns.parse().ok()).unwrap_or(0))
}

/// Plays White against Black for so many plies at most, and shows what each move took.
pub fn play(players: [Player; 2], seed: u64, plies: usize, mut show: impl FnMut(Color, Thought<'_>)) -> Game {
    let mut position = Position::start();
    let mut seats = Color::ALL.map(|color| Seat::new(players[color.index()], color, 2 * seed + color.index() as u64));
    let (mut moves, mut capture) = (Vec::new(), None);
    while moves.len() < plies {
        let color = position.turn();
        let seat = &mut seats[color.index()];
        let (side, sight) = (position.side(color).clone(), position.sight(color));
        let begun = processor_time();
        if !moves.is_empty() {
            seat.opponent_moved(capture, &side, &sight);
        }
        let Some((mv, searched)) = seat.choose(&side, &sight) else { break };
        let processor_time = processor_time().saturating_sub(begun);
        show(color, Thought { seat, processor_time, searched });
        let played = position.play(&mv).expect("a legal move");
        moves.push(mv);
        if played.king_fell {
            return Game { moves, winner: Some(color) };
        }
        seat.moved(position.side(color), played.capture, &position.sight(color));
        capture = played.capture;
    }
    Game { moves, winner: None }
}
