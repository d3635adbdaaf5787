//! A game checked from the chain alone, by anybody (protocol, section 9): the turns alternate, each commitment leads on
//! from the one before, every `basis` that is read is what the position makes it, every turn proof verifies
//! again, as do those of demanded sights and of claims, and the result follows. What this proves is legality relative to the *posted* answers; that those were true is proven by the
//! peers to each other, and to everybody by the replay once both view keys are published.
//!
//! A game of mode `unproven` has no proofs: that each move was made in its position and that each sight was promised is all that is seen
//! before the view keys are published. That its moves are legal is not, and every one counts as verified by nobody.
//!
//! A game of mode `channel` is on the chain only from where it was woken on. The plies before come from a transcript, which [`crate::channel_transcript`] holds
//! against the chain; without one the audit says what nobody can know.

use crate::course::Course;
use crate::statement::Statement;
use crate::view_keys::{keys, opens};
use crate::{
    ChainEvent, Ending, GameRef, GameResult, Mode, MoveFields, Opening, Outcome, PlayState, Table, TableError,
    move_name, signer,
};
use alloy_primitives::Address;
use ff::Field;
use halo2curves::bn256::Fr;
use rules::Color;
use std::fmt;

pub use crate::record::Record;

/// How a game was opened, if its records say so.
pub fn opening(records: &[Record]) -> Option<&Opening> {
    records.iter().find_map(|record| match &record.event {
        ChainEvent::Created(opening) => Some(opening),
        _ => None,
    })
}

/// Whether a game has come to its end by its records.
pub fn is_over(game: GameRef, records: &[Record]) -> bool {
    let mut table = Table::new(game);
    records.iter().all(|record| table.apply(&record.event).is_ok()) && table.ending().is_some()
}

/// Something that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// At which ply, if at one.
    pub ply: Option<u16>,
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ply {
            Some(ply) => write!(f, "{}: {}", move_name(ply), self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// What an audit can't know of a game between the machines, with what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// There is no transcript, and the game was not woken.
    #[error(
        "its moves went from machine to machine: without a transcript nobody can say which moves were made, whether they were legal, and \
         what the result follows from"
    )]
    Plies,
    /// There is no transcript, and the game was woken at this ply.
    #[error(
        "its moves before {} went from machine to machine: without a transcript nobody can say whether they were legal",
        move_name(*.0)
    )]
    PliesBefore(u16),
    /// There is no transcript but one that this player, who has lost, has posted alone.
    #[error(
        "the moves that {0} has posted count only if {other} stands by them too: {other} can post them with `fogmate publish GAME --publish-transcript`, and a \
         file of `fogmate transcript` has both signatures",
        other = !*.0
    )]
    PostedAlone(Color),
    /// The game is neither woken nor closed.
    #[error(
        "the chain binds nothing of the transcript yet: until the game is closed or woken the signatures alone speak for it"
    )]
    Unbound,
    /// The game was woken at this ply, and its result is signed of another position.
    #[error(
        "the result is signed of another position than that before {}, which the game was woken in: without a transcript that leads to it nobody can \
         say which moves were made",
        move_name(*.0)
    )]
    Result(u16),
    /// After so many plies the transcript ends, before a position that the chain names.
    #[error(
        "the transcript ends after {0} moves of the two players, before the position that the chain has: nobody can say what was played after them"
    )]
    Short(u16),
    /// The loser, by its colour, has signed a result of a position that the transcript doesn't lead to.
    #[error(
        "the transcript doesn't lead to the position that the result is of, which {0} alone has signed, who has lost: it is false, or not whole, or \
         {0} has named another position"
    )]
    Elsewhere(Color),
    /// The loser, by its colour, has signed a result of the position before this ply, which both have signed.
    #[error(
        "both have signed {} and what comes before it, and {loser}, who has lost, the result of the position before it: how far the game went \
         is {loser}'s word",
        move_name(*.ply)
    )]
    Beyond { ply: u16, loser: Color },
    /// The loser, by its colour, has signed that a king was captured, and the last move that is told captures none.
    #[error(
        "{0}, who has lost, has signed that a king was captured, and the winner's last move captures none: how the game ended is {0}'s word"
    )]
    Reason(Color),
    /// By the terms of the game none of its plies, so many, has a proof.
    #[error("{0} moves have no proof, as was agreed: only a replay with both view keys says whether they were legal")]
    Unproven(u16),
    /// So many plies of the transcript have no proof.
    #[error(
        "{0} moves of the transcript have no proof: only a replay with both view keys says whether they were legal"
    )]
    Proofs(u16),
    /// So many plies of the transcript stand by one player's word.
    #[error(
        "of {0} moves of the transcript only one player's signature is shown: that the other has made them is that player's word"
    )]
    Signatures(u16),
    /// So many events that only a player can bring about are told without a transaction that a player has signed.
    #[error(
        "moves and other acts whose transactions aren't shown, or go through another contract: {0}; that the players have done so is the node's word"
    )]
    Acts(u16),
    /// A player has published a view key that doesn't open its moves, or not all of them.
    #[error(
        "the view key that {0} has published is not the one it has played with: with it nobody can replay the game"
    )]
    ViewKey(Color),
    /// The same of both.
    #[error(
        "the view keys that both have published are not those they have played with: with them nobody can replay the game"
    )]
    ViewKeys,
    /// Nothing that the node shows says that the loser, or in a draw both, have ended it so.
    #[error(
        "that it was ended so by whoever could is the node's word alone: the transaction isn't shown, or goes through another contract"
    )]
    End,
    /// So many events have no time.
    #[error(
        "{0} events have no time, for the node doesn't show their blocks: whether they came in time nobody can say"
    )]
    Untimed(u16),
}

