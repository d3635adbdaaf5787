//! Who said something else than its board and its branch of the seed say: for games that trusted both players, after the game.
//!
//! A party has no randomness but that of its proofs, so whoever is given a player's states and published branch can run the player's
//! part of an exchange again on the messages that it received, and compare what an honest player would have sent.

use fog::{
    engine::{
        About, BoxedParty, Branch, Cause, Engine, Fault, Finished, Game, GameKeys, MessageSize, Received, Seed,
        Session, Word, transcript,
    },
    statement::{Proves, Statement},
};
use rules::Color;
use std::sync::Arc;

/// An engine whose players have no secret but their branch of the seed.
pub trait Accountable: Engine {
    /// The set-up of a player by its branch of the seed, whoever registered that.
    fn by_branch(&self, color: Color, branch: Branch, game: &Game) -> BoxedParty<Arc<dyn GameKeys>>;

    /// The set-up of a player whose branch was published after the game, to be run on the messages that it received then: it says them
    /// again and gives the player's keys. `None` if the branch isn't the one that the player registered.
    fn published(&self, color: Color, branch: Branch, game: &Game) -> Option<BoxedParty<Arc<dyn GameKeys>>> {
        let is_registered = *game.registered(color) == branch.commitment(self.about());
        is_registered.then(|| self.by_branch(color, branch, game))
    }
}

/// The branch that a player's set-up is of, if both players have registered for this engine, and this one by this seed.
pub(crate) fn registered(about: &About, color: Color, seed: &Seed, game: &Game) -> Result<Branch, Fault> {
    let branch = seed.branch(about.name);
    let is_own = *game.registered(color) == branch.commitment(about);
    fog::ensure!(is_own, Fault::internal("another seed was registered"));
    let is_commitment = game.has_committed(!color, about);
    fog::ensure!(is_commitment, Fault::Registration("it is no commitment to a seed of this engine".into()));
    Ok(branch)
}

/// Stands for the proofs when a player's part is run again after the game: they were verified when they came, and nobody compares them.
pub(crate) struct Verified {
    /// The size of each.
    pub bytes: usize,
}

impl<S: Statement> Proves<S> for Verified {
    fn prove(&self, _: &S::Public, _: &S::Private) -> Result<Vec<u8>, Cause> {
        Ok(vec![0; self.bytes])
    }

    fn verify(&self, _: &S::Public, _: &[u8]) -> Result<(), Cause> {
        Ok(())
    }
}

/// A player's part in a session, run again on what it had received.
pub struct Again {
    sizes: Vec<MessageSize>,
    messages: Vec<Vec<u8>>,
    /// The first message of the peer that an honest player refuses, by its number: nothing of the session comes after it.
    pub refused: Option<(usize, Fault)>,
}

impl Again {
    /// Runs a party on the messages that `heard` gives, told the number that is due and all messages before it, and gives the party's
    /// output, if it comes to one. `opens`: message 0 is the party's. Errors are this machine's.
    pub fn run<'a, T: Clone>(
        party: BoxedParty<T>,
        opens: bool,
        heard: impl Fn(usize, &[Vec<u8>]) -> Option<&'a [u8]>,
    ) -> Result<(Self, Option<T>), Fault> {
        let sizes = party.shape();
        let (mut session, job) = Session::start(party, opens);
        let mut finished: Finished<T> = job.run();
        let mut refused = None;
        loop {
            let looked_at = finished.received().is_some().then_some(session.messages().len());
            match (session.finish(finished), looked_at) {
                (Ok(_), _) => {}
                (Err(fault), Some(index)) if !fault.is_own() => {
                    refused = Some((index, fault));
                    break;
                }
                (Err(fault), _) => return Err(fault),
            }
            let due = session.awaits().and_then(|index| Some((index, heard(index, session.messages())?)));
            let Some((index, bytes)) = due else { break };
            match session.receive(index, bytes) {
                Ok(Received::Job(job)) => finished = job.run(),
                Ok(_) => return Err(Fault::internal("a message that is due isn't taken")),
                Err(fault) => {
                    refused = Some((index, fault));
                    break;
                }
            }
        }
        let (messages, output) = (session.messages().to_vec(), session.output().cloned());
        Ok((Self { sizes, messages, refused }, output))
    }

    /// Its messages and its peer's, as far as the session goes.
    pub fn messages(&self) -> &[Vec<u8>] {
        &self.messages
    }

    /// How many messages the session has when it is whole.
    pub fn length(&self) -> usize {
        self.sizes.len()
    }

    /// A digest of all messages, as [`Session::transcript`], if the session is whole.
    pub fn transcript(&self, id: &Word) -> Option<Word> {
        (self.messages.len() == self.sizes.len()).then(|| transcript(id, &self.sizes, &self.messages))
    }

    /// The first byte of message `index` in which `said` isn't what stands here. Proofs aren't compared, since they may be randomised;
    /// they were verified when they came.
    pub fn first_other_byte(&self, index: usize, said: &[u8]) -> Option<usize> {
        first_other_byte(&self.sizes, index, self.messages.get(index)?, said)
    }
}

/// The first byte of the content of message `index` in which `said` isn't what is right.
pub(crate) fn first_other_byte(sizes: &[MessageSize], index: usize, right: &[u8], said: &[u8]) -> Option<usize> {
    let content = sizes.get(index)?.content;
    let (right, said) = (&right[..content.min(right.len())], &said[..content.min(said.len())]);
    let byte = right.iter().zip(said).position(|(right, said)| right != said);
    byte.or((right.len() != said.len()).then_some(right.len().min(said.len())))
}

fog::redacted!(Again);
