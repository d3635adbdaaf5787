//! Both players' machines of a game between them, and the game contract, in one process. Everything that can be done is done, in a fixed order: what differs
//! from honest play a test does itself. With each effect the pair looks at the promises: nothing leaves before it is written, one move a ply is
//! signed, and nothing is said between the machines once a wake was sent or seen.

mod restarts;

use crate::contract::{Contract, Logged};
use crate::oracle::Oracle;
use crate::world::{CONFIG, Engines, Mischief, Tally};
use client::channel::{Parts, Side, Sign};
use client::journal::Entry;
use client::seat::{Config, Effect, Event, Job, JobId, JobKind};
use client::wallet::Wallet;
use game::secrets::GameSecrets;
use game::{Action, ChainEvent, Command, Ending, GameRef, Message, Mode, Notice, SignedPly, Terms, Transaction};
use rules::Color;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use alloy::primitives::{Address, B256};

pub const TERMS: Terms =
    Terms { mode: Mode::Channel, base: 600, increment: 2, delay: 300, window: 400, ..crate::world::TERMS };

/// What a test does to what a machine wants done.
pub type Filter = Box<dyn FnMut(&Effect) -> bool>;

/// One of the two machines, with all that is on its way to it.
pub struct Machine {
    pub wallet: Wallet,
    secrets: GameSecrets,
    pub side: Side,
    pub journal: BTreeMap<Vec<u8>, Entry>,
    /// What a store elsewhere has acknowledged.
    pub backup: BTreeMap<Vec<u8>, Entry>,
    jobs: Vec<(JobId, Job)>,
    inbox: VecDeque<Message>,
    failures: VecDeque<Event>,
    /// How many of the chain's events it has seen in a block, and heard as final.
    seen: usize,
    heard: usize,
    pub shown: Vec<Notice>,
    pub said: Vec<Message>,
    pub sent: Vec<Transaction>,
    /// The one ply that it has signed, by its number.
    signed: BTreeMap<u16, SignedPly>,
    /// How much the chain had told when it last wrote that a sight leaves, by the key of that entry.
    released: BTreeMap<Vec<u8>, usize>,
    /// Whether a wake was sent or seen, and the game isn't on the chain yet.
    is_woken: bool,
    /// Which effects are carried out; all, if there is nothing.
    pub filter: Option<Filter>,
    /// A cheat, whom the pair's promises don't bind.
    pub mischief: Option<Mischief>,
    /// Gas of its transactions, but demands of sights and answers to these.
    pub gas: u64,
    /// How many moves of it are on the chain.
    pub moves: u64,
    /// Whether it is switched off.
    pub is_off: bool,
    /// Effects that outlive it so far, and after how many of them it dies.
    pub carried: usize,
    pub dies_at: Option<usize>,
}

/// Two machines and a chain.
pub struct Pair {
    pub chain: Contract,
    oracle: Oracle,
    config: Config,
    pub machines: [Machine; 2],
    /// How many of the chain's last events aren't final.
    pub pending: usize,
    /// The chain before these, if it may be taken back to there.
    fork: Option<Box<Contract>>,
    /// Whether what is said arrives.
    pub is_linked: bool,
    /// What was looked at, by promise.
    pub checks: Tally,
}

fn sign(wallet: &Wallet) -> Sign {
    let wallet = wallet.clone();
    Sign(Arc::new(move |digest| wallet.sign(digest)))
}

impl Pair {
    /// A game whose colors are drawn.
    pub fn begin() -> Self {
        Self::begin_with(&Oracle::default())
    }

    /// The same, with what was proven in others.
    pub fn begin_with(oracle: &Oracle) -> Self {
        let mut pair = Self::join(oracle);
        pair.tick(1);
        // What was told of the toss is no matter of these tests.
        pair.machines.iter_mut().for_each(|machine| machine.shown.clear());
        assert!(pair.machines.iter().all(|machine| machine.side.seat().color().is_some()));
        pair
    }

