//! From the first move to the end: moves with their proofs, refutation, resignation, draw, and afterwards the view keys.

use super::Refusal;
use super::oracle::{Oracle, Statement};
use super::storage::{Hold, ModelChain, Status};
use alloy::primitives::{Address, B256};
use ff::Field;
use fog::engine::Phase;
use fog::engine::sight_lines::context::square_number;
use fog::ensure;
use fog::statement::turn::TurnInputs;
use fog::word::{Word, from_word, keccak256, small_word, to_word};
use game::{ChainEvent, Mode, MoveFields, Outcome, Unproven};
use halo2curves::bn256::Fr;

impl ModelChain {
    pub(super) fn play(
        &mut self,
        oracle: &Oracle,
        sender: Address,
        fields: &MoveFields,
        basis: B256,
        proof: &[u8],
    ) -> Result<(), Refusal> {
        self.expect_play()?;
        ensure!(fields.ply == self.ply(), "StalePly");
        let mover = self.expect_turn(sender)?;
        ensure!(self.hold == Hold::None || fields.king_fell, "OnHold");
        self.check_basis(fields, basis)?;
        let is_last = fields.king_fell || fields.ply + 1 == u16::MAX;
        let kept = self.check_proof(oracle, fields, is_last, proof)?;
        self.unproven = kept.map(|inputs| (inputs.to_vec(), proof.to_vec()));

        let left = self.left() + u64::from(self.opening.terms.increment);
        let player = &mut self.players[mover];
        player.commitments.push(fields.next_commitment);
        player.request_root = fields.next_request_root;
        player.clock = left.min(u32::MAX.into());
        player.post_demanded = false;
        self.restart_delay();
        self.answer_root = fields.answer_root;
        self.captures.push(fields.capture);
        self.draw_offered = fields.offer_draw;
        self.pre_demanded = false;
        let proof = proof.to_vec();
        self.emit(ChainEvent::Moved {
            player: sender,
            fields: *fields,
            basis: Some(basis),
            proof: Some(proof.clone()),
        });
        if let Some(inputs) = kept {
            self.emit(ChainEvent::MoveUnproven { ply: fields.ply, inputs: Box::new(inputs), proof });
        }
        if fields.king_fell {
            self.end(Some(mover), Outcome::KingCaptured);
        } else if is_last {
            self.end(None, Outcome::TooLong);
        }
        Ok(())
    }

    /// Verifies the proof of a move where that is done at once; gives the inputs of one that may be refuted.
    fn check_proof(
        &self,
        oracle: &Oracle,
        fields: &MoveFields,
        is_last: bool,
        proof: &[u8],
    ) -> Result<Option<[Fr; 13]>, Refusal> {
        let mode = self.opening.terms.mode;
        if !mode.has_proofs() {
            return if proof.is_empty() { Ok(None) } else { Err("NoProofs") };
        }
        let element = |word| from_word(&word).expect("a fog key was looked at when it was registered");
        let inputs = self.turn_words(fields)?.map(element);
        ensure!(proof.len() == oracle.proof_bytes(Statement::Turn), "WrongProofLength");
        let verifies = mode == Mode::Verified || is_last;
        ensure!(!verifies || oracle.verify(Statement::Turn, &inputs, proof), "InvalidProof");
        Ok((!verifies).then_some(inputs))
    }

    /// Whether moves are proven in this game.
    pub fn has_proofs(&self) -> bool {
        self.opening.terms.mode.has_proofs()
    }

    /// A move names the context of the opponent's next sight, which its answer was made for, and all that its proof was made for.
    fn check_basis(&self, fields: &MoveFields, basis: B256) -> Result<(), Refusal> {
        let mut ctx_next = Fr::ZERO;
        if fields.ply == 0 {
            ensure!(fields.answer_root == Fr::ZERO, "AnswerTooEarly");
        } else {
            let (mover, ply) = (self.role_to_move(), fields.ply + 1);
            let of_receiver = self.commitment(1 - mover);
            let pending = (None, fields.capture);
            ctx_next = self.context(Phase::Pre, ply, mover, fields.next_commitment, of_receiver, pending);
        }
        let words = [&[to_word(&ctx_next)], &self.turn_words(fields)?[..]].concat();
        ensure!(basis.0 == keccak256(words.as_flattened()), "WrongBasis");
        Ok(())
    }

