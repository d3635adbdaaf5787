//! An engine with a player that lies in one sight, for tests of what is found afterwards.

use engines::keyed::Keyed;
use fog::engine::{
    About, BoxedParty, CommittedState, Engine, Exchange, Fault, Game, GameKeys, MessageSize, MoveStep, Party, Phase,
    Registration, Seed, Step, Word,
};
use rules::{Color, PieceType, Sight};
use std::sync::Arc;

/// A test's lie: what a player says in one session, or of which board.
#[derive(Clone, Copy)]
pub enum Lie {
    /// One bit of a message that it sends in a sight that it gets.
    Asks { ply: u64, phase: Phase, message: usize, byte: usize },
    /// One bit of a message that it sends in a sight that it gives.
    Answers { ply: u64, phase: Phase, message: usize, byte: usize },
    /// One man is left out of the board that it shows in a sight.
    Hides { ply: u64, phase: Phase },
    /// It asks for the sight of eight knights that it hasn't, and keeps what it sees to itself: its next transcript leaves the sight out.
    Looks { ply: u64, phase: Phase },
}

/// An engine whose player of one colour lies; the other's is honest.
pub struct Liar {
    pub inner: Arc<dyn Engine>,
    pub color: Color,
    pub lie: Lie,
}

impl Engine for Liar {
    fn about(&self) -> &About {
        self.inner.about()
    }

    fn register(&self, seed: &Seed) -> Registration {
        self.inner.register(seed)
    }

    fn set_up(&self, color: Color, seed: &Seed, game: &Game) -> Result<BoxedParty<Arc<dyn GameKeys>>, Fault> {
        let (set_up, lie) = (self.inner.set_up(color, seed, game)?, self.lie);
        if color != self.color {
            return Ok(set_up);
        }
        Ok(Keyed::boxed(set_up, move |inner| Arc::new(LiarsKeys { inner, lie })))
    }
}

struct LiarsKeys {
    inner: Arc<dyn GameKeys>,
    lie: Lie,
}

impl GameKeys for LiarsKeys {
    fn request(&self, own: &CommittedState) -> Result<Vec<u8>, Fault> {
        self.inner.request(own)
    }

    fn request_digest(&self, request: &[u8]) -> Result<Word, Fault> {
        self.inner.request_digest(request)
    }

    fn context(&self, exchange: &Exchange, request_digest: &Word) -> Result<Word, Fault> {
        self.inner.context(exchange, request_digest)
    }

    fn receiver(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        let mut asking = own.clone();
        let looks = matches!(self.lie, Lie::Looks { ply, phase } if (ply, phase) == (exchange.ply, exchange.phase));
        if looks {
            asking.side.pieces[40..48].fill(Some(PieceType::Knight));
        }
        let inner = self.inner.receiver(exchange, &asking, promised)?;
        match self.lie {
            Lie::Looks { .. } if looks => Ok(Box::new(Secretive { inner })),
            Lie::Asks { ply, phase, message, byte } if (ply, phase) == (exchange.ply, exchange.phase) => {
                Ok(Box::new(Flipper { inner, next: 0, message, byte }))
            }
            _ => Ok(inner),
        }
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        let mut shown = own.clone();
        if matches!(self.lie, Lie::Hides { ply, phase } if (ply, phase) == (exchange.ply, exchange.phase)) {
            // Far from what anybody attacks, so that the game goes on.
            let man = shown.side.men().find(|(square, piece)| *piece == PieceType::Rook && square.index() > 32);
            shown.side.pieces[man.expect("a rook").0.index()] = None;
        }
        let (inner, root) = self.inner.sender(exchange, &shown, request)?;
        match self.lie {
            Lie::Answers { ply, phase, message, byte } if (ply, phase) == (exchange.ply, exchange.phase) => {
                Ok((Box::new(Flipper { inner, next: 0, message, byte }), root))
            }
            _ => Ok((inner, root)),
        }
    }

    fn prove_move(&self, step: &MoveStep) -> Result<Vec<u8>, Fault> {
        self.inner.prove_move(step)
    }
}

/// A party that sends one bit of one message otherwise.
struct Flipper<T> {
    inner: BoxedParty<T>,
    /// The number of the message to come.
    next: usize,
    message: usize,
    byte: usize,
}

impl<T> Party for Flipper<T> {
    type Output = T;

    fn shape(&self) -> Vec<MessageSize> {
        self.inner.shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<T>, Fault> {
        let mut step = self.inner.step(received)?;
        self.next += usize::from(received.is_some());
        if let Some(message) = &mut step.send {
            if self.next == self.message {
                message[self.byte] ^= 1;
            }
            self.next += 1;
        }
        Ok(step)
    }
}

/// A receiver that keeps its sight to itself.
struct Secretive {
    inner: BoxedParty<Sight>,
}

impl Party for Secretive {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        self.inner.shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        let step = self.inner.step(received)?;
        match step.output {
            Some(_) => Err(Fault::internal("it has seen enough")),
            None => Ok(step),
        }
    }
}
