//! Drawn games of an honest player H against an opponent X that does all that section 8 of the protocol lists: X withholds, lies, falls silent, wakes the
//! game at any position that both have signed, has wakes taken back, goes back to an earlier move and makes another, signs results and draws and plays
//! on. What it does is drawn by a seed; H's machine is the client's own, and the contract is the one that ships.
//!
//! After every step the pair looks at what leaves H's machine ([`super::pair`]), and at the end the game at what H was promised: it lost only by its king,
//! drew only where it agreed, no move that X had signed was undone, the money adds up, the game came to an end, and X could not make it dear.

use super::pair::{Pair, TERMS};
use crate::counts::{Counts, Failure, watched};
use crate::oracle::Oracle;
use crate::world::{Dice, Tally, lies};
use client::journal::Entry;
use client::seat::{Effect, Event};
use game::{ChainEvent, Command, GameResult, Message, Notice, Outcome, Position, SignedPly, Transaction};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Steps after which a game has not ended.
const MAX_STEPS: u64 = 60_000;
/// Gas by which H may have spent more than X, where nobody's transactions are taken back (protocol, section 8).
const EXCESS: u64 = 900_000;
/// What verifying a proof takes beside the ticket of these games, in gas.
const PROOF_GAS: u64 = 255_000;

/// What an opponent is inclined to, in thousandths of the steps unless it says otherwise.
#[derive(Debug)]
struct Habits {
    /// Messages and transactions that it withholds or spoils.
    dice: Dice,
    wakes: u32,
    goes_back: u32,
    signs_results: u32,
    lies_about_plies: u32,
    /// From this ply on it does nothing at all.
    silent_from: u16,
    /// After so many plies it resigns.
    resigns_at: u16,
    /// Wakes that the chain takes back, in percent.
    taken_back: u32,
}

impl Habits {
    fn draw(rng: &mut ChaCha8Rng) -> Self {
        let mut some = |most: u32| if rng.gen_bool(0.4) { rng.gen_range(0..=most) } else { 0 };
        let dice = Dice { lost_messages: some(30), lost_transactions: some(30), wrong: some(15) };
        let [wakes, goes_back, signs_results, lies_about_plies] = [some(20), some(20), some(10), some(4)];
        let taken_back = some(60);
        let silent_from = if rng.gen_bool(0.2) { rng.gen_range(0..8) } else { u16::MAX };
        let resigns_at = rng.gen_range(2..16);
        Self { dice, wakes, goes_back, signs_results, lies_about_plies, silent_from, resigns_at, taken_back }
    }
}

/// What may be wrong with the honest player's machine: each breaks a promise that the games must find broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// It shows no later position when the game is woken at an old one.
    NeverContests,
    /// It forgets its last move, and makes another.
    GoesBack,
    /// It says what it has signed before that is on its disk.
    SpeaksFirst,
    /// It sends a sight although a wake was seen.
    TalksOn,
}

/// A drawn game of an honest player and its opponent.
struct Game {
    rng: ChaCha8Rng,
    pair: Pair,
    habits: Habits,
    /// The places of the honest player and of the other.
    h: usize,
    x: usize,
    defect: Option<Defect>,
    /// Whether H has accepted or claimed a draw, or offered one.
    may_draw: bool,
    deeds: Tally,
    steps: u64,
    is_verbose: bool,
}

/// Plays game `number` of a seed.
///
/// # Errors
/// The first broken promise.
pub fn play(seed: u64, number: u64, is_verbose: bool) -> Result<Counts, Failure> {
    play_with(seed, number, None, is_verbose)
}

