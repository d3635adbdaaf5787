//! One's own move, from the user's word to the chain (protocol, section 6, steps 2 and 3): chosen, waiting for the
//! opponent's request, being proven, signed. A seat signs one move a ply; it writes the choice down before it works on it
//! and the signed transaction before it sends it, and repeats exactly that.

use super::event::Effect;
use super::giving::Giving;
use super::{Seat, show};
use crate::journal::Entry;
use fog::engine::sight_lines::request::Request;
use game::MoveFields;
use game::OwnState;
use game::{Notice, Transaction};
use halo2curves::bn256::Fr;
use rules::Move;

/// A move that has been put together.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub fields: MoveFields,
    pub ctx_next: Fr,
    pub next: OwnState,
    /// One's own request after the move.
    pub request: Request,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Chosen in an earlier life of this seat; the sight must be proven again.
    AwaitingSight,
    /// The opponent's points are missing, without which it can be given no sight.
    AwaitingRequest {
        told: bool,
        hurry: bool,
    },
    Proving(Box<Prepared>),
    Signed {
        prepared: Box<Prepared>,
        proof: Vec<u8>,
        sent: bool,
        seen: bool,
    },
    /// Signed in an earlier life of this seat and in a block that isn't final yet.
    OnChain,
}

/// The move that was chosen for the ply to come.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub mv: Move,
    offer_draw: bool,
    stage: Stage,
}

impl Turn {
    /// A choice of now.
    pub fn chosen(mv: Move, offer_draw: bool) -> Self {
        Self {
            mv,
            offer_draw,
            stage: Stage::AwaitingRequest {
                told: false,
                hurry: false,
            },
        }
    }

    /// A choice that the journal remembers.
    pub fn restored(mv: Move, offer_draw: bool) -> Self {
        Self {
            mv,
            offer_draw,
            stage: Stage::AwaitingSight,
        }
    }

    /// A signed move that the journal remembers.
    pub fn signed(mv: Move, prepared: Prepared, proof: Vec<u8>) -> Self {
        let offer_draw = prepared.fields.offer_draw;
        let stage = Stage::Signed {
            prepared: Box::new(prepared),
            proof,
            sent: false,
            seen: false,
        };
        Self {
            mv,
            offer_draw,
            stage,
        }
    }

    /// A signed move that only the chain remembers.
    pub fn on_chain(mv: Move, offer_draw: bool) -> Self {
        Self {
            mv,
            offer_draw,
            stage: Stage::OnChain,
        }
    }

    /// What was put together, if anything was.
    pub fn into_prepared(self) -> Option<Prepared> {
        match self.stage {
            Stage::Proving(prepared) | Stage::Signed { prepared, .. } => Some(*prepared),
            _ => None,
        }
    }

    /// The commitment that was signed.
    pub fn signed_commitment(&self) -> Option<Fr> {
        match &self.stage {
            Stage::Signed { prepared, .. } => Some(prepared.fields.next_commitment),
            _ => None,
        }
    }

    /// The request that goes with the signed move, and its ply.
    pub fn signed_request(&self) -> Option<(u16, &Request)> {
        match &self.stage {
            Stage::Signed { prepared, .. } => Some((prepared.fields.ply, &prepared.request)),
            _ => None,
        }
    }

    /// The move is in a block, or isn't any more.
    pub fn seen(&mut self, now: bool) {
        if let Stage::Signed { seen, .. } = &mut self.stage {
            *seen = now;
        }
    }

    /// The move is to be sent again; one that only the chain knew is made again, the same.
    pub fn dropped(&mut self) {
        self.seen(false);
        match &mut self.stage {
            Stage::Signed { sent, .. } => *sent = false,
            Stage::OnChain => self.stage = Stage::AwaitingSight,
            _ => {}
        }
    }

    fn resend(&mut self) {
        if let Stage::Signed {
            sent, seen: false, ..
        } = &mut self.stage
        {
            *sent = false;
        }
    }
}

impl Seat {
    /// The user has the chosen move go without the opponent's points.
    pub(super) fn hurry(&mut self) {
        if let Some(Turn {
            stage: Stage::AwaitingRequest { hurry, .. },
            ..
        }) = &mut self.turn
        {
            *hurry = true;
        }
    }

