//! What is asked of a node, what it says, and what a game's news are.

use alloy::primitives::B256;
use game::{BlockRef, ChainEvent, Clocks, MoveFields};

/// A block and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its number and hash.
    pub block: BlockRef,
    /// The hash of the block before it.
    pub parent: B256,
    pub time: u64,
    /// Whether something of the game may have happened in it, by the bloom of its logs: if not, nothing has.
    pub may_have_events: bool,
}

impl Header {
    /// The number and hash of the block before it; none of the first one.
    pub fn parent(&self) -> Option<BlockRef> {
        Some(BlockRef { number: self.block.number.checked_sub(1)?, hash: self.parent })
    }
}

/// An event and where it is on the chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    pub game: B256,
    pub event: ChainEvent,
    /// The number of the block.
    pub block: u64,
    /// The hash of the block.
    pub block_hash: B256,
    pub transaction: B256,
    /// The event's place among all of the block.
    pub index: u64,
}

/// A move as its transaction's calldata declares it.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    pub game: B256,
    pub fields: MoveFields,
    /// What it rests on.
    pub basis: B256,
    pub proof: Vec<u8>,
}

impl Declared {
    /// Adds to the event of a move what its transaction said beyond it, if it is this very move.
    pub fn complete(self, logged: &mut Logged) {
        if let ChainEvent::Moved { fields, basis, proof, .. } = &mut logged.event
            && self.game == logged.game
            && self.fields == *fields
        {
            (*basis, *proof) = (Some(self.basis), Some(self.proof));
        }
    }
}

/// What a machine wants to know of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Latest,
    /// The block that the node calls `finalized`.
    Finalized,
    /// The block with a number.
    Number(u64),
    /// The block with a hash.
    Hash(B256),
    /// The game's events in the blocks of these numbers, both included, in the chain's order.
    Events {
        from: u64,
        to: u64,
    },
    /// The game's events in the block with a hash. A node that doesn't have the block doesn't answer.
    EventsOf(B256),
    /// What another node has at a number.
    Witness {
        /// The other node's place among them.
        node: usize,
        number: u64,
    },
    /// What a move's transaction declares.
    Declared {
        transaction: B256,
        /// How often it was asked for in vain: then a pause comes before it is asked for again.
        tries: u32,
    },
    /// The game's clocks, and the latest block's time.
    Clocks,
}

/// What a node says.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The block; none if the node doesn't have it.
    Block(Option<Header>),
    Events(Vec<Logged>),
    /// The move; none if the transaction is no such call.
    Declared(Option<Declared>),
    /// The clocks, and the latest block's time in seconds since 1970.
    Clocks(Clocks, u64),
}

/// Why a question has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The node won't answer it, but might grant less.
    Refused,
    /// The node can't be asked just now, or its answer makes no sense.
    Failed,
}

/// What comes after an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<T> {
    Ask(Question),
    /// The look is done.
    Done(T),
}

/// Why a look has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A question has no answer, for the reason that its asker knows.
    Unanswered,
    /// The node doesn't have a block that it told of, or that counted as final: one of several machines may be behind.
    Behind,
    /// The block of this number counted as final and is on the chain no more.
    Reorganised(u64),
    /// Another node has another block of this number, which is about to count as final.
    NodesDisagree(u64),
    /// So much is still to be read that the look ends before it; the next one goes on.
    FarBehind {
        /// The first block that isn't read.
        next: u64,
        /// The latest block, as the node tells it.
        head: u64,
    },
    /// What the node says can't be.
    Nonsense(&'static str),
}

/// News of a game.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// An event that is final. In the chain's order, each once.
    Final(Logged),
    /// An event in a block that isn't final yet.
    Seen(Logged),
    /// An event that was seen and is no longer on the chain, or has moved to another block.
    Dropped(Logged),
}

/// One of the other nodes has fallen silent, or answers again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its place among them.
    pub node: usize,
    pub answers: bool,
}