/// The result of an audit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// Whether nothing was found.
    pub ok: bool,
    /// When the proofs of its moves are verified, if the game is there: in mode `unproven` there are none.
    pub mode: Option<Mode>,
    /// The moves that were looked at.
    pub plies: u16,
    /// Those that the contract verified when they were made.
    pub by_chain: u16,
    /// Those whose proofs verified now.
    pub proofs: u16,
    /// Those that have no proof.
    pub by_nobody: u16,
    /// The demands, demanded sights and claims whose proofs verified now.
    pub claims: u16,
    /// Those for which the contract's word stands alone, for their transactions couldn't be read.
    pub claims_by_chain: u16,
    /// Of the plies of a transcript those that both players stand by: each by its signature under one of them or a later one.
    pub signed: u16,
    /// What can't be known without a transcript, or with one that is not whole.
    pub unknown: Option<Unknown>,
    /// How the game ended, if it has.
    pub ending: Option<Ending>,
    /// Whether it ended by the players' word alone: a result of a game between the machines that they have signed.
    pub is_signed: bool,
    /// Whether it stands in what the node shows that whoever could has ended it so.
    pub is_end_shown: bool,
    /// The events besides whose transactions aren't shown, or go through another contract: that their players have sent them is the node's word.
    pub unshown: u16,
    /// The moves, and what else only a player can do, of which no transaction is shown that a player has signed, with a move's proof and basis.
    pub unread: u16,
    /// The events without the time of their block, so that no deadline is held against them.
    pub untimed: u16,
    /// Whose published view keys open none of its moves.
    pub false_keys: Vec<Color>,
    /// All that was found.
    pub findings: Vec<Finding>,
    /// Whether it was found with a transcript, and nothing is wrong with what the chain has of the game.
    pub is_of_transcript: bool,
}

impl Audit {
    /// What can't be known still if a replay with both view keys was in order, or there was none: it shows more than proofs do, but not who has made
    /// the moves.
    pub fn unknown_after(&self, is_replayed: bool) -> Option<Unknown> {
        let of_plies = self
            .unknown
            .filter(|unknown| !is_replayed || !matches!(unknown, Unknown::Proofs(_) | Unknown::Unproven(_)));
        let unsigned = self.plies.saturating_sub(self.by_chain).saturating_sub(self.signed);
        let is_unsigned = self.mode == Some(Mode::Channel) && unsigned > 0;
        of_plies
            .or_else(|| is_unsigned.then_some(Unknown::Signatures(unsigned)))
            .or_else(|| (self.unread > 0).then_some(Unknown::Acts(self.unread)))
            .or_else(|| match self.false_keys[..] {
                _ if is_replayed => None,
                [] => None,
                [color] => Some(Unknown::ViewKey(color)),
                _ => Some(Unknown::ViewKeys),
            })
            .or_else(|| (!self.is_end_shown).then_some(Unknown::End))
            .or_else(|| (self.untimed > 0).then_some(Unknown::Untimed(self.untimed)))
    }

