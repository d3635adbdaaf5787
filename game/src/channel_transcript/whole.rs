//! A game from what its chain has and, of the plies that the chain hasn't seen, from a transcript.

use super::{Other, Ply, Transcript};
use crate::audit::{Audit, Finding, Record, Unknown, audit, ended};
use crate::statement::Statement;
use crate::{ChainEvent, GameRef, GameResult, Mode, MoveFields, Outcome, Position, Table, signer};
use alloy_primitives::{Address, B256};
use fog::ensure;
use rules::Color;
use std::collections::BTreeMap;
use std::fmt;

/// Why a transcript can't be held against a game at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    #[error("it is a transcript of game {} at {:#x} on chain {}", .0.game_id, .0.contract, .0.chain_id)]
    OtherGame(GameRef),
    #[error("the game is of mode {0}: the chain has all its moves")]
    OnChain(Mode),
    #[error("the game has not begun on the chain, so there is nothing that a transcript could be held against")]
    NotBegun,
}

/// A game from the chain's records, with the plies of its transcript in their place.
#[derive(Clone, Debug)]
pub struct Whole {
    game: GameRef,
    /// The records in the game's order.
    pub records: Vec<Record>,
    held: Option<Held>,
    /// Why no transcript that was posted is taken, though the chain binds one.
    not_taken: Option<Unknown>,
}

/// What holding a transcript against the chain has shown.
#[derive(Clone, Debug)]
struct Held {
    findings: Vec<Finding>,
    signed: u16,
    /// Whether the chain names a position that the transcript leads to.
    is_bound: bool,
    /// What of its binding nobody can know.
    unknown: Option<Unknown>,
    /// How many plies are the game's.
    kept: usize,
    /// Whether it leads to the position that the signed result names.
    is_to_result: bool,
}

impl Whole {
    /// Puts a transcript's plies into their place among the chain's records and holds it against them; if none is given, one that a player has posted.
    ///
    /// # Errors
    ///
    /// [`TranscriptError`], if the transcript can't be this game's.
    pub fn of(
        game: GameRef,
        mut records: Vec<Record>,
        transcript: Option<&Transcript>,
    ) -> Result<Self, TranscriptError> {
        let Some(transcript) = transcript else { return Ok(Self::posted(game, records)) };
        ensure!(transcript.game == game, TranscriptError::OtherGame(transcript.game));
        let started = Started::of(game, &records)?;
        let holding = Holding::new(&started, &records, transcript);
        let (held, mut plies) = holding.hold(&records);
        if let Some((wake, ply)) = last_wake(&records) {
            // What was played after it comes after it.
            let later = plies.split_off(plies.len().min(ply.into()));
            records.splice(wake + 1..wake + 1, later);
        }
        records.splice(started.after..started.after, plies);
        Ok(Self { game, records, held: Some(held), not_taken: None })
    }

