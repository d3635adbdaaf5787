//! The sender's part of every exchange of sets.

use super::{
    element::Element,
    layout::{Layout, OPENING_LABEL, REPLY_LABEL, SetForm},
    points::{Encoded, POINT_BYTES, decode_distinct, encode_doubled, point},
    proof::Statement,
    secrets::{Own, Transcript},
};
use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};
use fog::engine::{Fault, MessageSize, Party, Step, Word, Work, chain_digest};
use rayon::prelude::*;
use zeroize::Zeroizing;

/// A secret exponent, and what is announced of it.
#[derive(Clone)]
pub struct Exponent {
    secret: Zeroizing<Scalar>,
    /// `A = a·G`.
    pub public: Encoded,
}

fog::redacted!(Exponent);

impl Exponent {
    /// The exponent that follows from what was said.
    pub fn new(own: &Own, transcript: &Transcript) -> Self {
        let secret = transcript.scalar(&own.branch, "exponent");
        let public = RistrettoPoint::mul_base(&secret).compress().to_bytes();
        Self { secret, public }
    }

    /// The tags `4a·H(x)` of the elements and of as many dummies as make `size`, in ascending order. The work is that of `size`,
    /// however many are dummies.
    pub fn tags(&self, elements: &[Element], size: usize) -> Result<Vec<Encoded>, Fault> {
        fog::ensure!(elements.len() <= size, Fault::internal("the own set is larger than any can be"));
        let dummies = (0..size - elements.len()).map(Element::sender_dummy);
        let all: Vec<Element> = elements.iter().copied().chain(dummies).collect();
        let twice = Zeroizing::new(*self.secret + *self.secret);
        let raised: Result<Vec<RistrettoPoint>, Fault> =
            all.par_iter().map(|element| Ok(*twice * point(*element)?)).collect();
        let mut tags = encode_doubled(&raised?);
        tags.sort_unstable();
        Ok(tags)
    }

    /// `Z = a·Y` for each point asked.
    fn raise(&self, asked: &[RistrettoPoint]) -> Vec<Encoded> {
        let half = Zeroizing::new(self.secret.div_by_2());
        let raised: Vec<RistrettoPoint> = asked.par_iter().map(|point| *half * point).collect();
        encode_doubled(&raised)
    }

    /// Appends the proof that this exponent raised `asked`, as the message's content says.
    pub(super) fn prove(
        &self,
        own: &Own,
        label: &str,
        asked: &[RistrettoPoint],
        before: Transcript,
        content: Vec<u8>,
    ) -> Vec<u8> {
        let said = before.with(&content);
        let nonce = said.scalar(&own.branch, "nonce");
        let statement = Statement { bound: said.bind(label), public: &self.public };
        [content, statement.prove(&self.secret, &nonce, asked).to_vec()].concat()
    }
}

/// The digest of an opening without its proof, which goes on chain.
pub fn opening_digest(content: &[u8]) -> Word {
    chain_digest([&b"fogmate/psi/opening/1"[..], content])
}

/// A sender.
pub struct Sender {
    own: Own,
    layout: &'static Layout,
    /// What it confirms in the last round, if the layout has such a round.
    exact: Vec<Element>,
    exponent: Exponent,
    opening: Vec<u8>,
    transcript: Transcript,
    rounds_done: usize,
    work: u64,
}

impl Sender {
    /// A sender of a set, and the digest of its opening.
    pub fn new(own: Own, layout: &'static Layout, set: &[Element], exact: Vec<Element>) -> Result<(Self, Word), Fault> {
        let start = Transcript::new(&own.id);
        let exponent = Exponent::new(&own, &start);
        let tags = exponent.tags(set, layout.set_size)?;
        let set = match layout.form {
            SetForm::Tags => tags.concat(),
            SetForm::Filter => super::filter::Filter::of(&tags).to_bytes(),
        };
        let content = [&set[..], &exponent.public].concat();
        let (digest, transcript) = (opening_digest(&content), start.with(&content));
        let opening = exponent.prove(&own, OPENING_LABEL, &[], start, content);
        let work = layout.set_size as u64;
        Ok((Self { own, layout, exact, exponent, opening, transcript, rounds_done: 0, work }, digest))
    }

    fn reply(&mut self, asked: &[u8]) -> Result<Step<()>, Fault> {
        let index = 2 * self.rounds_done + 1;
        let round = self.layout.rounds.get(self.rounds_done).ok_or(Fault::NotDue(index))?;
        let expected = round.asked * POINT_BYTES;
        fog::ensure!(asked.len() == expected, Fault::Length { index, got: asked.len(), expected });
        let points = decode_distinct(asked).map_err(|cause| Fault::Malformed { index, cause: cause.into() })?;
        let before = self.transcript.with(asked);
        let message = match round.exact {
            None => self.exponent.prove(&self.own, REPLY_LABEL, &points, before, self.exponent.raise(&points).concat()),
            Some(size) => {
                let fresh = Exponent::new(&self.own, &before);
                let tags = fresh.tags(&self.exact, size)?;
                let content = [fresh.raise(&points).concat(), tags.concat(), fresh.public.to_vec()].concat();
                fresh.prove(&self.own, REPLY_LABEL, &points, before, content)
            }
        };
        self.transcript = before.with(&message[..round.reply().content]);
        self.rounds_done += 1;
        self.work += (round.asked + round.exact.unwrap_or(0)) as u64;
        let step = Step::send(message);
        let is_last = self.rounds_done == self.layout.rounds.len();
        Ok(if is_last { step.with_output(()) } else { step })
    }
}

impl Party for Sender {
    type Output = ();

    fn shape(&self) -> Vec<MessageSize> {
        self.layout.shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<()>, Fault> {
        match received {
            None => Ok(Step::send(self.opening.clone())),
            Some(asked) => self.reply(asked),
        }
    }

    fn work(&self) -> Work {
        Work { scalar_muls: self.work, ..Work::default() }
    }
}
