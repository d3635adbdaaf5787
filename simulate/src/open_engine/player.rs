//! What one player of the open engine does in a game: requests, parties, and the ticket of a move, which is issued for legal ones only.

use super::exchange::{Receiver, Sender};
use super::keys::{Keys, simulated};
use super::{answer, answer_size, request};
use crate::oracle::Statement;
use ff::Field;
use fog::engine::sight_lines::context::{element, square_field};
use fog::engine::{BoxedParty, CommittedState, Exchange, Fault, GameKeys, MessageSize, MoveStep, OnChain, Word};
use fog::statement::turn::TurnInputs;
use fog::word::to_word;
use halo2curves::bn256::Fr;
use rules::{PieceType, Seen, Sight};
impl GameKeys for Keys {
    fn request(&self, own: &CommittedState) -> Result<Vec<u8>, Fault> {
        Ok(request::make(own))
    }

    fn request_digest(&self, bytes: &[u8]) -> Result<Word, Fault> {
        Ok(to_word(&request::root(bytes)?))
    }

    fn context(&self, exchange: &Exchange, request_digest: &Word) -> Result<Word, Fault> {
        Ok(to_word(&self.sight_context(exchange, element(request_digest)?)?.ctx()))
    }

    fn receiver(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        self.receive(exchange, own, promised, answer_size())
    }

    fn sender(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        request: &[u8],
    ) -> Result<(BoxedParty<()>, Word), Fault> {
        let (sender, root) = Sender::new(self.clone(), exchange, own, request)?;
        Ok((Box::new(sender), root))
    }

    fn prove_move(&self, step: &MoveStep) -> Result<Vec<u8>, Fault> {
        self.work()?;
        let (before, after) = (&step.before, &step.after);
        let mut pending = None;
        let mut sight = None;
        let [mut request_root, mut answer_root, mut context] = [Fr::ZERO; 3];
        if let Some((exchange, messages)) = &step.seen {
            pending = exchange.pending_of(self.color);
            request_root = request::root(&request::make(before))?;
            context = self.own_context(exchange, before)?;
            let content = messages.first().ok_or_else(|| Fault::internal("the exchange has no answer"))?;
            answer_root = answer::root(content).ok_or_else(|| Fault::internal("that is no answer"))?;
            sight = answer::read(content, context);
        }
        if !is_legal(step, pending, sight.as_ref()) {
            return Err(Fault::internal("the move is not legal, or not what is posted"));
        }
        let (fog_key_x, fog_key_y) = self.fog_keys[(!self.color).index()].xy();
        let inputs = TurnInputs {
            commitment: element(&before.commitment)?,
            pending: square_field(pending),
            next_commitment: element(&after.commitment)?,
            request_root,
            answer_root,
            context,
            fog_key_x,
            fog_key_y,
            next_request_root: request::root(&request::make(after))?,
            color: Fr::from(self.color as u64),
            opening: Fr::from(step.seen.is_none()),
            capture: square_field(step.capture),
            king_fell: Fr::from(step.king_fell),
        };
        self.oracle.issue(Statement::Turn, &inputs.to_array(), || Ok(())).map_err(simulated)
    }

    fn on_chain(&self) -> Option<&dyn OnChain> {
        Some(self)
    }
}

/// Whether a move is allowed by what is seen, and does what is posted.
fn is_legal(step: &MoveStep, pending: Option<rules::Square>, sight: Option<&Sight>) -> bool {
    let side = step.before.side.without(pending);
    if side.play(&step.mv) != step.after.side {
        return false;
    }
    match sight {
        None => step.seen.is_none() && side.opening_moves().contains(&step.mv) && step.capture.is_none(),
        Some(sight) => {
            let capture = side.capture_square(&step.mv, sight);
            let king_fell = capture.is_some_and(|square| sight.at(square) == Seen::Piece(PieceType::King));
            side.legal_moves(sight).contains(&step.mv) && (capture, king_fell) == (step.capture, step.king_fell)
        }
    }
}

impl Keys {
    pub fn receive(
        &self,
        exchange: &Exchange,
        own: &CommittedState,
        promised: Option<Word>,
        size: MessageSize,
    ) -> Result<BoxedParty<Sight>, Fault> {
        fog::ensure!(exchange.receiver() == self.color, Fault::internal("the sight is the opponent's"));
        own.check(self.color, exchange)?;
        let (keys, exchange, own) = (self.clone(), exchange.clone(), own.clone());
        Ok(Box::new(Receiver { keys, exchange, own, promised, size }))
    }
}
