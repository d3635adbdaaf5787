//! What Bob tries, by its name.

use clap::ValueEnum;
use derive_more::Display;
use game::Mode;

/// A way to cheat.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, ValueEnum)]
#[display(rename_all = "kebab-case")]
pub enum Scene {
    /// He makes an illegal move.
    Illegal,
    /// He lies about what Alice sees, and gives in.
    Lie,
    /// He lies so that he can't take it back.
    Withheld,
    /// He goes silent in the middle of the game.
    Silence,
    /// He claims a draw that isn't one.
    Fifty,
    /// He has the chain taken back, and sends Alice's old move again.
    Replay,
    /// He takes a move back in a game between the players' machines.
    Wake,
}

impl Scene {
    /// How its game is played.
    pub fn mode(self) -> Mode {
        match self {
            Self::Wake => Mode::Channel,
            _ => Mode::Verified,
        }
    }

    /// The scene in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::Illegal => "An illegal move",
            Self::Lie => "A lie about what Alice sees, taken back before it is too late",
            Self::Withheld => "A lie about what Alice sees, which can't be taken back",
            Self::Silence => "Silence",
            Self::Fifty => "A draw by fifty moves that isn't one",
            Self::Wake => "A move taken back, in a game between the players' machines",
            Self::Replay => "Alice's old move, sent again after the chain was taken back",
        }
    }
}
