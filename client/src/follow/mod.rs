//! Following one game on its chain, as a pure machine: answers of a node go in, questions to it and the game's news come out. No I/O and no
//! clock; the room `chain` carries the questions to a node and the answers back.
//!
//! Protocol section 6: nothing that depends on a move is released before the move is final. So an event is told twice, when it is
//! seen and when it is final, and may be dropped in between. What events mean is the seat's, and when to look again the caller's.
//!
//! An address of a node is often many machines, of which some are behind, and each question may reach another one. So recent blocks are
//! followed from parent to child by their hashes, and the events of a block are asked for by its hash (EIP-234), which a machine that doesn't
//! have the block can't answer as if there were none. One that has the block and not yet its logs can; so what is empty though its bloom says
//! that something may be there is asked for once more before it counts as final. Only blocks that lie deep are asked for by ranges of numbers, and
//! what a range is answered with counts once its last block was shown.
//!
//! A look is begun ([`Watcher::look`]), and each question is answered ([`Watcher::answer`]) until the look is done or has failed. A look that
//! fails, or is begun again before its end, loses nothing: the next one tells all that it would have.

mod facts;
mod finality;
mod follower;
mod look;
mod patience;
mod ranges;
mod watcher;

pub use facts::{Answer, Declared, Header, Logged, News, Note, Question, Step, Trouble, Unanswered};
pub use finality::{Finality, FinalityParseError};
pub use follower::{Follower, Rules};
pub use patience::Patience;
pub use ranges::{Pace, Ranges};
pub use watcher::{Report, Watcher};