    /// With the first of the longest transcripts that were posted, that the chain binds, and that both players stand by, if there is one: the loser of a game
    /// could post one that it has invented.
    fn posted(game: GameRef, mut records: Vec<Record>) -> Self {
        let Ok(started) = Started::of(game, &records) else {
            return Self { game, records, held: None, not_taken: None };
        };
        drop_early_posts(&mut records);
        let posted = records.iter().filter_map(|record| match record.event {
            ChainEvent::ViewKeyPublished { player, .. } => {
                Some((Some(player), Transcript::from_posted(game, record.carried.as_deref()?)?))
            }
            _ => None,
        });
        // What a game has that was closed or woken at its start.
        let none = Transcript { game, plies: Vec::new(), others: Vec::new() };
        let (fallen, closed) = (fallen(&records), closed(&records));
        let woken = last_wake(&records).map_or(0, |(_, ply)| usize::from(ply));
        let posted = posted.map(|(player, mut posted)| {
            let positions = posted.positions(started.base);
            let end = positions.iter().position(|position| Some(position.digest(&game)) == closed);
            // What stands behind the position that the result names is no part of the game, unless it was woken there.
            posted.plies.truncate(end.map_or(usize::MAX, |end| end.max(woken)));
            for (place, ply) in posted.plies.iter_mut().enumerate() {
                // No digest binds which ply has felled a king, and nobody signs that: the game's end says it.
                let is_last = end == Some(place + 1) && place >= woken;
                ply.fields.king_fell = fallen && is_last && ply.fields.capture.is_some();
            }
            (player, posted)
        });
        let (mut taken, mut alone, mut elsewhere): (Option<(usize, Self)>, _, _) = (None, None, Vec::new());
        for (player, posted) in posted.chain([(None, none)]) {
            let Ok(whole) = Self::of(game, records.clone(), Some(&posted)) else { continue };
            let Some(Held { is_bound: true, signed, kept, .. }) = whole.held else {
                elsewhere.extend(player);
                continue;
            };
            if usize::from(signed) < kept {
                alone = alone.or(player);
            } else if taken.as_ref().is_none_or(|(most, _)| *most < kept) {
                taken = Some((kept, whole));
            }
        }
        // Whoever has lost may have signed an invented end: then the winner has posted something else.
        let winner = ended(&records).and_then(|(winner, _)| winner);
        let is_denied = winner.is_some_and(|winner| elsewhere.contains(&winner));
        let not_taken = started.players_among(alone).pop().map(|color| match is_denied {
            true => Unknown::Elsewhere(color),
            false => Unknown::PostedAlone(color),
        });
        taken.map_or(Self { game, records, held: None, not_taken }, |(_, whole)| whole)
    }

    /// Checks the game; `verify` verifies a proof of a statement.
    pub fn audit<E: fmt::Display>(&self, mut verify: impl FnMut(&Statement, &[u8]) -> Result<(), E>) -> Audit {
        let mut audit = audit(self.game, &self.records, &mut verify);
        if let Some(Held { findings, signed, unknown, is_to_result, .. }) = &self.held {
            audit.findings.splice(0..0, findings.iter().cloned());
            (audit.ok, audit.signed) = (audit.findings.is_empty(), *signed);
            audit.is_of_transcript = !audit.ok && self.is_in_order_without(verify);
            audit.unknown = match audit.unknown {
                _ if unknown.is_some() => *unknown,
                // Without a ply the transcript says that there was none.
                Some(Unknown::Plies) => None,
                Some(Unknown::Result(_)) if *is_to_result => {
                    Some(Unknown::Proofs(audit.by_nobody)).filter(|_| audit.by_nobody > 0)
                }
                unknown => unknown,
            };
        }
        let is_left_out = matches!(audit.unknown, Some(Unknown::Plies | Unknown::PliesBefore(_) | Unknown::Result(_)));
        if is_left_out {
            audit.unknown = self.not_taken.or(audit.unknown);
        }
        audit
    }

    /// Whether nothing is wrong with what the chain alone has of the game.
    fn is_in_order_without<E: fmt::Display>(&self, verify: impl FnMut(&Statement, &[u8]) -> Result<(), E>) -> bool {
        let of_chain: Vec<Record> = self.records.iter().filter(|record| record.is_of_chain()).cloned().collect();
        audit(self.game, &of_chain, verify).ok
    }
}

/// So many posts of each player are looked at, the last ones: more crowd out only its own.
const MOST_POSTS: usize = 8;

/// Leaves out of the records what was posted with a view key before the last such posts of its player.
fn drop_early_posts(records: &mut [Record]) {
    let mut posts: BTreeMap<Address, usize> = BTreeMap::new();
    for record in records.iter_mut().rev() {
        if let ChainEvent::ViewKeyPublished { player, .. } = record.event {
            let count = posts.entry(player).or_default();
            *count += 1;
            record.carried = record.carried.take().filter(|_| *count <= MOST_POSTS);
        }
    }
}

/// Whether a game that the chain has no move of has ended by the capture of a king.
fn fallen(records: &[Record]) -> bool {
    ended(records).is_some_and(|(_, outcome)| outcome == Outcome::KingCaptured)
        && !records.iter().any(|record| matches!(record.event, ChainEvent::Moved { .. }))
}

