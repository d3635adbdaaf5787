//! The sights that this player is given (protocol, section 6, steps 2 and 4): its part in the exchanges before and after its
//! moves. The engine opens an answer only in the step that has verified it, so nothing that came from an unproven answer can
//! ever change what the seat sends, not even whether it sends.

use super::dialogue::{Dialogue, tell};
use super::effects::Effects;
use super::event::{Done, Job, JobId, JobKind};
use super::facts::Facts;
use fog::engine::{Exchange, Finished, Phase, Word};
use fog::ensure;
use fog::word::to_word;
use game::{Message, MessageId, MessageKind, Notice, OwnState, PeerFault, PlayState, Player, ProvenSight};
use halo2curves::bn256::Fr;
use rules::{Color, Sight};

#[derive(Debug, Default)]
pub(super) struct Receiving {
    /// The exchange before the own move that is due, and the one after the last own move.
    exchanges: Vec<Incoming>,
    /// Answers that came before the move that they follow was final here.
    early: Vec<(MessageId, Vec<u8>)>,
}

#[derive(Debug)]
struct Incoming {
    /// What binds the exchange, and the key by which it is known.
    ctx: Fr,
    exchange: Exchange,
    /// The address of its first message.
    id: MessageId,
    own: OwnState,
    /// The answer's root on chain, of *pre* exchanges.
    promised: Option<Fr>,
    dialogue: Option<Dialogue<Sight>>,
    /// Whether an answer has come that nothing speaks against so far.
    answered: bool,
    /// Whether that answer is from the journal: a fault of it is nobody's but the file's.
    restored: bool,
    /// Whether it was told that the session can't be started on this side.
    told: bool,
    /// The root under which the contract has verified the answer, once it was published.
    published: Option<Fr>,
    /// The published answer, if it could not be opened on this side: nobody gives it a second time.
    unopened: Option<Vec<u8>>,
    /// An answer that the session is to take once it has started: published, or come while no root was posted.
    waiting: Option<Vec<u8>>,
    /// Since when it is awaited, by the ticks.
    since: Option<u64>,
}

impl Receiving {
    /// The own move is final: the sight after it is awaited.
    pub fn own_move(&mut self, facts: &Facts) {
        self.exchanges.clear();
        self.expect(facts, Phase::Post);
    }

    /// The opponent's move is final: it owes the sight before the own move, whose root it has posted.
    pub fn opponent_move(&mut self, facts: &Facts) {
        self.exchanges.retain(|incoming| incoming.exchange.phase == Phase::Post);
        self.expect(facts, Phase::Pre);
    }

    fn expect(&mut self, facts: &Facts, phase: Phase) {
        if let (Some((player, play, own)), Some((ctx, exchange))) = (facts.in_play(), facts.exchange(phase)) {
            self.exchanges.push(Incoming {
                ctx,
                id: address(player.message_kind(), &exchange),
                exchange,
                own: own.clone(),
                promised: (phase == Phase::Pre).then_some(play.answer_root),
                dialogue: None,
                answered: false,
                restored: false,
                told: false,
                published: None,
                unopened: None,
                waiting: None,
                since: None,
            });
        }
    }

    /// A sight was published on chain.
    pub fn published(&mut self, ctx: Fr, answer_root: Fr, elements: &[u8]) {
        let mut exchanges = self.exchanges.iter_mut();
        let Some(incoming) = exchanges.find(|incoming| incoming.ctx == ctx && !incoming.is_proven()) else {
            return;
        };
        incoming.published = Some(answer_root);
        incoming.restart(elements.to_vec());
    }

    /// The root of the answer before the own move was posted late: what came by the link meanwhile can be verified.
    pub fn filled(&mut self, answer_root: Fr) {
        let open = |incoming: &&mut Incoming| incoming.promised == Some(Fr::zero()) && incoming.published.is_none();
        if let Some(incoming) = self.exchanges.iter_mut().find(open) {
            incoming.promised = Some(answer_root);
            if let Some(answer) = incoming.waiting.take() {
                incoming.restart(answer);
            } else {
                incoming.dialogue = None;
            }
        }
    }

    /// Time passes: the exchanges that have been awaited for `grace` seconds, or any if there is no time left.
    pub fn overdue(&mut self, now: u64, grace: u64, is_late: bool) -> Vec<(Fr, Exchange)> {
        let mut overdue = Vec::new();
        for incoming in self.exchanges.iter_mut().filter(|incoming| !incoming.is_proven()) {
            let since = *incoming.since.get_or_insert(now);
            // A published answer is being opened.
            if incoming.published.is_none() && (is_late || now >= since.saturating_add(grace)) {
                overdue.push((incoming.ctx, incoming.exchange.clone()));
            }
        }
        overdue
    }

    /// Whether an exchange is still of use.
    pub fn knows(&self, ctx: Fr) -> bool {
        self.exchanges.iter().any(|incoming| incoming.ctx == ctx)
    }