    /// A game that is joined.
    pub fn join(oracle: &Oracle) -> Self {
        let (keys, engine) = ([[3; 32], [4; 32]], Engines::Open.with(oracle));
        let nonce = B256::with_last_byte(7);
        let (chain, secrets) = Contract::begin(false, &*engine, &keys, nonce, TERMS);
        let config = Config { demand_post: false, ..CONFIG };
        let machine = |wallet: Wallet, secrets: GameSecrets| {
            let parts = parts(&wallet, &secrets, oracle, chain.game, config);
            let events: Vec<ChainEvent> = chain.log.iter().map(|logged| logged.event.clone()).collect();
            let (side, effects) = Side::recover(parts, &events, Vec::new());
            let machine = Machine {
                wallet,
                secrets,
                side,
                journal: BTreeMap::new(),
                backup: BTreeMap::new(),
                jobs: Vec::new(),
                inbox: VecDeque::new(),
                failures: VecDeque::new(),
                seen: events.len(),
                heard: events.len(),
                shown: Vec::new(),
                said: Vec::new(),
                sent: Vec::new(),
                signed: BTreeMap::new(),
                released: BTreeMap::new(),
                is_woken: false,
                filter: None,
                mischief: None,
                gas: 0,
                moves: 0,
                is_off: false,
                carried: 0,
                dies_at: None,
            };
            (machine, effects)
        };
        let [first, second] = keys.map(|key| Wallet::from_secret(&key).expect("a secret key"));
        let [of_creator, of_joiner] = secrets;
        let ((first, todo), (second, more)) = (machine(first, of_creator), machine(second, of_joiner));
        let mut pair = Self {
            chain,
            oracle: oracle.clone(),
            config,
            machines: [first, second],
            pending: 0,
            fork: None,
            is_linked: true,
            checks: Tally::default(),
        };
        pair.carry(0, todo);
        pair.carry(1, more);
        pair
    }

    /// The place of the player of a color.
    pub fn of(&self, color: Color) -> usize {
        usize::from(self.machines[0].side.seat().color() != Some(color))
    }

    pub fn address(&self, i: usize) -> Address {
        self.machines[i].wallet.address()
    }

    /// Everything that can happen without time passing.
    pub fn settle(&mut self) {
        while (0..2).any(|i| self.goes_on(i)) {}
    }

    /// One thing that a machine has to do; says whether there was any.
    pub fn goes_on(&mut self, i: usize) -> bool {
        if self.machines[i].is_off || self.is_dead(i) {
            return false;
        }
        let finals = self.chain.log.len() - self.pending;
        let machine = &mut self.machines[i];
        let event = if machine.seen < self.chain.log.len() {
            machine.seen += 1;
            match self.chain.log[machine.seen - 1].event.clone() {
                ChainEvent::Moved { fields, .. } => Event::Seen(fields),
                ChainEvent::Woken { position, until } => Event::WakeSeen { ply: position.ply, until },
                _ => return true,
            }
        } else if machine.heard < finals {
            machine.heard += 1;
            Event::Final(self.chain.log[machine.heard - 1].event.clone())
        } else if let Some(failure) = machine.failures.pop_front() {
            failure
        } else if let Some(message) = machine.inbox.pop_front() {
            Event::Received(message)
        } else if !machine.jobs.is_empty() {
            let (id, job) = machine.jobs.remove(0);
            Event::Done(id, job.run())
        } else {
            return false;
        };
        self.tell(i, event);
        true
    }

    pub fn tell(&mut self, i: usize, event: Event) {
        let machine = &mut self.machines[i];
        machine.is_woken |= matches!(event, Event::WakeSeen { .. });
        let effects = machine.side.apply(event);
        let Machine { side, jobs, mischief, .. } = machine;
        jobs.retain(|(id, job)| matches!(job.kind, JobKind::Receive(_)) || side.awaits(*id));
        let effects = match mischief {
            Some(mischief) => mischief.apply(effects, side.seat()),
            None => effects,
        };
        self.carry(i, effects);
    }

