//! The plain values that the parts of *turn* assign, read off the statement once.
//!
//! Nothing here decides anything: a statement that is false gives values that some gate refuses. So every function is total.

use fog::{
    commitment::type_number,
    curve::{self, Scalar},
    statement::turn::{MAX_OPENED, Opened, TurnInputs, TurnPrivate, TurnPublic},
};
use halo2curves::bn256::Fr;
use rules::{
    Color, PieceType, Square,
    castling::Wing,
    geometry::{DIRECTIONS, KNIGHT_STEPS, line},
};

/// Squares that a move crosses or enters, at most.
pub const STEPS: usize = MAX_OPENED - 1;

/// What the prover assigns.
#[cfg_attr(test, derive(Clone))]
pub struct Witness {
    pub public: TurnInputs<Fr>,
    pub pending: Option<Square>,
    pub salts: [Fr; 2],
    /// The piece that stood on the pending square, 0 for none.
    pub removed: u8,
    /// Rights, the double push's file (0 none) and the counter, as committed.
    pub rights: [bool; 2],
    pub double_push: u8,
    pub since_pawn: u8,
    /// The types after the move, by square.
    pub next_types: [u8; 64],
    /// The viewer's type, 1 to 6.
    pub viewer: u8,
    /// King's side, queen's side.
    pub castle: [bool; 2],
    /// Single push, double push, capture toward file a, capture toward file h.
    pub pawn: [bool; 4],
    /// The direction or knight step, 0 to 7.
    pub direction: usize,
    /// Which of the squares after the viewer's are opened.
    pub active: [bool; STEPS],
    /// The piece that a pawn becomes, less 2.
    pub promotion: u8,
    pub opened: [Opened; MAX_OPENED],
    pub next_scalars: [Scalar; 64],
    /// A point that the opponent can't foresee: where all chains of points start.
    pub offset: curve::Point,
}

impl Witness {
    pub fn new(public: &TurnPublic, private: &TurnPrivate) -> Self {
        let (side, mv) = (&private.side, private.mv);
        let color = public.color;
        let applied = side.without(public.pending);
        let moved = type_number(&applied, mv.from);
        let wing = castling(color, moved, mv.from, mv.to);
        let castle = Wing::ALL.map(|w| wing == Some(w));
        let viewer = if wing.is_some() { PieceType::Rook as u8 } else { moved };
        let viewer_square = wing.map_or(mv.from, |w| w.rook_from(color));
        let pawn = pawn_mode(moved, mv.from, mv.to);
        let direction = direction(viewer, viewer_square, mv.from, mv.to, wing);
        // As many squares as were opened; in the opening plies, where none is, what the move would need.
        let steps = match private.opened.len() {
            0 => usize::from(pawn[1]),
            opened => opened - 1,
        };

        let mut next_types = Square::all().map(|s| type_number(&applied, s)).collect::<Vec<_>>();
        next_types[mv.from.index()] = 0;
        next_types[mv.to.index()] = mv.promotion.map_or(moved, |p| p as u8);
        if let Some(w) = wing {
            next_types[w.rook_from(color).index()] = 0;
            next_types[w.rook_to(color).index()] = PieceType::Rook as u8;
        }
        Self {
            public: public.inputs(),
            pending: public.pending,
            salts: [private.salt, private.next_salt],
            removed: public.pending.map_or(0, |s| type_number(side, s)),
            rights: [side.rights.king_side, side.rights.queen_side],
            double_push: side.double_push.map_or(0, |file| file.wrapping_add(1)),
            since_pawn: side.since_pawn,
            next_types: next_types.try_into().expect("64 squares"),
            viewer,
            castle,
            pawn,
            direction,
            active: std::array::from_fn(|i| i < steps),
            promotion: mv.promotion.map_or(0, |p| (p as u8).saturating_sub(2)),
            opened: opened(private, viewer_square, viewer, color),
            next_scalars: private.next_scalars,
            offset: offset(&private.next_scalars[0], private.next_salt),
        }
    }
}

impl Drop for Witness {
    /// Wipes what opens commitments and requests, and what tells the move; the opened squares wipe themselves. Best effort: the prover's
    /// polynomials hold it too, while they live.
    fn drop(&mut self) {
        self.salts = [Fr::zero(); 2];
        (self.removed, self.double_push, self.since_pawn) = (0, 0, 0);
        self.rights = [false; 2];
        self.next_types = [0; 64];
        (self.viewer, self.direction, self.promotion) = (0, 0, 0);
        (self.castle, self.pawn) = ([false; 2], [false; 4]);
        self.active = [false; STEPS];
        self.next_scalars = [Scalar::zero(); 64];
        self.offset = curve::Point::default();
        std::hint::black_box(self);
    }
}

/// The opened squares given; where fewer are needed, the viewer's again. In the opening plies there is nothing to open and nothing is
/// compared, but the viewer's square and type, and the square ahead of a double push, are read from here all the same.
fn opened(private: &TurnPrivate, square: Square, choice: u8, color: Color) -> [Opened; MAX_OPENED] {
    let blank = |square: Square, choice: u8| Opened {
        square,
        choice,
        scalar: private.next_scalars[0],
        request_path: [Fr::zero(); 6],
        record: [Fr::zero(); 14],
        answer_path: [Fr::zero(); 6],
    };
    let ahead = square.offset(0, color.forward()).unwrap_or(square);
    std::array::from_fn(|i| match (private.opened.get(i), private.opened.first()) {
        (Some(opened), _) => opened.clone(),
        (None, Some(first)) => first.clone(),
        (None, None) if i == 0 => blank(square, choice),
        (None, None) => blank(ahead, 0),
    })
}

/// The wing on which a king castles.
fn castling(color: Color, moved: u8, from: Square, to: Square) -> Option<Wing> {
    let king = moved == PieceType::King as u8 && from == Wing::king_from(color);
    Wing::ALL.into_iter().find(|w| king && to == w.king_to(color))
}

fn pawn_mode(moved: u8, from: Square, to: Square) -> [bool; 4] {
    let files = to.file() as i8 - from.file() as i8;
    let ranks = (to.rank() as i8 - from.rank() as i8).abs();
    let mode = [files == 0 && ranks != 2, files == 0 && ranks == 2, files < 0, files > 0];
    mode.map(|m| m && moved == PieceType::Pawn as u8)
}

/// The index of the step that the viewer looks along.
fn direction(viewer: u8, square: Square, from: Square, to: Square, wing: Option<Wing>) -> usize {
    let index = |steps: &[(i8, i8); 8], step: (i8, i8)| steps.iter().position(|&s| s == step).unwrap_or(0);
    let delta = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
    if wing.is_some() {
        let toward_king = if square.file() < from.file() { 1 } else { -1 };
        index(&DIRECTIONS, (toward_king, 0))
    } else if viewer == PieceType::Knight as u8 {
        index(&KNIGHT_STEPS, delta)
    } else {
        line(from, to).map_or(0, |(d, _)| d)
    }
}

/// `h·g` for a hash of a request's scalar and of a salt, which nobody else knows.
pub fn offset(scalar: &Scalar, salt: Fr) -> curve::Point {
    use ff::{FromUniformBytes, PrimeField};
    use halo2curves::grumpkin::G1Affine;
    let scalar = Fr::from_repr(scalar.to_repr()).unwrap_or(Fr::zero());
    let [low, high] = fog::poseidon::hash2(scalar, salt, Fr::one()).map(|h| h.to_repr());
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(low.as_ref());
    bytes[32..].copy_from_slice(high.as_ref());
    curve::mul(&G1Affine::generator(), &Scalar::from_uniform_bytes(&bytes))
}
