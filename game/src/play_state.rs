//! A game in play as the contract keeps it (protocol, sections 5 and 8): what binds the next exchanges, what a move makes
//! of it, and the public inputs that a move's proof is checked with.

use crate::{Demanded, GameRef, MoveFields, Outcome, Position, Slot, TableError};
use alloy_primitives::{Address, B256};
use ff::Field;
use fog::ensure;
use fog::{
    commitment::initial,
    curve::FogKey,
    engine::{
        self, Phase, PostedStep, Registration,
        sight_lines::context::{SightContext, square_number},
    },
    statement::turn::{TurnInputs, TurnPublic},
    word::{Word, keccak256, small_word, to_word},
};
use halo2curves::bn256::Fr;
use rules::{Color, Square};

/// The least plies without a capture after which fifty moves can be claimed, as the contract has it.
const QUIET_PLIES: u16 = 100;

/// Why the clock of the player to move stands still: its demand or its claim is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// It has demanded the sight before its move.
    Sight(Demand),
    /// It has claimed fifty moves.
    FiftyMoves {
        claimant: Color,
        /// The last second to answer it, since 1970.
        deadline: u64,
        /// What the claimant put in, in wei.
        bond: u128,
    },
}

impl Hold {
    /// The last second to answer it, since 1970.
    pub fn deadline(&self) -> u64 {
        match self {
            Self::Sight(demand) => demand.deadline,
            Self::FiftyMoves { deadline, .. } => *deadline,
        }
    }
}

/// A demand for a sight that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    pub demanded: Demanded,
    /// The last second to answer it, since 1970.
    pub deadline: u64,
    /// What the demander put in, in wei.
    pub bond: u128,
}

/// The game in play.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayState {
    pub players: [Address; 2],
    /// What they registered: fog keys, or in mode `unproven` what their sight engine registers.
    pub registered: [Registration; 2],
    /// The joint randomness of the coin toss, see [`crate::toss`].
    pub toss: Word,
    /// The ply to come.
    pub ply: u16,
    /// Both commitments, before removal.
    pub commitments: [Fr; 2],
    /// The square on which the last move captured.
    pub pending: Option<Square>,
    /// By color the last step, and after the second one the first too; none in a position that was woken.
    pub steps: [Vec<PostedStep>; 2],
    /// Pieces left by color: 16 less the captures.
    pub men: [u8; 2],
    /// The roots of both standing requests; 0 before the first.
    pub request_roots: [Fr; 2],
    /// The root of the answer for the player to move; 0 if none was given.
    pub answer_root: Fr,
    /// Whether the last move offered a draw.
    pub draw_offered: bool,
    /// Plies since the last capture.
    pub quiet_plies: u16,
    /// Why the clock of the player to move stands still, if it does.
    pub hold: Option<Hold>,
    /// By color: its open demand for the sight after a move.
    pub posts: [Option<Demand>; 2],
    /// Whether the sight before the ply to come has been demanded.
    pub pre_demanded: bool,
    /// By color: whether it has demanded the sight after its latest move.
    pub post_demanded: [bool; 2],
    /// By color: the first ply at which it may claim fifty moves.
    pub claims_from: [u16; 2],
}

impl PlayState {
    /// The start of a game, White's first.
    pub(crate) fn start(players: [Address; 2], registered: [Registration; 2], toss: Word) -> Self {
        Self {
            players,
            registered,
            toss,
            ply: 0,
            commitments: [initial(Color::White), initial(Color::Black)],
            pending: None,
            steps: Default::default(),
            men: [16; 2],
            request_roots: [Fr::ZERO; 2],
            answer_root: Fr::ZERO,
            draw_offered: false,
            quiet_plies: 0,
            hold: None,
            posts: [None; 2],
            pre_demanded: false,
            post_demanded: [false; 2],
            claims_from: [0; 2],
        }
    }

    /// The color to move.
    pub fn turn(&self) -> Color {
        Color::of_ply(self.ply.into())
    }

    /// Whether the player to move plays its first move, for which it needs no sight (protocol, section 6).
    pub fn opening(&self) -> bool {
        self.ply < 2
    }

