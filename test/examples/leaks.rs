//! Plays sights message by message in positions of test/data/positions.jsonl and in twins of them that somebody must not be able to tell from them, and
//! prints what is to be seen of each as JSON, for test/leaks.py. An observer knows its own board, its sight and what is public; a twin differs in the rest.
//!
//! - `shown`: other men of the sender where the receiver doesn't see, as many, with the same sight. What the receiver notices of it is a leak.
//! - `looking`: another board of the receiver, of as many men. What the sender notices of it is a leak.
//! - `first`, `promoted`: one board with one queen just captured: that of the start, or a promoted one. For engines that know what is promoted.
//!
//! `leaks [--positions N] [--seconds S] [--rounds R] [--seed S] [NAME…]`: of each engine R rounds through the positions, or the first twelve and what begins within
//! S seconds.
//! In a round a position and its twins are played one after the other, in an order drawn anew.

use client::runtime::{EngineKind, KeyProver, Parameters};
use engines::alone::{Keys, Scene, cpu, set_up, state};
use fog::{
    engine::{Fault, Job, Phase, Received, Session},
    testing::Walk,
};
use prover::{NoProgress, SetKeys, StepKeys};
use rand_chacha::{ChaCha8Rng, rand_core::RngCore, rand_core::SeedableRng};
use rules::{CastlingRights, Color, PieceType, Position, Seen, Side, Sight, Square};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, hash_map::DefaultHasher},
    convert::Infallible,
    hash::{Hash, Hasher},
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

const POSITIONS: usize = 200;
/// A step through 200 positions that meets each once and the neighbours late.
const STRIDE: usize = 61;
/// Positions that even the slowest engine gets: fewer allow no test.
const LEAST: usize = 12;
const DATA: &str = include_str!("../data/positions.jsonl");
/// Where `make bench` keeps parameters and keys.
const CACHE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/bench-cache");
/// Exchanges here are of positions alone; this engine's must be those of one game. Engines with steps give the sights of those without.
const LEFT_OUT: [&str; 4] = ["andos-chained", "andos-steps", "andos-hardened-steps", "bfv-steps"];
/// Engines whose parties read which men are promoted, but one of which a sight takes seconds and that says what `andos` says.
const ANNOUNCING: [&str; 2] = ["andos", "andos-first"];
/// Random games, and the plies after which their players are asked what they can't tell apart.
const GAMES: u64 = 200;
const PLIES: [u64; 5] = [2, 10, 20, 30, 40];

fn below(rng: &mut ChaCha8Rng, count: usize) -> usize {
    (rng.next_u64() % count as u64) as usize
}

fn shuffle<T>(rng: &mut ChaCha8Rng, items: &mut [T]) {
    for end in (1..items.len()).rev() {
        items.swap(end, below(rng, end + 1));
    }
}

/// Whether a square is dark on the board, as bishops' squares are all or none.
fn shade(square: Square) -> u8 {
    (square.file() + square.rank()) % 2
}

/// A side with as many men, those on `kept` squares where they stand, the others drawn from what is left of sixteen and put on `free` squares.
fn redrawn(rng: &mut ChaCha8Rng, side: &Side, kept: impl Fn(Square) -> bool, free: &[Square]) -> Option<Side> {
    let mut bag: Vec<(Square, PieceType)> = Side::start(side.color).men().collect();
    let mut twin = Side { rights: CastlingRights::NONE, ..Side::empty(side.color) };
    for (square, piece) in side.men().filter(|(square, _)| kept(*square)) {
        twin.pieces[square.index()] = Some(piece);
        let is_it = |(home, of): &(Square, PieceType)| {
            *of == piece && (piece != PieceType::Bishop || shade(*home) == shade(square))
        };
        // What is missing in the bag has been a pawn.
        let place = bag.iter().position(is_it).or(bag.iter().position(|(_, of)| *of == PieceType::Pawn))?;
        bag.remove(place);
    }
    shuffle(rng, &mut bag);
    bag.sort_by_key(|(_, piece)| *piece != PieceType::King);
    bag.truncate(side.men().count().checked_sub(twin.men().count())?);
    // Pawns and bishops may stand on fewer squares, so they are put first.
    bag.sort_by_key(|(_, piece)| ![PieceType::Pawn, PieceType::Bishop].contains(piece));
    let mut free: Vec<Square> = free.to_vec();
    shuffle(rng, &mut free);
    for (home, piece) in bag {
        let place = free.iter().position(|square| match piece {
            PieceType::Pawn => (1..7).contains(&square.rank()),
            PieceType::Bishop => shade(*square) == shade(home),
            _ => true,
        })?;
        twin.pieces[free.remove(place).index()] = Some(piece);
    }
    Some(twin)
}

