//! A player's actions as transactions, through the owner of the wallet's transactions.

use alloy::primitives::{B256, U256};
use alloy::rpc::types::TransactionRequest;
use fog::word::to_word;
use fog::{F, ensure};
use tag::{Action, Kind, Placement, Reply, Table};

use super::chain::TagChain;
use super::contract::ITagGame;
use super::error::{BAD_TERMS, TagError};
use super::events::Opening;
use crate::chain::{ChainError, Receipt};
use crate::sender::{Priority, Subject};

/// A value as the contract has it.
pub(super) fn word(value: &F) -> U256 {
    U256::from_be_bytes(to_word(value))
}

fn placed(placement: &Placement) -> ITagGame::Placement {
    let Placement { commitment, set, .. } = placement;
    ITagGame::Placement { commitment: word(commitment), setHash: word(&set.hash()), set: set.0.each_ref().map(word) }
}

fn answer(reply: &Reply) -> ITagGame::Answer {
    ITagGame::Answer { raised: reply.raised.each_ref().map(word), own: word(&reply.own) }
}

/// The terms as the contract has them. [`TagError::BadTerms`] if they don't fit it.
pub(super) fn terms(stake: u128, terms: &tag::Terms) -> Result<ITagGame::Terms, TagError> {
    let unfit = TagError::BadTerms(BAD_TERMS);
    let (Ok(stake), Ok(turn), Ok(expiry)) = (stake.try_into(), terms.turn.try_into(), terms.expiry.try_into()) else {
        return Err(unfit);
    };
    ensure!(terms.plies > 0 && terms.turn > 0, unfit);
    let (side, plies, opponent) = (terms.size.side(), terms.plies, terms.opponent.unwrap_or_default());
    Ok(ITagGame::Terms { stake, side, plies, turn, expiry, opponent })
}

/// What a transaction is for. There is one at most of a player for a ply: a step or a reply; its proofs differ each time that it is made.
pub(super) fn subject(game: B256, ply: u16, kind: Kind) -> Subject {
    let name = match kind {
        Kind::Step | Kind::Reply => return Subject::Move { game, ply },
        Kind::Join => "joining the game of tag",
        Kind::Capture => "capturing a king",
        Kind::Settle => "ending the game of tag",
        Kind::Resign => "resigning the game of tag",
        Kind::ClaimTimeout => "claiming the game of tag",
        Kind::Cancel => "cancelling the game of tag",
    };
    Subject::Action { game: Some(game), name: name.to_owned() }
}

fn lobby(name: &str) -> Subject {
    Subject::Action { game: None, name: name.to_owned() }
}

impl TagChain {
    pub async fn create(&self, opening: &Opening) -> Result<Receipt, TagError> {
        let terms = terms(opening.stake, &opening.terms)?;
        let king = &opening.king;
        let call = self.contract.create(opening.nonce.into(), terms, placed(king), king.proof.clone().into());
        let request = call.value(U256::from(opening.stake)).into_transaction_request();
        // Without a game: each opening is another game, with another stake.
        Ok(self.send(request, lobby("opening a game of tag"), Priority::Normal).await?)
    }

    /// Joins a game, with its stake in wei.
    pub async fn join(&self, game: B256, stake: u128, placement: &Placement) -> Result<Receipt, TagError> {
        let call = self.contract.join(game, placed(placement), placement.proof.clone().into());
        let request = call.value(U256::from(stake)).into_transaction_request();
        Ok(self.send(request, subject(game, 0, Kind::Join), Priority::Normal).await?)
    }

    /// Takes a game back that nobody has joined in time.
    pub async fn cancel(&self, game: B256) -> Result<Receipt, TagError> {
        let request = self.contract.cancel(game).into_transaction_request();
        Ok(self.send(request, subject(game, 0, Kind::Cancel), Priority::Urgent).await?)
    }

    /// Does in a game in play what a player's machine asks for; `table` is the game as that has it.
    pub async fn carry_out(&self, game: B256, table: &Table, action: &Action) -> Result<Receipt, TagError> {
        let contract = &self.contract;
        let request: TransactionRequest = match action {
            Action::Join(placement) => return self.join(game, 0, placement).await,
            Action::Cancel => return self.cancel(game).await,
            Action::Step { placement, reply, proof } => {
                let (to, step_proof) = (placed(placement), placement.proof.clone().into());
                contract.step(game, to, step_proof, answer(reply), proof.clone().into()).into_transaction_request()
            }
            Action::Reply { reply, proof } => {
                contract.reply(game, answer(reply), proof.clone().into()).into_transaction_request()
            }
            Action::Capture { place, proof } => {
                let answered = table.answered().ok_or(TagError::Fault(tag::Fault::NothingAnswered))?;
                contract.capture(game, answer(&answered), *place, proof.clone().into()).into_transaction_request()
            }
            Action::Settle => contract.settle(game).into_transaction_request(),
            Action::Resign => contract.resign(game).into_transaction_request(),
            Action::ClaimTimeout => contract.claimTimeout(game).into_transaction_request(),
        };
        let priority = match action {
            Action::Capture { .. } | Action::Resign | Action::ClaimTimeout => Priority::Urgent,
            _ => Priority::Normal,
        };
        let subject = subject(game, table.ply(), action.kind());
        if matches!(subject, Subject::Move { .. }) {
            // What this wallet has sent from another machine is looked for once more before anything is signed.
            self.take_over().await?;
            ensure!(!self.is_said(game, &subject)?, TagError::Chain(ChainError::OtherMove));
        }
        Ok(self.send(request, subject, priority).await?)
    }

    /// Fetches what the contract owes the wallet.
    pub async fn withdraw(&self) -> Result<Receipt, TagError> {
        let account = self.account().ok_or(ChainError::ReadOnly)?;
        let request = self.contract.withdraw(account).into_transaction_request();
        Ok(self.send(request, lobby("withdrawing from the contract of tag"), Priority::Normal).await?)
    }
}
