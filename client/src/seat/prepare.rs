//! Putting a move together (protocol, section 6, step 3): next state and salt, next request, the root of the answer that
//! the opponent will get, and the turn statement. Everything follows from secrets, chain and move, so it can be repeated.

use super::Seat;
use super::event::Effect;
use super::giving::{Giving, is_malformed};
use super::turn::Prepared;
use ff::Field;
use fog::statement::turn::{TurnDraft, TurnPrivate, TurnPublic, TurnSight, gather};
use game::CommandError;
use game::OwnState;
use game::{Board, MoveFields};
use halo2curves::bn256::Fr;
use rules::Move;

impl Seat {
    /// Puts the move together: next state, next request, and the root of the answer that the opponent will get.
    pub(super) fn prepare(
        &mut self,
        mv: Move,
        offer_draw: bool,
        fx: &mut Vec<Effect>,
    ) -> Result<(Prepared, TurnPublic, TurnPrivate), CommandError> {
        let board = self.my_turn().cloned().ok_or(CommandError::NotYourTurn)?;
        let own = self.own.last().cloned().ok_or(CommandError::NotBegun)?;
        let next = own.after(self.secrets.view_key(), board.pending, &mv);
        let (public, private) = self.turn_statement(&board, &own, &next, mv)?;
        let mut fields = MoveFields {
            ply: board.ply,
            next_commitment: public.next_commitment,
            next_request_root: public.next_request_root,
            answer_root: Fr::ZERO,
            capture: public.capture,
            king_fell: public.king_fell,
            offer_draw,
        };
        fields.answer_root = self.prepare_answer(&board, &fields, &next, fx)?;
        let fog_key = board.fog_keys[(!board.turn()).index()];
        let request = next
            .request(&self.secrets, &fog_key)
            .map_err(|error| CommandError::Internal(error.to_string()))?;
        let ctx_next = board.ctx_next(self.table.game(), &fields);
        if public != board.turn_public(self.table.game(), &fields) {
            return Err(CommandError::Internal(
                "the statement is not the one that the contract will check".into(),
            ));
        }
        Ok((
            Prepared {
                fields,
                ctx_next,
                next,
                request,
            },
            public,
            private,
        ))
    }

    fn turn_statement(
        &mut self,
        board: &Board,
        own: &OwnState,
        next: &OwnState,
        mv: Move,
    ) -> Result<(TurnPublic, TurnPrivate), CommandError> {
        self.make_request();
        let fog_key = board.fog_keys[(!board.turn()).index()];
        let scalars = self.secrets.request_scalars(own.commitment, &fog_key);
        let next_scalars = self.secrets.request_scalars(next.commitment, &fog_key);
        let sight = match (
            board.opening(),
            &self.asked,
            self.pre.as_ref().and_then(|pre| pre.proven()),
        ) {
            (true, ..) => None,
            (false, Some(asked), Some(proven)) => Some(TurnSight {
                request: &asked.request,
                scalars: &scalars,
                answer: &proven.answer,
                ctx: board
                    .pre_context(self.table.game())
                    .map_or(Fr::ZERO, |context| context.ctx()),
            }),
            _ => return Err(CommandError::SightNotProven),
        };
        let inputs = TurnDraft {
            side: &own.side,
            salt: own.salt.0,
            pending: board.pending,
            mv,
            next_salt: next.salt.0,
            fog_key,
            sight,
            next_scalars: &next_scalars,
        };
        gather(&inputs).map_err(|error| CommandError::Internal(error.to_string()))
    }

    /// Makes the answer that follows the move and gives its root; 0 without the opponent's points.
    fn prepare_answer(
        &mut self,
        board: &Board,
        fields: &MoveFields,
        next: &OwnState,
        fx: &mut Vec<Effect>,
    ) -> Result<Fr, CommandError> {
        let context = board.after(fields).pre_context(self.table.game());
        let (Some(context), Some(points)) = (context, &self.points) else {
            return Ok(Fr::ZERO);
        };
        let mut giving = Giving::new(context, next.clone(), false);
        match giving.root(&self.secrets, points) {
            // After the fall of a king there is nobody left to see anything.
            Ok(root) if fields.king_fell => Ok(root),
            Ok(root) => {
                self.giving.push(giving);
                Ok(root)
            }
            Err(error) if is_malformed(&error) => {
                self.refuse_points(fx);
                Ok(Fr::ZERO)
            }
            Err(error) => Err(CommandError::Internal(error.to_string())),
        }
    }
}