    /// What stands by the node's word alone, as a sentence after others; nothing if there is nothing.
    pub fn word_of_node(&self) -> String {
        let Self { unshown, untimed, .. } = self;
        let mut text = String::new();
        if *unshown > 0 {
            text += &format!(
                "; {unshown} events stand by the node's word alone, their transactions not shown or through another contract"
            );
        }
        if *untimed > 0 {
            text += &format!("; {untimed} have no time");
        }
        text
    }

    /// How the game ended, in words without a full stop, and on whose word.
    pub fn end(&self) -> String {
        let Some(ending) = self.ending else { return "the game goes on".to_owned() };
        let by = match (self.is_signed, self.is_end_shown, ending.winner) {
            (false, ..) => "",
            (true, false, _) => ", by a result whose signatures the node doesn't show",
            (true, true, Some(_)) => ", which the loser has signed",
            (true, true, None) => ", which both have signed",
        };
        format!("{}{by}", ending.told(None))
    }
}

/// Checks a game. `verify` verifies a proof with the verifying key of its statement that the contract uses.
pub fn audit<E: fmt::Display>(
    game: GameRef,
    records: &[Record],
    verify: impl FnMut(&Statement, &[u8]) -> Result<(), E>,
) -> Audit {
    let audit = Audit { is_end_shown: true, ..Audit::default() };
    let mut auditor = Auditor { game, verify, audit, is_move_shown: true };
    let mut course = Course::new(game);
    for (place, record) in records.iter().enumerate() {
        let ply = course.table().begun().map(|play| play.ply);
        auditor.look(course.table(), record);
        auditor.look_at_signatures(course.table(), record, &records[place..]);
        if let Err(error) = course.take(record) {
            // What comes after can't be judged against a position that is not known.
            auditor.find(ply, error.to_string());
            break;
        }
    }
    let table = course.table();
    if course.is_ending() && auditor.audit.findings.is_empty() {
        auditor.find(None, TableError::NoEnd.to_string());
    }
    auditor.look_at_keys(table, records);
    if table.creator().is_none() && auditor.audit.findings.is_empty() {
        auditor.find(None, "the chain has no such game".to_owned());
    }
    let mut audit = auditor.audit;
    audit.mode = table.terms().map(|terms| terms.mode);
    let falls = |record: &Record| matches!(&record.event, ChainEvent::Moved { fields, .. } if fields.king_fell);
    let elsewhere = table.closed_elsewhere(records.iter().any(falls));
    audit.unknown = match table.first_known_ply() {
        None => Some(Unknown::Plies),
        Some(0) if elsewhere.is_some() => elsewhere.map(Unknown::Result),
        Some(0) if audit.by_nobody == 0 => None,
        Some(0) if audit.mode == Some(Mode::Unproven) => Some(Unknown::Unproven(audit.by_nobody)),
        Some(0) => Some(Unknown::Proofs(audit.by_nobody)),
        Some(ply) => Some(Unknown::PliesBefore(ply)),
    };
    (audit.ending, audit.is_signed) = (table.ending(), table.is_signed());
    audit.ok = audit.findings.is_empty();
    audit
}

/// Whether only a player can have brought about an event that the table is about to take, and no transaction of a player's is shown. A view key speaks for itself, and
/// so do both signatures under a position.
fn is_unread(table: &Table, record: &Record) -> bool {
    let lacks = match &record.event {
        ChainEvent::ViewKeyPublished { .. } | ChainEvent::Closed { .. } => false,
        ChainEvent::Woken { position, .. } => {
            record.sender.is_none() && (position.ply == 0 || record.carried.is_none())
        }
        ChainEvent::Moved { basis, proof, .. } => {
            let is_proven = table.terms().is_some_and(|terms| terms.mode.has_proofs());
            record.sender.is_none() || basis.is_none() || is_proven && proof.is_none()
        }
        event => record.sender.is_none() && table.actor(event, record.time).is_some(),
    };
    record.is_of_chain() && lacks
}

/// Who has won by the first end among records, and how the game ended, if it has.
pub(crate) fn ended(records: &[Record]) -> Option<(Option<Address>, Outcome)> {
    records.iter().find_map(|record| match &record.event {
        ChainEvent::Ended { winner, outcome } => Some((*winner, *outcome)),
        _ => None,
    })
}

/// An audit under way.
struct Auditor<V> {
    game: GameRef,
    verify: V,
    /// Its result, as far as it has come.
    audit: Audit,
    /// Whether the transaction of the last move on the chain is shown.
    is_move_shown: bool,
}