    /// Whether an exchange is of use and its sight isn't proven.
    pub fn lacks(&self, ctx: Fr) -> bool {
        self.exchanges.iter().any(|incoming| incoming.ctx == ctx && !incoming.is_proven())
    }

    /// The game is over. What was proven of its last boards can still be shown.
    pub fn forget_early(&mut self) {
        self.early.clear();
    }

    /// The answers so far are from the journal.
    pub fn restored(&mut self) {
        for incoming in &mut self.exchanges {
            incoming.restored = incoming.answered;
        }
    }

    /// Starts the sessions of exchanges that have begun, and goes on with them.
    pub fn advance(&mut self, facts: &Facts, fx: &mut Effects) {
        let Some((player, ..)) = facts.in_play() else {
            return;
        };
        for incoming in &mut self.exchanges {
            incoming.start(player, fx);
            incoming.advance(fx);
        }
    }

    /// Takes an answer of the opponent, unchecked.
    pub fn receive(
        &mut self,
        facts: &Facts,
        id: MessageId,
        message: Vec<u8>,
        fx: &mut Effects,
    ) -> Result<(), PeerFault> {
        let (player, play, _) = facts.in_play_for(id)?;
        if Color::of_ply(id.ply.into()) != player.color() || (id.phase == Phase::Pre && id.ply < 2) {
            return Err(PeerFault::WrongPly(id));
        }
        let known = MessageId { index: 0, ..id };
        if let Some(incoming) = self.exchanges.iter_mut().find(|incoming| incoming.id == known) {
            // What the chain has given isn't taken again, with a proof that has no place there.
            ensure!(incoming.published.is_none(), PeerFault::Duplicate(id));
            incoming.start(player, fx);
            return incoming.receive(id.index, &message);
        }
        self.keep_early(play, player.color(), id, message)
    }

    /// Of the next own move only: before it once the opponent has moved, after it once it is made.
    fn keep_early(&mut self, play: &PlayState, color: Color, id: MessageId, message: Vec<u8>) -> Result<(), PeerFault> {
        let mine = play.turn() == color;
        let next = play.ply.saturating_add(u16::from(!mine));
        if id.ply != next || mine != (id.phase == Phase::Post) {
            return Err(if id.ply >= next { PeerFault::TooEarly(id) } else { PeerFault::Stale(id) });
        }
        // The opponent opens; what comes later in a sight follows from what this side says, so it can't be early.
        ensure!(id.index == 0, PeerFault::TooEarly(id));
        let early = (id, message);
        ensure!(!self.early.contains(&early), PeerFault::Duplicate(id));
        self.early.retain(|(known, _)| *known != id);
        self.early.push(early);
        Ok(())
    }

    /// Answers that came early and are due now.
    pub fn take_early(&mut self, facts: &Facts, fx: &mut Effects) {
        for (id, message) in std::mem::take(&mut self.early) {
            match self.receive(facts, id, message, fx) {
                Ok(()) | Err(PeerFault::Stale(_)) => {}
                Err(wrong) => fx.fault(wrong),
            }
        }
    }

    /// Whether the result of this job is waited for.
    pub fn awaits(&self, job: JobId) -> bool {
        self.exchanges.iter().any(|incoming| incoming.is_running(job))
    }

    /// A step has run: the exchange whose sight it has brought, if any.
    pub fn finish(&mut self, job: JobId, finished: Finished<Sight>, fx: &mut Effects) -> Option<(Fr, MessageId)> {
        let incoming = self.exchanges.iter_mut().find(|incoming| incoming.is_running(job))?;
        incoming.finish(finished, fx)
    }

    /// Steps that failed on this side are run again.
    pub fn retry(&mut self) {
        for incoming in &mut self.exchanges {
            if let Some(answer) = incoming.unopened.take() {
                incoming.restart(answer);
            }
            if let Some(dialogue) = &mut incoming.dialogue {
                dialogue.retry();
            }
        }
    }

    /// The opponent is asked again for what it owes.
    pub fn ask_again(&mut self) {
        self.exchanges.iter_mut().filter_map(|incoming| incoming.dialogue.as_mut()).for_each(Dialogue::ask_again);
    }

