//! One player's side of one game without chain, link or clock: requests, both parties of every exchange, and own moves put
//! together (protocol, section 6). Everything follows from secrets, chain and move, so all of it can be repeated. Seat, test
//! harness and simulator make their statements, requests and answers here and nowhere else.

use crate::{GameRef, MessageKind, MoveFields, OwnState, PlayState, secrets::ViewKey};
use ff::Field;
use fog::{
    engine::{BoxedParty, Exchange, Fault, GameKeys, MoveStep, Phase, Word},
    ensure,
    word::{from_word, to_word},
};
use halo2curves::bn256::Fr;
use rules::{Color, Move, PieceType, Seen, Sight};
use std::sync::Arc;

/// What a player holds for one game, once colors are drawn and the engine is set up.
#[derive(Clone)]
pub struct Player {
    game: GameRef,
    color: Color,
    view_key: ViewKey,
    keys: Arc<dyn GameKeys>,
    has_requests: bool,
}

/// A proven sight: what was seen, and the messages that prove it.
#[derive(Clone, Copy, Debug)]
pub struct ProvenSight<'a> {
    /// What the own pieces see.
    pub sight: &'a Sight,
    /// All messages of the exchange.
    pub messages: &'a [Vec<u8>],
}

/// An own move, put together and not proven yet.
pub struct Declared {
    pub fields: MoveFields,
    /// What the exchange after it is bound to, as the contract wants it; 0 on ply 0.
    pub ctx_next: Fr,
    /// The own state after the move.
    pub next: OwnState,
    /// The own request that stands after the move.
    pub request: Vec<u8>,
    /// What its proof is made of.
    pub step: MoveStep,
    /// The opponent's next *pre* exchange with this side's part in it, whose answer root the move posts. `None`
    /// without the opponent's request, and when a king fell: then there is nobody left to see anything.
    pub answer: Option<(Exchange, BoxedParty<()>)>,
}

fog::redacted!(Declared, Player);

impl Player {
    /// The player of `color` in a game, with the keys that the engine's set-up gave.
    pub fn new(game: GameRef, color: Color, view_key: ViewKey, keys: Arc<dyn GameKeys>) -> Self {
        // One that can't be made is told where it is needed.
        let request = keys.request(&OwnState::start(color).committed());
        let has_requests = request.map_or(true, |request| !request.is_empty());
        Self { game, color, view_key, keys, has_requests }
    }

    /// Whether a sight answers a request. Without requests a move carries the transcript of the sights before it in the place of its
    /// request's root, see [`crate::transcript`].
    pub fn has_requests(&self) -> bool {
        self.has_requests
    }

    /// What the messages of sights are on the link.
    pub fn message_kind(&self) -> MessageKind {
        if self.has_requests { MessageKind::Answer } else { MessageKind::Exchange }
    }

    /// The color that this player plays.
    pub fn color(&self) -> Color {
        self.color
    }

    /// What the engine made for this game.
    pub fn keys(&self) -> &Arc<dyn GameKeys> {
        &self.keys
    }

    /// The request that stands while `own` is the own state.
    pub fn request(&self, own: &OwnState) -> Result<Vec<u8>, Fault> {
        self.keys.request(&own.committed())
    }

    /// What stands on chain for a request.
    pub fn request_root(&self, request: &[u8]) -> Result<Fr, Fault> {
        element(&self.keys.request_digest(request)?)
    }

    /// What the contract binds an exchange to, whatever the engine: the key by which a seat knows it.
    pub fn context(&self, play: &PlayState, exchange: &Exchange) -> Result<Fr, Fault> {
        play.context(&self.game, exchange).ok_or_else(|| Fault::internal("a word of the chain is no field element"))
    }

    /// The receiver's part in an exchange. `promised` is the answer's root on chain, of *pre* exchanges.
    pub fn receive(
        &self,
        exchange: &Exchange,
        own: &OwnState,
        promised: Option<Fr>,
    ) -> Result<BoxedParty<Sight>, Fault> {
        let promised = promised.map(|root| to_word(&root));
        self.keys.receiver(exchange, &own.committed(), promised)
    }

    /// The receiver's part in an exchange whose answer the contract has verified under `answer_root`.
    pub fn receive_published(
        &self,
        exchange: &Exchange,
        own: &OwnState,
        answer_root: Fr,
    ) -> Result<BoxedParty<Sight>, Fault> {
        let on_chain = self.keys.on_chain().ok_or_else(|| Fault::internal("this engine publishes no answers"))?;
        on_chain.receive_published(exchange, &own.committed(), to_word(&answer_root))
    }

    /// The sender's part in an exchange, and the root of its answer.
    pub fn give(&self, exchange: &Exchange, own: &OwnState, request: &[u8]) -> Result<(BoxedParty<()>, Fr), Fault> {
        let (party, root) = self.keys.sender(exchange, &own.committed(), request)?;
        Ok((party, element(&root)?))
    }

    /// Puts an own move together. `seen` is the sight that it relies on, `None` on a player's first move; `peer_request` is the
    /// opponent's standing request, if it is there.
    pub fn declare(
        &self,
        play: &PlayState,
        own: &OwnState,
        mv: Move,
        offer_draw: bool,
        seen: Option<ProvenSight<'_>>,
        peer_request: Option<&[u8]>,
    ) -> Result<Declared, Fault> {
        ensure!(seen.is_some() || play.opening(), Fault::internal("a move after the first relies on a sight"));
        if let Some(request) = peer_request.filter(|_| self.has_requests) {
            let asked = play.request_roots[(!play.turn()).index()];
            let is_asked = self.request_root(request)? == asked;
            ensure!(is_asked, Fault::internal("the opponent's request is not the one on chain"));
        }
        let next = own.after(&self.view_key, play.pending, &mv);
        let request = self.request(&next)?;
        let (capture, king_fell) = captured(play, own, &mv, seen.map(|seen| seen.sight));
        let mut fields = MoveFields {
            ply: play.ply,
            next_commitment: next.commitment,
            next_request_root: self.request_root(&request)?,
            answer_root: Fr::ZERO,
            capture,
            king_fell,
            offer_draw,
        };
        let after = play.after(&fields);
        let exchange = after.exchange(Phase::Pre);
        let ctx_next = exchange.as_ref().map_or(Ok(Fr::ZERO), |exchange| self.context(&after, exchange))?;
        let mut answer = None;
        if let (Some(exchange), Some(request)) = (exchange, peer_request) {
            let (party, root) = self.give(&exchange, &next, request)?;
            fields.answer_root = root;
            answer = Some((exchange, party)).filter(|_| !king_fell);
        }
        let seen = play.exchange(Phase::Pre).zip(seen.map(|seen| seen.messages.to_vec()));
        let step = MoveStep { before: own.committed(), after: next.committed(), mv, capture, king_fell, seen };
        Ok(Declared { fields, ctx_next, next, request, step, answer })
    }
}

/// Where a move captures by what is seen, and whether a king.
fn captured(play: &PlayState, own: &OwnState, mv: &Move, sight: Option<&Sight>) -> (Option<rules::Square>, bool) {
    let Some(sight) = sight else {
        return (None, false);
    };
    let capture = own.side.without(play.pending).capture_square(mv, sight);
    let is_king = |square| sight.at(square) == Seen::Piece(PieceType::King);
    (capture, capture.is_some_and(is_king))
}

fn element(word: &Word) -> Result<Fr, Fault> {
    from_word(word).ok_or_else(|| Fault::internal("an engine's digest is not reduced"))
}
