//! The receiver's part of every exchange of sets: [`Search`] decides what is asked, the rest is here.

use super::{
    Protocol, Search,
    element::in_words,
    evidence::Said,
    filter::Filter,
    group::{Encoded, Group, POINT_BYTES},
    layout::{ASKED_LABEL, OPENING_LABEL, REPLY_LABEL, Round, SHOWN_LABEL, SetForm},
    points::{decode_all, decode_set, entries},
    proof::{PROOF_BYTES, Statement},
    query::{Announced, Query},
    secrets::{Own, Transcript},
    sender::opening_digest,
};
use fog::engine::{Cause, Fault, MessageSize, Party, Step, Word};
use rules::Sight;
use std::{collections::BTreeSet, sync::Arc};

/// A set that the sender announced.
enum Known {
    Tags(BTreeSet<Encoded>),
    Filter(Filter),
}

impl Known {
    /// The set, and its points where it has any.
    fn read<G: Group>(form: SetForm, bytes: &[u8]) -> Result<(Self, Vec<G::Point>), Cause> {
        Ok(match form {
            SetForm::Tags => {
                let points = decode_set::<G>(bytes)?;
                (Self::Tags(entries(bytes)), points)
            }
            SetForm::Filter => (Self::Filter(Filter::read(bytes)?), Vec::new()),
        })
    }

    fn has(&self, tag: &Encoded) -> bool {
        match self {
            Self::Tags(tags) => tags.contains(tag),
            Self::Filter(filter) => filter.takes(tag),
        }
    }
}

struct Open<G: Group> {
    announced: Announced<G>,
    known: Known,
}

/// Waiting for a reply.
struct Asking<G: Group> {
    round: usize,
    query: Query<G>,
    transcript: Transcript,
}

pub struct Receiver<P: Protocol> {
    protocol: Arc<P>,
    own: Own,
    promised: Option<Word>,
    search: P::Search,
    open: Option<Open<P::Group>>,
    asking: Option<Asking<P::Group>>,
}

fn announced<G: Group>(index: usize, bytes: &[u8]) -> Result<Announced<G>, Fault> {
    Announced::read(bytes)
        .ok_or_else(|| Fault::malformed(index, "the exponent's point is none of the group, or the identity"))
}

impl<P: Protocol> Receiver<P> {
    /// A receiver. The opening's digest must be `promised`, if that came on chain.
    pub fn new(protocol: Arc<P>, own: Own, promised: Option<Word>) -> Self {
        let search = P::search(&own.board(), own.phase());
        Self { protocol, own, promised, search, open: None, asking: None }
    }

    /// What is asked in a round, and the message.
    fn ask(
        &self,
        search: &P::Search,
        round: usize,
        transcript: Transcript,
    ) -> Result<(Asking<P::Group>, Vec<u8>), Fault> {
        let size = P::LAYOUT.rounds.get(round).map_or(0, |round| round.asked);
        let query = Query::new(&self.own, &transcript, search.asked(round)?, size)?;
        let digest = self.protocol.digest_asked(&self.own, &transcript)?;
        let content = [&query.message[..], &digest].concat();
        let (before, transcript) = (transcript, transcript.with(&content));
        let bound = transcript.bind(ASKED_LABEL);
        let proof = self.protocol.prove_asked(&self.own, &before, &query.blinds, bound)?;
        Ok((Asking { round, query, transcript }, [content, proof].concat()))
    }

