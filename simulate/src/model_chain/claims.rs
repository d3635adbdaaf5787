//! Draws that a player claims: by fifty moves of each player, and for want of a move.

use super::Refusal;
use super::disputes::expect_proof;
use super::oracle::{Oracle, Statement};
use super::purse::RESPOND_GAS;
use super::storage::{Demand, Hold, ModelChain};
use alloy::primitives::Address;
use ff::Field;
use fog::engine::Phase;
use fog::engine::sight_lines::context::square_field;
use fog::ensure;
use game::{ChainEvent, Outcome};
use halo2curves::bn256::Fr;

/// Fifty moves of each player.
const QUIET_PLIES: usize = 100;
/// For how many plies a failed claim bars the next.
const BARRED_PLIES: u16 = 20;

impl ModelChain {
    pub(super) fn claim_fifty(&mut self, oracle: &Oracle, sender: Address, proof: &[u8]) -> Result<(), Refusal> {
        self.expect_proofs()?;
        let role = self.expect_turn(sender)?;
        ensure!(self.hold == Hold::None, "OnHold");
        ensure!(self.quiet_plies() >= QUIET_PLIES, "TooEarly");
        ensure!(self.ply() >= self.players[role].claims_from, "TooEarly");
        expect_proof(oracle, Statement::Fifty, &[self.commitment(role), Fr::ONE], proof)?;

        self.stop_clock(Hold::FiftyMoves);
        let deadline = self.now + u64::from(self.opening.terms.window);
        self.demands[0] = Some(Demand { deadline, owed: None, has_bond: true, is_open: true });
        self.bond(0, role, RESPOND_GAS);
        self.emit(ChainEvent::FiftyClaimed { ply: self.ply(), deadline });
        Ok(())
    }

    pub(super) fn respond_fifty(
        &mut self,
        oracle: &Oracle,
        sender: Address,
        at_least_fifty: bool,
        proof: &[u8],
    ) -> Result<(), Refusal> {
        self.expect_proofs()?;
        ensure!(self.hold == Hold::FiftyMoves, "NothingClaimed");
        let (role, claimant) = (self.role_of_account(sender)?, self.role_to_move());
        ensure!(role != claimant, "NothingClaimed");
        let inputs = [self.commitment(role), Fr::from(at_least_fifty)];
        expect_proof(oracle, Statement::Fifty, &inputs, proof)?;

        if let Some(demand) = &mut self.demands[0] {
            (demand.has_bond, demand.is_open) = (false, false);
        }
        self.settle(0, if at_least_fifty { 0 } else { RESPOND_GAS });
        self.hold = Hold::None;
        self.restart_delay();
        if at_least_fifty {
            self.end(None, Outcome::FiftyMoves);
            return Ok(());
        }
        let ply = self.ply();
        let claims_from = ply.saturating_add(BARRED_PLIES);
        self.players[claimant].claims_from = claims_from;
        self.emit(ChainEvent::FiftyFailed { ply, claims_from });
        Ok(())
    }

    pub(super) fn claim_no_move(&mut self, oracle: &Oracle, sender: Address, proof: &[u8]) -> Result<(), Refusal> {
        self.expect_proofs()?;
        let role = self.expect_turn(sender)?;
        ensure!(self.hold == Hold::None, "OnHold");
        let color = self.color_to_move();
        let sight = self.owed(Phase::Pre, color)?.demanded;
        let (x, y) = self.players[1 - role].fog_key()?;
        let inputs = [
            self.commitment(role),
            square_field(self.pending()),
            sight.request_root,
            sight.posted_root,
            sight.ctx,
            x,
            y,
            Fr::from(color as u64),
        ];
        expect_proof(oracle, Statement::NoMove, &inputs, proof)?;
        self.end(None, Outcome::NoMove);
        Ok(())
    }
}