    pub fn is_dead(&self, i: usize) -> bool {
        self.machines[i].dies_at == Some(self.machines[i].carried)
    }

    fn carry(&mut self, i: usize, effects: Vec<Effect>) {
        for effect in effects {
            if self.is_dead(i) {
                return;
            }
            if self.machines[i].filter.as_mut().is_some_and(|keeps| !keeps(&effect)) {
                continue;
            }
            self.check(i, &effect);
            let (finals, address) = (self.chain.log.len(), self.address(i));
            let machine = &mut self.machines[i];
            machine.carried += usize::from(!matches!(effect, Effect::Run(..) | Effect::Notify(_)));
            match effect {
                Effect::Journal(entry) => {
                    machine.journal.insert(entry.key(), entry.clone());
                    if entry.is_of_a_channel() {
                        if self.is_dead(i) {
                            return;
                        }
                        let machine = &mut self.machines[i];
                        machine.carried += 1;
                        machine.backup.insert(entry.key(), entry);
                    }
                }
                Effect::Run(id, job) => machine.jobs.push((id, job)),
                Effect::SendTransaction(transaction) => {
                    machine.sent.push(transaction.clone());
                    match self.chain.execute(address, &transaction) {
                        Ok(gas) => {
                            let is_exchange = matches!(
                                transaction,
                                Transaction::DemandSight { .. } | Transaction::AnswerSight { .. }
                            );
                            self.machines[i].gas += if is_exchange { 0 } else { gas };
                            self.machines[i].moves += u64::from(transaction.action() == Action::Move);
                        }
                        Err(error) => {
                            let (transaction, reason) = (Box::new(transaction), error.to_string());
                            let failed = Event::TransactionFailed { transaction, is_certain: true, reason };
                            self.machines[i].failures.push_back(failed);
                        }
                    }
                    self.pending += if self.pending > 0 { self.chain.log.len() - finals } else { 0 };
                }
                Effect::SendMessage(message) => {
                    machine.said.push(message.clone());
                    if self.is_linked && !self.machines[1 - i].is_off {
                        self.machines[1 - i].inbox.push_back(message);
                    }
                }
                Effect::Notify(notice) => {
                    machine.is_woken &= !matches!(notice, Notice::Awake { .. });
                    machine.shown.push(notice);
                }
            }
        }
    }