    /// The proven sight of an exchange.
    pub fn proven(&self, ctx: Fr) -> Option<ProvenSight<'_>> {
        let incoming = self.exchanges.iter().find(|incoming| incoming.ctx == ctx)?;
        let dialogue = incoming.dialogue.as_ref()?;
        Some(ProvenSight { sight: dialogue.output()?, messages: dialogue.messages() })
    }

    /// A digest of the messages of a sight that was got to its end.
    pub fn transcript(&self, ply: u16, phase: Phase) -> Option<Word> {
        let sight = |incoming: &&Incoming| (incoming.id.ply, incoming.id.phase) == (ply, phase);
        let incoming = self.exchanges.iter().find(sight)?;
        incoming.dialogue.as_ref()?.transcript(&to_word(&incoming.ctx))
    }

    /// An own message in a sight, that the opponent asks for (again). `id` is that of the wish.
    pub fn message(&self, id: MessageId) -> Result<Option<Message>, PeerFault> {
        let wanted = |incoming: &&Incoming| (incoming.id.ply, incoming.id.phase) == (id.ply, id.phase);
        let incoming = self.exchanges.iter().find(wanted).ok_or(PeerFault::NotToBeHad(id))?;
        incoming.dialogue.as_ref().ok_or(PeerFault::NotToBeHad(id))?.wanted(id)
    }

    /// Wishes for what the opponent owes and has not sent. An answer with a root of 0 on chain is not owed.
    pub fn missing(&self) -> impl Iterator<Item = MessageId> + '_ {
        self.exchanges.iter().filter(|incoming| incoming.promised != Some(Fr::zero())).filter_map(Incoming::missing)
    }
}

impl Incoming {
    fn is_running(&self, job: JobId) -> bool {
        self.dialogue.as_ref().is_some_and(|dialogue| dialogue.is_running(job))
    }

    fn missing(&self) -> Option<MessageId> {
        match (self.id.kind, &self.dialogue) {
            (MessageKind::Answer, _) => (!self.answered).then_some(MessageId { kind: MessageKind::Want, ..self.id }),
            (_, Some(dialogue)) => dialogue.missing(),
            (_, None) => Some(MessageId { kind: MessageKind::WantExchange, ..self.id }),
        }
    }

    /// Runs the step that is to be run, and sends the message that the opponent waits for.
    fn advance(&mut self, fx: &mut Effects) {
        let Some(dialogue) = &mut self.dialogue else { return };
        let MessageId { kind, ply, phase, .. } = self.id;
        if dialogue.run(|step| Job::step(JobKind::Receive(self.id), step, Done::Receive), fx)
            && kind == MessageKind::Answer
        {
            fx.notify(Notice::CheckingSight { ply, phase });
        }
        dialogue.say(|_| true, fx);
    }

    /// Starts the session. A failure is of this side; it is told once, and tried again.
    fn start(&mut self, player: &Player, fx: &mut Effects) {
        if self.dialogue.is_some() {
            return;
        }
        let party = match self.published {
            Some(root) => player.receive_published(&self.exchange, &self.own, root),
            None => player.receive(&self.exchange, &self.own, self.promised),
        };
        match party {
            Ok(party) => {
                self.dialogue = Some(Dialogue::start(self.id, party, false));
                if let Some(answer) = self.waiting.take().filter(|_| !self.awaits_root())
                    && let Err(wrong) = self.receive(0, &answer)
                {
                    fx.fault(wrong);
                }
            }
            Err(error) if !std::mem::replace(&mut self.told, true) => fx.failed(&error),
            Err(_) => {}
        }
    }

    fn is_proven(&self) -> bool {
        self.dialogue.as_ref().is_some_and(|dialogue| dialogue.output().is_some())
    }

    /// Whether an answer has nothing yet that it could be compared with.
    fn awaits_root(&self) -> bool {
        self.promised == Some(Fr::zero()) && self.published.is_none()
    }

    /// Begins again with an answer, of which more is known now.
    fn restart(&mut self, answer: Vec<u8>) {
        (self.dialogue, self.waiting) = (None, Some(answer));
    }

    fn receive(&mut self, index: u16, message: &[u8]) -> Result<(), PeerFault> {
        let id = MessageId { index, ..self.id };
        if self.awaits_root() {
            ensure!(index == 0, PeerFault::TooEarly(id));
            self.waiting = Some(message.to_vec());
            return Ok(());
        }
        self.dialogue.as_mut().ok_or(PeerFault::TooEarly(id))?.receive(id, message)?;
        self.answered = true;
        Ok(())
    }

    fn finish(&mut self, finished: Finished<Sight>, fx: &mut Effects) -> Option<(Fr, MessageId)> {
        let (id, known) = (self.id, self.is_proven());
        let published = self.published.and_then(|_| finished.received().map(<[u8]>::to_vec));
        let dialogue = self.dialogue.as_mut()?;
        dialogue.finish(finished, fx, |id, fault, fx| {
            if fault.is_own() {
                self.unopened = self.unopened.take().or_else(|| published.clone());
            }
            match self.restored && !fault.is_own() {
                true => fx.note(PeerFault::of_message(id, fault)),
                false => tell(id, fault, fx),
            }
        });
        self.answered = !dialogue.is_idle() || self.is_proven();
        self.restored &= self.answered;
        (!known && self.is_proven()).then_some((self.ctx, id))
    }
}

/// The address of an exchange's first message.
pub(super) fn address(kind: MessageKind, exchange: &Exchange) -> MessageId {
    MessageId::new(kind, u16::try_from(exchange.ply).unwrap_or(u16::MAX), exchange.phase)
}
