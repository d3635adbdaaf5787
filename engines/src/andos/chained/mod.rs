//! Trust: a receiver may still ask for any one square a question, and a sender's men move as it likes; all that is sent is proven, and the
//! board shown is a chain of packets from the starting position.
//!
//! The hardened engine with one proof more, that of the sender's board ([`board_proof`]), between opening and first question: the packet is
//! the next of the sender's [chain](super::hardened::chain), and the pawn phase's packet says of it which squares are occupied. Both players keep
//! the chains in their keys ([`history`]), so that exchanges must come in order and none be left out; a player that starts again runs the
//! parties of the exchanges before once more. The en-passant packet isn't proven.

mod board_proof;
mod history;
mod receiver;
mod sender;

use super::{
    asker::Asker,
    hardened::{self, chain::Advance, chain::Change, messages},
    keys::AndosKeys,
    plan::Kind,
    random::StreamKey,
    teller::codes,
};
use board_proof::{BoardProof, BoardSize};
use fog::{
    engine::{BoxedParty, CommittedState, Exchange, Fault, MessageSize, Word, chain_digest},
    word::WORD,
};
use history::Shown;
use rules::Sight;

pub use history::History;

/// Bytes of the largest message: the openings of a board after a move.
pub const MAX_MESSAGE: usize = BoardSize { men: 16, moved: true }.opening_bytes();

/// What is public of the board's proof: the sender's men, and whether it has moved since the exchange before.
fn board_size(exchange: &Exchange) -> BoardSize {
    BoardSize { men: exchange.men[exchange.sender().index()].into(), moved: history::moves(exchange) }
}

/// The digest of an opening, the hardened engine's, and what the board's proof says.
fn opening_digest(exchange: &Word, content: &[u8]) -> Word {
    chain_digest([&b"fogmate/andos/board/1"[..], exchange, content])
}

/// The size of every message: those of the hardened engine, with a challenge and openings after the first, which says more.
fn shape(mut inner: Vec<MessageSize>, board: &BoardSize) -> Vec<MessageSize> {
    let opening = inner.remove(0).total() + board.message_bytes();
    let opening = MessageSize { content: opening, proof: WORD };
    let [challenge, openings] = [messages::CHALLENGE, board.opening_bytes()].map(MessageSize::of);
    [opening, challenge, openings].into_iter().chain(inner).collect()
}

/// A fault of the hardened engine's message, by its number here.
fn renumber(fault: Fault) -> Fault {
    let number = |index: usize| if index == 0 { 0 } else { index + 2 };
    match fault {
        Fault::Malformed { index, cause } => Fault::Malformed { index: number(index), cause },
        Fault::Proof { index, cause } => Fault::Proof { index: number(index), cause },
        Fault::Digest(index) => Fault::Digest(number(index)),
        other => other,
    }
}

impl AndosKeys {
    /// The receiver's party of an exchange that follows those before.
    pub(super) fn chained_receiver(
        &self,
        exchange: &Exchange,
        asker: Asker,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        let before = self.history.peer_before(&self.peer, exchange)?;
        let bound = self.bound(exchange);
        let inner = hardened::receiver::Receiver::new(asker, bound, None);
        let record = (self.history.clone(), exchange.clone());
        let key = self.peer.clone();
        Ok(Box::new(receiver::Receiver::new(inner, key, bound, promised, before, board_size(exchange), record)))
    }

    /// The sender's party of an exchange that follows those before, and its digest. Slow: a second.
    pub(super) fn chained_sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        let (bound, board) = (self.bound(exchange), exchange.board(&own.side));
        let randomness = |purpose: &[u8]| StreamKey::derive(&self.branch, [purpose, &bound]);
        let before = self.history.own_before(self.own.public(), self.color, exchange)?;
        let none = || Fault::internal("no move leads from the board that was shown last to this one");
        let mut advance = None;
        let mut chain = before.chain.clone();
        if history::moves(exchange) {
            let change = Change::between(&before.board, &board).ok_or_else(none)?;
            let made = Advance::new(&self.own, &before.chain, &change, &randomness(b"move"));
            chain = made.next.clone();
            advance = Some(made);
        } else if before.board.pieces != board.pieces {
            return Err(none());
        }
        let codes = codes(Kind::General, &board);
        let proof = BoardProof::new(&self.own, &chain, &codes, advance, &randomness(b"board"));
        let given = vec![chain.packet().to_vec(), proof.pawn_packet().to_vec()];
        let teller = self.teller(exchange, &board, given);
        let id = self.id(exchange);
        let (inner, _) = hardened::sender::Sender::new(teller, &bound, self.branch.clone(), id);
        self.history.show(exchange, Shown { chain, board });
        let (sender, digest) = sender::Sender::new(inner, self.own.clone(), &bound, proof, board_size(exchange))?;
        Ok((Box::new(sender), digest))
    }
}
