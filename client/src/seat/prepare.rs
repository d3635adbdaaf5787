//! Putting the own move together and having it proven (protocol, section 6, step 3).

use super::Seat;
use super::effects::Effects;
use super::event::Job;
use super::turn::Prepared;
use fog::engine::{Fault, Phase};
use fog::ensure;
use game::{CommandError, Declared, MoveFields, Notice, transcript};
use halo2curves::bn256::Fr;
use rules::Move;

impl Seat {
    pub(super) fn prepare_and_prove(&mut self, mv: Move, offer_draw: bool, fx: &mut Effects) {
        let declared = match self.declare(mv, offer_draw, fx) {
            Ok(declared) => declared,
            Err(error) => {
                self.withdraw_choice(fx);
                return fx.notify(Notice::Refused { id: None, error });
            }
        };
        let Some((player, play, _)) = self.facts.in_play() else {
            return;
        };
        let (keys, kind, ply) = (player.keys().clone(), player.message_kind(), declared.fields.ply);
        // What stands in a request's place where there are none.
        let next_request_root = self.transcript().unwrap_or(declared.fields.next_request_root);
        let fields = MoveFields { next_request_root, ..declared.fields };
        let basis = play.basis(self.table().game(), &fields);
        let prepared = Prepared { fields, basis, next: declared.next, request: declared.request };
        if let Some((exchange, party)) = declared.answer {
            let own = prepared.next.clone();
            self.giving.prepare(kind, declared.ctx_next, exchange, own, party);
        }
        fx.notify(Notice::Proving { ply, mv });
        let job = fx.run(Job::prove_move(ply, &keys, declared.step));
        self.turn.proving(job, prepared);
    }

    /// What the own move says of the sights so far, for an engine without requests.
    fn transcript(&self) -> Option<Fr> {
        let (player, play, _) = self.facts.in_play().filter(|(player, ..)| !player.has_requests())?;
        let (first, second) = match play.ply.checked_sub(2) {
            None => (self.set_up.transcript(), None),
            Some(last) => {
                let post = self.receiving.transcript(last, Phase::Post);
                (post, self.receiving.transcript(play.ply, Phase::Pre))
            }
        };
        Some(transcript::next(play.request_roots[player.color().index()], first, second))
    }

    fn declare(&mut self, mv: Move, offer_draw: bool, fx: &mut Effects) -> Result<Declared, CommandError> {
        let (player, play, own) = self.facts.in_play().ok_or(CommandError::NotBegun)?;
        let seen = self.facts.exchange(Phase::Pre).and_then(|(ctx, _)| self.receiving.proven(ctx));
        ensure!(seen.is_some() || play.opening(), CommandError::SightNotProven);
        let declare = |request| player.declare(play, own, mv, offer_draw, seen, request);
        let declared = match declare(self.giving.request()) {
            Err(Fault::Request(_)) => {
                let declared = declare(None);
                self.giving.refuse(self.facts.opponent_ply(), fx);
                declared
            }
            declared => declared,
        };
        declared.map_err(|error| CommandError::Internal { reason: error.to_string() })
    }
}
