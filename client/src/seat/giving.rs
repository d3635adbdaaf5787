//! The sights that this player gives (protocol, section 6, steps 1 and 4). An answer is made for one exchange and one own
//! state; it leaves the seat only when the move that it follows is final. What is given depends on the own board and the
//! opponent's request alone, never on anything that was seen.

use super::dialogue::{Dialogue, tell};
use super::effects::Effects;
use super::event::{Done, Job, JobId, JobKind};
use super::facts::Facts;
use super::receiving::address;
use super::released::Released;
use crate::journal::Entry;
use fog::engine::{BoxedParty, Exchange, Fault, Finished, Phase, Word};
use fog::ensure;
use fog::word::to_word;
use game::{Message, MessageId, MessageKind, MoveFields, OwnState, PeerFault, Player};
use halo2curves::bn256::Fr;
use rules::Color;

#[derive(Debug, Default)]
pub(super) struct Giving {
    /// The opponent's standing request, matched with the chain.
    request: Option<Vec<u8>>,
    /// The ply of an opponent's request that can't be answered.
    unanswerable: Option<u16>,
    /// The opponent's next request, its move not being final here.
    early: Option<(u16, Vec<u8>)>,
    /// The opponent's move that is in a block and not final yet.
    unconfirmed: Option<MoveFields>,
    answers: Vec<Outgoing>,
}

#[derive(Debug)]
struct Outgoing {
    id: MessageId,
    /// What binds its exchange.
    ctx: Fr,
    exchange: Exchange,
    own: OwnState,
    dialogue: Option<Dialogue<()>>,
    /// Whether making it has failed on this side; it is tried again at the next tick.
    failed: bool,
    /// Whether the move that it follows is final.
    released: bool,
}

impl Giving {
    /// The opponent's standing request, if it is here.
    pub fn request(&self) -> Option<&[u8]> {
        self.request.as_deref()
    }

    /// Whether the opponent's request can't be answered, which is as good as none.
    pub fn is_unanswerable(&self) -> bool {
        self.unanswerable.is_some()
    }

    /// Takes a request of the opponent, unchecked.
    pub fn receive(&mut self, facts: &Facts, ply: u16, request: &[u8], fx: &mut Effects) -> Result<(), PeerFault> {
        let id = MessageId::request(ply);
        let (player, play, _) = facts.in_play_for(id)?;
        ensure!(Color::of_ply(ply.into()) != player.color(), PeerFault::WrongPly(id));
        let last = facts.opponent_ply();
        let first = (!player.color()).index() as u16;
        let next = last.map_or(first, |last| last.saturating_add(2));
        if ply != next && Some(ply) != last {
            return Err(if ply > next { PeerFault::TooEarly(id) } else { PeerFault::Stale(id) });
        }
        let root = player.request_root(request).map_err(|error| PeerFault::of_request(id, &error))?;
        if ply == next {
            self.keep_early(ply, request)?;
            self.make_early(facts);
            return Ok(());
        }
        match self.request() {
            _ if self.unanswerable == Some(ply) => Err(PeerFault::Malformed(id)),
            Some(known) if known == request => Err(PeerFault::Duplicate(id)),
            Some(_) => Err(PeerFault::Contradiction(id)),
            None if root != play.request_roots[(!player.color()).index()] => Err(PeerFault::RequestRoot(id)),
            None => {
                if let Some(message) = Message::request(ply, request) {
                    fx.journal(Entry::Received(message));
                }
                self.request = Some(request.to_vec());
                Ok(())
            }
        }
    }

    /// Its root will be compared when the move is final. The latest wins: the earlier may have been the wrong one.
    fn keep_early(&mut self, ply: u16, request: &[u8]) -> Result<(), PeerFault> {
        let early = Some((ply, request.to_vec()));
        ensure!(self.early != early, PeerFault::Duplicate(MessageId::request(ply)));
        self.early = early;
        Ok(())
    }

    /// The opponent's move is in a block: its answer is made at once and leaves when the move is final.
    pub fn opponent_seen(&mut self, facts: &Facts, fields: &MoveFields) {
        // What is told twice is made once.
        if self.unconfirmed != Some(*fields) {
            self.withdraw();
            self.unconfirmed = Some(*fields);
            self.make_early(facts);
        }
    }

    /// The opponent's move is in no block any more.
    pub fn opponent_dropped(&mut self) {
        self.withdraw();
        self.unconfirmed = None;
    }