/// Both sides of a sight, receiver first.
type Boards = [Side; 2];

fn sight(boards: &Boards, phase: Phase) -> Sight {
    Sight::between(&boards[0], &boards[1], phase == Phase::Pre)
}

fn shown_twin(rng: &mut ChaCha8Rng, boards: &Boards, phase: Phase) -> Option<Boards> {
    let (seen, [receiver, sender]) = (sight(boards, phase), boards);
    let mut free: Vec<Square> = Square::all().filter(|square| seen.at(*square) == Seen::Dark).collect();
    free.retain(|square| receiver.piece(*square).is_none());
    let mut twin = redrawn(rng, sender, |square| seen.at(square).is_occupied(), &free)?;
    twin.double_push = sender.double_push.filter(|_| seen.en_passant.is_some());
    let twin = [receiver.clone(), twin];
    (sight(&twin, phase) == seen).then_some(twin)
}

fn looking_twin(rng: &mut ChaCha8Rng, boards: &Boards) -> Option<Boards> {
    let [receiver, sender] = boards;
    let free: Vec<Square> = Square::all().filter(|square| sender.piece(*square).is_none()).collect();
    Some([redrawn(rng, receiver, |_| false, &free)?, sender.clone()])
}

/// Two men of the receiver as its only queens, the one with a man of the sender upon it: where that one fell, and where the other stands.
fn two_queens(rng: &mut ChaCha8Rng, boards: &Boards) -> Option<(Boards, [Square; 2])> {
    let [mut receiver, mut sender] = boards.clone();
    let mut men = |side: &Side, kinds: fn(PieceType) -> bool| {
        let mut men: Vec<Square> = side.men().filter(|(_, piece)| kinds(*piece)).map(|(square, _)| square).collect();
        shuffle(rng, &mut men);
        men
    };
    let queens: [Square; 2] = men(&receiver, |piece| piece != PieceType::King).get(..2)?.try_into().ok()?;
    for man in receiver.pieces.iter_mut().filter(|man| **man == Some(PieceType::Queen)) {
        *man = Some(PieceType::Knight);
    }
    queens.iter().for_each(|square| receiver.pieces[square.index()] = Some(PieceType::Queen));
    let captor = *men(&sender, |piece| ![PieceType::King, PieceType::Pawn].contains(&piece)).first()?;
    sender.pieces[queens[0].index()] = sender.pieces[captor.index()].take();
    let boards = [receiver, sender].map(|side| Side { rights: CastlingRights::NONE, double_push: None, ..side });
    Some((boards, queens))
}

/// What a board has that the other player must not know, each as a number.
fn features(own: &Side, other: &Side, phase: Phase) -> Value {
    let seen = Sight::between(own, other, phase == Phase::Pre);
    let count = |wanted: &dyn Fn(PieceType) -> bool| own.men().filter(|(_, piece)| wanted(*piece)).count();
    let slides = |piece| [PieceType::Bishop, PieceType::Rook, PieceType::Queen].contains(&piece);
    let rank = |square: Square| square.rank().abs_diff(if own.color == Color::White { 0 } else { 7 });
    json!({
        "squares it sees": seen.squares.iter().filter(|seen| **seen != Seen::Dark).count(),
        "men it sees": seen.squares.iter().filter(|seen| seen.is_occupied()).count(),
        "bishops, rooks, queens": count(&slides),
        "queens": count(&|piece| piece == PieceType::Queen),
        "pawns": count(&|piece| piece == PieceType::Pawn),
        "ranks advanced": own.men().map(|(square, _)| usize::from(rank(square))).sum::<usize>(),
        "its king's file": own.king().map(|square| square.file()),
        "its king's rank": own.king().map(rank),
        "a double push": u8::from(own.double_push.is_some()),
    })
}

/// A sight to be played: its label, whose features it has, and the boards with what is promoted.
struct Played {
    label: &'static str,
    boards: Boards,
    phase: Phase,
    pending: Option<Square>,
    promoted: Option<Square>,
}