    fn read_opening(&mut self, message: &[u8]) -> Result<Step<Sight>, Fault> {
        let (content, proofs) = P::LAYOUT.opening().split(0, message)?;
        let is_promised = self.promised.is_none_or(|promised| promised == opening_digest(content));
        fog::ensure!(is_promised, Fault::Digest(0));
        let (set, rest) = content.split_at(P::LAYOUT.set_bytes());
        let (digest, public) = rest.split_at(P::LAYOUT.evidence.digest);
        let (knowledge, proof) = proofs.split_at(PROOF_BYTES);
        let announced = announced::<P::Group>(0, public)?;
        let transcript = Transcript::new(&self.own.id).with(content);
        let statement = Statement::<P::Group>::new(transcript.bind(OPENING_LABEL), &announced.encoded);
        let verified = statement.verify(&announced.point, &[], &[], knowledge);
        verified.map_err(|cause| Fault::unproven(0, cause))?;
        let (known, points) =
            Known::read::<P::Group>(P::LAYOUT.form, set).map_err(|cause| Fault::malformed(0, cause))?;
        let said = Said { bound: transcript.bind(SHOWN_LABEL), digest, points: &points };
        let verified = self.protocol.verify_shown(&self.own, &announced.point, &said, proof);
        verified.map_err(|cause| Fault::unproven(0, cause))?;
        let (asking, message) = self.ask(&self.search, 0, transcript)?;
        (self.open, self.asking) = (Some(Open { announced, known }), Some(asking));
        Ok(Step::send(message))
    }

    /// The exact set and the fresh exponent of a round that confirms.
    fn read_exact(round: &Round, index: usize, content: &[u8]) -> Result<Option<Open<P::Group>>, Fault> {
        if round.exact.is_none() {
            return Ok(None);
        }
        let (set, public) =
            content[round.asked * POINT_BYTES..].split_at(content.len() - (round.asked + 1) * POINT_BYTES);
        let (known, _) = Known::read::<P::Group>(SetForm::Tags, set).map_err(|cause| Fault::malformed(index, cause))?;
        Ok(Some(Open { announced: announced(index, public)?, known }))
    }

    fn read_reply(&mut self, message: &[u8]) -> Result<Step<Sight>, Fault> {
        let (Some(asking), Some(open)) = (&self.asking, &self.open) else {
            return Err(Fault::internal("nothing was asked"));
        };
        let index = 2 * asking.round + 2;
        let round = P::LAYOUT.rounds.get(asking.round).ok_or(Fault::NotDue(index))?;
        let (content, proof) = round.reply().split(index, message)?;
        let raised = decode_all::<P::Group>(&content[..round.asked * POINT_BYTES]);
        let raised = raised.map_err(|cause| Fault::malformed(index, cause))?;
        let exact = Self::read_exact(round, index, content)?;
        let open = exact.as_ref().unwrap_or(open);
        let transcript = asking.transcript.with(content);
        let statement = Statement::<P::Group>::new(transcript.bind(REPLY_LABEL), &open.announced.encoded);
        let verified = statement.verify(&open.announced.point, &asking.query.points, &raised, proof);
        verified.map_err(|cause| Fault::unproven(index, cause))?;
        let tags = asking.query.tags(&open.announced, &raised);
        let findings = asking.query.elements.iter().copied().zip(tags.iter().map(|tag| open.known.has(tag)));
        let mut search = self.search.clone();
        search.learn(asking.round, &findings.collect::<Vec<_>>());
        let (asking, step) = if asking.round + 1 == P::LAYOUT.rounds.len() {
            (None, Step::output(search.sight().map_err(|cause| Fault::malformed(index, cause))?))
        } else {
            let (asking, message) = self.ask(&search, asking.round + 1, transcript)?;
            (Some(asking), Step::send(message))
        };
        (self.search, self.asking) = (search, asking);
        Ok(step)
    }
}

impl<P: Protocol> Party for Receiver<P> {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        P::LAYOUT.shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        match received {
            None => Ok(Step::WAIT),
            Some(message) if self.open.is_none() => self.read_opening(message),
            Some(message) => self.read_reply(message),
        }
    }

    fn meaning(&self) -> String {
        let words = |asking: &Asking<P::Group>| in_words(&asking.query.elements, asking.query.points.len());
        self.asking.as_ref().map(words).unwrap_or_default()
    }
}
