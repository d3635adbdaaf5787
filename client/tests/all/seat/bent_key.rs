//! A player of *bfv* that sets up with another key share than its branch gives, and can tell a set-up afterwards in which it didn't. The share is
//! off by a small error, so that everything works and nobody notices. The formulas are those of the engine's own documents.

use engines::bfv::parameters::{DEGREE, MODULI};
use engines::replay::Accountable;
use fog::engine::{
    BoxedParty, Branch, Engine, Fault, Game, GameKeys, MessageSize, Party, Seed, Step, Word, Work, chain_digest, digest,
};
use rules::Color;
use std::collections::BTreeMap;
use std::sync::Arc;

const SEAL: usize = 32;

/// What a set-up's messages are bound to.
fn id(game: &Game) -> Word {
    let Game { chain_id, contract, game_id, toss, registered } = game;
    let registered = registered.as_flattened();
    digest([&b"fogmate/bfv/set-up/1"[..], b"bfv", &chain_id.to_be_bytes(), contract, game_id, toss, registered])
}

fn with(said: &Word, content: &[u8]) -> Word {
    digest([&b"fogmate/bfv/transcript/1"[..], said, content])
}

/// A message whose seal is right after what was said.
fn sealed(said: &Word, message: &[u8]) -> Vec<u8> {
    let content = &message[..message.len() - SEAL];
    let seal = chain_digest([&b"fogmate/bfv/seal/1"[..], said, content, &[]]);
    [content, &seal].concat()
}

/// The opening with 1 added to the share of the public key, which is its first polynomial.
fn bent(mut opening: Vec<u8>) -> Vec<u8> {
    let mut place = 0;
    for modulus in MODULI {
        let lowest: &mut [u8; 8] = opening[place..].first_chunk_mut().expect("a row");
        *lowest = (u64::from_le_bytes(*lowest) + 1).to_le_bytes();
        place += DEGREE / 8 * (modulus.ilog2() as usize + 1);
    }
    opening
}

/// White's part of the set-up, which says another opening than the honest one that it is made of.
pub struct Bent {
    inner: BoxedParty<Arc<dyn GameKeys>>,
    /// What it opens.
    opening: Vec<u8>,
    /// What its commitment to that is bound to.
    bound: Word,
    /// All that was said; and all that the honest part thinks was said.
    said: [Word; 2],
    /// The number of the next message.
    next: usize,
}

impl Bent {
    pub fn new(engine: &dyn Engine, seed: &Seed, game: &Game) -> Result<Self, Fault> {
        let mut honest = engine.set_up(Color::White, seed, game)?;
        honest.step(None)?;
        // White's share hangs on nothing that Black says.
        let opening = honest.step(Some(&[0; 32]))?.send.expect("an opening");
        let id = id(game);
        let inner = engine.set_up(Color::White, seed, game)?;
        Ok(Self {
            inner,
            opening: bent(opening),
            bound: with(&id, &[Color::White.index() as u8]),
            said: [id; 2],
            next: 0,
        })
    }

    /// A message was said, which the honest part knows as another one.
    fn note(&mut self, messages: [&[u8]; 2]) {
        let seal = if self.next < 4 { 0 } else { SEAL };
        for (said, message) in self.said.iter_mut().zip(messages) {
            *said = with(said, &message[..message.len() - seal]);
        }
        self.next += 1;
    }
}

impl Party for Bent {
    type Output = Arc<dyn GameKeys>;

    fn shape(&self) -> Vec<MessageSize> {
        self.inner.shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Arc<dyn GameKeys>>, Fault> {
        let heard = received.map(|message| {
            let heard = if self.next < 4 { message.to_vec() } else { sealed(&self.said[1], message) };
            self.note([message, &heard]);
            heard
        });
        let Step { send, output } = self.inner.step(heard.as_deref())?;
        let send = send.map(|honest| {
            let message = match self.next {
                0 => digest([&b"fogmate/bfv/commitment/1"[..], &self.bound, &self.opening]).to_vec(),
                2 => self.opening.clone(),
                _ => sealed(&self.said[0], &honest),
            };
            self.note([&message, &honest]);
            message
        });
        Ok(Step { send, output })
    }

    fn work(&self) -> Work {
        self.inner.work()
    }
}

/// Black's messages of a set-up in which both players' branches gave all that was said.
pub fn fitting(engine: &dyn Accountable, game: &Game, branches: [Branch; 2]) -> BTreeMap<u16, Vec<u8>> {
    let [white, black] = branches;
    let party = |color, branch| engine.published(color, branch, game).expect("the registered branch");
    let (mut white, mut black) = (party(Color::White, white), party(Color::Black, black));
    let says = |party: &mut BoxedParty<_>, heard: Option<&[u8]>| party.step(heard).expect("no fault").send;
    assert_eq!(says(&mut black, None), None, "White opens");
    let (mut messages, mut next) = (BTreeMap::new(), says(&mut white, None));
    while let Some(question) = next {
        let answer = says(&mut black, Some(&question)).expect("Black has the last word");
        next = says(&mut white, Some(&answer));
        messages.insert(2 * u16::try_from(messages.len()).expect("few") + 1, answer);
    }
    messages
}