impl Played {
    /// The position of that number and its twins, as far as there are any. Of every other position the sight is that after a move.
    fn all(place: usize, engine: &str, rng: &mut ChaCha8Rng) -> Vec<Self> {
        let lines: Vec<&str> = DATA.lines().collect();
        let line = lines[place * STRIDE % POSITIONS * lines.len() / POSITIONS];
        let record: Value = serde_json::from_str(line).expect("a record");
        let position = Position::from_fen(record["fen"].as_str().unwrap_or_default()).expect("a position");
        let boards = [position.turn(), !position.turn()].map(|color| position.side(color).clone());
        let phase = if place.is_multiple_of(2) { Phase::Pre } else { Phase::Post };
        let played = |label, boards| Self { label, boards, phase, pending: None, promoted: None };
        let shown = shown_twin(rng, &boards, phase).map(|boards| played("shown", boards));
        let looking = looking_twin(rng, &boards).map(|boards| played("looking", boards));
        let queens = two_queens(rng, &boards).filter(|_| ANNOUNCING.contains(&engine));
        let queens = queens.map(|(boards, queens)| {
            [("first", queens[1]), ("promoted", queens[0])].map(|(label, promoted)| Self {
                label,
                boards: boards.clone(),
                phase: Phase::Pre,
                pending: Some(queens[0]),
                promoted: Some(promoted),
            })
        });
        let twins = shown.into_iter().chain(looking).chain(queens.into_iter().flatten());
        std::iter::once(played("position", boards)).chain(twins).collect()
    }

    fn scene(&self, salt: u64) -> Scene {
        let receiver = self.boards[0].color;
        let mut own = Color::ALL.map(|color| state(&self.boards[usize::from(color != receiver)], salt));
        own[receiver.index()].promoted = self.promoted.map_or(0, |square| 1 << square.index());
        Scene::new(2 + receiver as u64, self.phase, self.pending, own)
    }

    fn right(&self) -> Sight {
        sight(&[self.boards[0].without(self.pending), self.boards[1].clone()], self.phase)
    }

    fn features(&self) -> Value {
        let [receiver, sender] = &self.boards;
        json!({ "sender": features(sender, receiver, self.phase), "receiver": features(receiver, sender, self.phase) })
    }
}

/// What is seen of a sight. The sender is 0, the receiver 1.
struct Log {
    start: Instant,
    /// The processor time of each since its last message.
    spent: [Duration; 2],
    messages: Vec<Value>,
    /// All that the receiver meant, which its board and its sight must decide.
    meant: DefaultHasher,
}

impl Log {
    fn of<T>(&mut self, side: usize, run: impl FnOnce() -> T) -> T {
        let start = cpu();
        let result = run();
        self.spent[side] += cpu() - start;
        result
    }

    /// Notes who sends, how many bytes, after how many microseconds; and of what it says the first byte, the last, and how many bits are one.
    fn note(&mut self, side: usize, message: &[u8]) {
        let micros = (std::mem::take(&mut self.spent[side]).as_secs_f64() * 1e7).round() / 10.0;
        let (first, last, ones) = said(message);
        self.messages.push(json!([side, message.len(), micros, first, last, ones]));
    }
}

fn said(message: &[u8]) -> (Option<&u8>, Option<&u8>, u32) {
    (message.first(), message.last(), message.iter().map(|byte| byte.count_ones()).sum())
}

fn step<T>(session: &mut Session<T>, job: Job<T>, side: usize, log: &mut Log) -> Result<Option<Vec<u8>>, Fault> {
    let finished = log.of(side, || job.run());
    let sent = session.finish(finished)?;
    if side == 1 {
        session.meaning().hash(&mut log.meant);
    }
    Ok(sent.map(|index| session.messages()[index].clone()))
}

fn deliver<T>(session: &mut Session<T>, bytes: &[u8], side: usize, log: &mut Log) -> Result<Option<Vec<u8>>, Fault> {
    match session.receive(session.messages().len(), bytes)? {
        Received::Job(job) => step(session, job, side, log),
        Received::Repeat | Received::Held => Err(Fault::internal("a message that was not due")),
    }
}

