//! A request in a ledger: its nonce, all its signed attempts, and what became of it.

use super::{Attempt, Call, Effect, Fees, Mined, Request, Rules, Sending, TxId};
use alloy::primitives::B256;
use serde::{Deserialize, Serialize};

/// Where an entry's nonce is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Place {
    /// Nothing with this nonce is in a block.
    Pending,
    /// An attempt is in a block.
    Mined(Mined),
    /// Another transaction has the nonce, or it was given back unused.
    Gone,
}

/// A request with its nonce and its signed attempts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    #[serde(rename = "ticket")]
    pub id: TxId,
    pub nonce: u64,
    #[serde(rename = "wish")]
    pub request: Request,
    /// All that was signed for it, oldest first.
    #[serde(rename = "versions")]
    pub attempts: Vec<Attempt>,
    /// The most for a unit of gas, in wei, that who requested it has offered; none: what whoever looks after it offers.
    #[serde(default)]
    pub(super) ceiling: Option<u128>,
    /// The block at which the last attempt was signed.
    pub(super) since: u64,
    pub(super) place: Place,
    /// The latest block as of which the chain was asked for it and had it.
    #[serde(default)]
    pub(super) found_at: u64,
    /// Why it was given up.
    pub(super) dropped: Option<Failure>,
    /// How many blocks in a row the contract refused it, and the last of them.
    pub(super) refusals: (u32, u64),
    /// The block at which its nonce was first seen used without an attempt of it in a block.
    pub(super) overtaken: Option<u64>,
    /// Whether the user knows that the ceiling is reached.
    pub(super) told_ceiling: bool,
    /// Whether the one who requested it knows what became of it.
    pub acknowledged: bool,
}

/// Why a request came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// The contract refuses it by now, or nodes pass on nothing so dear.
    Refused(String),
    /// The account can't pay for it, or not through this node; its words.
    CannotPay(String),
    /// A transaction that isn't in the ledger has taken its nonce. It may be asked for again.
    Overtaken,
    /// It was made for a state that the chain has taken back.
    TakenBack,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TxStatus {
    /// It is on its way.
    UnderWay,
    /// It is in a block.
    Mined(Mined),
    /// It was given up.
    Failed(Failure),
}

impl Entry {
    /// Whether what is signed for it now would be carried out a second time if this ledger were forgotten.
    pub fn is_harmful_twice(&self) -> bool {
        self.dropped.is_none() && self.request.is_harmful_twice()
    }

    /// Whether it was done, must not be done again, and who requested it doesn't know.
    pub(super) fn is_untold(&self) -> bool {
        self.request.is_harmful_twice()
            && !self.acknowledged
            && matches!(self.status(), TxStatus::Mined(mined) if mined.succeeded)
    }

    /// What became of it.
    pub fn status(&self) -> TxStatus {
        match (&self.place, &self.dropped) {
            (Place::Mined(mined), _) if !self.only_fills(mined.transaction) => TxStatus::Mined(*mined),
            (_, Some(failure)) => TxStatus::Failed(failure.clone()),
            (Place::Pending, None) => TxStatus::UnderWay,
            (Place::Mined(_) | Place::Gone, None) => TxStatus::Failed(Failure::Overtaken),
        }
    }

    /// Whether it may still get into a block, or a fork take it back: nobody has seen it with enough blocks on top. That the chain has grown
    /// since it was last seen says nothing.
    pub(super) fn is_open(&self, rules: &Rules) -> bool {
        match self.place {
            Place::Pending => true,
            Place::Mined(mined) => mined.block.saturating_add(rules.confirmations) > self.found_at,
            Place::Gone => false,
        }
    }

    /// Whether no fork can change what became of it.
    pub(super) fn is_settled(&self, rules: &Rules, block: u64) -> bool {
        match self.place {
            Place::Pending => false,
            Place::Mined(_) => !self.is_open(rules),
            Place::Gone => self.overtaken.is_none_or(|at| at.saturating_add(rules.confirmations) <= block),
        }
    }

    pub(super) fn is_pending(&self) -> bool {
        self.place == Place::Pending
    }

    /// Whether nothing of it can be included any more, or do anything: its nonce was used up by something else, or by itself in vain,
    /// and that is final.
    pub(super) fn is_void(&self, rules: &Rules, block: u64) -> bool {
        match self.place {
            Place::Pending => false,
            Place::Mined(mined) => {
                let did_nothing = !mined.succeeded || self.only_fills(mined.transaction);
                did_nothing && !self.is_open(rules)
            }
            Place::Gone => self.overtaken.is_some_and(|at| at.saturating_add(rules.confirmations) <= block),
        }
    }

    /// Forgets that it is in a block that was thought final: the next look finds out where its nonce is.
    pub(super) fn doubt(&mut self, rules: &Rules, block: u64) {
        if matches!(self.place, Place::Mined(_)) && !self.is_open(rules) && !self.is_void(rules, block) {
            self.place = Place::Pending;
        }
    }

    fn only_fills(&self, hash: B256) -> bool {
        self.attempts.iter().any(|attempt| attempt.hash == hash && attempt.cancellation)
    }

    /// What is to be signed for it now.
    pub(super) fn sign(&self, rules: &Rules, fees: Fees) -> Effect {
        let call = match self.dropped {
            None => self.request.call.clone(),
            Some(_) => Call::nothing(rules.account),
        };
        Effect::Sign { id: self.id, nonce: self.nonce, call, fees }
    }

    /// The most to offer for it for a unit of gas, in wei, whatever its caller allows.
    pub(super) fn cap(&self) -> u128 {
        match self.dropped {
            None => self.request.cap(),
            Some(_) => u128::MAX,
        }
    }

    /// The fees of the last attempt that the account could pay.
    pub(super) fn fees(&self) -> Fees {
        let payable = |attempt: &&Attempt| !matches!(attempt.sending, Some(Sending::CannotPay(_)));
        let attempt = self.attempts.iter().rev().find(payable).or(self.attempts.last());
        attempt.map_or(Fees { max: 0, tip: 0 }, |attempt| attempt.fees)
    }
}
