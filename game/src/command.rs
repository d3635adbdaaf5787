//! What a player can ask of its seat, and why a seat refuses: the same for a terminal, a script, a bot and a page.

use crate::move_name;
use rules::Move;
use schemars::JsonSchema;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::fmt;

/// What a user can ask for. In JSON `command` names it, as in `{"command":"move","move":"e2e4"}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Play this move, perhaps with a draw offer.
    Move {
        #[serde(rename = "move", with = "crate::as_text::AsText")]
        mv: Move,
        /// Whether to offer a draw with it.
        #[serde(default)]
        offer_draw: bool,
    },
    /// Don't wait for the points of the opponent's request; it will get no sight with this move.
    DontWait,
    /// Give the sights that were refused because others had been given in their place.
    GiveAgain,
    /// Of a game between the machines of which this one has nothing: take the plies that the opponent shows, and have the chain go on after them.
    AskOpponent,
    Resign,
    /// Accept the draw that the opponent's last move offered.
    AcceptDraw,
    /// Claim the game, the opponent's time having run out.
    ClaimTimeout,
    /// Claim a draw by fifty moves of each player without a capture or a pawn's move.
    ClaimFifty,
    /// Claim a draw because there is no move.
    ClaimNoMove,
    /// After the game: let everybody see this player's side of it.
    PublishViewKey,
    /// After the game: fetch what is due.
    Withdraw,
    /// Show the board again.
    Show,
}

/// A command, and the number by which notices say what becomes of it, if who gives it has given it one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    pub id: Option<u64>,
    pub command: Command,
}

impl From<Command> for Given {
    fn from(command: Command) -> Self {
        Self { id: None, command }
    }
}

impl Given {
    /// Reads a line of JSON: a command's object, perhaps with an `id`.
    ///
    /// # Errors
    ///
    /// If the line is no such object, or has a field that the command doesn't.
    pub fn from_line(line: &str) -> serde_json::Result<Self> {
        let Fields(mut fields) = serde_json::from_str(line)?;
        let id = fields.remove("id").map(serde_json::from_value).transpose()?.flatten();
        let command: Command = serde_json::from_value(fields.clone().into())?;
        // A command without fields of its own would take any (serde's `deny_unknown_fields` has no say there).
        let known = serde_json::to_value(command)?;
        match fields.keys().find(|name| known.get(name).is_none()) {
            Some(name) => Err(serde_json::Error::custom(format_args!("{name} is no field of this command"))),
            None => Ok(Self { id, command }),
        }
    }
}

/// The fields of an object, each of which is there once.
struct Fields(Map<String, Value>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Once;

        impl<'de> Visitor<'de> for Once {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut given: A) -> Result<Fields, A::Error> {
                let mut fields = Map::new();
                while let Some((name, value)) = given.next_entry::<String, Value>()? {
                    if fields.insert(name.clone(), value).is_some() {
                        return Err(A::Error::custom(format_args!("{name} is given twice")));
                    }
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Once)
    }
}

/// Why a command wasn't carried out. Nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CommandError {
    /// There is no board yet.
    #[error("the game has not begun")]
    NotBegun,
    /// There is no game any more.
    #[error("the game is over")]
    Over,
    /// The game goes on.
    #[error("the game is not over")]
    NotOver,
    /// The opponent is to move.
    #[error("it is not your turn")]
    NotYourTurn,
    /// Protocol, section 6: nothing is sent on the strength of an unproven sight.
    #[error("your sight of this position is not proven yet; wait for the opponent's answer")]
    SightNotProven,
    /// Nothing hangs on a move whose proof is false.
    #[error("the proof of the opponent's move is not verified yet, or is false")]
    NotVerified,
    /// In a game between the machines that was woken.
    #[error("the game was woken: nothing can be done before the time to contest that is over, but to resign")]
    Contested,
    /// Who signs a result or takes one signs nothing after it.
    #[error("the result of this game is signed, and nothing more is signed in it")]
    ResultSigned,
    #[error("this machine knows how far the game has come, so there is nothing to ask the opponent for")]
    NothingForgotten,
    /// A machine that has lost its game between the machines signs nothing in it.
    #[error(
        "this machine doesn't know how far the game has come: bring back its journal or its backup, `ask` the opponent, or resign"
    )]
    Forgotten,
    /// The own demand or claim is open; meanwhile only the king can be captured.
    #[error("your demand or claim must be answered first; only a capture of the king may go before")]
    OnHold,
    /// A seat signs one move a ply.
    #[error("you have already chosen {mv} for this move")]
    AlreadyChosen {
        #[serde(rename = "move", with = "crate::as_text::AsText")]
        mv: Move,
    },
    /// Not among the legal moves.
    #[error("{mv} is not a legal move here")]
    Illegal {
        #[serde(rename = "move", with = "crate::as_text::AsText")]
        mv: Move,
    },
    /// Another turn has come since a move was given.
    #[error("{mv} was given as {}, and the game has gone on since", move_name(*.ply))]
    TooLate {
        #[serde(rename = "move", with = "crate::as_text::AsText")]
        mv: Move,
        /// The ply that it was given for.
        ply: u16,
    },
    /// No move waits for the opponent's request.
    #[error("there is nothing to skip: no move of yours waits for the opponent's request")]
    NothingToSkip,
    /// No sight was refused.
    #[error("no sight was refused because of another in its place")]
    NothingRefused,
    /// The contract owes this player nothing.
    #[error("the game contract owes you nothing")]
    NothingOwed,
    /// No draw offer stands.
    #[error("no draw is offered")]
    NoDrawOffered,
    /// The opponent's time has not run out.
    #[error("the opponent's time has not run out")]
    NotTimedOut,
    /// Fifty moves can't be claimed.
    #[error(
        "fifty moves can't be claimed yet: {plies} moves of both players together without a capture (100 are needed), {own} own moves without a \
         pawn's (50)"
    )]
    NotFifty {
        /// Plies since the last capture.
        plies: u16,
        /// Own moves since the last of a pawn.
        own: u8,
    },
    /// A claim of fifty moves has failed not long ago.
    #[error("fifty moves can be claimed again at {}", move_name(*.ply))]
    ClaimBarred { ply: u16 },
    /// There is a move.
    #[error("you have a move")]
    HasMove,
    /// The engine's set-up takes messages of both players, which haven't all come.
    #[error("the engine is still being set up with the opponent")]
    SettingUp,
    /// A claim that needs a proof, in a game whose engine makes none.
    #[error("nothing can be claimed by a proof in a game of this engine: agree on a draw, or play on")]
    NoProofs,
    /// The engine's set-up failed when the game began: nothing can be seen or proven.
    #[error("this machine can't prove anything in this game: preparing for it failed")]
    NotSetUp,
    /// The move could not be put together; a defect of this program.
    #[error("the move could not be prepared: {reason}")]
    Internal { reason: String },
}
