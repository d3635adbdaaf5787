//! A player's sender, the client's own, and what its seat wants carried out.

use super::sim_node::SimNode;
use super::{BelowDefect, CEILING};
use crate::evm::{CHAIN_ID, CONTRACT};
use ::chain::send::{Memory, Mined, Request, SenderConfig, Storage, TxId};
use ::chain::{Class, Classified as _, Finality, SendError, Sender};
use alloy::primitives::B256;
use alloy::signers::local::PrivateKeySigner;
use client::chain::{ContractError, called};
use game::Transaction;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// How often a sender looks at the chain.
const POLL: Duration = Duration::from_secs(2);
/// How long it waits for a transaction before it says that.
const TIMEOUT: Duration = Duration::from_secs(300);

type Working<T> = Pin<Box<dyn Future<Output = T> + Send>>;
/// What became of a request.
pub(super) type Carried = Result<(TxId, Mined), SendError>;

pub(super) struct Sending {
    pub node: SimNode,
    pub sender: Arc<Sender<SimNode>>,
    /// Looks after what is under way; nothing does in a program that neglects it.
    looking: Option<Working<()>>,
    /// What its seat waits for.
    pub wanted: Vec<(Transaction, Working<Carried>)>,
    /// Whether there is something that hasn't been begun.
    is_fresh: bool,
    /// Whether nothing was on its way, or could be taken back, when it last stopped.
    is_idle: bool,
}

impl std::fmt::Debug for Sending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let wanted = self.wanted.iter().map(|(transaction, _)| transaction.to_string());
        f.debug_list().entries(wanted).finish()
    }
}

impl Sending {
    pub fn new(
        signer: &PrivateKeySigner,
        disk: &Memory,
        finality: Finality,
        (genesis, game): (B256, B256),
        defect: BelowDefect,
    ) -> Self {
        let config = SenderConfig {
            chain_id: CHAIN_ID,
            contract: CONTRACT,
            subject: called,
            reason: |data| ContractError::decode(data).map(|refusal| refusal.to_string()),
            finality,
            max_fee: if defect.is_lavish { u128::MAX } else { CEILING },
            storage: Storage::Memory(if defect.writes_nothing { Memory::default() } else { disk.clone() }),
            poll: POLL,
            timeout: TIMEOUT,
        };
        let node = SimNode::new(game);
        let sender = Arc::new(Sender::new(node.clone(), signer.clone(), config, genesis).expect("a ledger in memory"));
        let looking = (!defect.neglects).then(|| Box::pin(look_after(sender.clone(), node.clone())) as Working<()>);
        Self { node, sender, looking, wanted: Vec::new(), is_fresh: true, is_idle: false }
    }

    /// Has a transaction carried out.
    pub fn want(&mut self, transaction: Transaction, request: Request) {
        let carried = carry_out(self.sender.clone(), self.node.clone(), request);
        self.wanted.push((transaction, Box::pin(carried)));
        (self.is_fresh, self.is_idle) = (true, false);
    }

    /// Whether nothing is wanted or on its way.
    pub fn is_idle(&self) -> bool {
        self.is_idle && self.wanted.is_empty()
    }

    /// Whether it has anything to do by now.
    pub fn has_work(&self, now: std::time::Instant) -> bool {
        !self.is_idle() && (self.is_fresh || self.node.has_work(now))
    }

    /// Goes on with all that isn't waiting for an answer; gives what has come to its end.
    pub fn poll(&mut self) -> Vec<(Transaction, Carried)> {
        self.is_fresh = false;
        // All who wait say anew until when.
        self.node.desk().wakes.clear();
        let context = &mut Context::from_waker(Waker::noop());
        if let Some(looking) = &mut self.looking {
            let _: Poll<()> = looking.as_mut().poll(context);
        }
        let mut done = Vec::new();
        self.wanted.retain_mut(|(transaction, carried)| match carried.as_mut().poll(context) {
            Poll::Pending => true,
            Poll::Ready(result) => {
                done.push((transaction.clone(), result));
                false
            }
        });
        done
    }

    /// It stops until time has passed or something is wanted.
    pub fn rest(&mut self) {
        let ledger = self.sender.ledger().expect("a ledger in memory");
        self.is_idle = ledger.is_idle(self.sender.rules());
    }
}

/// As the runtime: what may pass is tried again.
async fn carry_out(sender: Arc<Sender<SimNode>>, node: SimNode, request: Request) -> Carried {
    use ::chain::TxNode as _;
    loop {
        match sender.send(&request).await {
            Err(error) if error.class() == Class::Retry => node.pause(POLL).await,
            result => return result,
        }
    }
}

/// As the runtime, looks after what nobody waits for, too.
async fn look_after(sender: Arc<Sender<SimNode>>, node: SimNode) {
    use ::chain::TxNode as _;
    loop {
        // A failure is the node's, and passes.
        let _: Result<(), SendError> = sender.poll().await;
        node.pause(POLL).await;
    }
}