    /// What must have been written before an effect, and what may not be said at all.
    fn check(&mut self, i: usize, effect: &Effect) {
        let machine = &mut self.machines[i];
        if machine.mischief.is_some() {
            return;
        }
        let has =
            |is: &dyn Fn(&Entry) -> bool| [&machine.journal, &machine.backup].iter().all(|kept| kept.values().any(is));
        let was = |is: &dyn Fn(&Entry) -> bool| machine.journal.values().any(is);
        let is_written = match effect {
            // One of the opponent's is said to it again if it has lost it.
            Effect::SendMessage(Message::Ply(signed)) => {
                has(&|entry| matches!(entry, Entry::Ply(kept) if kept.signed == **signed))
            }
            Effect::SendMessage(Message::Countersigned { ply, signature }) => {
                has(&|entry| matches!(entry, Entry::Ply(kept) if !kept.own && kept.signed.fields.ply == *ply))
                    && has(
                        &|entry| matches!(entry, Entry::Countersigned { ply: of, signature: known } if (of, known) == (ply, signature)),
                    )
            }
            Effect::SendMessage(Message::Answer { ply, phase, .. }) => was(
                &|entry| matches!(entry, Entry::Released { ply: of, phase: when, .. } if (of, when) == (ply, phase)),
            ),
            Effect::SendMessage(Message::Result { result, .. }) => {
                has(&|entry| matches!(entry, Entry::Result { own: true, result: known, .. } if known == result))
            }
            Effect::SendTransaction(Transaction::Wake { .. }) => has(&|entry| matches!(entry, Entry::Wake { .. })),
            _ => true,
        };
        assert!(is_written, "{effect:?} leaves before it is written");
        self.checks.add("written before it leaves");
        if let Effect::Journal(entry @ Entry::Released { .. }) = effect {
            let known = machine.journal.get(&entry.key());
            // What was given before a wake that set the game back to there binds nothing any more.
            let before = machine.released.get(&entry.key()).copied().unwrap_or_default();
            let is_set_back = |logged: &Arc<Logged>| match &logged.event {
                ChainEvent::Woken { position, .. } => position.ply <= entry.ply(),
                _ => false,
            };
            let known = known.filter(|_| !self.chain.log.iter().skip(before).any(is_set_back));
            assert!(known.is_none_or(|known| known == entry), "another sight of a ply: {entry:?} after {known:?}");
            machine.released.insert(entry.key(), self.chain.log.len());
            self.checks.add("one sight of a ply");
        }
        let is_result = matches!(effect, Effect::SendMessage(Message::Result { .. }));
        let is_count = matches!(effect, Effect::SendMessage(Message::Have { .. }));
        let is_said = matches!(effect, Effect::SendMessage(_)) && !is_result && !is_count;
        let has_signed = machine.journal.values().any(|entry| matches!(entry, Entry::Result { own: true, .. }));
        let is_on_chain = machine.shown.iter().any(|notice| matches!(notice, Notice::Awake { .. }));
        // Who has lost a ply is told it again, whatever has come since.
        let is_again = match effect {
            Effect::SendMessage(message @ Message::Ply(signed)) => {
                machine.said.contains(message)
                    || Some(Color::of_ply(signed.fields.ply.into())) != machine.side.seat().color()
            }
            _ => false,
        };
        assert!(!is_said || !machine.is_woken || is_again, "{effect:?} after a wake");
        let is_signed =
            matches!(effect, Effect::SendMessage(Message::Ply(_) | Message::Countersigned { .. })) && !is_again;
        assert!(!is_signed || !has_signed, "{effect:?} after a result");
        assert!(!is_signed || !is_on_chain, "{effect:?} in a game on the chain");
        machine.is_woken |= matches!(effect, Effect::SendTransaction(Transaction::Wake { .. }));
        let is_own = |signed: &SignedPly| Some(Color::of_ply(signed.fields.ply.into())) == machine.side.seat().color();
        if let Effect::SendMessage(Message::Ply(signed)) = effect
            && is_own(signed)
        {
            let known = machine.signed.entry(signed.fields.ply).or_insert_with(|| (**signed).clone());
            assert_eq!(known, &**signed, "a second ply is signed");
            self.checks.add("one ply is signed");
        }
    }

    /// Time passes, and what comes of that happens.
    pub fn tick(&mut self, seconds: u64) {
        self.pass(seconds);
        self.settle();
    }

    /// Time passes, and each machine hears of that.
    pub fn pass(&mut self, seconds: u64) {
        self.chain.now += seconds;
        for i in 0..2 {
            if !self.machines[i].is_off {
                self.tell(i, self.chain.tick());
            }
        }
    }

    /// A player says something that its machine doesn't.
    pub fn say(&mut self, i: usize, message: Message) {
        self.machines[1 - i].inbox.push_back(message);
    }

    /// A player sends something that its machine doesn't; whether the contract takes it.
    pub fn send(&mut self, i: usize, transaction: Transaction) -> bool {
        let events = self.chain.log.len();
        let sent = self.chain.execute(self.address(i), &transaction);
        self.machines[i].gas += sent.as_ref().copied().unwrap_or_default();
        self.pending += if self.pending > 0 || self.fork.is_some() { self.chain.log.len() - events } else { 0 };
        sent.is_ok()
    }

    /// From here on the chain may be taken back.
    pub fn fork(&mut self) {
        self.fork = Some(Box::new(self.chain.clone()));
    }

