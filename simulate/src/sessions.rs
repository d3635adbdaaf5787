//! An engine of several messages a sight and without requests or proofs, for seats: emanant, of nineteen short ones, with a set-up that has
//! messages too. Both players greet each other by a digest of all that was said before, White twice.

use engines::emanant::Emanant;
use fog::engine::{
    About, BoxedParty, Branch, Cause, Engine, Fault, Game, GameKeys, MessageSize, Party, Registration, Seed, Step,
    digest,
};
use rules::Color;
use std::sync::Arc;

/// Bytes of a greeting: more than one frame carries.
const BYTES: usize = 70_000;

/// How many greetings a set-up has.
const GREETINGS: usize = 3;

/// The engine whose players greet each other.
pub struct Greeting;

impl Engine for Greeting {
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
        let (opens, branch) = (color == Color::White, seed.branch("greeting"));
        Ok(Box::new(Greeter { opens, branch, keys, heard: Vec::new(), said: 0 }))
    }
}

struct Greeter {
    opens: bool,
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
        vec![MessageSize::of(BYTES); GREETINGS]
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Arc<dyn GameKeys>>, Fault> {
        let Some(message) = received else {
            return Ok(if self.opens { self.say(Vec::new()) } else { Step::WAIT });
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
}