/// Plays a sight: what the chain has of it, and what the receiver sees.
fn play(keys: &Keys, scene: &Scene, log: &mut Log) -> Result<(Value, Option<Sight>), Fault> {
    let (exchange, own) = (&scene.exchange, &scene.own);
    let [sender, receiver] = [exchange.sender(), exchange.receiver()].map(Color::index);
    let request = log.of(1, || keys[receiver].request(&own[receiver]))?;
    if !request.is_empty() {
        log.note(1, &request);
    }
    let (sending, root) = log.of(0, || keys[sender].sender(exchange, &own[sender], &request))?;
    let promised = (exchange.phase == Phase::Pre).then_some(root);
    let receiving = log.of(1, || keys[receiver].receiver(exchange, &own[receiver], promised))?;
    let words = [root, keys[receiver].request_digest(&request)?, own[0].commitment, own[1].commitment];
    let ((mut sending, opening), (mut receiving, waiting)) =
        (Session::start(sending, true), Session::start(receiving, false));
    step(&mut receiving, waiting, 1, log)?;
    let mut message = step(&mut sending, opening, 0, log)?;
    while let Some(bytes) = message {
        log.note(0, &bytes);
        let reply = deliver(&mut receiving, &bytes, 1, log)?;
        let Some(reply) = reply else { break };
        log.note(1, &reply);
        message = deliver(&mut sending, &reply, 0, log)?;
    }
    // What the receiver does after the last message delays its move.
    log.note(1, &[]);
    Ok((words.iter().map(|word| json!(said(word))).collect(), receiving.output().cloned()))
}

fn observe(keys: &Keys, played: &Played, salt: u64) -> Value {
    let mut log =
        Log { start: Instant::now(), spent: Default::default(), messages: Vec::new(), meant: DefaultHasher::new() };
    let result = play(keys, &played.scene(salt), &mut log);
    let wall = log.start.elapsed().as_micros();
    let (refused, posted, sight) = match result {
        Ok((posted, sight)) => (None, posted, sight),
        Err(fault) => (Some(fault.to_string()), Value::Null, None),
    };
    let is_right = sight == Some(played.right());
    let meant = log.meant.finish().to_string();
    json!({
        "label": played.label, "refused": refused, "right": is_right, "meant": meant, "wall": wall, "messages": log.messages, "posted": posted,
    })
}

/// The sights of one engine, position by position.
fn engine(kind: EngineKind, limits: &Limits, rng: &mut ChaCha8Rng) -> Value {
    let cache = Path::new(CACHE);
    let moves = || Ok::<_, Infallible>(Arc::new(moves_prover(cache)));
    let load = |k| Parameters::Development.load(k, cache, &NoProgress).expect("parameters");
    let sets =
        || Ok(SetKeys::load_or_make([&load(SetKeys::K), &load(SetKeys::STEP_K)], cache, &NoProgress).expect("keys"));
    let steps = |ring: bool| {
        let ring = ring.then(|| load(StepKeys::RING_K));
        Ok(StepKeys::load_or_make(&load(SetKeys::STEP_K), ring.as_ref(), cache, &NoProgress).expect("keys"))
    };
    let Ok(engine) = kind.with(moves, sets, steps).map(EngineKind::engine);
    let keys: Keys = set_up(&*engine).expect("a set-up").outputs.into();
    let mut groups: Vec<Vec<Played>> =
        (0..limits.positions).map(|place| Played::all(place, kind.name(), rng)).collect();
    let mut sights = vec![Vec::new(); groups.len()];
    // The first sight makes tables that later ones have.
    observe(&keys, &groups[0][0], 0);
    let (start, mut salt) = (Instant::now(), 0);
    for (done, place) in (0..limits.rounds).flat_map(|_| 0..limits.positions).enumerate() {
        if done >= LEAST && start.elapsed().as_secs() >= limits.seconds {
            break;
        }
        shuffle(rng, &mut groups[place]);
        for played in &groups[place] {
            salt += 1;
            sights[place].push(observe(&keys, played, salt));
        }
    }
    let positions = groups.iter().zip(sights).filter(|(_, sights)| !sights.is_empty());
    let positions = positions.map(|(group, sights)| {
        let boards: BTreeMap<_, _> = group.iter().map(|played| (played.label, played.features())).collect();
        json!({ "boards": boards, "sights": sights })
    });
    json!({ "engine": kind.name(), "positions": positions.collect::<Vec<_>>() })
}

fn moves_prover(cache: &Path) -> KeyProver {
    KeyProver::load_or_make(&Parameters::Development, cache, &NoProgress).expect("keys")
}

