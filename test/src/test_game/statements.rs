//! What the two sides of a [`TestGame`] ask, answer and move: statements put together natively, and their real proofs
//! (protocol, sections 5 and 7).

use super::{ProvenMove, TestGame};
use crate::prover;
use fog::engine::Proofs as _;
use fog::engine::sight_lines::answer::{Answer, answer};
use fog::engine::sight_lines::context::SightContext;
use fog::engine::sight_lines::request::Request;
use fog::statement::answer::{AnswerPrivate, AnswerPublic, gather as gather_answer};
use fog::statement::turn::{TurnDraft, TurnPrivate, TurnPublic, TurnSight, gather};
use game::MoveFields;
use game::{Message, Phase};
use halo2curves::bn256::Fr;
use rules::{Color, Move};

fn parse(mv: &str) -> Move {
    mv.parse().expect("a move in UCI")
}

impl TestGame {
    /// A player's standing request, for the opponent to answer.
    pub fn request(&self, color: Color) -> Request {
        let player = &self.players[color.index()];
        let key = self.board().fog_keys[(!color).index()];
        let scalars = player.secrets.request_scalars(player.own.commitment, &key);
        let request = Request::make(&player.own.side, &scalars, &key);
        request.expect("secrets give no scalar of 0")
    }

    /// The message with a player's standing request.
    pub fn request_message(&self, color: Color) -> Message {
        let back = if color == self.board().turn() { 2 } else { 1 };
        let points = self.request(color).to_bytes().into_boxed_slice();
        Message::Request {
            ply: self.board().ply - back,
            points: points.try_into().expect("a request has 4096 bytes"),
        }
    }

    fn context(&self, phase: Phase) -> SightContext {
        let context = match phase {
            Phase::Pre => self.board().pre_context(&self.game),
            Phase::Post => self.board().post_context(&self.game),
        };
        context.expect("the position has such a sight")
    }

    /// The statement of the answer before the coming move, or after the last.
    pub fn answer_statement(&self, phase: Phase) -> (AnswerPublic, AnswerPrivate) {
        let exchange = self.context(phase).terms();
        let sender = &self.players[(!exchange.receiver).index()];
        let made = gather_answer(
            sender.own.side.clone(),
            sender.own.salt.0,
            sender.secrets.fog_secret(),
            &exchange,
            self.request(exchange.receiver),
        );
        made.expect("an honest request can be answered")
    }

    /// The message with that answer, really proven.
    pub fn answer_message(&self, phase: Phase) -> Message {
        let (public, private) = self.answer_statement(phase);
        let proof = prover().prove_answer(&public, &private);
        let ply = self.context(phase).ply;
        Message::Answer {
            ply: u16::try_from(ply).expect("plies have 16 bits"),
            phase,
            elements: public.elements.clone(),
            proof: proof.expect("a true statement"),
        }
    }

    fn pre_answer(&self) -> (Answer, Fr) {
        let context = self.context(Phase::Pre);
        let sender = self.other();
        let secret = sender.secrets.fog_secret();
        let request = self.request(self.board().turn());
        let made = answer(&sender.own.side, &secret, &context.terms(), &request);
        (
            made.expect("an honest request can be answered"),
            context.ctx(),
        )
    }

    /// The statement of a legal move of the player to move.
    pub fn turn_statement(&self, mv: &str) -> (TurnPublic, TurnPrivate) {
        let (board, mover) = (self.board(), self.mover());
        let mv = parse(mv);
        let next = mover
            .own
            .after(mover.secrets.view_key(), board.pending, &mv);
        let fog_key = board.fog_keys[(!board.turn()).index()];
        let request = self.request(board.turn());
        let scalars = mover
            .secrets
            .request_scalars(mover.own.commitment, &fog_key);
        let next_scalars = mover.secrets.request_scalars(next.commitment, &fog_key);
        let relied_on = (!board.opening()).then(|| self.pre_answer());
        let sight = relied_on.as_ref().map(|(answer, ctx)| TurnSight {
            request: &request,
            scalars: &scalars,
            answer,
            ctx: *ctx,
        });
        let made = gather(&TurnDraft {
            side: &mover.own.side,
            salt: mover.own.salt.0,
            pending: board.pending,
            mv,
            next_salt: next.salt.0,
            fog_key,
            sight,
            next_scalars: &next_scalars,
        });
        made.unwrap_or_else(|error| panic!("{mv}: {error}"))
    }

    /// A legal move of the player to move, really proven, with the root of the opponent's next answer.
    pub fn make(&self, mv: &str) -> ProvenMove {
        let (public, private) = self.turn_statement(mv);
        let (board, mover) = (self.board(), self.mover());
        let mut fields = MoveFields {
            ply: board.ply,
            next_commitment: public.next_commitment,
            next_request_root: public.next_request_root,
            answer_root: Fr::zero(),
            capture: public.capture,
            king_fell: public.king_fell,
            offer_draw: false,
        };
        if let Some(context) = board.after(&fields).pre_context(&self.game) {
            let next = mover
                .own
                .after(mover.secrets.view_key(), board.pending, &parse(mv));
            let request = self.request(!board.turn());
            let secret = mover.secrets.fog_secret();
            let given = answer(&next.side, &secret, &context.terms(), &request);
            fields.answer_root = given.expect("an honest request can be answered").root();
        }
        assert_eq!(
            public,
            board.turn_public(&self.game, &fields),
            "the contract's statement"
        );
        let proof = prover()
            .prove_turn(&public, &private)
            .expect("a legal move");
        let ctx_next = board.ctx_next(&self.game, &fields);
        ProvenMove {
            fields,
            ctx_next,
            proof,
        }
    }
}
