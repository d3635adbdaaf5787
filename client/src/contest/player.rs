//! One player's machine on the chain: it is fed with what is final, and its actions become transactions. Nothing is stored: wallet and chain give
//! it back at any time.
//!
//! It acts only upon what is final: a reply to a step that a reorganisation takes back would show the opponent one sight more. And of the moves
//! in a turn one is sent at most, until it is certain that another one isn't on its way: see [`chain::send`].

use std::sync::Arc;
use std::time::{Duration, Instant};

use alloy::primitives::B256;
use contest::{Action, Fault, Hand, Rules, Side, Status};
use fog::ensure;

use super::Chain;
use super::error::GameError;
use super::following::{Following, Told};
use super::game::{Contract, Proven};
use super::history::History;
use super::news::{News, What};
use super::open::sit;
use crate::chain::{ChainClock, ChainError, Receipt, unix};
use crate::wallet::Wallet;

/// How long a claim that came to nothing isn't tried again: the chain's own clock may be behind.
const CLAIM_PAUSE: Duration = Duration::from_secs(5);

type Duty<G> = <<G as Rules>::Hand as Hand<G>>::Duty;
type Choice<G> = <<G as Rules>::Hand as Hand<G>>::Choice;

/// What a player's machine has done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done {
    /// The function of the contract.
    pub name: &'static str,
    /// Turns that were over before it.
    pub turn: u64,
    /// The proofs that it took.
    pub proven: Proven,
    pub receipt: Receipt,
}

/// A player in a game.
pub struct Player<G: Contract> {
    chain: Chain<G>,
    wallet: Wallet,
    prover: G::Prover,
    game: B256,
    following: Following,
    /// The latest block at the last look.
    seen: Option<B256>,
    /// What the machine has been fed with, the opening first.
    told: Vec<Told>,
    side: Arc<Side<G>>,
    /// The chain's time, also where no block comes for long.
    clock: Option<ChainClock>,
    /// When a claim was last tried.
    claimed: Option<Instant>,
}

impl<G: Contract> Player<G> {
    /// Goes on with any game that the wallet plays, wherever it stands.
    ///
    /// # Errors
    ///
    /// [`GameError::NotPlayer`] and [`GameError::NoGame`], and those of [`Self::look`].
    pub async fn open(chain: Chain<G>, wallet: Wallet, prover: G::Prover, game: B256) -> Result<Self, GameError<G>> {
        let mut following = Following::new(&chain, game, 0);
        let history = History::of(&chain, game, following.poll(&chain).await?)?;
        let account = wallet.address();
        let is_player = account == history.opening.creator || history.joiner() == Some(account);
        ensure!(is_player, GameError::NotPlayer(account));
        let side = Arc::new(sit(&chain, &wallet, &prover, &history).await?);
        let told = history.told[..1].to_vec();
        Ok(Self { chain, wallet, prover, game, following, seen: None, told, side, clock: None, claimed: None })
    }

    pub fn chain(&self) -> &Chain<G> {
        &self.chain
    }

    pub fn side(&self) -> &Side<G> {
        &self.side
    }

    /// The chain's time now, in seconds since 1970; none before the first look.
    pub fn now(&self) -> Option<u64> {
        self.clock.map(|clock| clock.at(Instant::now()))
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.side.table().ending().is_some()
    }

    /// Whether the time for the next action is over, as far as can be told without a block.
    pub fn is_late(&self) -> bool {
        let table = self.side.table();
        table.status() == Status::Playing && self.now().is_some_and(|now| now > table.deadline())
    }

    /// What the game asks of this player, if anything.
    ///
    /// # Errors
    ///
    /// [`GameError::Fault`] if what was said can't be.
    pub fn duty(&self) -> Result<Option<Duty<G>>, GameError<G>> {
        self.side.duty().map_err(GameError::Fault)
    }

    /// What has become final since the last look, verified. After a reorganisation all that stands is told again.
    ///
    /// # Errors
    ///
    /// The node's failures; nothing is lost by one, nor by a record that isn't in order.
    pub async fn look(&mut self) -> Result<Vec<News<G>>, GameError<G>> {
        self.chain.look_after().await?;
        let head = self.chain.head().await?;
        self.clock = Some(ChainClock::heard(self.clock, head.time, Instant::now(), unix()));
        if self.seen == Some(head.block.hash) {
            return Ok(Vec::new());
        }
        let told = self.following.poll(&self.chain).await?.to_vec();
        let looked = self.hear(told).await;
        match &looked {
            Ok(_) => self.seen = Some(head.block.hash),
            // The node may have garbled a record.
            Err(GameError::NotInOrder { .. } | GameError::Nonsense(_)) => self.following.forget(&self.chain),
            Err(_) => {}
        }
        looked
    }

