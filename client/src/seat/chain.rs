//! What the chain's events do to a seat. Everything that is released hangs on *final* events (protocol, section 6, step
//! 4); what is merely in a block is shown, and if it is one's own, remembered, so that no second move is signed for its ply.

use super::event::Effect;
use super::giving::Giving;
use super::incoming::Incoming;
use super::turn::Turn;
use super::{Asked, Seat, fault, request_id, show};
use ff::Field;
use game::Notice;
use game::OwnState;
use game::PeerFault;
use game::{Board, ChainEvent, MoveFields};
use halo2curves::bn256::Fr;
use rules::Square;

impl Seat {
    /// An event of the chain that will stay.
    pub(super) fn on_final(&mut self, event: &ChainEvent, fx: &mut Vec<Effect>) {
        if self.table.knows(event) {
            return;
        }
        let was_over = self.table.ending().is_some();
        let pending = self.table.board().and_then(|board| board.pending);
        if let Err(error) = self.table.apply(event) {
            return show(Notice::ChainRefused(error.to_string()), fx);
        }
        match event {
            ChainEvent::Started { .. } => self.on_started(fx),
            ChainEvent::Moved { player, fields, .. } if *player == self.me => {
                self.on_own_move(fields, pending, fx)
            }
            ChainEvent::Moved { fields, .. } if self.color().is_some() => {
                self.on_opponent_move(fields, fx)
            }
            _ => {}
        }
        if let Some(outcome) = self.table.ending().filter(|_| !was_over) {
            self.leave_the_board();
            show(Notice::Over(outcome), fx);
        }
    }

    fn on_started(&mut self, fx: &mut Vec<Effect>) {
        let Some(color) = self.color() else { return };
        self.own = vec![OwnState::start(color)];
        show(Notice::Playing { color, ply: 0 }, fx);
        self.show_board(fx);
    }

    /// One's own move is final: the answer for the opponent may leave, and the sight after the move is awaited.
    fn on_own_move(&mut self, fields: &MoveFields, pending: Option<Square>, fx: &mut Vec<Effect>) {
        let prepared = self.turn.take().and_then(Turn::into_prepared);
        let prepared =
            prepared.filter(|prepared| prepared.next.commitment == fields.next_commitment);
        let (state, request) = match prepared {
            Some(prepared) => (Some(prepared.next), Some(prepared.request)),
            None => (self.find_own(pending, fields.next_commitment), None),
        };
        let Some(state) = state else {
            self.lost = true;
            return show(Notice::NotThisWallet { ply: fields.ply }, fx);
        };
        if let Some(mv) = state.mv {
            show(
                Notice::Moved {
                    ply: fields.ply,
                    mv,
                    capture: fields.capture,
                },
                fx,
            );
        }
        // A request made in an earlier life of this seat is made again, and sent again, when it is needed.
        self.asked = request.map(|request| Asked {
            ply: fields.ply,
            request,
            sent: true,
        });
        self.own.push(state);
        let Some(board) = self.table.playing().cloned() else {
            return;
        };
        self.release_answer(&board);
        self.pre = None;
        self.post = board
            .post_context(self.table.game())
            .map(|context| Incoming::new(context, None));
        self.take_early(fx);
    }

    fn find_own(&self, pending: Option<Square>, commitment: Fr) -> Option<OwnState> {
        self.own
            .last()?
            .find(self.secrets.view_key(), pending, commitment)
    }

    /// The answer that one's own final move carries the root of may leave.
    fn release_answer(&mut self, board: &Board) {
        let Some(context) = board.pre_context(self.table.game()) else {
            return;
        };
        let made = self
            .giving
            .iter_mut()
            .find(|giving| *giving.context() == context);
        match (made, self.own.last()) {
            (Some(giving), _) => giving.release(),
            // After a restart without points: it is made when they are there. Without a posted root it is of no use.
            (None, Some(own)) if board.answer_root != Fr::ZERO => {
                self.giving.push(Giving::new(context, own.clone(), true));
            }
            _ => {}
        }
        self.giving.retain(Giving::is_released);
    }

