//! What must be in a player's journal before something leaves its machine: whatever the machine is killed after, nothing else may ever be said
//! in the place of what has left. Every message and every transaction has its line in one table, so that a new one can't be forgotten.

use super::World;
use alloy::primitives::B256;
use client::journal::Entry;
use client::seat::Effect;
use game::{Message, MoveFields, Phase, SessionId, Transaction};
use halo2curves::bn256::Fr;

/// An entry that must be written before an effect is carried out.
#[derive(Clone, Copy)]
enum Needed<'a> {
    /// The very move that is sent, with its proof.
    Move(&'a MoveFields, B256, &'a [u8]),
    /// The signed move of this ply, which the request was made with, unless that move is final.
    MoveOf(u16),
    /// That this sight is given; in which exchange, if the effect says it.
    Sight(u16, Phase, Option<Fr>),
    /// The message of the opponent that is answered.
    Heard(SessionId, u16),
}

impl Needed<'_> {
    fn is(&self, entry: &Entry) -> bool {
        match (*self, entry) {
            (Self::Move(fields, basis, proof), Entry::Signed { fields: written, basis: rests, proof: proven, .. }) => {
                (fields, basis, proof) == (written, *rests, proven)
            }
            (Self::MoveOf(ply), Entry::Signed { fields, .. }) => fields.ply == ply,
            (Self::Sight(ply, phase, exchange), Entry::Released { ply: of, phase: when, ctx }) => {
                (ply, phase) == (*of, *when) && exchange.is_none_or(|exchange| exchange == *ctx)
            }
            (Self::Heard(session, index), Entry::Received(Message::Session { session: of, index: at, .. })) => {
                (session, index) == (*of, *at)
            }
            _ => false,
        }
    }
}

/// The table for transactions.
fn of_transaction(transaction: &Transaction) -> Option<Needed<'_>> {
    match transaction {
        Transaction::Move { fields, basis, proof } => Some(Needed::Move(fields, *basis, proof)),
        Transaction::AnswerSight { demanded, .. } => {
            Some(Needed::Sight(demanded.ply, demanded.phase, Some(demanded.ctx)))
        }
        // Wallet and chain give these again, the same.
        Transaction::RevealCreator { .. }
        | Transaction::RevealJoiner { .. }
        | Transaction::FillAnswer { .. }
        | Transaction::DemandSight { .. }
        | Transaction::ClaimFifty { .. }
        | Transaction::RespondFifty { .. }
        | Transaction::ClaimNoMove { .. }
        | Transaction::PublishViewKey { .. } => None,
        // Only the machine beside a seat sends these, and this world has none.
        Transaction::Wake { .. } | Transaction::Close { .. } => None,
        // These show nothing of the board, and of two of them the contract takes the first.
        Transaction::Resign
        | Transaction::AcceptDraw { .. }
        | Transaction::ClaimTimeout
        | Transaction::Reclaim(_)
        | Transaction::Withdraw => None,
    }
}

/// The table for messages.
fn of_message(message: &Message) -> Vec<Needed<'_>> {
    match message {
        Message::Request { ply, .. } => vec![Needed::MoveOf(*ply)],
        Message::Answer { ply, phase, .. } => vec![Needed::Sight(*ply, *phase, None)],
        Message::Session { session, index, .. } => {
            let given = match *session {
                SessionId::Exchange { ply, phase } if index.is_multiple_of(2) => Some(Needed::Sight(ply, phase, None)),
                _ => None,
            };
            let heard = index.checked_sub(1).map(|index| Needed::Heard(*session, index));
            given.into_iter().chain(heard).collect()
        }
        // A wish says only what is missing.
        Message::Want { .. } | Message::WantSession { .. } | Message::Have { .. } => Vec::new(),
        // Only the machine beside a seat says these, and this world has none.
        Message::Ply(_) | Message::Countersigned { .. } | Message::Result { .. } => Vec::new(),
    }
}

fn needed(effect: &Effect) -> Vec<Needed<'_>> {
    match effect {
        Effect::SendTransaction(transaction) => of_transaction(transaction).into_iter().collect(),
        Effect::SendMessage(message) => of_message(message),
        Effect::Journal(_) | Effect::Run(..) | Effect::Notify(_) => Vec::new(),
    }
}

impl World {
    /// Looks whether the journal has everything that an effect rests on.
    pub(super) fn check_journalled(&mut self, i: usize, effect: &Effect) {
        for needed in needed(effect) {
            self.checks.add("in the journal before it leaves");
            let is_final = matches!(needed, Needed::MoveOf(ply) if usize::from(ply) < self.final_moves());
            let is_written = self.players[i].journal.values().any(|entry| needed.is(entry));
            assert!(is_final || is_written, "{effect:?} leaves before the journal has what it rests on");
        }
    }
}