    /// The color that an account plays; none if it plays neither.
    pub fn color_of(&self, player: Address) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.players[color.index()] == player)
    }

    /// What a sight engine knows of the game.
    pub fn engine_game(&self, game: &GameRef) -> engine::Game {
        engine::Game {
            chain_id: game.chain_id,
            contract: game.contract.into(),
            game_id: game.game_id.into(),
            toss: self.toss,
            registered: self.registered,
        }
    }

    /// The exchange that gives the player to move its sight (*pre*), or the player who has just moved (*post*). *Pre*: none
    /// on plies 0 and 1. *Post*: none on ply 0.
    pub fn exchange(&self, phase: Phase) -> Option<engine::Exchange> {
        let ply = match phase {
            Phase::Pre => Some(self.ply).filter(|_| !self.opening())?,
            Phase::Post => self.ply.checked_sub(1)?,
        };
        Some(engine::Exchange {
            ply: ply.into(),
            phase,
            attempt: 0,
            commitments: self.commitments.map(|commitment| to_word(&commitment)),
            pending: self.pending,
            men: self.men,
            steps: self.steps.clone(),
        })
    }

    /// The fog key of a player; `None` in mode `unproven`, where none is registered.
    pub fn fog_key(&self, color: Color) -> Option<FogKey> {
        FogKey::from_bytes(&self.registered[color.index()]).ok()
    }

    /// The `ctx` of an exchange of this position: what the contract binds it to in every mode, whatever the engine.
    pub fn context(&self, game: &GameRef, exchange: &engine::Exchange) -> Option<Fr> {
        let request_root = self.request_roots[exchange.receiver().index()];
        let context = SightContext::new(&self.engine_game(game), exchange, request_root);
        context.map(|context| context.ctx())
    }

    /// The `ctx` of the exchange that gives the player to move its sight; 0 on plies 0 and 1, which have none.
    pub fn pre_context(&self, game: &GameRef) -> Fr {
        let exchange = self.exchange(Phase::Pre);
        exchange.and_then(|exchange| self.context(game, &exchange)).unwrap_or(Fr::ZERO)
    }

    /// Whether a demand is of this position, as far as it can be told: if the sender has moved since, its board of then is not known.
    pub(crate) fn fits(&self, game: &GameRef, demanded: &Demanded) -> bool {
        let Demanded { phase, ply, receiver, commitment, request_root, posted_root, ctx, .. } = *demanded;
        let is_past = phase == Phase::Post && self.turn() == receiver;
        let exchange = self.exchange(phase);
        let is_this = || {
            exchange.is_some_and(|exchange| {
                exchange.ply == u64::from(ply)
                    && exchange.receiver() == receiver
                    && self.context(game, &exchange) == Some(ctx)
            })
        };
        let promised = if phase == Phase::Pre { self.answer_root } else { Fr::ZERO };
        request_root == self.request_roots[receiver.index()]
            && posted_root == promised
            && (is_past || commitment == self.commitments[(!receiver).index()] && is_this())
    }

    /// The state after a move of the player to move, which nothing has checked.
    pub fn after(&self, fields: &MoveFields) -> Self {
        let mut next = self.clone();
        let mover = self.turn().index();
        if self.ply >= 4 {
            next.steps[mover].clear();
        }
        let commitment = to_word(&self.commitments[mover]);
        next.steps[mover].push(PostedStep { commitment, pending: self.pending, capture: fields.capture });
        next.commitments[mover] = fields.next_commitment;
        next.request_roots[mover] = fields.next_request_root;
        next.pending = fields.capture;
        let loser = &mut next.men[1 - mover];
        *loser = loser.saturating_sub(u8::from(fields.capture.is_some()));
        next.answer_root = fields.answer_root;
        next.draw_offered = fields.offer_draw;
        next.quiet_plies = if fields.capture.is_some() { 0 } else { self.quiet_plies.saturating_add(1) };
        next.pre_demanded = false;
        next.post_demanded[mover] = false;
        next.ply = self.ply.saturating_add(1);
        next
    }

    /// The state in a position that was woken on the chain. Nothing was demanded or claimed in it yet; how many men each has it doesn't say.
    pub(crate) fn woken(&self, position: &Position) -> Self {
        let Position { ply, quiet_plies, pending, draw_offered, answer_root, .. } = *position;
        Self {
            ply,
            commitments: position.states,
            pending,
            steps: if ply == self.ply { self.steps.clone() } else { Default::default() },
            request_roots: position.request_roots,
            answer_root,
            draw_offered,
            quiet_plies,
            ..self.clone()
        }
    }

    /// What a move rests on in this position, as the contract has it: the hash of the `ctx` that the answer in it is for, 0 on ply 0, and
    /// of the public inputs of *turn*. In mode `unproven` the fog key's words are what the opponent registered.
    pub fn basis(&self, game: &GameRef, fields: &MoveFields) -> B256 {
        let color = self.turn();
        let relied_on = |value| if self.opening() { Word::default() } else { to_word(value) };
        let (registered, _) = self.registered[(!color).index()].as_chunks();
        let inputs = TurnInputs {
            commitment: to_word(&self.commitments[color.index()]),
            pending: small_word(square_number(self.pending)),
            next_commitment: to_word(&fields.next_commitment),
            request_root: relied_on(&self.request_roots[color.index()]),
            answer_root: relied_on(&self.answer_root),
            context: to_word(&self.pre_context(game)),
            fog_key_x: registered[0],
            fog_key_y: registered[1],
            next_request_root: to_word(&fields.next_request_root),
            color: small_word(color as u64),
            opening: small_word(self.opening().into()),
            capture: small_word(square_number(fields.capture)),
            king_fell: small_word(fields.king_fell.into()),
        };
        let ctx_next = to_word(&self.after(fields).pre_context(game));
        keccak256(&[&[ctx_next], &inputs.to_array()[..]].concat().concat()).into()
    }

    /// What can't be in a move that the contract has taken. Where moves have no proofs it looks at little: what is wrong with one the
    /// audit and the replay show.
    pub(crate) fn check_move(&self, color: Color, fields: &MoveFields, is_verified: bool) -> Result<(), TableError> {
        let ply = fields.ply;
        ensure!(ply == self.ply, TableError::WrongPly { expected: self.ply, got: ply });
        ensure!(color == self.turn(), TableError::WrongTurn(ply));
        let impossible = |what| Err(TableError::Impossible { ply, what });
        if ply == u16::MAX {
            return impossible("no move can be counted after it");
        }
        if is_verified && self.opening() && fields.capture.is_some() {
            return impossible("a capture on a player's first move");
        }
        if is_verified && fields.king_fell && fields.capture.is_none() {
            return impossible("a king fell without a capture");
        }
        if ply == 0 && fields.answer_root != Fr::ZERO {
            return impossible("an answer although nothing was asked yet");
        }
        Ok(())
    }

    /// Whether a demand of this receiver may come now.
    pub(crate) fn may_demand(&self, demanded: &Demanded) -> bool {
        let receiver = demanded.receiver.index();
        match demanded.phase {
            Phase::Pre => !self.pre_demanded,
            Phase::Post => self.posts[receiver].is_none() && !self.post_demanded[receiver],
        }
    }

    /// Takes a demand that the contract has let through.
    pub(crate) fn demand(&mut self, demanded: &Demanded, deadline: u64, bond: u128) {
        let demand = Demand { demanded: *demanded, deadline, bond };
        match demanded.phase {
            Phase::Pre => {
                self.hold = Some(Hold::Sight(demand));
                self.pre_demanded = true;
            }
            Phase::Post => {
                self.posts[demanded.receiver.index()] = Some(demand);
                self.post_demanded[demanded.receiver.index()] = true;
            }
        }
    }

    /// Takes the answer to a demand that is open.
    pub(crate) fn answer(&mut self, ctx: Fr, answer_root: Fr) {
        if matches!(self.hold, Some(Hold::Sight(demand)) if demand.demanded.ctx == ctx) {
            self.hold = None;
            self.answer_root = answer_root;
        } else {
            for post in &mut self.posts {
                post.take_if(|demand| demand.demanded.ctx == ctx);
            }
        }
    }

    /// Whether the player to move may not claim fifty moves now, a claim having failed.
    pub(crate) fn bars_claims(&self) -> bool {
        self.ply < self.claims_from[self.turn().index()]
    }

    /// Who has demanded a sight that is not given yet.
    pub(crate) fn demanders(&self) -> impl Iterator<Item = Address> + '_ {
        let hold = matches!(self.hold, Some(Hold::Sight(_))).then_some(self.turn());
        let posts = self.posts.iter().flatten().map(|demand| demand.demanded.receiver);
        hold.into_iter().chain(posts).map(|color| self.players[color.index()])
    }

    /// Who has opened the hold: the player to move, or who was before it captured the king.
    pub fn hold_owner(&self) -> Option<Color> {
        self.hold.as_ref().map(|hold| match hold {
            Hold::Sight(demand) => demand.demanded.receiver,
            Hold::FiftyMoves { claimant, .. } => *claimant,
        })
    }

    /// What decides the game once a time is up: the last second before that, who wins then, and how; nobody if a claim of fifty moves stands unanswered.
    /// Of equal seconds the first counts, in the order of the contract: the hold's, White's demand, Black's, the clock, `clock`, if it runs.
    pub fn deadlines(&self, clock: Option<u64>) -> impl Iterator<Item = (u64, Option<Color>, Outcome)> + '_ {
        let hold = self.hold.as_ref().map(|hold| match hold {
            Hold::Sight(demand) => (demand.deadline, Some(self.turn()), Outcome::Unanswered),
            Hold::FiftyMoves { deadline, .. } => (*deadline, None, Outcome::FiftyMoves),
        });
        let demanded =
            |color: Color| self.posts[color.index()].map(|demand| (demand.deadline, Some(color), Outcome::Unanswered));
        let clock = clock.map(|last| (last, Some(!self.turn()), Outcome::TimedOut));
        hold.into_iter().chain(Color::ALL.into_iter().filter_map(demanded)).chain(clock)
    }

    /// Who wins once `deadline`, the earliest of the game, has passed.
    pub fn decided_by(&self, deadline: u64) -> Option<Color> {
        self.deadlines(Some(deadline)).find(|(last, ..)| *last == deadline).and_then(|(_, winner, _)| winner)
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet_plies >= QUIET_PLIES
    }

    /// Whether the player to move may claim fifty moves.
    pub(crate) fn may_claim(&self) -> bool {
        self.is_quiet() && !self.bars_claims()
    }

    /// What was put in with what is kept in a slot, and by whom.
    pub(crate) fn bond(&self, slot: Slot) -> Option<(Address, u128)> {
        let post = |color: Color| self.posts[color.index()].map(|demand| (color, demand.bond));
        let (owner, bond) = match slot {
            Slot::Hold => self.hold.map(|hold| match hold {
                Hold::Sight(demand) => (demand.demanded.receiver, demand.bond),
                Hold::FiftyMoves { claimant, bond, .. } => (claimant, bond),
            }),
            Slot::WhitePost => post(Color::White),
            Slot::BlackPost => post(Color::Black),
        }?;
        Some((self.players[owner.index()], bond))
    }

    /// The last second for what is kept in a slot to be earned.
    pub(crate) fn deadline_of(&self, slot: Slot) -> Option<u64> {
        match slot {
            Slot::Hold => self.hold.map(|hold| hold.deadline()),
            Slot::WhitePost => self.posts[0].map(|demand| demand.deadline),
            Slot::BlackPost => self.posts[1].map(|demand| demand.deadline),
        }
    }

    /// The open demand that an exchange was demanded by.
    pub fn demand_for(&self, ctx: Fr) -> Option<Demand> {
        let hold = match self.hold {
            Some(Hold::Sight(demand)) => Some(demand),
            _ => None,
        };
        hold.into_iter().chain(self.posts.into_iter().flatten()).find(|demand| demand.demanded.ctx == ctx)
    }

    /// The public inputs of the turn statement that the contract checks for this move; `None` in mode `unproven`, where it
    /// checks none.
    pub fn turn_public(&self, game: &GameRef, fields: &MoveFields) -> Option<TurnPublic> {
        let color = self.turn();
        let opening = self.opening();
        let relied_on = |value| if opening { Fr::ZERO } else { value };
        Some(TurnPublic {
            commitment: self.commitments[color.index()],
            pending: self.pending,
            next_commitment: fields.next_commitment,
            request_root: relied_on(self.request_roots[color.index()]),
            answer_root: relied_on(self.answer_root),
            ctx: self.pre_context(game),
            fog_key: self.fog_key(!color)?,
            next_request_root: fields.next_request_root,
            color,
            opening,
            capture: fields.capture,
            king_fell: fields.king_fell,
        })
    }
}
