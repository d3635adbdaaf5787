//! What a seat knows for certain: who it is, the public state that final events of the chain make, and the own states behind
//! the own commitments. Sub-machines read it; only the chain's final events change it.

use super::set_up::Keys;
use alloy::primitives::Address;
use fog::engine::{BoxedParty, Engine, Exchange, Fault, Phase, Session, Word};
use game::message::POINTS_BYTES;
use game::replay::Opened;
use game::secrets::{GameSecrets, ViewKey};
use game::transcript::set_up_id;
use game::{
    ChainEvent, Demanded, GameRef, Introduction, MessageId, MoveFields, OwnState, Past, PeerFault, PlayState, Player,
    Table, TableError,
};
use halo2curves::bn256::Fr;
use rules::{Color, Move, PieceType, Square};
use std::sync::Arc;

/// A player's part in a set-up with messages, and what binds it to the game.
pub(super) type SetUpParty = (BoxedParty<Keys>, Word);

pub(super) struct Facts {
    pub me: Address,
    pub secrets: GameSecrets,
    engine: Arc<dyn Engine>,
    table: Table,
    /// Each ply that was made, the first one first, and the game before it.
    history: Vec<(PlayState, MoveFields)>,
    /// The plies that were made, as this player knows them.
    pub past: Vec<Past>,
    /// What own moves captured that were chosen before a restart, by their plies.
    pub captured: Vec<(u16, Move, PieceType)>,
    /// The last ply of the opponent's that was in a block before it was final.
    pub seen: Option<u16>,
    /// Own states, the start first; empty before colors are drawn.
    states: Vec<OwnState>,
    /// Once colors are drawn and the engine is set up.
    player: Option<Player>,
    /// A move on chain that this wallet's secrets don't open: nothing more can be done.
    pub lost: bool,
}

