//! A seat: one player's side of one game, as a pure state machine `(state, event) → (state, effects)` (protocol, sections
//! 6 and 9; architecture, "Seat"). No I/O, no clock, no randomness: the same events give the same effects, so a whole game
//! with drops, delays, lies and crashes runs in one process from a seed (`tests/seat`).
//!
//! Events change the state ([`chain`](self) events, the opponent's messages, finished proofs, the user), and after each of
//! them [`Seat::apply`] asks what there is to do now. Because that question looks at the state alone, a seat rebuilt from
//! wallet, chain and journal ([`Seat::recover`]) goes on by itself: it signs no second move, sends again what may have got
//! lost and asks again for what it lacks.

mod chain;
mod command;
mod event;
mod giving;
mod incoming;
mod outlook;
mod peer;
mod prepare;
mod recover;
mod turn;

pub use event::{Effect, Event};

use alloy::primitives::Address;
use fog::engine::sight_lines::request::Request;
use game::secrets::GameSecrets;
use game::{
    GameRef, Kind, Message, MessageId, Notice, OwnState, PeerFault, Phase, Table, Transaction,
};
use giving::Giving;
use incoming::{Candidate, Incoming};
use rules::{Color, Move};
use std::collections::BTreeMap;
use std::fmt;
use turn::Turn;

/// How patient a seat is. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// How long to wait for a message before asking for it, and between two such wishes.
    pub want_every: u64,
    /// How long to wait for a transaction before sending it again.
    pub resend_every: u64,
    /// With so much of one's own time left a move no longer waits for the opponent's request. Must cover the proof and
    /// the transaction.
    pub reserve: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            want_every: 5,
            resend_every: 30,
            reserve: 60,
        }
    }
}

/// One player's side of one game.
#[derive(Clone)]
pub struct Seat {
    me: Address,
    secrets: GameSecrets,
    config: Config,
    table: Table,
    /// One's own states, the start first; empty before colours are drawn.
    own: Vec<OwnState>,
    /// One's own standing request.
    asked: Option<Asked>,
    /// The points of the opponent's standing request, matched with the chain.
    points: Option<Request>,
    /// The ply of an opponent's request that can't be answered.
    unanswerable: Option<u16>,
    /// The points of the opponent's next request, its move not being final here.
    early_points: Option<(u16, Request)>,
    /// The sight before one's own move, and the one after one's own last move.
    pre: Option<Incoming>,
    post: Option<Incoming>,
    /// Answers that came before the move that they follow was final here.
    early: Vec<(MessageId, Candidate)>,
    /// The answers to the opponent.
    giving: Vec<Giving>,
    /// One's own chosen move.
    turn: Option<Turn>,
    clock: Clock,
    revealed: bool,
    checks: u64,
    /// A move on chain that this wallet's secrets don't open: nothing more can be done.
    lost: bool,
}

/// One's own request after one's own last move.
#[derive(Clone, Debug)]
struct Asked {
    ply: u16,
    request: Request,
    sent: bool,
}

/// What the ticks have told.
#[derive(Clone, Debug, Default)]
struct Clock {
    now: u64,
    deadline: Option<u64>,
    /// Since when something is missing, or when it was last asked for.
    wishes: BTreeMap<(u16, Phase), u64>,
    /// When a transaction was last sent.
    sent_at: u64,
    /// The ply for which the opponent's lack of time was told.
    told: Option<u16>,
}

/// Only what everybody knows: a seat's boards, sights and secrets belong in no log.
impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ply = self.table.board().map(|board| board.ply);
        write!(f, "Seat({:?}, ply {ply:?})", self.color())
    }
}

impl Seat {
    /// A seat before the first event of its game. `me` is the address of the wallet that `secrets` come from.
    pub fn new(me: Address, secrets: GameSecrets, game: GameRef, config: Config) -> Self {
        Self {
            me,
            secrets,
            config,
            table: Table::new(game),
            own: Vec::new(),
            asked: None,
            points: None,
            unanswerable: None,
            early_points: None,
            pre: None,
            post: None,
            early: Vec::new(),
            giving: Vec::new(),
            turn: None,
            clock: Clock::default(),
            revealed: false,
            checks: 0,
            lost: false,
        }
    }

    /// Takes an event; gives what is to be done, in this order.
    #[must_use]
    pub fn apply(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = Vec::new();
        let fx = &mut effects;
        match event {
            Event::Final(event) => self.on_final(&event, fx),
            Event::Seen(fields) => self.on_seen(&fields, fx),
            Event::Dropped { ply } => self.on_dropped(ply, fx),
            Event::Connected => self.ask_again(fx),
            Event::Received(message) => self.on_message(message, fx),
            Event::Unreadable(error) => fault(PeerFault::Garbage(error), fx),
            Event::TurnProved { ply, proof } => self.on_turn_proved(ply, proof, fx),
            Event::TurnFailed { ply, reason } => self.on_turn_failed(ply, reason, fx),
            Event::AnswerProved { ply, phase, proof } => self.on_answer_proved(ply, phase, proof),
            Event::AnswerFailed { ply, phase, reason } => {
                if let Some(giving) = self.giving_of(ply, phase) {
                    giving.failed();
                }
                show(Notice::Failed(reason), fx);
            }
            Event::AnswerChecked { check, valid } => self.on_answer_checked(check, valid, fx),
            Event::TransactionFailed { reason } => show(Notice::Failed(reason), fx),
            Event::Command(command) => {
                if let Err(error) = self.on_command(command, fx) {
                    show(Notice::Refused(error), fx);
                }
            }
            Event::Tick { now, deadline } => self.on_tick(now, deadline, fx),
        }
        self.advance(fx);
        effects
    }