    /// Feeds the machine with what is new in all that was told.
    async fn hear(&mut self, told: Vec<Told>) -> Result<Vec<News<G>>, GameError<G>> {
        let history = History::of(&self.chain, self.game, &told)?;
        // Fewer events than before, and their block still there: this machine doesn't have all of its logs.
        if let Some(last) = self.told.last().filter(|_| told.len() < self.told.len())
            && self.told.starts_with(&told)
        {
            match self.chain.check(&last.block).await {
                Err(ChainError::Reorganised(_)) => {}
                there => return Err(there.err().unwrap_or(ChainError::Behind).into()),
            }
        }
        let (mut news, mut side, mut known) = (Vec::new(), (*self.side).clone(), self.told.len());
        if !told.starts_with(&self.told) {
            side = sit(&self.chain, &self.wallet, &self.prover, &history).await?;
            known = 1;
            news.push(News { what: What::TakenBack, by: None, turn: 0, sight: None, is_shown: true });
        }
        let records = self.chain.records(&history, known).await?;
        if !records.is_empty() {
            let feed = move |proofs: &G::Proofs| {
                let mut found = Vec::new();
                for record in records {
                    found.extend(record.feed(&mut side, proofs)?);
                }
                Ok::<_, GameError<G>>((side, found))
            };
            let (fed, _) = G::run(&self.prover, feed).await?;
            let (fed, found) = fed?;
            side = fed;
            news.extend(found);
        }
        (self.side, self.told) = (Arc::new(side), told);
        Ok(news)
    }

    /// Does what leaves no choice, and claims a game whose time the opponent has let pass. None if nothing is to be done, or it is under way.
    ///
    /// # Errors
    ///
    /// The contract's refusals and the node's failures.
    pub async fn act(&mut self) -> Result<Option<Done>, GameError<G>> {
        match self.duty()? {
            Some(duty) if duty != G::Hand::CHOICE && !self.is_late() => self.perform(duty).await,
            // Time is over: only the claim is left.
            _ => self.claim().await,
        }
    }

    /// Does a duty; none if it is under way.
    async fn perform(&mut self, duty: Duty<G>) -> Result<Option<Done>, GameError<G>> {
        if !self.is_awaited(G::Hand::name_of(duty)).await? {
            return Ok(None);
        }
        let side = self.side.clone();
        let (action, proven) = G::run(&self.prover, move |proofs| side.perform(duty, proofs)).await?;
        self.send(&action.map_err(GameError::Fault)?, proven).await.map(Some)
    }

    /// Claims a game whose time the opponent has let pass.
    async fn claim(&mut self) -> Result<Option<Done>, GameError<G>> {
        let is_overdue = self.now().is_some_and(|now| self.side.is_overdue(now));
        if !is_overdue || self.claimed.is_some_and(|at| at.elapsed() < CLAIM_PAUSE) {
            return Ok(None);
        }
        self.claimed = Some(Instant::now());
        self.say(Action::ClaimTimeout).await
    }

    /// Makes the move that the player chooses; none if what was sent for this turn is under way already.
    ///
    /// # Errors
    ///
    /// [`GameError::Fault`] if the rules don't allow it, or not now; the contract's refusals and the node's failures.
    pub async fn choose(&mut self, choice: Choice<G>) -> Result<Option<Done>, GameError<G>> {
        ensure!(self.duty()? == Some(G::Hand::CHOICE), GameError::Fault(Fault::NotYourTurn));
        ensure!(!self.is_late(), GameError::Fault(Fault::OutOfTime));
        if !self.is_awaited(G::Hand::name_of(G::Hand::CHOICE)).await? {
            return Ok(None);
        }
        let side = self.side.clone();
        let (action, proven) = G::run(&self.prover, move |proofs| side.choose(choice, proofs)).await?;
        self.send(&action.map_err(GameError::Fault)?, proven).await.map(Some)
    }

    /// Resigns; none if that is under way, or something that isn't final yet has changed the game.
    ///
    /// # Errors
    ///
    /// [`GameError::Fault`] if the game isn't in play; the contract's refusals and the node's failures.
    pub async fn resign(&mut self) -> Result<Option<Done>, GameError<G>> {
        self.say(self.side.resign().map_err(GameError::Fault)?).await
    }

    /// Whether the chain waits for an action of this player, by the contract's function for it.
    ///
    /// # Errors
    ///
    /// The node's failures.
    async fn is_awaited(&self, name: &str) -> Result<bool, GameError<G>> {
        self.chain.awaits(self.side.table(), name).await
    }

    /// An action that needs no proof.
    async fn say(&mut self, action: Action<G>) -> Result<Option<Done>, GameError<G>> {
        if !self.is_awaited(action.name()).await? {
            return Ok(None);
        }
        self.send(&action, Proven::default()).await.map(Some)
    }

    async fn send(&self, action: &Action<G>, proven: Proven) -> Result<Done, GameError<G>> {
        let table = self.side.table();
        let receipt = self.chain.carry_out(table, action).await?;
        Ok(Done { name: action.name(), turn: table.turn(), proven, receipt })
    }
}
