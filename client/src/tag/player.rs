//! One player's machine on the chain: it is fed with what is final, and its actions become transactions. Nothing is stored: wallet and chain give
//! it back at any time.
//!
//! It acts only upon what is final: a reply to a step that a reorganisation takes back would show the opponent one sight more. And of the steps and
//! replies to a ply one is sent at most, until it is certain that another one isn't on its way: see [`crate::sender`].

use std::sync::Arc;
use std::time::Instant;

use alloy::primitives::B256;
use fog::ensure;
use tag::{Duty, Side, Status};

use super::chain::TagChain;
use super::error::TagError;
use super::events::{Event, event};
use super::news::{News, Record, What};
use super::open::sit;
use super::proving::{Prover, run};
use crate::chain::{ChainClock, ChainError, unix};
use crate::connection::Told;
use crate::wallet::Wallet;

/// A player in a game.
pub struct Player {
    pub(super) chain: TagChain,
    wallet: Wallet,
    pub(super) prover: Prover,
    pub(super) game: B256,
    first_block: u64,
    /// The latest block at the last look.
    seen: Option<B256>,
    /// What the machine has been fed with, the opening first.
    told: Vec<Told>,
    pub(super) side: Arc<Side>,
    clock: Option<ChainClock>,
    /// When a claim was last tried.
    pub(super) claimed: Option<Instant>,
}

impl Player {
    /// Sits down at a game: any that the wallet plays, wherever it stands.
    ///
    /// # Errors
    ///
    /// [`TagError::NotPlayer`] and [`TagError::NoGame`], and those of [`Self::look`].
    pub async fn sit_down(chain: TagChain, wallet: Wallet, prover: Prover, game: B256) -> Result<Self, TagError> {
        let history = chain.history(game, None).await?;
        let account = wallet.address();
        let mut is_player = account == history.opening.creator;
        for told in &history.told {
            is_player |= matches!(event(told)?, Event::Said { sender, .. } if sender == account);
        }
        ensure!(is_player, TagError::NotPlayer(account));
        let (side, _) = sit(&chain, &wallet, &prover, &history).await?;
        let told = history.told[..1].to_vec();
        let first_block = history.first_block;
        let side = Arc::new(side);
        Ok(Self { chain, wallet, prover, game, first_block, seen: None, told, side, clock: None, claimed: None })
    }

    pub fn chain(&self) -> &TagChain {
        &self.chain
    }

    pub fn game(&self) -> B256 {
        self.game
    }

    pub fn side(&self) -> &Side {
        &self.side
    }

    /// The chain's time now, in seconds since 1970; none before the first look.
    pub fn now(&self) -> Option<u64> {
        self.clock.map(|clock| clock.at(Instant::now()))
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        matches!(self.side.table().status(), Status::Over(_))
    }

    /// What the game asks of this player, if anything.
    ///
    /// # Errors
    ///
    /// [`TagError::Fault`] if a proven reply can't be one.
    pub fn duty(&self) -> Result<Option<Duty>, TagError> {
        self.side.duty().map_err(TagError::Fault)
    }

    /// What has become final since the last look, verified. After a reorganisation all that stands is told again.
    ///
    /// # Errors
    ///
    /// The node's failures; nothing is lost by one, nor by a record that isn't in order.
    pub async fn look(&mut self) -> Result<Vec<News>, TagError> {
        self.chain.look_after().await?;
        let head = self.chain.head().await?;
        self.clock = Some(ChainClock::heard(self.clock, head.time, Instant::now(), unix()));
        if self.seen == Some(head.hash) {
            return Ok(Vec::new());
        }
        let history = self.chain.history(self.game, Some(self.first_block)).await?;
        // Fewer events than before, and their block still there: this machine doesn't have all of its logs.
        if let Some(last) = self.told.last().filter(|_| history.told.len() < self.told.len())
            && self.told.starts_with(&history.told)
        {
            let found = self.chain.block_at(last.block).await?;
            ensure!(found.hash != last.block_hash, TagError::Chain(ChainError::Behind));
        }
        let (mut news, mut side, mut known) = (Vec::new(), (*self.side).clone(), self.told.len());
        if !history.told.starts_with(&self.told) {
            side = sit(&self.chain, &self.wallet, &self.prover, &history).await?.0;
            known = 1;
            let square = side.square();
            news.push(News { what: What::TakenBack, by: None, sees: None, square, is_shown: true });
        }
        let mut records = Vec::new();
        for (index, told) in history.told.iter().enumerate().skip(known) {
            let (time, event) = (told.time, event(told)?);
            let calldata = self.chain.calldata(told.transaction).await?;
            records.push(Record { index, time, event, calldata });
        }
        if !records.is_empty() {
            let feed = move |proofs: &dyn tag::Proofs| {
                let mut found = Vec::new();
                for record in records {
                    found.extend(record.feed(&mut side, proofs)?);
                }
                Ok::<_, TagError>((side, found))
            };
            let (fed, _) = run(&self.prover, feed).await?;
            let (fed, found) = fed?;
            side = fed;
            news.extend(found);
        }
        (self.side, self.told, self.seen) = (Arc::new(side), history.told, Some(head.hash));
        Ok(news)
    }
}