    /// Carries the chosen move as far as it goes now.
    pub(super) fn advance_turn(&mut self, fx: &mut Vec<Effect>) {
        self.resume_choice(fx);
        if self.may_prepare(fx) {
            self.prepare_and_prove(fx);
        }
        if let Some(Turn {
            mv,
            stage:
                Stage::Signed {
                    prepared,
                    proof,
                    sent,
                    ..
                },
            ..
        }) = &mut self.turn
            && !*sent
        {
            *sent = true;
            self.clock.sent_at = self.clock.now;
            let (fields, ctx_next) = (prepared.fields, prepared.ctx_next);
            fx.push(Effect::SendTransaction(Transaction::Move {
                fields,
                ctx_next,
                proof: proof.clone(),
            }));
            fx.extend(
                super::request_message(fields.ply, &prepared.request).map(Effect::SendMessage),
            );
            show(
                Notice::Sent {
                    ply: fields.ply,
                    mv: *mv,
                },
                fx,
            );
        }
    }

    /// A choice of an earlier life goes on once the sight is proven again.
    fn resume_choice(&mut self, fx: &mut Vec<Effect>) {
        let legal = match &self.turn {
            Some(Turn {
                mv,
                stage: Stage::AwaitingSight,
                ..
            }) if self.proven_sight().is_some() => self.legal_moves().contains(mv),
            _ => return,
        };
        if !legal {
            show(
                Notice::JournalNote(
                    "the remembered move is not legal here and was forgotten".into(),
                ),
                fx,
            );
            self.turn = None;
        } else if let Some(turn) = &mut self.turn {
            turn.stage = Stage::AwaitingRequest {
                told: false,
                hurry: false,
            };
        }
    }

    /// Whether the chosen move has all it needs, or can't wait for the rest any longer.
    fn may_prepare(&mut self, fx: &mut Vec<Effect>) -> bool {
        let ply = self.my_turn().map(|board| board.ply);
        // On ply 0 nothing has been asked; a request that can't be answered is as good as none.
        let needless = ply == Some(0) || self.unanswerable.is_some();
        let have = self.points.is_some();
        let late = self
            .clock
            .deadline
            .is_some_and(|end| self.clock.now.saturating_add(self.config.reserve) >= end);
        let Some(Turn {
            mv,
            stage: Stage::AwaitingRequest { told, hurry },
            ..
        }) = &mut self.turn
        else {
            return false;
        };
        if ply.is_none() {
            return false;
        }
        if needless || have {
            return true;
        }
        if late || *hurry {
            show(Notice::MovingWithoutAnswer { mv: *mv }, fx);
            return true;
        }
        if !*told {
            *told = true;
            show(Notice::AwaitingRequest { mv: *mv }, fx);
        }
        false
    }

    fn prepare_and_prove(&mut self, fx: &mut Vec<Effect>) {
        let Some((mv, offer_draw)) = self.turn.as_ref().map(|turn| (turn.mv, turn.offer_draw))
        else {
            return;
        };
        match self.prepare(mv, offer_draw, fx) {
            Ok((prepared, public, private)) => {
                let ply = prepared.fields.ply;
                if let Some(turn) = &mut self.turn {
                    turn.stage = Stage::Proving(Box::new(prepared));
                }
                show(Notice::Proving { ply, mv }, fx);
                fx.push(Effect::ProveTurn {
                    ply,
                    public: Box::new(public),
                    private: Box::new(private),
                });
            }
            Err(error) => {
                self.withdraw_choice(fx);
                show(Notice::Refused(error), fx);
            }
        }
    }

    pub(super) fn on_turn_proved(&mut self, ply: u16, proof: Vec<u8>, fx: &mut Vec<Effect>) {
        let Some(turn) = &mut self.turn else { return };
        let prepared = match &turn.stage {
            Stage::Proving(prepared) if prepared.fields.ply == ply => prepared.clone(),
            _ => return,
        };
        let (mv, fields, ctx_next) = (turn.mv, prepared.fields, prepared.ctx_next);
        fx.push(Effect::Journal(Entry::Signed {
            mv,
            fields,
            ctx_next,
            proof: proof.clone(),
        }));
        turn.stage = Stage::Signed {
            prepared,
            proof,
            sent: false,
            seen: false,
        };
    }

    pub(super) fn on_turn_failed(&mut self, ply: u16, reason: String, fx: &mut Vec<Effect>) {
        match &self.turn {
            Some(Turn {
                stage: Stage::Proving(prepared),
                ..
            }) if prepared.fields.ply == ply => {}
            _ => return,
        }
        self.withdraw_choice(fx);
        show(Notice::Failed(reason), fx);
        self.show_board(fx);
    }

    /// Nothing of the move was signed, so another may be chosen.
    fn withdraw_choice(&mut self, fx: &mut Vec<Effect>) {
        self.turn = None;
        self.giving.retain(Giving::is_released);
        if let Some(ply) = self.my_turn().map(|board| board.ply) {
            fx.push(Effect::Journal(Entry::Withdrawn { ply }));
        }
    }

    /// The transaction may have got lost.
    pub(super) fn resend_move(&mut self) {
        if let Some(turn) = &mut self.turn {
            turn.resend();
        }
    }
}
