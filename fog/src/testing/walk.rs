//! Random games, and the exchanges around each of their positions.

use crate::{
    F,
    commitment::commit,
    curve::{FogSecret, Scalar, random_scalar},
    engine::Phase,
    engine::sight_lines::answer::{Answer, answer},
    engine::sight_lines::context::{AnswerHeader, SightContext},
    engine::sight_lines::request::Request,
    merkle::Tree,
};
use ff::Field;
use rand::{Rng, rngs::StdRng, seq::SliceRandom};
use rules::{Color, Move, PieceType, Side, Sight, Square};

/// Plies after which a random game is given up.
const LONGEST: u64 = 240;

/// As few men as random games leave a side now and then before a king falls.
pub(super) const FEW_MEN: usize = 6;

/// A random game: both committed sides, and the captured square that the next statement applies.
#[derive(Clone, Debug)]
pub struct Walk {
    /// White's and Black's committed sides, before any removal.
    pub sides: [Side; 2],
    /// Where the last move captured: applies to the player to move.
    pub pending: Option<Square>,
    /// Moves made so far.
    pub ply: u64,
    pub last: Option<Move>,
    /// Whether it captured a king.
    pub over: bool,
}

impl Walk {
    pub fn start() -> Self {
        Self { sides: Color::ALL.map(Side::start), pending: None, ply: 0, last: None, over: false }
    }

    /// A position in which White or Black is to move and nothing was captured by the last move.
    pub fn from_sides(sides: [Side; 2], to_move: Color) -> Self {
        Self { sides, ply: 2 + to_move as u64, ..Self::start() }
    }

    /// The player to move.
    pub fn to_move(&self) -> Color {
        Color::of_ply(self.ply)
    }

    /// The committed side of the player to move.
    pub fn mover(&self) -> &Side {
        &self.sides[self.to_move().index()]
    }

    /// The side of the other player.
    pub fn other(&self) -> &Side {
        &self.sides[(!self.to_move()).index()]
    }

    /// The side of the player to move with its captured piece removed.
    pub fn board(&self) -> Side {
        self.mover().without(self.pending)
    }

    /// What the player to move sees, by the rules.
    pub fn sight(&self) -> Sight {
        Sight::between(&self.board(), self.other(), true)
    }

    /// Whether this is an opening ply.
    pub fn is_opening(&self) -> bool {
        self.ply < 2
    }

    /// Legal moves of the player to move, by the rules.
    pub fn legal_moves(&self) -> Vec<Move> {
        if self.over {
            Vec::new()
        } else if self.is_opening() {
            self.board().opening_moves()
        } else {
            self.board().legal_moves(&self.sight())
        }
    }

    /// The square on which a legal move captures.
    pub fn capture(&self, mv: &Move) -> Option<Square> {
        if self.is_opening() { None } else { self.board().capture_square(mv, &self.sight()) }
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: &Move) {
        let mover = self.to_move();
        let board = self.board();
        let capture = self.capture(mv);
        let fallen = capture.and_then(|square| self.other().piece(square));
        self.sides[mover.index()] = board.play(mv);
        self.pending = capture;
        self.over = fallen == Some(PieceType::King);
        self.ply += 1;
        self.last = Some(*mv);
    }

    /// Makes a random move, or starts again where there is none or the game is long. Kings are rarely taken.
    pub fn advance(&mut self, rng: &mut StdRng) {
        let moves = self.legal_moves();
        let sight = self.sight();
        let quiet = |mv: &&Move| sight.at(mv.to) != rules::Seen::Piece(PieceType::King);
        let calm: Vec<&Move> = moves.iter().filter(quiet).collect();
        let mv = calm.choose(rng).copied().or(moves.choose(rng)).copied();
        match mv {
            Some(mv) if self.ply < LONGEST => self.play(&mv),
            _ => *self = Self::start(),
        }
    }

    /// The *pre* sight of the player to move, with random secrets.
    pub fn pre(&self, rng: &mut StdRng) -> RandomExchange {
        let parties = [self.mover(), self.other()];
        RandomExchange::new(parties, self.ply, Phase::Pre, self.pending, rng)
    }

    /// The *post* sight of the player who moved last, with random secrets.
    pub fn post(&self, rng: &mut StdRng) -> RandomExchange {
        let parties = [self.other(), self.mover()];
        let ply = self.ply.saturating_sub(1);
        RandomExchange::new(parties, ply, Phase::Post, self.pending, rng)
    }
}

/// The secrets of a request.
pub(super) fn random_scalars(rng: &mut StdRng) -> [Scalar; 64] {
    std::array::from_fn(|_| random_scalar(rng))
}

/// Everything of one exchange, both players' secrets included.
#[derive(Clone, Debug)]
pub struct RandomExchange {
    /// The receiver's committed side.
    pub receiver: Side,
    pub receiver_salt: F,
    /// The sender's committed side.
    pub sender: Side,
    pub sender_salt: F,
    /// The sender's fog secret.
    pub secret: FogSecret,
    pub scalars: [Scalar; 64],
    /// What it is bound to.
    pub context: SightContext,
    pub request: Request,
    /// Of the request as it was drawn.
    pub request_tree: Tree,
}

impl RandomExchange {
    fn new([receiver, sender]: [&Side; 2], ply: u64, phase: Phase, pending: Option<Square>, rng: &mut StdRng) -> Self {
        let secret = FogSecret::random(rng);
        let scalars = random_scalars(rng);
        let request = Request::make(receiver, &scalars, &secret.key()).expect("non-zero scalars");
        let request_tree = request.tree();
        let [receiver_salt, sender_salt] = [F::random(&mut *rng), F::random(&mut *rng)];
        let context = SightContext {
            chain_id: 31337,
            contract: rng.r#gen(),
            game_id: rng.r#gen(),
            ply,
            phase,
            sender_commitment: commit(sender, sender_salt),
            pending_sender: pending.filter(|_| phase == Phase::Post),
            receiver_commitment: commit(receiver, receiver_salt),
            pending_receiver: pending.filter(|_| phase == Phase::Pre),
            registered: secret.key().to_bytes(),
            request_root: request_tree.root(),
        };
        Self {
            receiver: receiver.clone(),
            receiver_salt,
            sender: sender.clone(),
            sender_salt,
            secret,
            scalars,
            context,
            request,
            request_tree,
        }
    }

    pub fn header(&self) -> AnswerHeader {
        self.context.header()
    }

    pub fn answer(&self) -> Answer {
        answer(&self.sender, &self.secret, &self.header(), &self.request).expect("an honest request can be answered")
    }

    /// What the receiver must see, by the rules.
    pub fn sight(&self) -> Sight {
        let receiver = self.receiver.without(self.context.pending_receiver);
        let sender = self.sender.without(self.context.pending_sender);
        Sight::between(&receiver, &sender, self.context.phase == Phase::Pre)
    }
}