    /// The opponent's move is final: it is owed its sight after the move, and owes the sight before one's own.
    fn on_opponent_move(&mut self, fields: &MoveFields, fx: &mut Vec<Effect>) {
        let (ply, capture, draw_offered) = (fields.ply, fields.capture, fields.offer_draw);
        show(
            Notice::OpponentMoved {
                ply,
                capture,
                draw_offered,
            },
            fx,
        );
        let Some(board) = self.table.playing().cloned() else {
            return;
        };
        self.points = None;
        self.unanswerable = None;
        let contexts = (
            board.post_context(self.table.game()),
            board.pre_context(self.table.game()),
        );
        self.giving = match (contexts.0, self.own.last()) {
            (Some(context), Some(own)) => vec![Giving::new(context, own.clone(), true)],
            _ => Vec::new(),
        };
        self.pre = contexts
            .1
            .map(|context| Incoming::new(context, Some(board.answer_root)));
        if self.pre.is_some() && board.answer_root == Fr::ZERO {
            show(Notice::NoSightPosted { ply: board.ply }, fx);
        }
        if let Some((early, request)) = self.early_points.take()
            && early == ply
        {
            self.match_points(ply, request, fx);
        }
        self.take_early(fx);
        if board.opening() {
            self.show_board(fx);
        }
    }

    /// Points that came before the move that commits to them was final.
    fn match_points(
        &mut self,
        ply: u16,
        request: fog::engine::sight_lines::request::Request,
        fx: &mut Vec<Effect>,
    ) {
        if let Err(wrong) = self.accept_points(ply, request, fx) {
            fault(wrong, fx);
        }
    }

    /// Takes the opponent's points if they are the ones it has committed to.
    pub(super) fn accept_points(
        &mut self,
        ply: u16,
        request: fog::engine::sight_lines::request::Request,
        fx: &mut Vec<Effect>,
    ) -> Result<(), PeerFault> {
        let id = request_id(ply);
        let Some((board, color)) = self.table.board().zip(self.color()) else {
            return Err(PeerFault::TooEarly(id));
        };
        if request.root() != board.request_roots[(!color).index()] {
            return Err(PeerFault::RequestRoot(id));
        }
        fx.extend(
            super::request_message(ply, &request)
                .map(|message| Effect::Journal(crate::journal::Entry::Received(message))),
        );
        self.points = Some(request);
        Ok(())
    }

    /// A move in a block that isn't final. An unknown one of one's own was signed in an earlier life of this seat.
    pub(super) fn on_seen(&mut self, fields: &MoveFields, fx: &mut Vec<Effect>) {
        let Some(board) = self.table.playing().filter(|board| board.ply == fields.ply) else {
            return;
        };
        if board.color_of(self.me) != Some(board.turn()) {
            return show(Notice::OpponentSeen { ply: fields.ply }, fx);
        }
        let pending = board.pending;
        match self.turn.as_mut() {
            Some(turn) if turn.signed_commitment() == Some(fields.next_commitment) => {
                turn.seen(true)
            }
            _ => match self
                .find_own(pending, fields.next_commitment)
                .and_then(|state| state.mv)
            {
                Some(mv) => {
                    self.giving.retain(Giving::is_released);
                    self.turn = Some(Turn::on_chain(mv, fields.offer_draw));
                }
                None => show(Notice::NotThisWallet { ply: fields.ply }, fx),
            },
        }
    }

    /// A move that was in a block is not any more: one's own goes out again, the same.
    pub(super) fn on_dropped(&mut self, ply: u16, fx: &mut Vec<Effect>) {
        let Some(board) = self.table.playing().filter(|board| board.ply == ply) else {
            return;
        };
        let mine = board.color_of(self.me) == Some(board.turn());
        show(Notice::Reorganised { ply }, fx);
        if let Some(turn) = self.turn.as_mut().filter(|_| mine) {
            turn.dropped();
        }
    }

    fn leave_the_board(&mut self) {
        self.turn = None;
        self.giving.clear();
        self.early.clear();
        self.early_points = None;
    }

    /// Shows the board as it is.
    pub(super) fn show_board(&self, fx: &mut Vec<Effect>) {
        if let Some(view) = self.view() {
            show(Notice::View(Box::new(view)), fx);
        }
    }
}