/// The digest that a signed result names.
fn closed(records: &[Record]) -> Option<B256> {
    records.iter().find_map(|record| match record.event {
        ChainEvent::Closed { last } => Some(last),
        _ => None,
    })
}

/// Whether a woken game has gone on on the chain, if only by a demand.
fn goes_on(records: &[Record]) -> bool {
    let after = records.iter().skip_while(|record| !matches!(record.event, ChainEvent::Woken { .. }));
    let is_end = |event: &ChainEvent| matches!(event, ChainEvent::Closed { .. } | ChainEvent::Ended { .. });
    let is_apart = |event: &ChainEvent| matches!(event, ChainEvent::Woken { .. } | ChainEvent::ViewKeyPublished { .. });
    after.map(|record| &record.event).any(|event| !is_end(event) && !is_apart(event))
}

/// How a game of mode `channel` has begun.
struct Started {
    /// Where the records of the game in play begin.
    after: usize,
    players: [Address; 2],
    creator: Address,
    base: u32,
}

impl Started {
    fn of(game: GameRef, records: &[Record]) -> Result<Self, TranscriptError> {
        let mut table = Table::new(game);
        for (place, record) in records.iter().enumerate() {
            // What is wrong with them the audit says.
            let _ = table.apply(&record.event);
            if let (Some(terms), Some(creator), Some(play)) = (table.terms(), table.creator(), table.begun()) {
                ensure!(terms.mode == Mode::Channel, TranscriptError::OnChain(terms.mode));
                return Ok(Self { after: place + 1, players: play.players, creator, base: terms.base });
            }
        }
        match table.terms() {
            Some(terms) if terms.mode != Mode::Channel => Err(TranscriptError::OnChain(terms.mode)),
            _ => Err(TranscriptError::NotBegun),
        }
    }

    fn players_among(&self, accounts: impl IntoIterator<Item = Address>) -> Vec<Color> {
        let colors = |account| Color::ALL.into_iter().find(|color| self.players[color.index()] == account);
        accounts.into_iter().filter_map(colors).collect()
    }
}

/// A transcript beside the chain's records.
struct Holding<'a> {
    started: &'a Started,
    transcript: &'a Transcript,
    /// Before each ply and after the last.
    positions: Vec<Position>,
    digests: Vec<B256>,
    /// The latest ply at which the game was woken.
    woken: Option<u16>,
    /// The digest that the signed result names.
    closed: Option<B256>,
    /// Whether it is that position which binds the last plies.
    is_by_result: bool,
    findings: Vec<Finding>,
    unknown: Option<Unknown>,
}

impl<'a> Holding<'a> {
    fn new(started: &'a Started, records: &[Record], transcript: &'a Transcript) -> Self {
        let positions = transcript.positions(started.base);
        let digests = positions.iter().map(|position| position.digest(&transcript.game)).collect();
        let woken = last_wake(records).map(|(_, ply)| ply);
        Self {
            started,
            transcript,
            positions,
            digests,
            woken,
            closed: closed(records),
            is_by_result: false,
            findings: Vec::new(),
            unknown: None,
        }
    }

    fn find(&mut self, ply: Option<u16>, what: String) {
        self.findings.push(Finding { ply, what });
    }

