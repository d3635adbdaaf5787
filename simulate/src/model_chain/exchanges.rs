//! The sights that a player is owed, looked up in the histories: before its move and after it, also when the opponent has moved
//! since.

use super::Refusal;
use super::storage::ModelChain;
use fog::engine::Phase;
use fog::engine::sight_lines::context::SightContext;
use fog::ensure;
use game::Demanded;
use halo2curves::bn256::Fr;
use rules::{Color, Square};

/// What a demand freezes, and who must answer it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Owed {
    pub demanded: Demanded,
    /// The role of who sends it.
    pub sender: usize,
}

impl ModelChain {
    /// The sight that a color is owed: before its move that is to come and isn't its first, or after its latest one.
    pub(super) fn owed(&self, phase: Phase, receiver: usize) -> Result<Owed, Refusal> {
        match phase {
            Phase::Pre => {
                ensure!(self.color_to_move() == receiver && self.captures.len() >= 2, "NothingToDemand");
                let sender = self.role_of(1 - receiver);
                let pending = (self.pending(), None);
                let (of, posted) = (self.commitment(sender), self.answer_root);
                Ok(self.snapshot(phase, self.captures.len(), receiver, pending, of, posted))
            }
            Phase::Post => {
                let moves = self.players[self.role_of(receiver)].commitments.len() - 1;
                let index = moves.checked_sub(1).ok_or("NothingToDemand")?;
                let ply = 2 * index + receiver;
                // The sender's state when that move was made: it had made as many moves, Black being one behind.
                let sender = self.role_of(1 - receiver);
                let before = if receiver == 0 { index } else { index + 1 };
                let of = self.players[sender].commitments[before];
                Ok(self.snapshot(phase, ply, receiver, (None, self.captures[ply]), of, Fr::zero()))
            }
        }
    }

    fn snapshot(
        &self,
        phase: Phase,
        ply: usize,
        receiver: usize,
        (pending_receiver, pending_sender): (Option<Square>, Option<Square>),
        commitment: Fr,
        posted_root: Fr,
    ) -> Owed {
        let role = self.role_of(receiver);
        let ply = u16::try_from(ply).expect("the game ends before");
        let request_root = self.players[role].request_root;
        let of = self.commitment(role);
        let demanded = Demanded {
            phase,
            ply,
            receiver: Color::ALL[receiver],
            pending_receiver,
            pending_sender,
            commitment,
            request_root,
            posted_root,
            ctx: self.context(phase, ply, 1 - role, commitment, of, (pending_sender, pending_receiver)),
        };
        Owed { demanded, sender: 1 - role }
    }

    /// The context of a sight that the role `sender` gives.
    pub(super) fn context(
        &self,
        phase: Phase,
        ply: u16,
        sender: usize,
        sender_commitment: Fr,
        receiver_commitment: Fr,
        (pending_sender, pending_receiver): (Option<Square>, Option<Square>),
    ) -> Fr {
        let context = SightContext {
            chain_id: self.game.chain_id,
            contract: self.game.contract.into(),
            game_id: self.game.game_id.into(),
            ply: ply.into(),
            phase,
            sender_commitment,
            pending_sender,
            receiver_commitment,
            pending_receiver,
            registered: self.players[sender].registration,
            request_root: self.players[1 - sender].request_root,
        };
        context.ctx()
    }
}