    /// Makes the answer to a move that isn't final, if its request is here. What doesn't fit is told when the move is final.
    fn make_early(&mut self, facts: &Facts) {
        let (Some((player, play, own)), Some(fields), Some((ply, request))) =
            (facts.in_play(), &self.unconfirmed, &self.early)
        else {
            return;
        };
        let after = play.after(fields);
        let fits = *ply == fields.ply && player.request_root(request).ok() == Some(fields.next_request_root);
        // After the king's fall nobody sees any more.
        if fits
            && !fields.king_fell
            && let Some(exchange) = after.exchange(Phase::Post)
            && let Ok(ctx) = player.context(&after, &exchange)
            && self.answers.iter().all(|answer| answer.ctx != ctx)
            && let Ok((party, _)) = player.give(&exchange, own, request)
        {
            let (kind, own) = (player.message_kind(), own.clone());
            self.prepare(kind, ctx, exchange, own, party);
        }
    }

    /// The opponent's move is final: it is owed its sight after the move, for the request that came with it.
    pub fn opponent_move(&mut self, facts: &Facts, ply: u16, fx: &mut Effects) {
        // Where there are no requests, none is waited for.
        let has_requests = facts.in_play().is_none_or(|(player, ..)| player.has_requests());
        self.request = (!has_requests).then(Vec::new);
        self.unanswerable = None;
        self.unconfirmed = None;
        let ctx = facts.exchange(Phase::Post).map(|(ctx, _)| ctx);
        self.answers.retain_mut(|answer| {
            answer.released = Some(answer.ctx) == ctx;
            answer.released
        });
        if self.answers.is_empty() {
            self.owe(facts, Phase::Post);
        }
        if let Some((early, request)) = self.early.take()
            && early == ply
            && let Err(wrong) = self.receive(facts, ply, &request, fx)
        {
            fx.fault(wrong);
        }
    }

    /// The own move is final: the answer that it carries the root of may leave.
    pub fn own_move(&mut self, facts: &Facts) {
        let ctx = facts.exchange(Phase::Pre).map(|(ctx, _)| ctx);
        match self.answers.iter_mut().find(|answer| Some(answer.ctx) == ctx) {
            Some(answer) => answer.released = true,
            // After a restart: the answer is made again when the request is here. With a root of 0 on chain nobody waits for it.
            None if facts.playing().is_some_and(|play| play.answer_root != Fr::zero()) => self.owe(facts, Phase::Pre),
            None => {}
        }
        self.answers.retain(|answer| answer.released);
    }

    fn owe(&mut self, facts: &Facts, phase: Phase) {
        if let (Some((player, _, own)), Some((ctx, exchange))) = (facts.in_play(), facts.exchange(phase)) {
            self.answers.push(Outgoing::new(player.message_kind(), ctx, exchange, own.clone(), true));
        }
    }

    /// The answer that follows an own move which isn't posted yet; `own` is the state after it.
    pub fn prepare(&mut self, kind: MessageKind, ctx: Fr, exchange: Exchange, own: OwnState, party: BoxedParty<()>) {
        let mut answer = Outgoing::new(kind, ctx, exchange, own, false);
        answer.dialogue = Some(Dialogue::start(answer.id, party, true));
        self.answers.push(answer);
    }

    /// The answer that follows an own move which is final and had no root for it: it leaves at once.
    pub fn release(&mut self, kind: MessageKind, ctx: Fr, exchange: Exchange, own: OwnState, party: BoxedParty<()>) {
        let mut answer = Outgoing::new(kind, ctx, exchange, own, true);
        answer.dialogue = Some(Dialogue::start(answer.id, party, true));
        self.answers.push(answer);
    }

    /// Forgets the answers that may not leave yet: the move that they would follow isn't made, or is another.
    pub fn withdraw(&mut self) {
        self.answers.retain(|answer| answer.released);
    }

    /// The opponent's request matches its root and can't be answered: it gets no sight for it.
    pub fn refuse(&mut self, ply: Option<u16>, fx: &mut Effects) {
        let Some(ply) = ply else { return };
        self.request = None;
        self.unanswerable = Some(ply);
        self.answers.clear();
        fx.fault(PeerFault::Malformed(MessageId::request(ply)));
    }

    /// The game is over.
    pub fn clear(&mut self) {
        self.answers.clear();
        self.early = None;
        self.unconfirmed = None;
    }

    /// Whether the result of this job is waited for.
    pub fn awaits(&self, job: JobId) -> bool {
        self.answers.iter().any(|answer| answer.is_running(job))
    }

    /// Makes and sends the answers that can be made and sent.
    pub fn advance(&mut self, facts: &Facts, released: &mut Released, fx: &mut Effects) {
        let Some((player, ..)) = facts.in_play() else { return };
        let mut malformed = false;
        for answer in &mut self.answers {
            match self.request.as_ref().map_or(Ok(()), |request| answer.make(player, request)) {
                Ok(()) => {}
                Err(Fault::Request(_)) => malformed = true,
                Err(error) => fx.failed(&error),
            }
            answer.run(fx);
            answer.send(released, fx);
        }
        if malformed {
            self.refuse(facts.opponent_ply(), fx);
        }
    }

