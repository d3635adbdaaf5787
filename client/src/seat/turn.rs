//! The own move, from the player's word to the chain (protocol, section 6, steps 2 and 3): chosen, waiting for the
//! opponent's request, being proven, signed. A seat signs one move a ply; it writes the choice down before it works on it
//! and the signed transaction before it sends it, and repeats exactly that.

use super::effects::Effects;
use super::event::JobId;
use crate::journal::Entry;
use alloy::primitives::B256;
use game::{Message, MoveFields, Notice, OwnState, Transaction, What, Who};
use halo2curves::bn256::Fr;
use rules::Move;

/// A move that has been put together.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub fields: MoveFields,
    pub basis: B256,
    pub next: OwnState,
    /// The own request after the move.
    pub request: Vec<u8>,
}

#[derive(Debug)]
enum MoveState {
    /// Chosen before a restart; the sight must be proven again.
    AwaitingSight,
    /// Waits for the opponent's request: without it the move can carry no answer.
    AwaitingRequest {
        told: bool,
        hurry: bool,
    },
    Proving(JobId, Box<Prepared>),
    Signed {
        prepared: Box<Prepared>,
        proof: Vec<u8>,
        trust: Trust,
        sent: bool,
        in_block: bool,
    },
    /// Signed before a restart and in a block that isn't final yet.
    OnChain,
}

/// Whether a signed move is known to be one of the game as the chain has it. The chain may have been taken back since it was signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    Proven,
    /// From a journal: its proof is to be verified.
    Unknown,
    Verifying(JobId),
    /// It could not be verified on this side; it is tried again at the next tick.
    Failed,
}

/// The move that was chosen for the ply to come, if any.
#[derive(Debug, Default)]
pub(super) struct OwnTurn {
    chosen: Option<Chosen>,
}

#[derive(Debug)]
struct Chosen {
    mv: Move,
    offer_draw: bool,
    state: MoveState,
}

impl MoveState {
    const BEGIN: Self = Self::AwaitingRequest { told: false, hurry: false };
}

impl OwnTurn {
    /// The move that was chosen and isn't final yet.
    pub fn mv(&self) -> Option<Move> {
        self.chosen.as_ref().map(|chosen| chosen.mv)
    }

    /// The player has chosen.
    pub fn choose(&mut self, mv: Move, offer_draw: bool) {
        self.set(mv, offer_draw, MoveState::BEGIN);
    }

    /// A choice that the journal remembers.
    pub fn restore_choice(&mut self, mv: Move, offer_draw: bool) {
        self.set(mv, offer_draw, MoveState::AwaitingSight);
    }

    /// A signed move that the journal remembers. It isn't sent again before its proof has been verified.
    pub fn restore_signed(&mut self, mv: Move, prepared: Prepared, proof: Vec<u8>) {
        let offer_draw = prepared.fields.offer_draw;
        self.set(mv, offer_draw, MoveState::signed(Box::new(prepared), proof, Trust::Unknown));
    }

    /// A signed move whose proof is to be verified: what it declares, and the proof.
    pub fn unverified(&self) -> Option<(MoveFields, &[u8])> {
        match self.state()? {
            MoveState::Signed { prepared, proof, trust: Trust::Unknown, in_block: false, .. } => {
                Some((prepared.fields, proof))
            }
            _ => None,
        }
    }

    /// Its proof is being verified.
    pub fn verifying(&mut self, job: JobId) {
        self.set_trust(Trust::Verifying(job));
    }

    /// Whether `job` verifies the signed move.
    pub fn is_verifying(&self, job: JobId) -> bool {
        matches!(self.state(), Some(MoveState::Signed { trust: Trust::Verifying(id), .. }) if *id == job)
    }

    /// The proof was looked at: none if that failed on this side. Says whether the move is void: its proof is false, and it is in no
    /// block.
    pub fn verified(&mut self, is_true: Option<bool>) -> bool {
        let in_block = matches!(self.state(), Some(MoveState::Signed { in_block: true, .. }));
        self.set_trust(match is_true {
            Some(true) => Trust::Proven,
            Some(false) => Trust::Unknown,
            None => Trust::Failed,
        });
        is_true == Some(false) && !in_block
    }

    /// What could not be verified is tried again.
    pub fn retry(&mut self) {
        if matches!(self.state(), Some(MoveState::Signed { trust: Trust::Failed, .. })) {
            self.set_trust(Trust::Unknown);
        }
    }

    /// A signed move that only the chain remembers.
    pub fn restore_on_chain(&mut self, mv: Move, offer_draw: bool) {
        self.set(mv, offer_draw, MoveState::OnChain);
    }

    fn set(&mut self, mv: Move, offer_draw: bool, state: MoveState) {
        self.chosen = Some(Chosen { mv, offer_draw, state });
    }

    /// Nothing of the move was signed, so another may be chosen. Also: the game is over.
    pub fn clear(&mut self) {
        self.chosen = None;
    }

    /// What a move that was chosen waits for; nothing while none is, or its sight must be proven again.
    pub fn awaited(&self) -> Option<(Who, What)> {
        Some(match self.state()? {
            MoveState::AwaitingSight => return None,
            MoveState::AwaitingRequest { .. } => (Who::Opponent, What::Request),
            MoveState::Proving(..) => (Who::Machine, What::Proof),
            MoveState::Signed { in_block: true, .. } | MoveState::OnChain => (Who::Chain, What::Finality),
            MoveState::Signed { trust: Trust::Proven, .. } => (Who::Chain, What::Block),
            MoveState::Signed { .. } => (Who::Machine, What::Check),
        })
    }

    /// Whether a choice from before a restart waits for the sight that it relied on.
    pub fn awaits_sight(&self) -> bool {
        matches!(self.state(), Some(MoveState::AwaitingSight))
    }