/// The same with something wrong.
///
/// # Errors
/// The first broken promise.
pub fn play_with(seed: u64, number: u64, defect: Option<Defect>, is_verbose: bool) -> Result<Counts, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let habits = Habits::draw(&mut rng);
    let mut pair = Pair::begin_with(&Oracle::default());
    let h = rng.gen_range(0..2);
    pair.machines[1 - h].mischief = Some(lies(rng.r#gen(), habits.dice));
    pair.machines[h].filter = match defect {
        Some(Defect::NeverContests) => {
            Some(Box::new(|effect| !matches!(effect, Effect::SendTransaction(Transaction::Wake { .. }))))
        }
        Some(Defect::SpeaksFirst) => {
            Some(Box::new(|effect| !matches!(effect, Effect::Journal(Entry::Ply(kept)) if kept.own)))
        }
        _ => None,
    };
    if is_verbose {
        crate::tell!("between the machines, player {h} is honest: {habits:?}");
    }
    let (may_draw, deeds) = (false, Tally::default());
    let mut game = Game { rng, pair, habits, h, x: 1 - h, defect, may_draw, deeds, steps: 0, is_verbose };
    let played = watched(|| game.run());
    let Game { pair, steps, deeds, .. } = game;
    played.map_err(|what| Failure { seed, number, step: steps as usize, what })?;
    let mut endings = Tally::default();
    let ending = pair.ending(h).expect("the game is over");
    endings.add(Outcome::NAMES[ending.outcome as usize].1);
    let plies = pair.machines[h].side.seat().table().begun().map_or(0, |play| play.ply.into());
    Ok(Counts { games: 1, plies, steps, faults: deeds, checks: pair.checks, endings })
}

impl Game {
    fn run(&mut self) {
        while self.pair.ending(self.h).is_none() {
            self.steps += 1;
            assert!(self.steps < MAX_STEPS, "the game comes to no end");
            self.step();
        }
        self.look_back();
    }

    /// One thing happens, of those that can.
    fn step(&mut self) {
        if self.plies() >= self.habits.silent_from && !self.pair.machines[self.x].is_off {
            self.pair.machines[self.x].is_off = true;
            self.did("fell silent");
        }
        if self.defect == Some(Defect::GoesBack) && self.rng.gen_bool(0.02) {
            self.goes_back(self.h);
        }
        if self.defect == Some(Defect::TalksOn) && self.pair.is_woken(self.h) {
            self.pair.talk(self.h);
        }
        let first = self.rng.gen_range(0..2);
        if !self.pair.machines[self.x].is_off && self.misbehaves() {
            return;
        }
        if self.rng.gen_bool(0.9) && (self.pair.goes_on(first) || self.pair.goes_on(1 - first)) {
            return;
        }
        if self.decides(self.h) || !self.pair.machines[self.x].is_off && self.decides(self.x) {
            return;
        }
        let seconds = if self.rng.gen_bool(0.95) { self.rng.gen_range(1..6) } else { self.rng.gen_range(6..120) };
        if self.pair.pending > 0 && self.rng.gen_bool(0.2) {
            self.settle_the_chain();
        }
        self.pair.pass(seconds);
    }

    /// A player whose turn it is says what it wants; whether there was anything.
    fn decides(&mut self, i: usize) -> bool {
        let seat = self.pair.machines[i].side.seat();
        if !seat.can_move() || seat.chosen().is_some() || self.pair.is_asleep_and_signed(i) {
            return false;
        }
        let play = seat.table().begun().expect("begun");
        let (ply, is_offered, moves) = (play.ply, play.draw_offered, seat.legal_moves());
        let command = if i == self.x && ply >= self.habits.resigns_at {
            Command::Resign
        } else if is_offered && self.rng.gen_bool(0.4) {
            Command::AcceptDraw
        } else {
            match moves.choose(&mut self.rng) {
                Some(&mv) => Command::Move { mv, offer_draw: self.rng.gen_bool(0.1) },
                None => Command::ClaimNoMove,
            }
        };
        if i == self.h {
            let offers = matches!(command, Command::Move { offer_draw: true, .. });
            self.may_draw |= offers || matches!(command, Command::AcceptDraw | Command::ClaimNoMove);
        }
        self.say(|| format!("{} wants {command:?}", if i == self.h { "H" } else { "X" }));
        let told = self.pair.machines[i].shown.len();
        self.pair.tell(i, Event::Command(command));
        // Nothing comes of what is refused, and time must pass.
        !self.pair.machines[i].shown[told..].iter().any(|notice| matches!(notice, Notice::Refused { .. }))
    }

    /// X does something that it shouldn't; whether it did.
    fn misbehaves(&mut self) -> bool {
        let roll = self.rng.gen_range(0..1_000);
        let Habits { wakes, goes_back, signs_results, lies_about_plies, .. } = self.habits;
        let mut most = wakes;
        if roll < most {
            return self.wakes();
        }
        most += goes_back;
        if roll < most {
            return self.goes_back(self.x);
        }
        most += signs_results;
        if roll < most {
            return self.signs_a_result();
        }
        most += lies_about_plies;
        if roll < most {
            let plies = self.rng.gen_range(0..12);
            self.pair.say(self.x, Message::Have { plies });
            self.did("lied about its plies");
            return true;
        }
        false
    }

    /// X wakes the game at any position that H has signed.
    fn wakes(&mut self) -> bool {
        let signed = self.signed_by_h();
        let Some((position, signature)) = signed.choose(&mut self.rng).cloned() else { return false };
        let mut signatures = [None; 2];
        signatures[self.h] = signature;
        let is_taken_back = self.pair.pending == 0 && self.rng.gen_range(0..100) < self.habits.taken_back;
        if is_taken_back {
            self.pair.fork();
        }
        let ply = position.ply;
        let is_woken = self.pair.send(self.x, Transaction::Wake { position: Box::new(position), signatures });
        self.say(|| format!("X wakes at ply {ply}: {is_woken}"));
        if is_woken {
            self.did("woke the game");
        }
        is_woken
    }

    /// The positions that H has signed, from the start on, with that signature.
    fn signed_by_h(&self) -> Vec<(Position, Option<[u8; 64]>)> {
        let journal = &self.pair.machines[self.x].journal;
        let mut plies: Vec<(bool, SignedPly)> = journal.values().filter_map(ply_of).collect();
        plies.sort_by_key(|(_, signed)| signed.fields.ply);
        let mut position = Position::start(TERMS.base);
        let mut found = vec![(position, None)];
        for (is_own, signed) in plies {
            if signed.fields.ply != position.ply || signed.fields.king_fell {
                break;
            }
            position = position.after(&self.pair.chain.game, &signed.fields, signed.clock);
            let countersigned = journal.values().find_map(|entry| match entry {
                Entry::Countersigned { ply, signature } if *ply == signed.fields.ply => Some(*signature),
                _ => None,
            });
            let signature = if is_own { countersigned } else { Some(signed.signature) };
            found.extend(signature.map(|signature| (position, Some(signature))));
        }
        found
    }

    /// A player forgets its last own move, and what came after it, and will make another.
    fn goes_back(&mut self, i: usize) -> bool {
        let own = self.pair.machines[i].journal.values().filter_map(ply_of).filter(|(is_own, _)| *is_own);
        let Some(last) = own.map(|(_, signed)| signed.fields.ply).max() else { return false };
        if self.pair.is_awake(i) {
            return false;
        }
        self.pair.forget(i, |entry| {
            let is_before = entry.ply() < last;
            is_before || matches!(entry, Entry::Begun) || matches!(entry, Entry::Received(_)) && entry.ply() <= last
        });
        self.pair.restart_in_secret(i);
        self.say(|| format!("player {i} goes back to ply {last}"));
        self.did("went back");
        true
    }

    /// X signs a result, for better or worse, and goes on playing.
    fn signs_a_result(&mut self) -> bool {
        let signed = self.signed_by_h();
        let Some((position, _)) = signed.choose(&mut self.rng) else { return false };
        let last = if position.ply == 0 { Default::default() } else { position.digest(&self.pair.chain.game) };
        let creator_won = [Some(true), Some(false), None].choose(&mut self.rng).copied().flatten();
        let outcomes =
            [Outcome::Resigned, Outcome::DrawAgreed, Outcome::KingCaptured, Outcome::FiftyMoves, Outcome::NoMove];
        let outcome = *outcomes.choose(&mut self.rng).expect("some");
        let result = GameResult { creator_won, outcome, last };
        let Some(signature) = self.pair.machines[self.x].wallet.sign(&result.digest(&self.pair.chain.game)) else {
            return false;
        };
        self.say(|| format!("X signs {result:?}"));
        self.did("signed a result");
        if self.rng.gen_bool(0.5) {
            self.pair.say(self.x, Message::Result { result, signature });
            return true;
        }
        // Where it loses by it, its own signature goes without saying.
        self.pair.send(self.x, Transaction::Close { result, signatures: [None; 2] })
    }

    /// What isn't final becomes so, or never was.
    fn settle_the_chain(&mut self) {
        if self.rng.gen_bool(0.5) && self.pair.take_back() {
            self.say(|| "the chain takes X's wake back".to_owned());
            self.did("had a wake taken back");
        } else {
            self.pair.make_final();
        }
    }

    fn plies(&self) -> u16 {
        self.pair.machines[self.h].side.seat().table().begun().map_or(0, |play| play.ply)
    }

    fn did(&mut self, what: &'static str) {
        self.deeds.add(what);
    }

    fn say(&self, what: impl FnOnce() -> String) {
        if self.is_verbose {
            crate::tell!("{:6} {}", self.steps, what());
        }
    }

    /// What H was promised, once the game is over.
    fn look_back(&mut self) {
        let ending = self.pair.ending(self.h).expect("over");
        let own = self.pair.machines[self.h].side.seat().color();
        let (outcome, checks) = (ending.outcome, &mut self.pair.checks);
        match ending.color {
            None => assert!(self.may_draw, "a draw by {outcome} that H has not agreed to"),
            color if color == own => {}
            Some(_) => assert_eq!(outcome, Outcome::KingCaptured, "H loses while it could move"),
        }
        checks.add("lost by its king alone, drawn where it agreed");
        self.pair.chain.check_money().unwrap_or_else(|wrong| panic!("{wrong}"));
        self.pair.checks.add("money");
        self.no_move_is_undone();
        let [of_h, of_x] = [self.h, self.x].map(|i| {
            let machine = &self.pair.machines[i];
            machine.gas + machine.moves * PROOF_GAS
        });
        if self.deeds.of("had a wake taken back") == 0 && !self.pair.is_woken_by(self.h) {
            assert!(of_h <= of_x + EXCESS, "H has spent {of_h} gas, and X {of_x}");
            self.pair.checks.add("gas");
        }
    }

    /// What the chain has of a ply is what H has of it, as far as X has signed that.
    fn no_move_is_undone(&mut self) {
        let game = &self.pair.chain.game;
        let mut plies: Vec<(bool, SignedPly)> =
            self.pair.machines[self.h].journal.values().filter_map(ply_of).collect();
        plies.sort_by_key(|(_, signed)| signed.fields.ply);
        let mut position = Position::start(TERMS.base);
        for (_, signed) in &plies {
            position = position.after(game, &signed.fields, signed.clock);
            for logged in &self.pair.chain.log {
                match &logged.event {
                    ChainEvent::Moved { fields, .. } if fields.ply == signed.fields.ply => {
                        assert_eq!(
                            fields.next_commitment, signed.fields.next_commitment,
                            "ply {} is undone",
                            fields.ply
                        );
                    }
                    ChainEvent::Woken { position: woken, .. } if woken.ply == position.ply => {
                        assert_eq!(**woken, position, "another position stands");
                    }
                    _ => {}
                }
            }
        }
        self.pair.checks.add("no move is undone");
    }
}

fn ply_of(entry: &Entry) -> Option<(bool, SignedPly)> {
    match entry {
        Entry::Ply(kept) => Some((kept.own, kept.signed.clone())),
        _ => None,
    }
}