    /// Takes a message of the opponent's part in a sight that it is given, unchecked.
    pub fn hear(&mut self, facts: &Facts, id: MessageId, bytes: &[u8]) -> Result<(), PeerFault> {
        let (player, play, _) = facts.in_play_for(id)?;
        let request = self.request.as_deref().unwrap_or_default();
        let sight = (id.ply, id.phase);
        let Some(answer) = self.answers.iter_mut().find(|answer| answer.released && answer.sight() == sight) else {
            return Err(if id.ply >= play.ply { PeerFault::TooEarly(id) } else { PeerFault::Stale(id) });
        };
        // After a restart the own messages follow from what is repeated here.
        answer.make(player, request).map_err(|_| PeerFault::TooEarly(id))?;
        answer.dialogue.as_mut().ok_or(PeerFault::TooEarly(id))?.receive(id, bytes)
    }

    /// A step has run.
    pub fn finish(&mut self, job: JobId, finished: Finished<()>, fx: &mut Effects) {
        let mut dialogues = self.answers.iter_mut().filter_map(|answer| answer.dialogue.as_mut());
        if let Some(dialogue) = dialogues.find(|dialogue| dialogue.is_running(job)) {
            dialogue.finish(finished, fx, tell);
        }
    }

    /// What failed on this side may be tried again.
    pub fn retry(&mut self) {
        for answer in &mut self.answers {
            answer.failed = false;
            if let Some(dialogue) = &mut answer.dialogue {
                dialogue.retry();
            }
        }
    }

    /// The message that the opponent asks for (again), with the `ctx` of its exchange: `Ok(None)` while it is being made. `id` is that
    /// of the wish.
    pub fn message(&self, id: MessageId) -> Result<Option<(Fr, Message)>, PeerFault> {
        let wanted = |answer: &&Outgoing| answer.sight() == (id.ply, id.phase);
        let answer = self.answers.iter().find(wanted).filter(|answer| answer.released);
        let begun = answer.and_then(|answer| Some((answer.ctx, answer.dialogue.as_ref()?)));
        let (ctx, dialogue) = begun.ok_or(PeerFault::NotToBeHad(id))?;
        Ok(dialogue.wanted(id)?.map(|message| (ctx, message)))
    }

    /// The messages that the opponent owes in the sights that it is given.
    pub fn missing(&self) -> impl Iterator<Item = MessageId> + '_ {
        self.answers.iter().filter(|answer| answer.released).filter_map(|answer| answer.dialogue.as_ref()?.missing())
    }

    /// A digest of the messages of a sight that was given to its end.
    pub fn transcript(&self, ply: u16, phase: Phase) -> Option<Word> {
        let answer = self.answers.iter().find(|answer| answer.released && answer.sight() == (ply, phase))?;
        answer.dialogue.as_ref()?.transcript(&to_word(&answer.ctx))
    }

    /// Whether the opponent's request is missing that was made with its move of `ply`.
    pub fn is_missing(&self, ply: u16) -> bool {
        self.request.is_none() && self.unanswerable != Some(ply)
    }
}

impl Outgoing {
    fn new(kind: MessageKind, ctx: Fr, exchange: Exchange, own: OwnState, released: bool) -> Self {
        Self { id: address(kind, &exchange), ctx, exchange, own, dialogue: None, failed: false, released }
    }

    fn sight(&self) -> (u16, Phase) {
        (self.id.ply, self.id.phase)
    }

    fn is_running(&self, job: JobId) -> bool {
        self.dialogue.as_ref().is_some_and(|dialogue| dialogue.is_running(job))
    }

    /// Makes the answer to a request, once.
    fn make(&mut self, player: &Player, request: &[u8]) -> Result<(), Fault> {
        if self.dialogue.is_some() || self.failed {
            return Ok(());
        }
        self.failed = true;
        let (party, _) = player.give(&self.exchange, &self.own, request)?;
        self.failed = false;
        self.dialogue = Some(Dialogue::start(self.id, party, true));
        Ok(())
    }

    fn run(&mut self, fx: &mut Effects) {
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.run(|step| Job::step(JobKind::Give(self.id), step, Done::Give), fx);
        }
    }

    /// Sends the message that the opponent waits for, the first time that it may leave.
    fn send(&mut self, released: &mut Released, fx: &mut Effects) {
        let (sight, ctx) = (self.sight(), self.ctx);
        if let Some(dialogue) = self.dialogue.as_mut().filter(|_| self.released) {
            dialogue.say(|fx| released.may_leave(sight, ctx, fx), fx);
        }
    }
}
