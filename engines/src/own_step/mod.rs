//! The proofs that committed boards follow from those before, with the messages of an exchange (statement *own step*). Each player's last step is proven
//! behind its first message: the sender's in the opening, the receiver's in what it asks. So nobody is shown anything for a board that it hasn't come to by a
//! move, and nobody shows such a board.
//!
//! Every step but White's first is proven before the opponent's next move, which waits for the sight before it. Before ply 1 there is no sight, so that White's
//! first step might never be proven: therefore a player's second step goes together with its first.
//!
//! What is not said is that the way of the move was free of the opponent's men, and that something stood where it captures: see the statement.

mod engine;

pub use engine::{Stepped, about};

use fog::{
    engine::{BoxedParty, Cause, CommittedState, Exchange, Fault, MessageSize, OwnMove, Party, PostedStep, Step},
    statement::{
        Proves,
        own_step::{OwnStepPrivate, OwnStepPublic, OwnStepStatement},
    },
    word::{Word, from_word},
};
use rules::Color;
use std::sync::Arc;

/// Bytes of every proof of *own step*. Known before there are keys, since the sizes of messages are.
pub const OWN_STEP_BYTES: usize = 1536;

/// What makes and checks the proofs.
pub type Steps = Arc<dyn Proves<OwnStepStatement>>;

/// A party of an exchange in which both players prove their last steps. Where nobody has moved it is the party itself.
pub fn with_steps<T: 'static>(
    party: BoxedParty<T>,
    exchange: &Exchange,
    own: &CommittedState,
    steps: Steps,
) -> Result<BoxedParty<T>, Fault> {
    let color = own.side.color;
    if exchange.steps.iter().all(Vec::is_empty) {
        return Ok(party);
    }
    let [to_prove, to_verify] = [color, !color].map(|color| publics(exchange, color));
    let (to_prove, to_verify) = (to_prove.map_err(Fault::Internal)?, to_verify.map_err(Fault::Internal)?);
    fog::ensure!(to_prove.len() == own.steps.len(), Fault::internal("the own last moves are not known"));
    let privates = privates(own)?;
    let to_prove = to_prove.into_iter().zip(privates).collect();
    let opens = color == exchange.sender();
    Ok(Box::new(SteppedParty { party, opens, to_prove, to_verify, proofs: None, sent: false, taken: false, steps }))
}

/// What everyone sees of the last steps of a color, in their order.
fn publics(exchange: &Exchange, color: Color) -> Result<Vec<OwnStepPublic>, Cause> {
    let element = |word: &Word| from_word(word).ok_or("a commitment is no field element");
    let posted = &exchange.steps[color.index()];
    let reached = posted.iter().skip(1).map(|step| &step.commitment).chain([&exchange.commitments[color.index()]]);
    let public = |(step, reached): (&PostedStep, &Word)| {
        let PostedStep { commitment, pending, capture } = *step;
        Ok(OwnStepPublic {
            commitment: element(&commitment)?,
            pending,
            next_commitment: element(reached)?,
            color,
            capture,
        })
    };
    posted.iter().zip(reached).map(public).collect()
}

/// What only their player knows of them.
fn privates(own: &CommittedState) -> Result<Vec<OwnStepPrivate>, Fault> {
    let element = |salt: &Word| from_word(salt).ok_or_else(|| Fault::internal("an own salt is no field element"));
    let reached = own.steps.iter().skip(1).map(|made| &*made.salt).chain([&*own.salt]);
    let private = |(made, next): (&OwnMove, &Word)| {
        let (salt, next_salt) = (element(&made.salt)?, element(next)?);
        Ok(OwnStepPrivate { side: made.side.clone(), salt, mv: made.mv, next_salt })
    };
    own.steps.iter().zip(reached).map(private).collect()
}

/// A party with proofs behind its first message and behind its peer's.
struct SteppedParty<T> {
    party: BoxedParty<T>,
    /// Whether message 0 is this party's; else message 1 is.
    opens: bool,
    to_prove: Vec<(OwnStepPublic, OwnStepPrivate)>,
    to_verify: Vec<OwnStepPublic>,
    /// The own proofs, kept for the case that the party's own step fails and is run again.
    proofs: Option<Vec<u8>>,
    /// Whether the message with the own proofs was sent, and that with the peer's taken.
    sent: bool,
    taken: bool,
    steps: Steps,
}

impl<T> SteppedParty<T> {
    /// The proofs of the own steps, made once.
    fn prove(&mut self) -> Result<Vec<u8>, Fault> {
        if let Some(proofs) = &self.proofs {
            return Ok(proofs.clone());
        }
        let mut proofs = Vec::new();
        for (public, private) in &self.to_prove {
            let proof = self.steps.prove(public, private).map_err(Fault::Internal)?;
            fog::ensure!(proof.len() == OWN_STEP_BYTES, Fault::internal("the proof of an own step has another length"));
            proofs.extend(proof);
        }
        self.proofs = Some(proofs.clone());
        Ok(proofs)
    }

    /// The peer's message without the proofs behind it, which are right.
    fn verified<'m>(&self, message: &'m [u8]) -> Result<&'m [u8], Fault> {
        let (index, got) = (usize::from(self.opens), message.len());
        let expected = self.shape().get(index).map_or(0, |size| size.total());
        fog::ensure!(got == expected, Fault::Length { index, got, expected });
        let (message, proofs) = message.split_at(got - self.to_verify.len() * OWN_STEP_BYTES);
        for (public, proof) in self.to_verify.iter().zip(proofs.chunks(OWN_STEP_BYTES)) {
            self.steps.verify(public, proof).map_err(|error| {
                let cause =
                    format!("the opponent's board doesn't follow from its last one by a move of its men: {error}");
                Fault::unproven(index, cause)
            })?;
        }
        Ok(message)
    }
}

impl<T> Party for SteppedParty<T> {
    type Output = T;

    fn shape(&self) -> Vec<MessageSize> {
        let mut shape = self.party.shape();
        let counts = [self.to_prove.len(), self.to_verify.len()];
        let [first, second] = if self.opens { counts } else { [counts[1], counts[0]] };
        for (size, count) in shape.iter_mut().zip([first, second]) {
            size.proof += count * OWN_STEP_BYTES;
        }
        shape
    }

    /// Proofs are checked and made before the party steps, since that changes it.
    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<T>, Fault> {
        let taken = match received.filter(|_| !self.taken) {
            Some(message) => Some(self.verified(message)?),
            None => received,
        };
        let is_due = !self.sent && (self.opens || received.is_some());
        let proofs = if is_due { self.prove()? } else { Vec::new() };
        let Step { send, output } = self.party.step(taken)?;
        self.taken |= received.is_some();
        self.sent |= is_due;
        Ok(Step { send: send.map(|message| [message, proofs].concat()), output })
    }

    fn meaning(&self) -> String {
        self.party.meaning()
    }
}
