//! What a game of Fogmate is, to a player, an auditor, a bot, a page and a simulator alike: the contract's events, the
//! public state that follows from them, messages between the players, secrets, own states, audit and replay.
//!
//! Of this workspace it uses `fog` and `rules` alone. No I/O, no network, no clock and no prover's keys: those are the client's.

mod as_text;
mod as_word;
pub mod audit;
mod awaiting;
pub mod channel_transcript;
pub mod chronicle;
mod command;
mod course;
mod event;
mod fault;
mod introduction;
pub mod message;
mod move_fields;
mod notice;
mod numbers;
mod outcome;
mod own;
mod past;
pub mod payment;
mod play_state;
mod player;
mod position;
mod record;
pub mod replay;
pub mod report;
pub mod secrets;
mod slot;
pub mod statement;
mod table;
mod table_error;
mod terms;
pub mod toss;
mod transaction;
pub mod transcript;
mod view;
mod view_keys;
mod watch;

pub use awaiting::{Awaiting, What, Who};
pub use command::{Command, CommandError, Given};
pub use event::{ChainEvent, Demanded};
pub use fault::PeerFault;
pub use introduction::Introduction;
pub use message::{Message, MessageId, MessageKind, Phase, SessionId, SignedPly, WireError};
pub use move_fields::MoveFields;
pub use notice::{
    Doubt, EXCHANGE_GAS, LinkState, NodeState, Notice, PlyFault, ProofJob, VERSION as LINES_VERSION, Waking, schema,
};
pub use numbers::{clock_time, date, grouped, move_name, moves_known};
pub use outcome::{Ending, Outcome};
pub use own::{OwnState, candidates};
pub use past::Past;
pub use play_state::{Demand, Hold, PlayState};
pub use player::{Declared, Player, ProvenSight};
pub use position::{GameResult, Position, signer};
pub use slot::Slot;
pub use table::Table;
pub use table_error::TableError;
pub use terms::{Clocks, GameRef, Mode, ModeParseError, Opening, RegistrationError, Terms, opening_id, secrets_id};
pub use transaction::{Action, Transaction};
pub use view::View;
