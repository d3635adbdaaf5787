//! What the contract verifies proofs of, with the public inputs that it does so with (protocol, section 7): moves, demanded sights and claims.

use alloy_primitives::{Bytes, keccak256};
use ff::Field;
use fog::binding::binding;
use fog::engine::Cause;
use fog::engine::sight_lines::context::AnswerHeader;
use fog::statement::Proves;
use fog::statement::chain_answer::{ChainAnswerPublic, ChainAnswerStatement};
use fog::statement::fifty::{FiftyPublic, FiftyStatement};
use fog::statement::no_move::{NoMovePublic, NoMoveStatement};
use fog::statement::request_data::{RequestDataPublic, RequestDataStatement};
use fog::statement::turn::{TURN_INPUTS, TurnPublic, TurnStatement};
use fog::word::{from_word, to_word};
use halo2curves::bn256::Fr;
use rules::Color;

use crate::{ChainEvent, Outcome, Table};

/// A statement that the contract verifies, with its public inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A move is legal by the posted answer.
    Turn(TurnPublic),
    /// The points of a demand are those of the standing request.
    RequestData(RequestDataPublic),
    /// A demanded sight is what the board makes it.
    ChainAnswer(ChainAnswerPublic),
    /// A player has moved no pawn for fifty moves, or has moved one since.
    Fifty(FiftyPublic),
    /// The player to move has no move.
    NoMove(NoMovePublic),
}

impl Statement {
    /// What the contract has verified with an event that the table is about to take. None if that is nothing, or if the event says what the
    /// contract can't have taken.
    pub fn of(table: &Table, event: &ChainEvent) -> Option<Self> {
        let (game, play) = (table.game(), table.begun()?);
        let turn = play.turn();
        let commitment = |of: Color| play.commitments[of.index()];
        Some(match event {
            ChainEvent::Moved { fields, .. } => Self::Turn(table.playing()?.turn_public(game, fields)?),
            ChainEvent::SightDemanded { demanded, points, .. } => {
                let request_root = demanded.request_root;
                let binding = binding(request_root, &elements_of(points)?);
                Self::RequestData(RequestDataPublic { request_root, binding })
            }
            ChainEvent::SightAnswered { ctx, answer_root, elements, .. } => {
                let demanded = play.demand_for(*ctx)?.demanded;
                Self::ChainAnswer(ChainAnswerPublic {
                    commitment: demanded.commitment,
                    fog_key: play.fog_key(!demanded.receiver)?,
                    header: AnswerHeader {
                        receiver: demanded.receiver,
                        phase: demanded.phase,
                        pending_sender: demanded.pending_sender,
                        pending_receiver: demanded.pending_receiver,
                        ctx: *ctx,
                    },
                    request_root: demanded.request_root,
                    answer_root: *answer_root,
                    binding: binding(*answer_root, &elements_of(elements)?),
                })
            }
            ChainEvent::FiftyClaimed { .. } => Self::Fifty(FiftyPublic { commitment: commitment(turn), bit: true }),
            ChainEvent::FiftyFailed { .. } => Self::Fifty(FiftyPublic { commitment: commitment(!turn), bit: false }),
            // Whoever signs a result proves nothing.
            ChainEvent::Ended { .. } if table.is_signed() => return None,
            ChainEvent::Ended { outcome: Outcome::FiftyMoves, .. } => {
                Self::Fifty(FiftyPublic { commitment: commitment(!turn), bit: true })
            }
            ChainEvent::Ended { outcome: Outcome::NoMove, .. } => Self::NoMove(NoMovePublic {
                commitment: commitment(turn),
                pending: play.pending,
                request_root: play.request_roots[turn.index()],
                answer_root: play.answer_root,
                ctx: play.pre_context(game),
                fog_key: play.fog_key(!turn)?,
                color: turn,
            }),
            _ => return None,
        })
    }

    /// Its name, as the contract of its key tells it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Turn(_) => "turn",
            Self::RequestData(_) => "request-data",
            Self::ChainAnswer(_) => "chain-answer",
            Self::Fifty(_) => "fifty",
            Self::NoMove(_) => "no-move",
        }
    }

    /// Whether a proof of it is right.
    ///
    /// # Errors
    ///
    /// Why it isn't, in the verifier's words.
    pub fn verify<P>(&self, by: &P, proof: &[u8]) -> Result<(), Cause>
    where
        P: Proves<TurnStatement>
            + Proves<RequestDataStatement>
            + Proves<ChainAnswerStatement>
            + Proves<FiftyStatement>
            + Proves<NoMoveStatement>,
    {
        match self {
            Self::Turn(public) => Proves::<TurnStatement>::verify(by, public, proof),
            Self::RequestData(public) => Proves::<RequestDataStatement>::verify(by, public, proof),
            Self::ChainAnswer(public) => Proves::<ChainAnswerStatement>::verify(by, public, proof),
            Self::Fifty(public) => Proves::<FiftyStatement>::verify(by, public, proof),
            Self::NoMove(public) => Proves::<NoMoveStatement>::verify(by, public, proof),
        }
    }

    /// Public inputs and proof, as the verifier's calldata has them after the key's address. Statements in the shape of *turn* have zeros after their own inputs.
    pub fn evidence(&self, proof: &[u8]) -> Bytes {
        let narrow = |own: &[Fr]| own.iter().copied().chain(std::iter::repeat(Fr::ZERO)).take(TURN_INPUTS).collect();
        let inputs: Vec<Fr> = match self {
            Self::Turn(public) => public.to_instance().to_vec(),
            Self::RequestData(public) => narrow(&public.to_instance()),
            Self::ChainAnswer(public) => public.to_instance().to_vec(),
            Self::Fifty(public) => narrow(&public.to_instance()),
            Self::NoMove(public) => narrow(&public.to_instance()),
        };
        inputs.iter().flat_map(to_word).chain(proof.iter().copied()).collect()
    }

    /// What a verdict on a proof of it is kept under: its name, and the hash of public inputs and proof.
    pub fn key(&self, proof: &[u8]) -> String {
        format!("{} {}", self.name(), keccak256(self.evidence(proof)))
    }
}

/// Words as field elements, none if one isn't.
fn elements_of(bytes: &[u8]) -> Option<Vec<Fr>> {
    let (words, []) = bytes.as_chunks() else { return None };
    words.iter().map(from_word).collect()
}
