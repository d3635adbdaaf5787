//! Two seats, a model chain, a bad network and a scheduler, all driven by one seed: what happens next is drawn from
//! everything that could. While a game runs the world compares it with the truth (`rules::Position`) and watches the
//! seats' promises: no second move for a ply, nothing released before its move is final, sights and legal moves right.

use crate::model_chain::{ModelChain, Oracle};
use alloy::primitives::{Address, B256};
use client::audit::Record;
use client::journal::Entry;
use client::link::{Message, Phase};
use client::seat::{
    ChainEvent, Command, Config, Effect, Event, GameRef, MoveFields, PeerFault, Seat, Transaction,
    Update, View,
};
use client::secrets::{GameSecrets, toss_commitment};
use rand::{Rng, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rules::{Color, Move, PieceType, Position, Sight};
use std::collections::BTreeMap;

/// What can go wrong, each in percent of the messages or steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weather {
    pub drop: u32,
    pub duplicate: u32,
    /// Messages are delivered in any order, and may wait long.
    pub reorder: bool,
    /// A block that isn't final is taken back.
    pub reorg: u32,
    pub lose_transaction: u32,
}

/// Who decides on the moves.
#[derive(Clone, Debug)]
pub enum Players {
    /// These moves, from ply 0.
    Script(Vec<Move>),
    /// Drawn; kings and often other pieces are captured when they can be. After so many plies the mover resigns.
    Random { plies: u16 },
}

#[derive(Clone, Debug)]
pub struct Player {
    pub me: Address,
    pub secrets: GameSecrets,
    pub seat: Seat,
    /// As the journal keeps it: by key.
    pub journal: BTreeMap<(u8, u16, u8), Entry>,
    /// Told by the chain and not yet heard, results of provers, in order each.
    chain: Vec<Event>,
    jobs: Vec<Event>,
    pub shown: Vec<Update>,
    /// The one transaction signed for each ply.
    signed: BTreeMap<u16, MoveFields>,
}

#[derive(Clone, Debug)]
pub struct World {
    pub rng: ChaCha8Rng,
    pub chain: ModelChain,
    /// Before each event that isn't final yet.
    snapshots: Vec<ModelChain>,
    finals: usize,
    pub oracle: Oracle,
    pub players: [Player; 2],
    pub network: Vec<(usize, Message)>,
    pool: Vec<(Address, Transaction)>,
    pub weather: Weather,
    script: Players,
    /// The move behind each commitment that was proven.
    moves: BTreeMap<[u8; 32], Move>,
    /// The positions before each final ply.
    pub truth: Vec<Position>,
    pub steps: usize,
    pub verbose: bool,
    /// Whether the players move by themselves.
    pub autoplay: bool,
}

pub const CONFIG: Config = Config {
    want_every: 3,
    resend_every: 8,
    reserve: 5,
};
const MAX_STEPS: usize = 20_000;

