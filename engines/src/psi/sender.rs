//! The sender's part of every exchange of sets.

use super::{
    Protocol,
    element::{Element, in_words},
    evidence::Said,
    group::{Encoded, Group, POINT_BYTES},
    layout::{ASKED_LABEL, OPENING_LABEL, REPLY_LABEL, SHOWN_LABEL, SetForm},
    points::decode_distinct,
    proof::Statement,
    secrets::{Own, Secret, Transcript},
};
use fog::engine::{Fault, MessageSize, Party, Step, Word, chain_digest};
use std::sync::Arc;

/// A secret exponent, and what is announced of it.
pub struct Exponent<G: Group> {
    secret: Secret<G::Scalar>,
    /// The public key `A = a·G`.
    pub public: Encoded,
}

/// The tags of a set.
pub struct Tags {
    pub sorted: Vec<Encoded>,
    /// Where each element's tag stands among them.
    pub places: Vec<usize>,
}

impl<G: Group> Exponent<G> {
    /// The exponent that follows from what was said.
    pub fn new(own: &Own, transcript: &Transcript) -> Self {
        let secret = transcript.exponent::<G>(&own.branch);
        let public = G::encode(&G::times_generator(&secret));
        Self { secret, public }
    }

    /// The tags `a·H(x)` of the elements and of as many dummies as make `size`. The work is that of `size`, however many are dummies.
    pub fn tags(&self, own: &Own, elements: &[Element], size: usize) -> Result<Tags, Fault> {
        fog::ensure!(elements.len() <= size, Fault::internal("the own set is larger than any can be"));
        let dummies = (0..size - elements.len()).map(Element::sender_dummy);
        let all: Vec<Element> = elements.iter().copied().chain(dummies).collect();
        let tags = G::tags(&self.secret, &G::hashed(&all, own.receiver())?);
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_unstable_by_key(|index| tags[*index]);
        let mut places = vec![0; size];
        for (place, index) in order.iter().enumerate() {
            places[*index] = place;
        }
        Ok(Tags { sorted: order.iter().map(|index| tags[*index]).collect(), places })
    }

    /// `Z = a·Y` for each point asked.
    fn raise(&self, asked: &[G::Point]) -> Vec<Encoded> {
        G::raise(&self.secret, asked)
    }

    /// The proof that this exponent raised `asked`, as the content says that was said last.
    pub(super) fn prove(&self, own: &Own, label: &str, asked: &[G::Point], said: &Transcript) -> Vec<u8> {
        let nonce = said.scalar::<G>(&own.branch, "nonce");
        let statement = Statement::<G>::new(said.bind(label), &self.public);
        statement.prove(&self.secret, &nonce, asked).to_vec()
    }
}

/// The digest of an opening without its proof, which goes on chain.
pub fn opening_digest(content: &[u8]) -> Word {
    chain_digest([&b"fogmate/psi/opening/1"[..], content])
}

pub struct Sender<P: Protocol> {
    protocol: Arc<P>,
    own: Own,
    /// What it confirms in the last round, if the layout has such a round.
    exact: Vec<Element>,
    exponent: Exponent<P::Group>,
    /// Where the tags of its set stand in its opening.
    places: Vec<usize>,
    /// The opening, without its proofs.
    opening: Vec<u8>,
    transcript: Transcript,
    rounds_done: usize,
}

impl<P: Protocol> Sender<P> {
    /// A sender of a set, and the digest of its opening.
    pub fn new(protocol: Arc<P>, own: Own, set: &[Element], exact: Vec<Element>) -> Result<(Self, Word), Fault> {
        let start = Transcript::new(&own.id);
        let exponent = Exponent::new(&own, &start);
        let Tags { sorted, places } = exponent.tags(&own, set, P::LAYOUT.set_size)?;
        let set = match P::LAYOUT.form {
            SetForm::Tags => sorted.concat(),
            SetForm::Filter => super::filter::Filter::of(&sorted).to_bytes(),
        };
        let digest = protocol.digest_shown(&own, &start, &places)?;
        let opening = [&set[..], &digest, &exponent.public].concat();
        let (digest, transcript) = (opening_digest(&opening), start.with(&opening));
        Ok((Self { protocol, own, exact, exponent, places, opening, transcript, rounds_done: 0 }, digest))
    }

    fn open(&self) -> Result<Step<()>, Fault> {
        let knowledge = self.exponent.prove(&self.own, OPENING_LABEL, &[], &self.transcript);
        let (start, bound) = (Transcript::new(&self.own.id), self.transcript.bind(SHOWN_LABEL));
        let proof = self.protocol.prove_shown(&self.own, &start, &self.places, bound)?;
        Ok(Step::send([&self.opening[..], &knowledge, &proof].concat()))
    }

    fn reply(&mut self, message: &[u8]) -> Result<Step<()>, Fault> {
        let index = 2 * self.rounds_done + 1;
        let round = P::LAYOUT.rounds.get(self.rounds_done).ok_or(Fault::NotDue(index))?;
        let (content, proof) = P::LAYOUT.asked(round).split(index, message)?;
        let (asked, digest) = content.split_at(round.asked * POINT_BYTES);
        let points = decode_distinct::<P::Group>(asked);
        let points = points.map_err(|cause| Fault::malformed(index, cause))?;
        let before = self.transcript.with(content);
        let said = Said { bound: before.bind(ASKED_LABEL), digest, points: &points };
        let verified = self.protocol.verify_asked(&self.own, &said, proof);
        verified.map_err(|cause| Fault::unproven(index, cause))?;
        let mut fresh = None;
        let (exponent, content) = match round.exact {
            None => (&self.exponent, self.exponent.raise(&points).concat()),
            Some(size) => {
                let fresh = fresh.insert(Exponent::new(&self.own, &before));
                let tags = fresh.tags(&self.own, &self.exact, size)?.sorted;
                let content = [fresh.raise(&points).concat(), tags.concat(), fresh.public.to_vec()].concat();
                (&*fresh, content)
            }
        };
        self.transcript = before.with(&content);
        let proof_of_equality = exponent.prove(&self.own, REPLY_LABEL, &points, &self.transcript);
        self.rounds_done += 1;
        let step = Step::send([content, proof_of_equality].concat());
        let is_last = self.rounds_done == P::LAYOUT.rounds.len();
        Ok(if is_last { step.with_output(()) } else { step })
    }
}

impl<P: Protocol> Party for Sender<P> {
    type Output = ();

    fn shape(&self) -> Vec<MessageSize> {
        P::LAYOUT.shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<()>, Fault> {
        match received {
            None => self.open(),
            Some(asked) => self.reply(asked),
        }
    }

    fn meaning(&self) -> String {
        let Some(last) = self.rounds_done.checked_sub(1) else {
            return in_words(&P::set(&self.own.board(), self.own.phase()), P::LAYOUT.set_size);
        };
        let exact = P::LAYOUT.rounds.get(last).and_then(|round| round.exact);
        exact.map(|size| in_words(&self.exact, size)).unwrap_or_default()
    }
}
