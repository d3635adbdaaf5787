//! Trust: both players must follow the protocol; a receiver that doesn't may ask for any square, a sender may make up any board.
//!
//! All-or-nothing disclosure of secrets by quadratic residuosity: G. Brassard, C. Crépeau, J.-M. Robert, *All-or-nothing disclosure of
//! secrets*, CRYPTO '86, over the encryption of S. Goldwasser and S. Micali, *Probabilistic encryption*, 1984.
//!
//! The sender encrypts its board bit by bit, 64 squares of four bits (a packet). For each question the receiver permutes and re-randomises the
//! packet and has one place of it decrypted: the sender learns neither the square nor its code, the receiver no other square. Questions go along
//! the lines of the receiver's men and stop at the first piece; dummies bring their number to one that follows from public facts. Pawns'
//! advances and en passant are phases of their own, with packets that say no more than occupancy and the jumped square. Each exchange starts
//! from nothing: the board is encrypted afresh.
//!
//! Four engines: [`Andos::IMPROVED`] asks each square once; [`Andos::FIRST`] asks piece by piece and announces each piece's type, which
//! leaks; [`Andos::HARDENED`] is the improved one with proofs of all messages, [`Andos::CHAINED`] that one with proofs of the sender's boards.

mod announcement;
mod keys;
mod knowledge;
mod messages;
mod packet;
mod plan;
mod proof;
mod public_key;
mod query;
mod random;
mod receiver;
mod reply;
mod secret_key;
mod sender;
mod set_up;

use crate::replay::{Accountable, registered};
use fog::engine::{About, BoxedParty, Branch, Claims, Engine, Fault, Game, GameKeys, Seed, Trust};
use plan::Strategy;
use rules::Color;
use std::sync::Arc;

/// The largest message is an opening.
const MAX_MESSAGE: usize = packet::PACKET + 3 * fog::word::WORD;

/// What is claimed where nothing is proven.
const CLAIMS: Claims = Claims {
    proven: "nothing",
    cheating_receiver: "any square, one a question, or sums of bits of several",
    cheating_sender: "any board and any answer; by a wrong modulus, marked squares",
    security: "some 112 bits, quadratic residuosity; the receiver's squares unconditionally",
};

const IMPROVED: About = About {
    name: "andos",
    trust: Trust::SemiHonest,
    caveat: "a cheating receiver sees any square, a cheating sender shows any board",
    claims: CLAIMS,
    max_message: MAX_MESSAGE,
};

const FIRST: About = About {
    name: "andos-first",
    trust: Trust::SemiHonest,
    caveat: "tells the opponent which pieces are left, and so that a captured queen was a promoted pawn; \
             a cheating receiver sees any square, a cheating sender shows any board",
    claims: CLAIMS,
    max_message: MAX_MESSAGE,
};

const HARDENED: About = About {
    name: "andos-hardened",
    trust: Trust::SemiHonest,
    caveat: "a cheating receiver sees any square, one a question; a cheating sender shows any board",
    claims: Claims {
        proven: "modulus, non-residue, packets and answers, each but for a chance of 2⁻⁴⁰",
        cheating_receiver: "any square, one a question",
        cheating_sender: "any board",
        security: "some 112 bits, quadratic residuosity; the receiver's squares unconditionally",
    },
    max_message: messages::OPENINGS,
};

const CHAINED: About = About {
    name: "andos-chained",
    trust: Trust::SemiHonest,
    caveat: "a cheating receiver sees any square, one a question; a cheating sender's men move as it likes; who starts the program \
             again can't go on with the game",
    claims: Claims {
        proven: "as andos-hardened, and each board from the one before",
        cheating_receiver: "any square, one a question",
        cheating_sender: "men that move as it likes",
        security: "some 112 bits, quadratic residuosity; the receiver's squares unconditionally",
    },
    // The openings of a board after a move.
    max_message: proof::board::BoardSize { men: 16, moved: true }.opening_bytes(),
};

/// What an engine proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proofs {
    None,
    /// Keys, packets, questions and answers.
    OfMessages,
    /// Those, and that boards follow from the starting position.
    OfBoards,
}

/// An engine of this folder.
#[derive(Clone, Copy, Debug)]
pub struct Andos {
    pub about: &'static About,
    strategy: Strategy,
    proofs: Proofs,
}

impl Andos {
    /// With the improved strategy: each square at most once, nothing announced.
    pub const IMPROVED: Self = Self { about: &IMPROVED, strategy: Strategy::Improved, proofs: Proofs::None };
    /// With the first strategy: piece by piece, announced by type.
    pub const FIRST: Self = Self { about: &FIRST, strategy: Strategy::First, ..Self::IMPROVED };
    /// With the improved strategy, and proofs that keys, packets and questions are well formed.
    pub const HARDENED: Self = Self { about: &HARDENED, proofs: Proofs::OfMessages, ..Self::IMPROVED };
    /// The hardened one, with proofs that the sender's board follows from the starting position. Its exchanges must come in order,
    /// none left out, in a game from that position.
    pub const CHAINED: Self = Self { about: &CHAINED, proofs: Proofs::OfBoards, ..Self::IMPROVED };
}

impl Engine for Andos {
    fn about(&self) -> &About {
        self.about
    }

    fn set_up(&self, color: Color, seed: &Seed, game: &Game) -> Result<BoxedParty<Arc<dyn GameKeys>>, Fault> {
        Ok(self.by_branch(color, registered(self.about, color, seed, game)?, game))
    }
}

impl Accountable for Andos {
    fn by_branch(&self, color: Color, branch: Branch, game: &Game) -> BoxedParty<Arc<dyn GameKeys>> {
        Box::new(set_up::SetUp::new(*self, color, branch, game.clone()))
    }
}