impl World {
    pub fn new(seed: u64, script: Players, weather: Weather) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let game = GameRef {
            chain_id: 31337,
            contract: Address::repeat_byte(0xf0),
            game_id: B256::from(rng.r#gen::<[u8; 32]>()),
        };
        let players = [0, 1].map(|_| Player::new(&mut rng, game));
        let key = |player: &Player| player.secrets.fog_secret().key();
        let toss = toss_commitment(&players[0].secrets.toss_secret(), &players[0].me).into();
        let mut chain = ModelChain::create(game, players[0].me, toss, key(&players[0]), 100_000);
        let mut world = Self {
            snapshots: Vec::new(),
            finals: 0,
            oracle: Oracle::default(),
            network: Vec::new(),
            pool: Vec::new(),
            weather,
            script,
            moves: BTreeMap::new(),
            truth: vec![Position::start()],
            steps: 0,
            verbose: false,
            autoplay: false,
            chain: {
                chain.join(
                    players[1].me,
                    B256::from(rng.r#gen::<[u8; 32]>()),
                    key(&players[1]),
                );
                chain
            },
            players,
            rng,
        };
        while world.finals < world.chain.log.len() {
            world.finalise();
        }
        // Until the coin toss is opened and known.
        while world
            .players
            .iter()
            .any(|player| player.seat.color().is_none())
        {
            world.step();
        }
        world.autoplay = true;
        world
    }

    pub fn seat_of(&self, color: Color) -> usize {
        usize::from(self.players[0].seat.color() != Some(color))
    }

    /// Whether both seats know that the game is over.
    pub fn is_over(&self) -> bool {
        self.players
            .iter()
            .all(|player| player.seat.table().outcome().is_some())
    }

    /// Plays until the end of the game.
    pub fn run(&mut self) {
        while !self.is_over() {
            self.step();
        }
    }

    /// One thing that could happen, drawn from all of them.
    pub fn step(&mut self) {
        self.steps += 1;
        assert!(self.steps < MAX_STEPS, "the game hangs: {}", self.state());
        if self.verbose {
            println!("step {}: {}", self.steps, self.state());
        }
        let mut choices: Vec<Choice> = Vec::new();
        for (i, player) in self.players.iter().enumerate() {
            choices.extend(player.chain.first().map(|_| Choice::Hear(i)));
            choices.extend(player.jobs.first().map(|_| Choice::Finish(i)));
            choices.extend((self.autoplay && player.seat.can_move()).then_some(Choice::Decide(i)));
        }
        let messages = if self.weather.reorder {
            self.network.len()
        } else {
            self.network.len().min(1)
        };
        choices.extend((0..messages).map(Choice::Deliver));
        choices.extend((0..self.pool.len()).map(Choice::Mine));
        choices.extend((self.finals < self.chain.log.len()).then_some(Choice::Finalise));
        let choice = match choices.choose(&mut self.rng) {
            Some(choice) if !self.weather.reorder || self.rng.gen_range(0..8) > 0 => *choice,
            _ => Choice::Tick,
        };
        self.carry_out(choice);
    }

    fn carry_out(&mut self, choice: Choice) {
        match choice {
            Choice::Hear(i) => {
                let event = self.players[i].chain.remove(0);
                self.tell(i, event);
            }
            Choice::Finish(i) => {
                let event = self.players[i].jobs.remove(0);
                self.tell(i, event);
            }
            Choice::Decide(i) => {
                let command = self.decide(i);
                self.tell(i, Event::Command(command));
            }
            Choice::Deliver(k) => self.deliver(k),
            Choice::Mine(k) => self.mine(k),
            Choice::Finalise => self.finalise(),
            Choice::Tick => self.tick(1),
        }
    }

    pub fn tick(&mut self, seconds: u64) {
        self.chain.now += seconds;
        let (now, deadline) = (self.chain.now, self.chain.deadline());
        for i in 0..2 {
            self.tell(i, Event::Tick { now, deadline });
        }
    }

    fn deliver(&mut self, k: usize) {
        let (to, message) = self.network.remove(k);
        if self.percent(self.weather.drop) {
            return;
        }
        if self.percent(self.weather.duplicate) {
            self.network.push((to, message.clone()));
        }
        self.tell(to, Event::Received(message));
    }

    fn mine(&mut self, k: usize) {
        if self.finals < self.chain.log.len() && self.percent(self.weather.reorg) {
            return self.reorganise();
        }
        let (sender, tx) = self.pool.remove(k);
        if self.percent(self.weather.lose_transaction) {
            return;
        }
        let before = self.chain.clone();
        let length = self.chain.log.len();
        if let Err(reason) = self.chain.execute(&self.oracle, sender, &tx) {
            // Repeats of a transaction that has made it are refused, as on a real chain.
            assert!(
                ["StalePly", "WrongStatus", "AlreadyPublished"].contains(&reason),
                "{reason}: {tx:?}"
            );
            return;
        }
        for index in length..self.chain.log.len() {
            self.snapshots.push(before.clone());
            self.announce(index);
        }
    }

    fn announce(&mut self, index: usize) {
        if let ChainEvent::Moved { fields, .. } = self.chain.log[index].event {
            self.players
                .iter_mut()
                .for_each(|player| player.chain.push(Event::Seen(fields)));
        }
    }

    /// All blocks that aren't final are taken back, and their transactions get lost.
    fn reorganise(&mut self) {
        let unfinal = self.chain.log.split_off(self.finals);
        let now = self.chain.now;
        let count = self.snapshots.len() - unfinal.len();
        if let Some(before) = self.snapshots.get(count).cloned() {
            self.chain = before;
            self.chain.now = now;
        }
        self.snapshots.truncate(count);
        for logged in unfinal {
            if let ChainEvent::Moved { fields, .. } = logged.event {
                self.players
                    .iter_mut()
                    .for_each(|player| player.chain.push(Event::Dropped { ply: fields.ply }));
            }
        }
    }

    /// The next event that isn't final becomes so.
    fn finalise(&mut self) {
        let event = self.chain.log[self.finals].event.clone();
        self.finals += 1;
        if let ChainEvent::Moved { fields, .. } = &event {
            let mv = self.moves[&fog::word::to_word(&fields.next_commitment)];
            let mut position = self.truth.last().expect("the start").clone();
            let played = position.play(&mv).expect("the chain took an illegal move");
            assert_eq!(
                (played.capture, played.king_fell),
                (fields.capture, fields.king_fell)
            );
            self.truth.push(position);
        }
        self.players
            .iter_mut()
            .for_each(|player| player.chain.push(Event::Final(event.clone())));
    }

    fn decide(&mut self, i: usize) -> Command {
        let legal = self.players[i].seat.legal_moves();
        let ply = self.players[i].seat.table().board().expect("in play").ply;
        match &self.script {
            Players::Script(moves) => Command::Move {
                mv: moves[usize::from(ply)],
                offer_draw: false,
            },
            Players::Random { plies } if ply >= *plies || legal.is_empty() => Command::Resign,
            Players::Random { .. } => {
                let sight = self.players[i].seat.view().and_then(|view| view.sight);
                let mv = draw_move(&legal, sight.as_ref(), &mut self.rng);
                Command::Move {
                    mv,
                    offer_draw: self.rng.gen_range(0..5) == 0,
                }
            }
        }
    }

    /// Everything that the chain and the provers have for a seat reaches it.
    pub fn settle(&mut self, i: usize) {
        loop {
            let player = &mut self.players[i];
            let event = match (player.chain.is_empty(), player.jobs.is_empty()) {
                (false, _) => player.chain.remove(0),
                (true, false) => player.jobs.remove(0),
                (true, true) => return,
            };
            self.tell(i, event);
        }
    }

    /// An event for a seat; its effects are carried out.
    pub fn tell(&mut self, i: usize, event: Event) {
        let effects = self.players[i].seat.apply(event);
        self.carry(i, effects);
    }

    fn carry(&mut self, i: usize, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Journal(entry) => self.players[i].write(entry),
                Effect::ProveTurn {
                    ply,
                    public,
                    private,
                } => {
                    self.moves
                        .insert(fog::word::to_word(&public.next_commitment), private.mv);
                    let proof = self
                        .oracle
                        .prove_turn(&public, &private)
                        .expect("an honest turn passes its check");
                    self.players[i].jobs.push(Event::TurnProved { ply, proof });
                }
                Effect::ProveAnswer {
                    ply,
                    phase,
                    public,
                    private,
                } => {
                    let proof = self
                        .oracle
                        .prove_answer(&public, &private)
                        .expect("an honest answer passes its check");
                    self.players[i]
                        .jobs
                        .push(Event::AnswerProved { ply, phase, proof });
                }
                Effect::VerifyAnswer {
                    check,
                    public,
                    proof,
                } => {
                    let valid = self.oracle.verify_answer(&public, &proof);
                    self.players[i]
                        .jobs
                        .push(Event::AnswerChecked { check, valid });
                }
                Effect::SendTransaction(tx) => self.send(i, tx),
                Effect::SendMessage(message) => {
                    self.watch(i, &message);
                    self.network.push((1 - i, message));
                }
                Effect::Show(update) => self.look(i, update),
            }
        }
    }

    fn send(&mut self, i: usize, tx: Transaction) {
        if let Transaction::Move { fields, .. } = &tx {
            let signed = *self.players[i].signed.entry(fields.ply).or_insert(*fields);
            assert_eq!(signed, *fields, "a second, different move was signed");
        }
        let entry = (self.players[i].me, tx);
        if !self.pool.contains(&entry) {
            self.pool.push(entry);
        }
    }

    /// Nothing that depends on a move leaves before the move is final.
    fn watch(&self, i: usize, message: &Message) {
        let final_moves = self.truth.len() - 1;
        match message {
            Message::Answer {
                ply,
                phase: Phase::Pre,
                ..
            } => assert!(final_moves >= usize::from(*ply)),
            Message::Answer {
                ply,
                phase: Phase::Post,
                ..
            } => assert!(final_moves > usize::from(*ply)),
            Message::Request { ply, .. } => assert!(usize::from(*ply) <= final_moves),
            Message::Want { .. } => {}
        }
        let _ = i;
    }

    /// What is shown is the truth.
    fn look(&mut self, i: usize, update: Update) {
        if let Update::View(view) = &update {
            self.compare(i, view);
        }
        self.players[i].shown.push(update);
    }

    fn compare(&self, i: usize, view: &View) {
        let color = self.players[i].seat.color().expect("colours are drawn");
        let at = usize::from(view.ply) + usize::from(view.phase == Phase::Post);
        let (Some(position), Some(sight)) = (self.truth.get(at), &view.sight) else {
            return;
        };
        assert_eq!(view.side.pieces, position.side(color).pieces);
        assert_eq!(
            *sight,
            Sight::between(
                position.side(color),
                position.side(!color),
                view.phase == Phase::Pre
            )
        );
        if view.phase == Phase::Pre {
            let sorted = |mut moves: Vec<Move>| {
                moves.sort_by_key(ToString::to_string);
                moves
            };
            assert_eq!(sorted(view.legal.clone()), sorted(position.legal_moves()));
        }
    }

    /// The player's process is killed and started again; with or without its journal.
    pub fn crash(&mut self, i: usize, journal: bool) {
        let player = &mut self.players[i];
        if !journal {
            player.journal.clear();
        }
        player.jobs.clear();
        player.chain.clear();
        let events: Vec<_> = self.chain.log[..self.finals]
            .iter()
            .map(|logged| logged.event.clone())
            .collect();
        let entries = player.journal.values().cloned().collect();
        let (me, secrets) = (player.me, player.secrets.clone());
        let (seat, effects) = Seat::recover(me, secrets, self.chain.game, CONFIG, &events, entries);
        player.seat = seat;
        for logged in &self.chain.log[self.finals..] {
            if let ChainEvent::Moved { fields, .. } = logged.event {
                player.chain.push(Event::Seen(fields));
            }
        }
        self.carry(i, effects);
        // What the chain reader finds before the user is asked (see `Seat::recover`).
        while !self.players[i].chain.is_empty() {
            let event = self.players[i].chain.remove(0);
            self.tell(i, event);
        }
    }

    /// Both publish their view keys; the records of the whole game.
    pub fn publish(&mut self) -> Vec<Record> {
        for i in 0..2 {
            self.tell(i, Event::Command(Command::PublishViewKey));
        }
        let weather = std::mem::take(&mut self.weather);
        while !self.pool.is_empty() {
            self.mine(0);
        }
        self.weather = weather;
        self.records()
    }

    pub fn records(&self) -> Vec<Record> {
        let time = Some(1_700_000_000);
        let record = |logged: &crate::model_chain::Logged| Record {
            event: logged.event.clone(),
            proof: logged.proof.clone(),
            time,
        };
        self.chain.log.iter().map(record).collect()
    }

    /// The faults that a player was shown and that no honest opponent causes.
    pub fn accusations(&self, i: usize) -> Vec<&PeerFault> {
        let mut accusations = Vec::new();
        for update in &self.players[i].shown {
            match update {
                Update::Fault(fault) if !fault.may_be_honest() => accusations.push(fault),
                _ => {}
            }
        }
        accusations
    }

    fn percent(&mut self, chance: u32) -> bool {
        self.rng.gen_range(0..100) < chance
    }

    fn state(&self) -> String {
        let board = |player: &Player| player.seat.table().board().map(|board| board.ply);
        format!(
            "final plies {}, known {:?}, {} messages, {} transactions, last shown {:?}",
            self.truth.len() - 1,
            self.players.each_ref().map(board),
            self.network.len(),
            self.pool.len(),
            self.players.each_ref().map(|player| player
                .shown
                .iter()
                .rev()
                .take(3)
                .collect::<Vec<_>>()),
        )
    }
}