    /// That sight is proven again.
    pub fn resume(&mut self) {
        self.set_state(MoveState::BEGIN);
    }

    /// The move and whether it offers a draw, if it is to be put together now. `have` says whether the opponent's request is
    /// here or needless, `late` whether there is no more time to wait for it.
    pub fn ready(&mut self, have: bool, late: bool, fx: &mut Effects) -> Option<(Move, bool)> {
        let chosen = self.chosen.as_mut()?;
        let (mv, offer_draw) = (chosen.mv, chosen.offer_draw);
        let MoveState::AwaitingRequest { told, hurry } = &mut chosen.state else {
            return None;
        };
        if have {
            return Some((mv, offer_draw));
        }
        if late || *hurry {
            fx.notify(Notice::MovingWithoutAnswer { mv });
            return Some((mv, offer_draw));
        }
        if !std::mem::replace(told, true) {
            fx.notify(Notice::AwaitingRequest { mv });
        }
        None
    }

    /// The player has the move go without the opponent's request; says whether it waits for that.
    pub fn hurry(&mut self) -> bool {
        let state = self.state_mut();
        let Some(MoveState::AwaitingRequest { hurry, .. }) = state else {
            return false;
        };
        *hurry = true;
        true
    }

    /// The move has been put together and is being proven.
    pub fn proving(&mut self, job: JobId, prepared: Prepared) {
        self.set_state(MoveState::Proving(job, Box::new(prepared)));
    }

    /// Whether `job` is the proof that this move waits for.
    pub fn is_proving(&self, job: JobId) -> bool {
        matches!(self.state(), Some(MoveState::Proving(id, _)) if *id == job)
    }

    /// The proof is there: from now on this is the one move of its ply.
    pub fn sign(&mut self, proof: Vec<u8>, fx: &mut Effects) {
        let Some(chosen) = &mut self.chosen else {
            return;
        };
        if let MoveState::Proving(_, prepared) = &chosen.state {
            fx.journal(Entry::Signed {
                mv: chosen.mv,
                fields: prepared.fields,
                basis: prepared.basis,
                proof: proof.clone(),
            });
            chosen.state = MoveState::signed(prepared.clone(), proof, Trust::Proven);
        }
    }

    /// Sends the signed move if it has to be sent: the transaction and the request that goes with it. Says whether it did.
    pub fn send(&mut self, fx: &mut Effects) -> bool {
        let Some(Chosen {
            mv,
            state: MoveState::Signed { prepared, proof, trust: Trust::Proven, sent: sent @ false, .. },
            ..
        }) = &mut self.chosen
        else {
            return false;
        };
        *sent = true;
        let fields = prepared.fields;
        fx.transact(Transaction::Move { fields, basis: prepared.basis, proof: proof.clone() });
        fx.send(Message::request(fields.ply, &prepared.request));
        let (ply, mv) = (fields.ply, *mv);
        fx.notify(Notice::Sent { ply, mv });
        true
    }

    /// Whether the signed move captures the king.
    pub fn captures_king(&self) -> bool {
        matches!(self.state(), Some(MoveState::Signed { prepared, .. }) if prepared.fields.king_fell)
    }

    /// The transaction may have got lost: a signed move that is in no block is sent again.
    pub fn resend(&mut self) {
        if let Some(MoveState::Signed { sent, in_block: false, .. }) = self.state_mut() {
            *sent = false;
        }
    }

    /// The request that goes with the signed move of a ply.
    pub fn request(&self, ply: u16) -> Option<Message> {
        match self.state()? {
            MoveState::Signed { prepared, .. } if prepared.fields.ply == ply => {
                Message::request(ply, &prepared.request)
            }
            _ => None,
        }
    }

    /// A move with this commitment is in a block. Says whether it is the signed one.
    pub fn seen(&mut self, commitment: Fr) -> bool {
        match self.state_mut() {
            Some(MoveState::Signed { prepared, in_block, .. }) if prepared.fields.next_commitment == commitment => {
                *in_block = true;
                true
            }
            _ => false,
        }
    }

    /// The move is in no block any more: it is sent again; one that only the chain knew is made again, the same.
    pub fn dropped(&mut self) {
        match self.state_mut() {
            Some(MoveState::Signed { sent, in_block, .. }) => (*sent, *in_block) = (false, false),
            Some(state @ MoveState::OnChain) => *state = MoveState::AwaitingSight,
            _ => {}
        }
    }

    /// The move with this commitment is final: what was put together for it, if that was done here.
    pub fn finalize(&mut self, commitment: Fr) -> Option<Prepared> {
        match self.chosen.take()?.state {
            MoveState::Proving(_, prepared) | MoveState::Signed { prepared, .. } => {
                Some(*prepared).filter(|prepared| prepared.next.commitment == commitment)
            }
            _ => None,
        }
    }

    fn state(&self) -> Option<&MoveState> {
        self.chosen.as_ref().map(|chosen| &chosen.state)
    }

    fn state_mut(&mut self) -> Option<&mut MoveState> {
        self.chosen.as_mut().map(|chosen| &mut chosen.state)
    }

    fn set_trust(&mut self, known: Trust) {
        if let Some(MoveState::Signed { trust, .. }) = self.state_mut() {
            *trust = known;
        }
    }

    fn set_state(&mut self, state: MoveState) {
        if let Some(chosen) = &mut self.chosen {
            chosen.state = state;
        }
    }
}

impl MoveState {
    fn signed(prepared: Box<Prepared>, proof: Vec<u8>, trust: Trust) -> Self {
        Self::Signed { prepared, proof, trust, sent: false, in_block: false }
    }
}
