//! An engine of several messages a sight and without requests or proofs, for seats: emanant, of nineteen short ones. What is played is
//! told to the oracle, since no proof tells it. If it greets, its set-up has messages too: both players greet each other by a digest of
//! all that was said before, White twice.

use crate::oracle::Oracle;
use engines::{emanant::Emanant, keyed::Keyed};
use fog::engine::{
    About, BoxedParty, Branch, Cause, CommittedState, Engine, Exchange, Fault, Game, GameKeys, MessageSize, MoveStep,
    Party, Registration, Seed, Step, Word, Work, digest,
};
use rules::{Color, Sight};
use std::sync::Arc;

/// Bytes of a greeting: more than one frame carries.
const BYTES: usize = 70_000;

pub struct Sessions {
    /// Is told what is played.
    pub oracle: Oracle,
    /// Whether the set-up has messages.
    pub greets: bool,
}

impl Engine for Sessions {
    fn about(&self) -> &About {
        // Its name is on chain.
        Emanant::ABOUT
    }

    fn register(&self, seed: &Seed) -> Registration {
        Emanant::default().register(seed)
    }

    fn set_up(&self, color: Color, seed: &Seed, game: &Game) -> Result<BoxedParty<Arc<dyn GameKeys>>, Fault> {
        let mut inner = Emanant::default().set_up(color, seed, game)?;
        let keys = inner.step(None)?.output.ok_or_else(|| Fault::internal("emanant sets up without messages"))?;
        let keys = Arc::new(Keys { inner: keys, oracle: self.oracle.clone() });
        let branch = seed.branch("greeting");
        let (opens, greetings) = (color == Color::White, if self.greets { 3 } else { 0 });
        Ok(Box::new(Greeter { opens, greetings, branch, keys, heard: Vec::new(), said: 0 }))
    }
}

/// An engine that the program ships, whose moves are told to the oracle as well.
pub struct Told {
    pub inner: Arc<dyn Engine>,
    /// Is told what is played.
    pub oracle: Oracle,
}

impl Engine for Told {
    fn about(&self) -> &About {
        self.inner.about()
    }

    fn register(&self, seed: &Seed) -> Registration {
        self.inner.register(seed)
    }

    fn set_up(&self, color: Color, seed: &Seed, game: &Game) -> Result<BoxedParty<Arc<dyn GameKeys>>, Fault> {
        let oracle = self.oracle.clone();
        Ok(Keyed::boxed(self.inner.set_up(color, seed, game)?, move |inner| {
            Arc::new(Keys { inner, oracle: oracle.clone() })
        }))
    }
}

/// An engine's, but for the moves.
struct Keys {
    inner: Arc<dyn GameKeys>,
    oracle: Oracle,
}

impl GameKeys for Keys {
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
        self.inner.receiver(exchange, own, promised)
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        self.inner.sender(exchange, own, request)
    }

    fn prove_move(&self, step: &MoveStep) -> Result<Vec<u8>, Fault> {
        self.oracle.note_move(step.after.commitment, step.mv);
        self.inner.prove_move(step)
    }
}

struct Greeter {
    opens: bool,
    greetings: usize,
    branch: Branch,
    keys: Arc<dyn GameKeys>,
    heard: Vec<u8>,
    said: usize,
}

impl Greeter {
    /// Greets by a digest, again and again.
    fn say(&mut self, heard: Vec<u8>) -> Step<Arc<dyn GameKeys>> {
        let word = digest([&self.branch.to_bytes()[..], &[self.said as u8], &heard]);
        (self.heard, self.said) = (heard, self.said + 1);
        Step::send(word.iter().copied().cycle().take(BYTES).collect())
    }
}

impl Party for Greeter {
    type Output = Arc<dyn GameKeys>;

    fn shape(&self) -> Vec<MessageSize> {
        vec![MessageSize::of(BYTES); self.greetings]
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Arc<dyn GameKeys>>, Fault> {
        let Some(message) = received else {
            return Ok(match (self.greetings, self.opens) {
                (0, _) => Step::output(self.keys.clone()),
                (_, true) => self.say(Vec::new()),
                (_, false) => Step::WAIT,
            });
        };
        let index = 2 * self.heard.len() / BYTES + usize::from(self.opens);
        if message.chunks(32).any(|chunk| chunk != &message[..chunk.len()]) {
            let cause: Cause = "it is no greeting".into();
            return Err(Fault::Malformed { index, cause });
        }
        let is_first = self.heard.is_empty();
        let heard = [&self.heard[..], message].concat();
        Ok(match (self.opens, is_first) {
            (true, _) => self.say(heard).with_output(self.keys.clone()),
            (false, true) => self.say(heard),
            (false, false) => {
                self.heard = heard;
                Step::output(self.keys.clone())
            }
        })
    }

    fn work(&self) -> Work {
        Work::default()
    }
}
