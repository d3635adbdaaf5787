//! Who said something else than its board and its branch of the seed say: for games that trusted both players, after the game.
//!
//! A party has no randomness but that of its proofs, so whoever is given a player's states and published branch can run the player's
//! part of an exchange again on the messages that it received, and compare what an honest player would have sent.

use fog::engine::{BoxedParty, Fault, Finished, Received, Session};

/// Where a player first said something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The number of the message.
    pub message: usize,
    /// The first byte that differs, or the end of the shorter one.
    pub byte: usize,
}

/// Compares a recorded session with what `party` says to the recorded messages of its peer. `opens`: message 0 is the party's. Proofs
/// aren't compared, since they may be randomised; they were verified when they came. A fault is that of a message of the peer, which
/// an honest player would have refused.
pub fn replay<T>(party: BoxedParty<T>, opens: bool, recorded: &[Vec<u8>]) -> Result<Option<Difference>, Fault> {
    let sizes = party.shape();
    let (mut session, job) = Session::start(party, opens);
    let mut finished: Finished<T> = job.run();
    loop {
        if let Some(message) = session.finish(finished)? {
            let content = |bytes: &[u8]| bytes[..sizes[message].content.min(bytes.len())].to_vec();
            let right = content(&session.messages()[message]);
            let Some(said) = recorded.get(message).map(|said| content(said)) else {
                return Ok(None);
            };
            let byte = right.iter().zip(&said).position(|(right, said)| right != said);
            let byte = byte.or((right.len() != said.len()).then_some(right.len().min(said.len())));
            if let Some(byte) = byte {
                return Ok(Some(Difference { message, byte }));
            }
        }
        let Some((index, heard)) = session.awaits().and_then(|index| Some((index, recorded.get(index)?))) else {
            return Ok(None);
        };
        let Received::Job(job) = session.receive(index, heard)? else {
            return Err(Fault::NotDue(index));
        };
        finished = job.run();
    }
}