    /// The chain is taken back to where it was forked, unless more than a wake has happened since.
    pub fn take_back(&mut self) -> bool {
        let is_wake = |event: &ChainEvent| matches!(event, ChainEvent::Woken { .. });
        let all = self.chain.log.len();
        if !self.chain.log[all - self.pending..].iter().all(|logged| is_wake(&logged.event)) {
            return false;
        }
        let Some(before) = self.fork.take() else { return false };
        let now = self.chain.now;
        self.chain = *before;
        self.chain.now = now;
        self.pending = 0;
        for i in 0..2 {
            let machine = &mut self.machines[i];
            if machine.seen > self.chain.log.len() && !machine.is_off {
                machine.seen = self.chain.log.len();
                self.tell(i, Event::WakeDropped);
            }
        }
        true
    }

    /// All that the chain has is final.
    pub fn make_final(&mut self) {
        (self.pending, self.fork) = (0, None);
    }

    /// Whether a player's game goes on on the chain.
    pub fn is_awake(&self, i: usize) -> bool {
        self.machines[i].is_woken || self.is_told(i, |notice| matches!(notice, Notice::Awake { .. }))
    }

    /// Whether a player has sent or seen a wake, and the game isn't on the chain yet.
    pub fn is_woken(&self, i: usize) -> bool {
        self.machines[i].is_woken
    }

    /// A machine says again what it said last, whether it should or not.
    pub fn talk(&mut self, i: usize) {
        let last = self.machines[i].said.last().cloned();
        last.into_iter().for_each(|message| self.carry(i, vec![Effect::SendMessage(message)]));
    }

    /// Whether a player's machine has woken the game by itself.
    pub fn is_woken_by(&self, i: usize) -> bool {
        self.machines[i].sent.iter().any(|sent| matches!(sent, Transaction::Wake { .. }))
    }

    /// Whether a player has signed the result of a game that still sleeps.
    pub fn is_asleep_and_signed(&self, i: usize) -> bool {
        self.machines[i].journal.values().any(|entry| matches!(entry, Entry::Result { own: true, .. }))
    }

    /// Ticks for so long.
    pub fn wait(&mut self, seconds: u64, step: u64) {
        let end = self.chain.now + seconds;
        while self.chain.now < end && !self.is_over() {
            self.tick(step);
        }
    }

    pub fn command(&mut self, i: usize, command: Command) {
        self.tell(i, Event::Command(command));
        self.settle();
    }

    /// The player to move makes a move; it must be able to.
    pub fn play(&mut self, mv: &str) {
        let turn = self.machines[0].side.seat().table().begun().expect("begun").turn();
        let i = self.of(turn);
        assert!(self.machines[i].side.seat().can_move(), "{turn:?} can't move: {:?}", self.machines[i].shown.last());
        self.command(i, Command::Move { mv: mv.parse().expect("UCI"), offer_draw: false });
    }

    pub fn is_over(&self) -> bool {
        self.machines.iter().all(|machine| machine.is_off || machine.side.seat().table().ending().is_some())
    }

    /// How the game has ended for a player.
    pub fn ending(&self, i: usize) -> Option<Ending> {
        self.machines[i].side.seat().table().ending()
    }

    /// What the chain has of the game after its beginning.
    pub fn on_chain(&self) -> Vec<&'static str> {
        self.chain.log.iter().skip(4).map(|logged| logged.event.name()).collect()
    }

    /// Whether a player was told something like this.
    pub fn is_told(&self, i: usize, is: impl Fn(&Notice) -> bool) -> bool {
        self.machines[i].shown.iter().any(is)
    }

    /// The last ply that a player has said.
    pub fn last_ply_of(&self, i: usize) -> SignedPly {
        let mut plies = self.machines[i].said.iter().filter_map(|message| match message {
            Message::Ply(signed) => Some((**signed).clone()),
            _ => None,
        });
        plies.next_back().expect("a ply")
    }
}

fn parts(wallet: &Wallet, secrets: &GameSecrets, oracle: &Oracle, game: GameRef, config: Config) -> Parts {
    let (engine, me) = (Engines::Open.with(oracle), wallet.address());
    Parts { me, secrets: secrets.clone(), engine, game, config, sign: sign(wallet) }
}