#[derive(Clone, Copy, Debug)]
enum Choice {
    Hear(usize),
    Finish(usize),
    Decide(usize),
    Deliver(usize),
    Mine(usize),
    Finalise,
    Tick,
}

impl Player {
    fn new(rng: &mut ChaCha8Rng, game: GameRef) -> Self {
        let me = Address::from(rng.r#gen::<[u8; 20]>());
        let secrets = GameSecrets::derive(&rng.r#gen::<[u8; 32]>(), &game.game_id);
        Self {
            me,
            seat: Seat::new(me, secrets.clone(), game, CONFIG),
            secrets,
            journal: BTreeMap::new(),
            chain: Vec::new(),
            jobs: Vec::new(),
            shown: Vec::new(),
            signed: BTreeMap::new(),
        }
    }

    fn write(&mut self, entry: Entry) {
        let (key, entry) = keyed(entry);
        self.journal.insert(key, entry);
    }
}

/// An entry with its key: the kind, the ply and the phase.
pub fn keyed(entry: Entry) -> ((u8, u16, u8), Entry) {
    let (kind, phase) = match &entry {
        Entry::Received(Message::Answer { phase, .. }) => (2, *phase as u8),
        Entry::Received(_) => (1, 0),
        Entry::Chosen { .. } | Entry::Withdrawn { .. } => (3, 0),
        Entry::Signed { .. } => (4, 0),
    };
    ((kind, entry.ply(), phase), entry)
}

/// Captures a king if it can, then often anything, else any move.
fn draw_move(legal: &[Move], sight: Option<&Sight>, rng: &mut ChaCha8Rng) -> Move {
    let takes = |mv: &&Move, king: bool| {
        sight.is_some_and(|sight| match sight.at(mv.to) {
            rules::Seen::Piece(piece) => !king || piece == PieceType::King,
            _ => false,
        })
    };
    if let Some(mv) = legal.iter().find(|mv| takes(mv, true)) {
        return *mv;
    }
    let captures: Vec<_> = legal.iter().filter(|mv| takes(mv, false)).collect();
    match captures.choose(rng) {
        Some(mv) if rng.gen_range(0..2) == 0 => **mv,
        _ => *legal.choose(rng).expect("a legal move"),
    }
}

/// The seed of a test: `FOGMATE_SEED`, or the given one; printed.
pub fn seed(default: u64) -> u64 {
    let seed = std::env::var("FOGMATE_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default);
    println!("seed {seed} (FOGMATE_SEED repeats it)");
    seed
}

/// The moves of `test/data/games.jsonl`.
pub fn recorded_games() -> Vec<Vec<Move>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/data/games.jsonl");
    let text =
        std::fs::read_to_string(path).expect("test/data/games.jsonl is part of the repository");
    let moves = |line: &str| -> Vec<Move> {
        let game: serde_json::Value = serde_json::from_str(line).expect("a JSON object a line");
        let moves = game["moves"].as_array().expect("moves");
        moves
            .iter()
            .map(|mv| mv.as_str().expect("UCI").parse().expect("UCI"))
            .collect()
    };
    text.lines()
        .filter(|line| !line.is_empty())
        .map(moves)
        .collect()
}