impl Facts {
    pub fn new(me: Address, secrets: GameSecrets, engine: Arc<dyn Engine>, game: GameRef) -> Self {
        Self {
            me,
            secrets,
            engine,
            table: Table::new(game),
            history: Vec::new(),
            past: Vec::new(),
            captured: Vec::new(),
            seen: None,
            states: Vec::new(),
            player: None,
            lost: false,
        }
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What the game's sights are made with.
    pub fn engine(&self) -> Arc<dyn Engine> {
        self.engine.clone()
    }

    pub fn apply(&mut self, event: &ChainEvent) -> Result<(), TableError> {
        let made = match event {
            ChainEvent::Moved { fields, .. } => self.table.playing().cloned().map(|play| (play, *fields)),
            _ => None,
        };
        self.table.apply(event)?;
        self.history.extend(made);
        Ok(())
    }

    /// The game before a ply that was made.
    pub fn before(&self, ply: u16) -> Option<&PlayState> {
        self.history.get(usize::from(ply)).map(|(before, _)| before)
    }

    /// Whether a move is the last one that was made. Of a game that goes on from a woken position only what that has of it is compared.
    pub fn is_last(&self, fields: &MoveFields) -> bool {
        self.table.begun().is_some_and(|play| {
            let mover = (!play.turn()).index();
            let known = [play.commitments[mover], play.request_roots[mover], play.answer_root];
            known == [fields.next_commitment, fields.next_request_root, fields.answer_root]
                && play.ply == fields.ply.saturating_add(1)
        })
    }

    /// All moves, once the game is over and the opponent has published its view key, and why it opens no more of them, if it doesn't.
    pub fn laid_open(&self) -> Option<(Vec<Move>, Option<String>)> {
        self.table.ending()?;
        let color = self.color()?;
        let of_opponent = self.history.iter().find(|(_, fields)| fields.ply == !color as u16);
        let first = of_opponent.map(|(_, fields)| fields.next_commitment);
        let key = ViewKey::from_bytes(self.table.view_key_of(!color, first)?);
        let own = self.secrets.view_key().clone();
        let mut opened = Opened::new(if color == Color::White { [own, key] } else { [key, own] });
        let fault = self.history.iter().find_map(|(before, fields)| opened.follow(before, fields, true).err());
        let fault = fault.map(|why| why.to_string());
        Some((opened.moves.into_iter().map(|played| played.mv).collect(), fault))
    }

    /// Whether a move of the game is this one.
    pub fn has_made(&self, fields: &MoveFields) -> bool {
        self.history.get(usize::from(fields.ply)).is_some_and(|(_, made)| made == fields)
    }

    /// Whether a demand is about a request that came with an earlier move of the opponent than its last.
    pub fn is_before_last_move(&self, demanded: &Demanded) -> bool {
        self.opponent_ply().is_some_and(|last| demanded.ply < last)
    }

    /// What a demand of the opponent is about, as far as it is this player's to answer: the exchange, and the own state in it.
    pub fn demanded(&self, demanded: &Demanded) -> Option<(Exchange, OwnState)> {
        let player = self.player.as_ref().filter(|player| player.color() != demanded.receiver)?;
        let now = self.table.begun()?;
        let ply = demanded.ply.checked_add(u16::from(demanded.phase == Phase::Post))?;
        let play = self.before(ply).unwrap_or(now);
        let exchange = play.exchange(demanded.phase)?;
        let ctx = player.context(play, &exchange).ok()?;
        let own = self.states.iter().find(|state| state.commitment == demanded.commitment)?;
        (ctx == demanded.ctx).then(|| (exchange, own.clone()))
    }

    /// Colors are drawn: the first own state, and this player's part in the engine's set-up, with what binds it to the game, if
    /// that has messages. Else the engine is set up by that.
    pub fn begin(&mut self) -> Result<Option<(Color, Option<SetUpParty>)>, Fault> {
        let (Some(play), Some(color)) = (self.table.begun(), self.color()) else {
            return Ok(None);
        };
        self.states = vec![OwnState::start(color)];
        let game = play.engine_game(self.table.game());
        let party = self.engine.set_up(color, self.secrets.seed(), &game)?;
        if !party.shape().is_empty() {
            let id = set_up_id(self.engine.about(), &game);
            return Ok(Some((color, Some((party, id)))));
        }
        let (mut session, job) = Session::start(party, color == Color::White);
        session.finish(job.run())?;
        let keys = session.output().cloned();
        self.equip(keys.ok_or_else(|| Fault::internal("a set-up without messages gives no keys"))?)?;
        Ok(Some((color, None)))
    }

    /// The engine is set up.
    pub fn equip(&mut self, keys: Keys) -> Result<(), Fault> {
        let Some(color) = self.color() else { return Ok(()) };
        let request = keys.request(&OwnState::start(color).committed())?;
        if !request.is_empty() && request.len() != POINTS_BYTES {
            return Err(Fault::internal("the link doesn't carry this engine's requests"));
        }
        let view_key = self.secrets.view_key().clone();
        self.player = Some(Player::new(*self.table.game(), color, view_key, keys));
        Ok(())
    }

    /// Who plays whom, for what, once colors are drawn.
    pub fn introduction(&self) -> Option<Introduction> {
        let (color, play) = (self.color()?, self.table.begun()?);
        Some(Introduction {
            at: *self.table.game(),
            you: self.me,
            opponent: play.players[(!color).index()],
            color,
            terms: self.table.terms()?,
            engine: self.engine.about().name.to_owned(),
        })
    }

    /// Whether a contract verifies what the engine proves: else nothing is verified, demanded or claimed through the chain.
    pub fn is_on_chain(&self) -> bool {
        self.player.as_ref().is_some_and(|player| player.keys().on_chain().is_some())
    }

    /// This player's color, once it is drawn.
    pub fn color(&self) -> Option<Color> {
        self.table.begun()?.color_of(self.me)
    }

    /// The game in play, with this player in it.
    pub fn playing(&self) -> Option<&PlayState> {
        self.table.playing().filter(|play| play.color_of(self.me).is_some())
    }

    /// The game in play, if it is on and it is this player's turn.
    pub fn my_turn(&self) -> Option<&PlayState> {
        self.playing().filter(|play| play.color_of(self.me) == Some(play.turn()))
    }

    /// The player with the game in play and its own state, while anything can be exchanged or proven.
    pub fn in_play(&self) -> Option<(&Player, &PlayState, &OwnState)> {
        let play = self.playing().filter(|_| !self.lost)?;
        Some((self.player.as_ref()?, play, self.states.last()?))
    }

    /// What is known of the exchange of an opponent's message, or why the message is of no use.
    pub fn in_play_for(&self, message: MessageId) -> Result<(&Player, &PlayState, &OwnState), PeerFault> {
        let is_over = self.table.ending().is_some();
        let refusal = if is_over { PeerFault::Stale(message) } else { PeerFault::TooEarly(message) };
        self.in_play().ok_or(refusal)
    }

    /// The exchange of a phase that the game is at, in play or as it ended, and the `ctx` that binds it, by which it is known here.
    pub fn exchange(&self, phase: Phase) -> Option<(Fr, Exchange)> {
        let play = self.table.begun()?;
        let exchange = play.exchange(phase)?;
        Some((self.player.as_ref()?.context(play, &exchange).ok()?, exchange))
    }

    /// What an own move captured that was chosen before a restart.
    pub fn captured_before(&self, ply: u16, mv: Move) -> Option<PieceType> {
        self.captured.iter().find(|(at, chosen, _)| (*at, *chosen) == (ply, mv)).map(|(.., piece)| *piece)
    }

    /// Whether this player is in a game that the engine's set-up has failed for: nothing can be exchanged or proven.
    pub fn set_up_failed(&self) -> bool {
        self.playing().is_some() && self.player.is_none()
    }

    /// The last own state on chain.
    pub fn own(&self) -> Option<&OwnState> {
        self.states.last()
    }

    /// The own state that the chain now has.
    pub fn moved(&mut self, state: OwnState) {
        self.states.push(state);
    }

    /// The next own state with that commitment, if one move leads there.
    pub fn find(&self, pending: Option<Square>, commitment: Fr) -> Option<OwnState> {
        self.own()?.find(self.secrets.view_key(), pending, commitment)
    }

    /// The ply of the opponent's last final move.
    pub fn opponent_ply(&self) -> Option<u16> {
        self.last_ply(!self.color()?)
    }

    /// The ply of the last own final move.
    pub fn own_ply(&self) -> Option<u16> {
        self.last_ply(self.color()?)
    }

    fn last_ply(&self, color: Color) -> Option<u16> {
        let play = self.table.begun()?;
        let back = if color == play.turn() { 2 } else { 1 };
        play.ply.checked_sub(back)
    }
}