    /// What is found, and the plies that are the game's as records.
    fn hold(mut self, records: &[Record]) -> (Held, Vec<Record>) {
        let (mut stands_by, mut is_to_result) = (self.check_signatures(), self.end().is_some());
        let (kept, is_bound) = match (self.woken, self.closed) {
            (Some(woken), _) => {
                let (kept, is_bound) = self.hold_to_wakes(stands_by, woken, records);
                // Closed at a later position than the chain has come to.
                let end = self.end().filter(|end| is_bound && (*end < kept || !goes_on(records)));
                is_to_result = end.is_some();
                let kept = kept.max(end.unwrap_or_default());
                if is_to_result && !goes_on(records) {
                    self.look_beyond(kept, records);
                }
                (kept, is_bound)
            }
            (None, Some(_)) => self.hold_to_result(stands_by, records),
            (None, None) => {
                self.unknown = Some(Unknown::Unbound);
                (self.transcript.plies.len(), false)
            }
        };
        self.is_by_result = self.woken.is_none_or(|woken| kept > usize::from(woken));
        for record in records.iter().filter(|_| is_bound) {
            let (plies, of_own) = self.signers(record, kept, records);
            // Whoever takes a win takes the loser's word for the last position: that it has made what leads there it says by its own signatures. Its own last
            // ply it may not have signed, for nobody signs the capture of a king.
            let taken =
                record.sender.filter(|_| matches!(record.event, ChainEvent::Closed { .. }) && self.is_by_result);
            let last = self.transcript.plies[..kept].last().map(|last| Color::of_ply(last.fields.ply.into()));
            let is_own = |color: &Color| last.is_none_or(|last| last == *color);
            let taken = self.players_among(taken).into_iter().filter(is_own);
            let taken = taken.filter(|color| stands_by[color.index()] + 1 >= kept);
            for color in of_own.into_iter().chain(taken.collect::<Vec<_>>()) {
                stands_by[color.index()] = stands_by[color.index()].max(plies);
            }
        }
        // A woken game may be closed by a position that the chain hasn't seen.
        let end = self.end();
        if let Some(end) = is_bound.then(|| self.woken.map_or(Some(kept), |_| end)).flatten() {
            self.check_result(end, records);
        }
        self.compare_with_chain(kept, records);
        self.look_for_second_positions(stands_by, records);
        let signed = stands_by[0].min(stands_by[1]).min(kept);
        // A transcript has fewer plies than can be counted.
        let signed = u16::try_from(signed).unwrap_or(u16::MAX);
        let plies = self.transcript.plies[..kept].iter().zip(&self.positions[1..]);
        let plies = plies.map(|(ply, after)| self.record(ply, after)).collect();
        let Self { findings, unknown, .. } = self;
        (Held { findings, signed, is_bound, unknown, kept, is_to_result }, plies)
    }

    /// After how many plies the position stands that the signed result names.
    fn end(&self) -> Option<usize> {
        self.digests.iter().position(|digest| Some(*digest) == self.closed)
    }

    fn record(&self, ply: &Ply, after: &Position) -> Record {
        let player = self.started.players[Color::of_ply(ply.fields.ply.into()).index()];
        let event = ChainEvent::Moved { player, fields: ply.fields, basis: None, proof: ply.proof.clone() };
        Record { signed_clocks: Some(after.clocks), ..Record::of_chain(event, None) }
    }

    /// Holds it to the positions that the game was woken in. Gives how many plies are those of the game, and whether the last such position binds
    /// them.
    fn hold_to_wakes(&mut self, stands_by: [usize; 2], woken: u16, records: &[Record]) -> (usize, bool) {
        let (plies, mut is_bound) = (self.transcript.plies.len(), true);
        for position in wakes(records).filter(|position| position.ply > 0) {
            let ply = usize::from(position.ply);
            match self.positions.get(ply) {
                Some(own) if own == position => {}
                Some(_) => {
                    is_bound = false;
                    self.find(
                        Some(position.ply),
                        "the game was woken in another position than the transcript leads to".to_owned(),
                    );
                }
                // Its last ply the other player may not have seen.
                None if plies == stands_by[0].max(stands_by[1]) && plies <= stands_by[0].min(stands_by[1]) + 1 => {
                    is_bound = false;
                    self.unknown = Some(short(plies));
                }
                None => {
                    is_bound = false;
                    self.find(
                        Some(position.ply),
                        "the transcript doesn't lead to the position that the game was woken in, and not both have signed it"
                            .to_owned(),
                    );
                }
            }
        }
        (if is_bound { usize::from(woken).min(plies) } else { 0 }, is_bound)
    }