    /// What everybody knows of the game.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// One's colour, once it is drawn.
    pub fn color(&self) -> Option<Color> {
        self.table.board()?.color_of(self.me)
    }

    /// The states one has committed to so far, the start first.
    pub fn own_states(&self) -> &[OwnState] {
        &self.own
    }

    /// The move that one has chosen and that isn't final yet.
    pub fn chosen(&self) -> Option<Move> {
        self.turn.as_ref().map(|turn| turn.mv)
    }

    /// The ply of the opponent's last final move.
    fn opponent_ply(&self) -> Option<u16> {
        let board = self.table.board()?;
        let back = if board.color_of(self.me)? == board.turn() {
            1
        } else {
            2
        };
        board.ply.checked_sub(back)
    }

    /// Everything there is to do in the state as it is.
    fn advance(&mut self, fx: &mut Vec<Effect>) {
        if self.table.toss_open() && self.table.creator() == Some(self.me) && !self.revealed {
            self.revealed = true;
            self.clock.sent_at = self.clock.now;
            fx.push(Effect::SendTransaction(Transaction::Reveal {
                r1: self.secrets.toss_secret().into(),
            }));
        }
        if self.table.playing().is_none() || self.lost {
            return;
        }
        self.ask(fx);
        self.advance_turn(fx);
        self.give(fx);
    }

    /// Sends one's own points, once by itself.
    fn ask(&mut self, fx: &mut Vec<Effect>) {
        self.make_request();
        if let Some(asked) = self.asked.as_mut().filter(|asked| !asked.sent) {
            asked.sent = true;
            fx.extend(request_message(asked.ply, &asked.request).map(Effect::SendMessage));
        }
    }

    /// Makes one's own standing request again after a restart, from the wallet.
    fn make_request(&mut self) {
        let (None, Some(board), Some(own)) = (&self.asked, self.table.board(), self.own.last())
        else {
            return;
        };
        let Some(color) = board.color_of(self.me).filter(|_| own.mv.is_some()) else {
            return;
        };
        let back = if color == board.turn() { 2 } else { 1 };
        // Fails only for a scalar of 0, which the secrets never give.
        let request = own.request(&self.secrets, &board.fog_keys[(!color).index()]);
        if let (Some(ply), Ok(request)) = (board.ply.checked_sub(back), request) {
            self.asked = Some(Asked {
                ply,
                request,
                sent: false,
            });
        }
    }

    /// Makes and sends the answers that can be made and sent.
    fn give(&mut self, fx: &mut Vec<Effect>) {
        let Some(points) = &self.points else { return };
        let mut malformed = false;
        for giving in &mut self.giving {
            if giving.is_unproven() {
                match giving.prove(&self.secrets, points) {
                    Ok(effect) => fx.push(effect),
                    Err(error) if giving::is_malformed(&error) => malformed = true,
                    Err(error) => show(Notice::Failed(error.to_string()), fx),
                }
            }
            fx.extend(giving.take_message().map(Effect::SendMessage));
        }
        if malformed {
            self.refuse_points(fx);
        }
    }

    /// The opponent's points match its root and can't be answered: it gets no sight of this request.
    fn refuse_points(&mut self, fx: &mut Vec<Effect>) {
        let Some(ply) = self.opponent_ply() else {
            return;
        };
        self.points = None;
        self.unanswerable = Some(ply);
        self.giving.clear();
        fault(PeerFault::Malformed(request_id(ply)), fx);
    }

    fn on_answer_proved(&mut self, ply: u16, phase: Phase, proof: Vec<u8>) {
        if let Some(giving) = self.giving_of(ply, phase) {
            giving.proved(proof);
        }
    }

    fn giving_of(&mut self, ply: u16, phase: Phase) -> Option<&mut Giving> {
        self.giving
            .iter_mut()
            .find(|giving| giving.id().ply == ply && giving.id().phase == phase)
    }

    fn on_tick(&mut self, now: u64, deadline: Option<u64>, fx: &mut Vec<Effect>) {
        self.clock.now = now;
        self.clock.deadline = deadline;
        self.giving.iter_mut().for_each(Giving::retry);
        self.want(fx);
        if now >= self.clock.sent_at.saturating_add(self.config.resend_every) {
            self.clock.sent_at = now;
            self.revealed = false;
            self.resend_move();
        }
        let Some(board) = self.table.playing() else {
            return;
        };
        let (ply, mine) = (board.ply, board.color_of(self.me) == Some(board.turn()));
        if !mine && deadline.is_some_and(|deadline| now > deadline) && self.clock.told != Some(ply)
        {
            self.clock.told = Some(ply);
            show(Notice::OpponentOutOfTime, fx);
        }
    }
}

fn show(update: Notice, fx: &mut Vec<Effect>) {
    fx.push(Effect::Notify(update));
}

fn fault(fault: PeerFault, fx: &mut Vec<Effect>) {
    show(Notice::Fault(fault), fx);
}

fn request_message(ply: u16, request: &Request) -> Option<Message> {
    let points = request.to_bytes().into_boxed_slice().try_into().ok()?;
    Some(Message::Request { ply, points })
}

fn request_id(ply: u16) -> MessageId {
    MessageId {
        ply,
        phase: Phase::Pre,
        kind: Kind::Request,
    }
}