    /// The words of *turn*'s public inputs for a move that isn't made yet. The fog key's are what the opponent registered.
    fn turn_words(&self, fields: &MoveFields) -> Result<[Word; 13], Refusal> {
        let (color, mover) = (self.color_to_move(), self.role_to_move());
        let opening = self.captures.len() < 2;
        let [request_root, answer_root, context] = match opening {
            true => [Fr::ZERO; 3],
            false => {
                let sight = self.owed(Phase::Pre, color)?.demanded;
                [sight.request_root, sight.posted_root, sight.ctx]
            }
        };
        let (registered, _) = self.players[1 - mover].registration.as_chunks();
        let inputs = TurnInputs {
            commitment: to_word(&self.commitment(mover)),
            pending: small_word(square_number(self.pending())),
            next_commitment: to_word(&fields.next_commitment),
            request_root: to_word(&request_root),
            answer_root: to_word(&answer_root),
            context: to_word(&context),
            fog_key_x: registered[0],
            fog_key_y: registered[1],
            next_request_root: to_word(&fields.next_request_root),
            color: small_word(color as u64),
            opening: small_word(opening.into()),
            capture: small_word(square_number(fields.capture)),
            king_fell: small_word(fields.king_fell.into()),
        };
        Ok(inputs.to_array())
    }

    pub(super) fn refute(&mut self, oracle: &Oracle, sender: Address, shown: &Unproven) -> Result<(), Refusal> {
        self.expect_proofs()?;
        let role = self.expect_turn(sender)?;
        let is_kept =
            self.unproven.as_ref().is_some_and(|(inputs, proof)| *inputs == shown.inputs && *proof == shown.proof);
        ensure!(is_kept, "NotUnproven");
        ensure!(!oracle.verify(Statement::Turn, &shown.inputs, &shown.proof), "ValidProof");
        self.end(Some(role), Outcome::Refuted);
        Ok(())
    }

    pub(super) fn resign(&mut self, sender: Address) -> Result<(), Refusal> {
        self.expect_play()?;
        let role = self.role_of_account(sender)?;
        self.end(Some(1 - role), Outcome::Resigned);
        Ok(())
    }

    pub(super) fn accept_draw(&mut self, sender: Address, ply: u16, commitment: Fr) -> Result<(), Refusal> {
        self.expect_play()?;
        let role = self.expect_turn(sender)?;
        ensure!(ply == self.ply(), "StalePly");
        ensure!(commitment == self.commitment(1 - role), "OtherPosition");
        ensure!(self.draw_offered, "NoDrawOffer");
        self.end(None, Outcome::DrawAgreed);
        Ok(())
    }

    pub(super) fn publish_view_key(&mut self, sender: Address, key: [u8; 32]) -> Result<(), Refusal> {
        ensure!(self.status == Status::Over, "WrongStatus");
        self.role_of_account(sender)?;
        self.emit(ChainEvent::ViewKeyPublished { player: sender, key });
        Ok(())
    }

    pub(super) fn role_of_account(&self, sender: Address) -> Result<usize, Refusal> {
        self.players.iter().position(|player| player.account == sender).ok_or("NotPlayer")
    }

    /// The role of the sender, who must be the player to move.
    pub(super) fn expect_turn(&self, sender: Address) -> Result<usize, Refusal> {
        let role = self.role_to_move();
        ensure!(sender == self.players[role].account, "NotYourTurn");
        Ok(role)
    }

    pub(super) fn end(&mut self, winner: Option<usize>, outcome: Outcome) {
        self.purse.decide(winner);
        self.status = Status::Over;
        self.emit(ChainEvent::Ended { winner: winner.map(|role| self.players[role].account), outcome });
    }
}