    /// The same by the position that the signed result names. In a game that was won the loser alone has named it, and whoever wins takes it as it is: then
    /// it says nothing against the game that both have signed other plies.
    fn hold_to_result(&mut self, stands_by: [usize; 2], records: &[Record]) -> (usize, bool) {
        let plies = self.transcript.plies.len();
        let Some(kept) = self.end() else {
            let what =
                "the transcript doesn't lead to the position that the result was signed of: it is false, or not whole";
            match self.loser(records) {
                Some(loser) => self.unknown = Some(Unknown::Elsewhere(loser)),
                // Both have made all of it, so that only its end is missing.
                None if stands_by == [plies; 2] => self.unknown = Some(short(plies)),
                None => self.find(None, what.to_owned()),
            }
            return (plies, false);
        };
        self.look_beyond(kept, records);
        (kept, true)
    }

    /// Looks for plies that both have signed behind the position that the result names.
    fn look_beyond(&mut self, kept: usize, records: &[Record]) {
        let beyond = self.transcript.plies[kept..].iter().find(|ply| ply.signatures.iter().all(Option::is_some));
        match (beyond.map(|ply| ply.fields.ply), self.loser(records)) {
            (Some(ply), Some(loser)) => self.unknown = Some(Unknown::Beyond { ply, loser }),
            (Some(ply), None) => {
                self.find(Some(ply), "both have signed it, though the result is of a position before it".to_owned());
            }
            (None, _) => {}
        }
    }

    /// Who has lost, by whose word alone a won game is closed.
    fn loser(&self, records: &[Record]) -> Option<Color> {
        let winner = ended(records).and_then(|(winner, _)| winner);
        self.players_among(winner).pop().map(|winner| !winner)
    }

    /// Who stands by how many plies by what a transaction carries: who has signed the position that it wakes or the result, who has sent either and needed
    /// to sign it, and who has posted these plies.
    fn signers(&self, record: &Record, kept: usize, records: &[Record]) -> (usize, Vec<Color>) {
        let carried = record.carried.as_deref().unwrap_or_default();
        let (plies, digest, winner) = match (&record.event, ended(records)) {
            (ChainEvent::Woken { position, .. }, _) if Some(position.ply) == self.woken => {
                let plies = kept.min(position.ply.into());
                (plies, self.digests[plies], None)
            }
            (ChainEvent::Closed { last }, Some((winner, outcome))) if self.is_by_result => {
                let creator_won = winner.map(|winner| winner == self.started.creator);
                (kept, GameResult { creator_won, outcome, last: *last }.digest(&self.transcript.game), winner)
            }
            (ChainEvent::ViewKeyPublished { .. }, _) => {
                let posted = Transcript::from_posted(self.transcript.game, carried);
                let leads_here =
                    |posted: Transcript| posted.positions(self.started.base).get(kept) == self.positions.get(kept);
                let sender = record.sender.filter(|_| posted.is_some_and(leads_here));
                return (kept, self.players_among(sender));
            }
            _ => return (0, Vec::new()),
        };
        let signers = carried.as_chunks().0.iter().filter_map(|signature| signer(&digest, signature));
        (plies, self.players_among(signers.chain(record.sender.filter(|sender| Some(*sender) != winner))))
    }

    fn players_among(&self, accounts: impl IntoIterator<Item = Address>) -> Vec<Color> {
        self.started.players_among(accounts)
    }

    /// Whoever signs a result may give the game away, but not in words that its plies belie.
    fn check_result(&mut self, kept: usize, records: &[Record]) {
        let Some((winner, outcome)) = ended(records) else { return };
        let last = self.transcript.plies[..kept].last().map(|ply| ply.fields);
        let captor = last.filter(|last| last.king_fell).map(|last| Color::of_ply(last.ply.into()));
        let captor = captor.map(|color| self.started.players[color.index()]);
        let what = match (outcome, self.loser(records)) {
            (Outcome::KingCaptured, Some(loser)) if captor.is_none() || captor != winner => {
                self.unknown = self.unknown.or(Some(Unknown::Reason(loser)));
                return;
            }
            (Outcome::FiftyMoves, _) if self.positions[kept].quiet_plies < 100 => {
                "fifty moves, and there were fewer since the last capture"
            }
            // Each player has one then.
            (Outcome::NoMove, _) if kept < 2 => "there was no move, and nobody has made one yet",
            _ => return,
        };
        self.find(last.map(|last| last.ply), format!("the result says {what}"));
    }

