//! Sights that don't arrive: demanded, given, or their root posted late.

use super::Refusal;
use super::oracle::{Oracle, Statement};
use super::purse::ANSWER_GAS;
use super::storage::{Demand, Hold, ModelChain, Status};
use alloy::primitives::Address;
use ff::Field;
use fog::binding::binding;
use fog::engine::Phase;
use fog::engine::sight_lines::context::square_field;
use fog::ensure;
use fog::statement::chain_answer::ChainAnswerInputs;
use fog::statement::request_data::RequestDataInputs;
use fog::word::from_word;
use game::message::ELEMENTS;
use game::{ChainEvent, Demanded, Slot};
use halo2curves::bn256::Fr;

/// Coordinates of a request.
const COORDINATES: usize = 128;

impl ModelChain {
    pub(super) fn demand_sight(
        &mut self,
        oracle: &Oracle,
        sender: Address,
        phase: Phase,
        points: &[u8],
        proof: &[u8],
    ) -> Result<(), Refusal> {
        self.expect_proofs()?;
        let role = self.role_of_account(sender)?;
        let color = self.role_of(role);
        let slot = match phase {
            Phase::Pre => {
                ensure!(self.hold == Hold::None, "OnHold");
                ensure!(!self.pre_demanded, "NothingToDemand");
                0
            }
            Phase::Post => {
                let open = self.demands[1 + color].is_some_and(|demand| demand.is_open);
                ensure!(!open && !self.players[role].post_demanded, "NothingToDemand");
                1 + color
            }
        };
        let owed = self.owed(phase, color)?;
        let root = owed.demanded.request_root;
        let bound = binding(root, &words(points, COORDINATES)?);
        let inputs = RequestDataInputs { request_root: root, z: bound.z, y: bound.y };
        expect_proof(oracle, Statement::RequestData, &inputs.to_array(), proof)?;

        match phase {
            Phase::Pre => {
                self.stop_clock(Hold::Sight);
                self.pre_demanded = true;
            }
            Phase::Post => self.players[role].post_demanded = true,
        }
        let deadline = self.now + u64::from(self.opening.terms.window);
        self.demands[slot] = Some(Demand { deadline, owed: Some(owed), has_bond: true, is_open: true });
        self.bond(slot, role, ANSWER_GAS);
        self.emit(ChainEvent::SightDemanded { demanded: owed.demanded, deadline, points: points.to_vec() });
        Ok(())
    }

    pub(super) fn answer_sight(
        &mut self,
        oracle: &Oracle,
        sender: Address,
        given: &Demanded,
        answer_root: Fr,
        elements: &[u8],
        proof: &[u8],
    ) -> Result<(), Refusal> {
        ensure!(matches!(self.status, Status::Playing | Status::Over), "WrongStatus");
        ensure!(self.opening.terms.mode.has_proofs(), "NoProofs");
        let slot = match given.phase {
            Phase::Pre => 0,
            Phase::Post => 1 + given.receiver.index(),
        };
        let demand = self.demands[slot].ok_or("NothingDemanded")?;
        let owed = demand.owed.filter(|owed| owed.demanded == *given).ok_or("NothingDemanded")?;
        ensure!(sender == self.players[owed.sender].account, "NotPlayer");
        ensure!(self.now <= demand.deadline, "OutOfTime");
        ensure!(given.posted_root == Fr::ZERO || given.posted_root == answer_root, "WrongRoot");
        self.check_elements(oracle, owed.sender, given, answer_root, elements, proof)?;

        // The verdict that stands now: closing a window could make another deadline the earliest.
        let is_decided = self.status == Status::Over || self.expect_time().is_err();
        if let Some(demand) = &mut self.demands[slot] {
            (demand.owed, demand.has_bond) = (None, false);
        }
        self.settle(slot, ANSWER_GAS);
        self.emit(ChainEvent::SightAnswered { ctx: given.ctx, answer_root, elements: elements.to_vec() });
        if is_decided {
            return Ok(());
        }
        if let Some(demand) = &mut self.demands[slot] {
            demand.is_open = false;
        }
        if slot == 0 {
            self.answer_root = answer_root;
            self.hold = Hold::None;
            self.restart_delay();
        }
        Ok(())
    }

    /// Refuses elements that are not what the sender's board makes them.
    fn check_elements(
        &self,
        oracle: &Oracle,
        sender: usize,
        given: &Demanded,
        answer_root: Fr,
        elements: &[u8],
        proof: &[u8],
    ) -> Result<(), Refusal> {
        let bound = binding(answer_root, &words(elements, ELEMENTS)?);
        let (fog_key_x, fog_key_y) = self.players[sender].fog_key()?;
        let inputs = ChainAnswerInputs {
            commitment: given.commitment,
            pending_sender: square_field(given.pending_sender),
            fog_key_x,
            fog_key_y,
            context: given.ctx,
            receiver: Fr::from(given.receiver.index() as u64),
            phase: Fr::from(given.phase as u64),
            pending_receiver: square_field(given.pending_receiver),
            request_root: given.request_root,
            answer_root,
            z: bound.z,
            y: bound.y,
        };
        expect_proof(oracle, Statement::ChainAnswer, &inputs.to_array(), proof)
    }

    pub(super) fn fill_answer(&mut self, sender: Address, ctx: Fr, answer_root: Fr) -> Result<(), Refusal> {
        self.expect_play()?;
        ensure!(self.role_of_account(sender)? != self.role_to_move(), "NothingToFill");
        ensure!(self.hold == Hold::None, "OnHold");
        ensure!(self.captures.len() >= 2 && self.answer_root == Fr::ZERO, "NothingToFill");
        ensure!(answer_root != Fr::ZERO, "NotInField");
        ensure!(ctx == self.owed(Phase::Pre, self.color_to_move())?.demanded.ctx, "WrongContext");
        self.answer_root = answer_root;
        self.emit(ChainEvent::AnswerFilled { ply: self.ply(), answer_root });
        Ok(())
    }

    pub(super) fn reclaim(&mut self, slot: Slot) -> Result<(), Refusal> {
        ensure!(self.status == Status::Over, "WrongStatus");
        let demand = self.demands[slot as usize].as_mut().ok_or("NothingOwed")?;
        ensure!(self.now > demand.deadline, "StillInTime");
        ensure!(demand.has_bond, "NothingOwed");
        (demand.owed, demand.has_bond) = (None, false);
        self.give_back(slot)
    }
}

/// Refuses a proof of another length, or of something else.
pub(super) fn expect_proof(oracle: &Oracle, statement: Statement, inputs: &[Fr], proof: &[u8]) -> Result<(), Refusal> {
    ensure!(proof.len() == oracle.proof_bytes(statement), "WrongProofLength");
    ensure!(oracle.verify(statement, inputs, proof), "InvalidProof");
    Ok(())
}

/// Words of calldata as field elements: exactly `count` of them.
fn words(bytes: &[u8], count: usize) -> Result<Vec<Fr>, Refusal> {
    let (words, rest) = bytes.as_chunks();
    assert!(words.len() == count && rest.is_empty(), "calldata of another length doesn't decode");
    words.iter().map(from_word).collect::<Option<_>>().ok_or("NotInField")
}
