//! The receiver's part of every exchange of sets: [`Search`] decides what is asked, the rest is here.

use super::{
    element::Element,
    filter::Filter,
    layout::{Layout, OPENING_LABEL, REPLY_LABEL, Round, SetForm},
    points::{Encoded, POINT_BYTES, decode_all, decode_set},
    proof::Statement,
    query::{Announced, Query},
    secrets::{Own, Transcript},
    sender::opening_digest,
};
use fog::engine::{Cause, Fault, MessageSize, Party, Step, Word, Work};
use rules::Sight;
use std::collections::BTreeSet;

/// What a receiver looks for, round by round.
pub trait Search: Clone + Send {
    /// What it asks in a round, at most as much as the layout says.
    fn asked(&self, round: usize) -> Result<Vec<Element>, Fault>;

    /// Learns for each element asked in a round whether the sender has it.
    fn learn(&mut self, round: usize, findings: &[(Element, bool)]);

    /// The sight, after the last round; an error if no board could give these findings.
    fn sight(&self) -> Result<Sight, Cause>;
}

/// A set that the sender announced.
enum Known {
    Tags(BTreeSet<Encoded>),
    Filter(Filter),
}

impl Known {
    fn read(form: SetForm, bytes: &[u8]) -> Result<Self, Cause> {
        Ok(match form {
            SetForm::Tags => Self::Tags(decode_set(bytes)?),
            SetForm::Filter => Self::Filter(Filter::read(bytes)?),
        })
    }

    fn has(&self, tag: &Encoded) -> bool {
        match self {
            Self::Tags(tags) => tags.contains(tag),
            Self::Filter(filter) => filter.takes(tag),
        }
    }
}

/// After the opening.
struct Open {
    announced: Announced,
    known: Known,
}

/// Waiting for a reply.
struct Asking {
    round: usize,
    query: Query,
    transcript: Transcript,
}

/// A receiver.
pub struct Receiver<S> {
    own: Own,
    layout: &'static Layout,
    promised: Option<Word>,
    search: S,
    open: Option<Open>,
    asking: Option<Asking>,
    work: u64,
}

fn malformed(index: usize, cause: impl Into<Cause>) -> Fault {
    Fault::Malformed { index, cause: cause.into() }
}

fn sized(index: usize, message: &[u8], size: MessageSize) -> Result<(&[u8], &[u8]), Fault> {
    let (got, expected) = (message.len(), size.total());
    fog::ensure!(got == expected, Fault::Length { index, got, expected });
    Ok(message.split_at(size.content))
}

fn announced(index: usize, bytes: &[u8]) -> Result<Announced, Fault> {
    Announced::read(bytes).ok_or_else(|| malformed(index, "the exponent's point is none of the group, or the identity"))
}

impl<S: Search> Receiver<S> {
    /// A receiver with a search. The opening's digest must be `promised`, if that came on chain.
    pub fn new(own: Own, layout: &'static Layout, search: S, promised: Option<Word>) -> Self {
        Self { own, layout, promised, search, open: None, asking: None, work: 0 }
    }

    fn ask(&self, search: &S, round: usize, transcript: Transcript) -> Result<Asking, Fault> {
        let size = self.layout.rounds.get(round).map_or(0, |round| round.asked);
        let query = Query::new(&self.own, &transcript, search.asked(round)?, size)?;
        let transcript = transcript.with(&query.message);
        Ok(Asking { round, query, transcript })
    }

    fn read_opening(&mut self, message: &[u8]) -> Result<Step<Sight>, Fault> {
        let (content, proof) = sized(0, message, self.layout.opening())?;
        let is_promised = self.promised.is_none_or(|promised| promised == opening_digest(content));
        fog::ensure!(is_promised, Fault::Digest(0));
        let (set, public) = content.split_at(self.layout.set_bytes());
        let announced = announced(0, public)?;
        let transcript = Transcript::new(&self.own.id).with(content);
        let statement = Statement { bound: transcript.bind(OPENING_LABEL), public: &announced.encoded };
        let verified = statement.verify(&announced.point, &[], &[], proof);
        verified.map_err(|cause| Fault::Proof { index: 0, cause: cause.into() })?;
        let known = Known::read(self.layout.form, set).map_err(|cause| malformed(0, cause))?;
        let asking = self.ask(&self.search, 0, transcript)?;
        let step = Step::send(asking.query.message.clone());
        self.work += asking.query.points.len() as u64;
        (self.open, self.asking) = (Some(Open { announced, known }), Some(asking));
        Ok(step)
    }

    /// The exact set and the fresh exponent of a round that confirms.
    fn read_exact(round: &Round, index: usize, content: &[u8]) -> Result<Option<Open>, Fault> {
        if round.exact.is_none() {
            return Ok(None);
        }
        let (set, public) =
            content[round.asked * POINT_BYTES..].split_at(content.len() - (round.asked + 1) * POINT_BYTES);
        let known = Known::read(SetForm::Tags, set).map_err(|cause| malformed(index, cause))?;
        Ok(Some(Open { announced: announced(index, public)?, known }))
    }

    fn read_reply(&mut self, message: &[u8]) -> Result<Step<Sight>, Fault> {
        let (Some(asking), Some(open)) = (&self.asking, &self.open) else {
            return Err(Fault::internal("nothing was asked"));
        };
        let index = 2 * asking.round + 2;
        let round = self.layout.rounds.get(asking.round).ok_or(Fault::NotDue(index))?;
        let (content, proof) = sized(index, message, round.reply())?;
        let raised = decode_all(&content[..round.asked * POINT_BYTES]).map_err(|cause| malformed(index, cause))?;
        let exact = Self::read_exact(round, index, content)?;
        let open = exact.as_ref().unwrap_or(open);
        let transcript = asking.transcript.with(content);
        let statement = Statement { bound: transcript.bind(REPLY_LABEL), public: &open.announced.encoded };
        let verified = statement.verify(&open.announced.point, &asking.query.points, &raised, proof);
        verified.map_err(|cause| Fault::Proof { index, cause: cause.into() })?;
        let tags = asking.query.tags(&open.announced, &raised);
        let findings = asking.query.elements.iter().copied().zip(tags.iter().map(|tag| open.known.has(tag)));
        let mut search = self.search.clone();
        search.learn(asking.round, &findings.collect::<Vec<_>>());
        let mut work = raised.len() as u64;
        let (asking, step) = if asking.round + 1 == self.layout.rounds.len() {
            (None, Step::output(search.sight().map_err(|cause| malformed(index, cause))?))
        } else {
            let asking = self.ask(&search, asking.round + 1, transcript)?;
            work += asking.query.points.len() as u64;
            let step = Step::send(asking.query.message.clone());
            (Some(asking), step)
        };
        (self.search, self.asking) = (search, asking);
        self.work += work;
        Ok(step)
    }
}

impl<S: Search> Party for Receiver<S> {
    type Output = Sight;

    fn shape(&self) -> Vec<MessageSize> {
        self.layout.shape()
    }

    fn step(&mut self, received: Option<&[u8]>) -> Result<Step<Sight>, Fault> {
        match received {
            None => Ok(Step::WAIT),
            Some(message) if self.open.is_none() => self.read_opening(message),
            Some(message) => self.read_reply(message),
        }
    }

    fn work(&self) -> Work {
        Work { scalar_muls: self.work, ..Work::default() }
    }
}