    /// Verifies every signature. Gives for each colour after how many plies it stands by the line.
    fn check_signatures(&mut self) -> [usize; 2] {
        let mut stands_by = [0; 2];
        for (number, ply) in self.transcript.plies.iter().enumerate() {
            for color in Color::ALL {
                let Some(signature) = ply.signatures[color.index()] else { continue };
                if signer(&self.digests[number + 1], &signature.0) == Some(self.started.players[color.index()]) {
                    stands_by[color.index()] = number + 1;
                } else {
                    let what = format!("what stands there as {color}'s signature is not {color}'s, of this position");
                    self.find(Some(ply.fields.ply), what);
                }
            }
        }
        stands_by
    }

    /// A ply that a wake has left out may have been made again on the chain: then it is the same, or its player has signed two.
    fn compare_with_chain(&mut self, kept: usize, records: &[Record]) {
        let on_chain = |fields: &MoveFields| {
            records.iter().find_map(|record| match &record.event {
                ChainEvent::Moved { fields: other, .. } if other.ply == fields.ply => Some(*other),
                _ => None,
            })
        };
        let Some(ply) = self.transcript.plies.get(kept).filter(|_| self.woken.is_some()) else { return };
        let mover = Color::of_ply(ply.fields.ply.into());
        let digest = self.digests[kept + 1];
        let is_signed = ply.signatures[mover.index()]
            .is_some_and(|signature| signer(&digest, &signature.0) == Some(self.started.players[mover.index()]));
        if is_signed && on_chain(&ply.fields).is_some_and(|made| made != ply.fields) {
            let what = format!("{mover} has signed one move and made another on the chain");
            self.find(Some(ply.fields.ply), what);
        }
    }

    /// Looks at the positions beside the line: whoever has signed two of one ply has tried to play two games.
    fn look_for_second_positions(&mut self, stands_by: [usize; 2], records: &[Record]) {
        let transcript = self.transcript;
        let mut known: BTreeMap<(usize, u16), B256> = BTreeMap::new();
        for (number, Other { position, signature }) in transcript.others.iter().enumerate() {
            let digest = position.digest(&transcript.game);
            let signed_by = signer(&digest, &signature.0);
            let color = Color::ALL.into_iter().find(|color| signed_by == Some(self.started.players[color.index()]));
            let Some(color) = color else {
                let what = format!("number {number} of the transcript's other positions is signed by no player");
                self.find(None, what);
                continue;
            };
            let place = usize::from(position.ply);
            let own = self.digests.get(place).copied();
            let first = own.filter(|_| place <= stands_by[color.index()]);
            let first = first.or_else(|| known.get(&(color.index(), position.ply)).copied());
            let what = match (first, own) {
                (Some(first), _) if first != digest => Some("two positions after it"),
                (None, Some(own)) if own != digest => Some("another position after it than the transcript leads to"),
                _ => None,
            };
            // It hasn't helped whoever has lost, who could make a game red by it that was won against it.
            if let Some(what) = what.filter(|_| self.loser(records) != Some(color)) {
                self.find(position.ply.checked_sub(1), format!("{color} has signed {what}"));
            }
            known.insert((color.index(), position.ply), digest);
        }
    }
}

/// What is unknown with a transcript of so many plies, which ends too early.
fn short(plies: usize) -> Unknown {
    // A transcript has fewer plies than can be counted.
    Unknown::Short(u16::try_from(plies).unwrap_or(u16::MAX))
}

/// The place of the wake that a game goes on from, and its ply.
fn last_wake(records: &[Record]) -> Option<(usize, u16)> {
    let wakes = records.iter().enumerate().filter_map(|(place, record)| match &record.event {
        ChainEvent::Woken { position, .. } => Some((place, position.ply)),
        _ => None,
    });
    wakes.max_by_key(|(_, ply)| *ply)
}

/// The positions that a game was woken in. Of the start only the ply says anything.
fn wakes(records: &[Record]) -> impl Iterator<Item = &Position> {
    records.iter().filter_map(|record| match &record.event {
        ChainEvent::Woken { position, .. } => Some(&**position),
        _ => None,
    })
}