impl<V, E: fmt::Display> Auditor<V>
where
    V: FnMut(&Statement, &[u8]) -> Result<(), E>,
{
    fn find(&mut self, ply: Option<u16>, what: String) {
        self.audit.findings.push(Finding { ply, what });
    }

    /// Looks at an event before the table takes it.
    fn look(&mut self, table: &Table, record: &Record) {
        if let (Some(sender), Some(actor)) = (record.sender, table.actor(&record.event, record.time))
            && sender != actor
        {
            let ply = table.begun().map(|play| play.ply);
            self.find(ply, format!("{sender:#x} has sent {}, which only {actor:#x} can", record.event.name()));
        }
        self.look_at_meaning(table, record);
        self.audit.unread = self.audit.unread.saturating_add(is_unread(table, record).into());
        self.audit.untimed = self.audit.untimed.saturating_add((record.is_of_chain() && record.time.is_none()).into());
        let (ChainEvent::Moved { fields, basis, proof, .. }, Some(play)) = (&record.event, table.playing()) else {
            return self.look_at_claim(table, record);
        };
        self.audit.plies = self.audit.plies.saturating_add(1);
        if !record.is_of_chain() {
            return self.look_at_signed(table, record);
        }
        self.audit.unshown = self.audit.unshown.saturating_add(record.sender.is_none().into());
        self.is_move_shown = record.sender.is_some();
        if table.is_asleep() {
            self.find(Some(fields.ply), "the chain has a move of a game that was not woken".to_owned());
        }
        let Some(statement) = Statement::of(table, &record.event) else {
            return self.look_at_unproven(play, fields, proof.as_deref());
        };
        self.audit.by_chain = self.audit.by_chain.saturating_add(1);
        if let (Some(proof), Some(_)) = (proof, basis) {
            self.audit.proofs += self.verify(Some(fields.ply), &statement, proof);
        }
    }

    /// Looks at what was sent for one position alone.
    fn look_at_meaning(&mut self, table: &Table, record: &Record) {
        let kind = matches!(
            record.event,
            ChainEvent::Joined { .. }
                | ChainEvent::TossRevealed { .. }
                | ChainEvent::AnswerFilled { .. }
                | ChainEvent::Ended { .. }
        );
        let is_proof = Statement::of(table, &record.event).is_some();
        if let Some(carried) = record.carried.as_ref().filter(|_| kind && !is_proof)
            && table.meant(&record.event).as_ref() != Some(carried)
        {
            let what = format!("the transaction of {} was sent for something else", record.event.name());
            self.find(table.begun().map(|play| play.ply), what);
        }
    }

    /// Looks at who stands by a woken position, which both do, and by a result, which whoever doesn't win by it does: each by its signature of what the
    /// event says, or by having sent it. Without its transaction nobody can say so.
    fn look_at_signatures(&mut self, table: &Table, record: &Record, rest: &[Record]) {
        let end = matches!(record.event, ChainEvent::Closed { .. }).then(|| ended(rest)).flatten();
        let (Some(play), Some(creator)) = (table.begun(), table.creator()) else { return };
        let (ply, what, digest, winner, result) = match (&record.event, end) {
            (ChainEvent::Ended { outcome, .. }, _) => {
                let is_shown = match outcome {
                    Outcome::Resigned | Outcome::DrawAgreed | Outcome::FiftyMoves => record.sender.is_some(),
                    Outcome::KingCaptured | Outcome::TooLong => self.is_move_shown,
                    _ => true,
                };
                self.audit.is_end_shown &= table.is_signed() || is_shown;
                return;
            }
            // Nobody signs the start: either player can put it there.
            (ChainEvent::Woken { position, .. }, _) if position.ply == 0 => {
                if let Some(sender) = record.sender.filter(|sender| !play.players.contains(sender)) {
                    self.find(Some(0), format!("{sender:#x} has woken the game, which only a player can at its start"));
                }
                return;
            }
            (ChainEvent::Woken { position, .. }, _) => {
                let what = "the position that the game was woken in";
                (Some(position.ply), what, position.digest(&self.game), None, None)
            }
            (ChainEvent::Closed { last }, Some((winner, outcome))) => {
                let creator_won = winner.map(|winner| winner == creator);
                let result = GameResult { creator_won, outcome, last: *last };
                (None, "the result that the chain tells", result.digest(&self.game), winner, Some(result.to_bytes()))
            }
            _ => return,
        };
        let Some((signatures, said)) = record.carried.as_deref().and_then(|carried| carried.split_at_checked(128))
        else {
            self.audit.is_end_shown &= result.is_none();
            return;
        };
        if result.is_some_and(|result| result[..] != *said) {
            return self.find(None, "the transaction of the result says another than the chain tells".to_owned());
        }
        for (player, color) in play.players.into_iter().zip(Color::ALL).filter(|(player, _)| Some(*player) != winner) {
            let signature = signatures.as_chunks().0.get(usize::from(player != creator));
            let has_signed = signature.is_some_and(|signature| signer(&digest, signature) == Some(player));
            match record.sender {
                _ if has_signed => {}
                None if result.is_none() => self.audit.unread = self.audit.unread.saturating_add(1),
                None => self.audit.is_end_shown = false,
                Some(sender) if sender == player => {}
                Some(_) => self.find(ply, format!("{color} has not signed {what}")),
            }
        }
    }

    /// How many proofs hold of one.
    fn verify(&mut self, ply: Option<u16>, statement: &Statement, proof: &[u8]) -> u16 {
        match (self.verify)(statement, proof) {
            Ok(()) => 1,
            Err(error) => {
                self.find(ply, format!("the {} proof is wrong: {error}", statement.name()));
                0
            }
        }
    }

    /// Looks at a demand, a demanded sight or a claim.
    fn look_at_claim(&mut self, table: &Table, record: &Record) {
        let ply = table.begun().map(|play| play.ply);
        if let (ChainEvent::SightDemanded { demanded, .. }, Some(play)) = (&record.event, table.playing())
            && !play.fits(&self.game, demanded)
        {
            self.find(ply, "a sight was demanded of another position".to_owned());
        }
        let is_sight = matches!(record.event, ChainEvent::SightDemanded { .. } | ChainEvent::SightAnswered { .. });
        match (Statement::of(table, &record.event), &record.carried, record.event.outcome()) {
            (Some(statement), Some(proof), _) => {
                self.audit.claims = self.audit.claims.saturating_add(self.verify(ply, &statement, proof));
            }
            // A claim that nobody answers in time is granted without a proof.
            (_, None, Some(Outcome::FiftyMoves)) => {}
            (Some(_), None, Some(_)) => self.audit.is_end_shown = false,
            (Some(_), None, None) => {
                self.audit.claims_by_chain = self.audit.claims_by_chain.saturating_add(1);
                return;
            }
            (None, ..) if is_sight => self.find(ply, format!("{} has what no proof is of", record.event.name())),
            (None, ..) => {}
        }
        self.audit.unshown = self.audit.unshown.saturating_add(record.sender.is_none().into());
    }

    /// Looks at the view keys that were published, as far as the players' first moves are known.
    fn look_at_keys(&mut self, table: &Table, records: &[Record]) {
        for (player, color) in table.begun().iter().flat_map(|play| play.players.into_iter().zip(Color::ALL)) {
            let mut published = keys(records, player).peekable();
            let is_known = table.first_known_ply() == Some(0) && published.peek().is_some();
            if is_known && !published.any(|key| opens(records, color, &key)) {
                self.audit.false_keys.push(color);
            }
        }
    }

    /// Looks at a ply of a transcript. What its position follows from is bound by signatures, and by the chain.
    fn look_at_signed(&mut self, table: &Table, record: &Record) {
        match record.proven(table) {
            Some((statement, proof)) => {
                let ply = table.playing().map(|play| play.ply);
                self.audit.proofs += self.verify(ply, &statement, proof);
            }
            None => self.audit.by_nobody = self.audit.by_nobody.saturating_add(1),
        }
    }

    /// Looks at a move that has no proof; the table compares its basis.
    fn look_at_unproven(&mut self, play: &PlayState, fields: &MoveFields, proof: Option<&[u8]>) {
        self.audit.by_nobody = self.audit.by_nobody.saturating_add(1);
        if proof.is_some_and(|proof| !proof.is_empty()) {
            self.find(Some(fields.ply), "it came with a proof, which the contract doesn't take".to_owned());
        }
        if play.opening() && fields.capture.is_some() {
            self.find(Some(fields.ply), "it captures on a player's first move".to_owned());
        }
        if fields.king_fell && fields.capture.is_none() {
            self.find(Some(fields.ply), "a king fell without a capture".to_owned());
        }
        if !play.opening() && play.answer_root == Fr::ZERO {
            self.find(Some(fields.ply), "the sight that it was made by was never promised on chain".to_owned());
        }
    }
}