fn choose(n: usize, k: usize) -> f64 {
    if k > n { 0.0 } else { (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product() }
}

/// How many placements of men, in bits, look to a player as `sight` does: of all that it doesn't see, knowing which types are left and nothing of the
/// moves before, and taking no pawn for promoted. `None` if there are others than `men`, since some pawn was promoted.
fn placements(own: &Side, sight: &Sight, mut hidden: BTreeMap<PieceType, usize>, men: usize) -> Option<f64> {
    let is_middle = |square: &Square| (1..7).contains(&square.rank());
    let (mut dark, mut occupied, mut seen) = ([0; 2], [0; 2], 0);
    for square in Square::all().filter(|square| own.piece(*square).is_none()) {
        match sight.at(square) {
            Seen::Dark => dark[usize::from(is_middle(&square))] += 1,
            Seen::Occupied => occupied[usize::from(is_middle(&square))] += 1,
            Seen::Piece(piece) => {
                *hidden.get_mut(&piece)? = hidden[&piece].checked_sub(1)?;
                seen += 1;
            }
            Seen::Empty => {}
        }
    }
    let pawns = hidden.remove(&PieceType::Pawn)?;
    let officers: usize = hidden.values().sum();
    let (orders, _) =
        hidden.values().fold((1.0, officers), |(orders, left), count| (orders * choose(left, *count), left - count));
    let unknown: usize = occupied.iter().sum();
    // Some of the pawns stand on occupied squares, and officers on the others of them.
    let ways = (0..=pawns.min(occupied[1])).filter(|on| unknown - on <= officers).map(|on| {
        let free = (dark[0] + dark[1] + on).saturating_sub(pawns);
        choose(occupied[1], on) * choose(dark[1], pawns - on) * choose(free, officers - (unknown - on))
    });
    (seen + pawns + officers == men).then(|| (ways.sum::<f64>() * orders).log2())
}

/// Random games by the rules: at some plies the bits of the opponent's placements, before the sight of who is to move and after it.
fn entropy(seed: u64) -> Vec<Value> {
    let mut found = Vec::new();
    for game in 0..GAMES {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ game << 32);
        let (mut walk, mut left) = (Walk::start(), Color::ALL.map(|_| BTreeMap::new()));
        for side in &mut left {
            Side::start(Color::White).men().for_each(|(_, piece)| *side.entry(piece).or_insert(0) += 1);
        }
        loop {
            let (board, other) = (walk.board(), walk.other().clone());
            let left_of_other = &mut left[other.color.index()];
            if PLIES.contains(&walk.ply) {
                let bits = [Sight::DARK, walk.sight()]
                    .map(|sight| placements(&board, &sight, left_of_other.clone(), other.men().count()));
                if let [Some(before), Some(after)] = bits {
                    found.push(json!([walk.ply, before, after]));
                }
            }
            let mut moves = walk.legal_moves();
            moves.retain(|mv| walk.sight().at(mv.to) != Seen::Piece(PieceType::King));
            if moves.is_empty() || walk.ply >= PLIES[PLIES.len() - 1] {
                break;
            }
            walk.play(&moves[below(&mut rng, moves.len())]);
            if let Some(fallen) = walk.pending.and_then(|square| other.piece(square)) {
                left_of_other.entry(fallen).and_modify(|count: &mut usize| *count = count.saturating_sub(1));
            }
        }
    }
    found
}

struct Limits {
    positions: usize,
    seconds: u64,
    rounds: usize,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1)?.parse::<u64>().ok();
    let limits = Limits {
        positions: number("--positions").map_or(POSITIONS, |count| (count as usize).clamp(1, POSITIONS)),
        seconds: number("--seconds").unwrap_or(u64::MAX),
        rounds: number("--rounds").map_or(5, |count| count as usize),
    };
    let seed = number("--seed").unwrap_or_else(|| std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs()));
    let is_chosen = |kind: &EngineKind| {
        let named = arguments.iter().any(|argument| argument == kind.name());
        let is_any = arguments.iter().any(|argument| EngineKind::named(argument).is_some());
        named || (!is_any && !LEFT_OUT.contains(&kind.name()))
    };
    let engines = EngineKind::ALL.into_iter().filter(is_chosen).map(|kind| {
        eprintln!("{} …", kind.name());
        engine(kind, &limits, &mut ChaCha8Rng::seed_from_u64(seed))
    });
    let engines: Vec<Value> = engines.collect();
    println!("{}", json!({ "seed": seed, "engines": engines, "entropy": entropy(seed), "games": GAMES }));
}
