//! What false answers say, and which elements are false then, by the rules alone.

use fog::{
    engine::{
        Phase,
        sight_lines::geometry::{KING_FIELD, KNIGHT_FIELD, PAWN_FIELD, PUSH_FIELD, behind, knight_target, step},
    },
    statement::answer::{AnswerPublic, gather},
};
use halo2curves::bn256::Fr;
use rand::{Rng, rngs::StdRng};
use rules::{
    Color, PieceType, Side, Square,
    geometry::{PAWN_SIDES, ahead, pawn_attacks},
};

use super::{super::values::Drawn, About, Lie, Shown};

/// So many other pieces are told of each board.
const MEN: usize = 6;

fn lie<T: PartialEq>(before: Option<T>, after: Option<T>) -> Option<Lie> {
    match (before, after) {
        (None, Some(_)) => Some(Lie::TooMany),
        (Some(_), None) => Some(Lie::TooFew),
        (before, after) if before != after => Some(Lie::Other),
        _ => None,
    }
}

/// What a false answer says in place of the truth.
#[derive(Clone, Copy, Debug)]
pub enum Falsehood {
    /// This stands on a square.
    Man(Square, Option<PieceType>),
    /// The sender's captured piece still stands.
    Fallen(Square),
    /// The last move was a double push on this file, or none.
    Pushed(Option<u8>),
    /// This is the receiver's captured square.
    Captured(Option<Square>),
}

/// The sender's board as the receiver may see it.
fn visible(drawn: &Drawn) -> Side {
    drawn.private.side.without(drawn.public.header.pending_sender)
}

impl Falsehood {
    /// Some of a board.
    pub fn draw(drawn: &Drawn, rng: &mut StdRng) -> Vec<Self> {
        let header = &drawn.public.header;
        let any = |rng: &mut StdRng| Square::new(rng.gen_range(0..64)).expect("a square");
        let man = |_| Self::Man(any(rng), PieceType::from_code(rng.gen_range(0..=7)));
        let mut row: Vec<_> = (0..MEN).map(man).collect();
        row.extend(header.pending_sender.map(Self::Fallen));
        row.extend((0..2).map(|_| Self::Pushed(rng.gen_range(0..9u8).checked_sub(1))));
        row.extend([Self::Captured(None), Self::Captured(Some(any(rng)))]);
        // Ahead of each pawn's first square a man goes or comes.
        let rank = header.receiver.pawn_rank();
        let first = (0..8).map(|file| Square::at(file, rank).expect("a square"));
        row.extend(first.flat_map(|pawn| two_ahead(pawn, header.receiver)).map(|square| {
            let gone = visible(drawn).piece(square).is_some();
            Self::Man(square, Some(PieceType::Rook).filter(|_| !gone))
        }));
        row.retain(|lie| !matches!(lie, Self::Man(square, _) if header.pending_sender == Some(*square)));
        row
    }

    /// The board that it is true of.
    fn board(self, drawn: &Drawn) -> Side {
        let mut board = visible(drawn);
        match self {
            Self::Man(square, piece) => board.pieces[square.index()] = piece,
            Self::Fallen(_) => board = drawn.private.side.clone(),
            Self::Pushed(file) => board.double_push = file,
            Self::Captured(_) => (),
        }
        board
    }

    /// The answer that it is true of, which has all else of the true one.
    pub fn elements(self, drawn: &Drawn) -> Vec<Fr> {
        let AnswerPublic { mut header, request, .. } = drawn.public.clone();
        header.pending_sender = None;
        match self {
            Self::Pushed(_) => header.phase = Phase::Pre,
            Self::Captured(square) => header.pending_receiver = square,
            _ => (),
        }
        let (salt, secret) = (drawn.private.salt, drawn.private.secret.clone());
        gather(self.board(drawn), salt, secret, &header, request).expect("an answer of another board").0.elements
    }

    /// What is false in a field of a square, or in the pass: by the rules alone.
    pub fn shown(self, drawn: &Drawn, place: Option<(Square, usize)>) -> Vec<Shown> {
        let header = &drawn.public.header;
        match (self, place) {
            (Self::Captured(after), None) => {
                lie(header.pending_receiver, after).map(|lie| ((About::Pass, lie), (0, 0, 0))).into_iter().collect()
            }
            (Self::Captured(after), Some(place)) => captured(drawn, after, place),
            (_, None) => Vec::new(),
            // The captured piece of the receiver sees nothing.
            (_, Some((square, field))) if field >= PAWN_FIELD && header.pending_receiver == Some(square) => Vec::new(),
            (Self::Pushed(after), Some((square, PAWN_FIELD))) => pushed(drawn, after, square),
            (Self::Pushed(_), _) => Vec::new(),
            (Self::Man(target, _) | Self::Fallen(target), Some((square, PUSH_FIELD))) => {
                let told = [visible(drawn), self.board(drawn)].map(|board| {
                    let [one, two] = two_ahead(square, header.receiver);
                    (board.piece(one).is_none() && board.piece(two).is_some()).then_some(target)
                });
                let way = (header.receiver.index(), square.file().into(), 0);
                lie(told[0], told[1]).map(|lie| ((About::Push, lie), way)).into_iter().collect()
            }
            (Self::Man(target, _) | Self::Fallen(target), Some((square, field))) => {
                let Some((about, way)) = looks(square, field, header.receiver, target) else {
                    return Vec::new();
                };
                let [before, after] = [visible(drawn), self.board(drawn)].map(|board| board.piece(target));
                of_types(about, header.receiver, way, [before, after], matches!(self, Self::Fallen(_)))
            }
        }
    }
}

fn two_ahead(pawn: Square, color: Color) -> [Square; 2] {
    let one = ahead(pawn, color).expect("a pawn's first rank has one ahead");
    [one, ahead(one, color).expect("and a second one")]
}

/// How a field of a square looks at another one.
fn looks(square: Square, field: usize, receiver: Color, target: Square) -> Option<(About, usize)> {
    let on = |to: Option<Square>| to == Some(target);
    match field {
        0..PAWN_FIELD => on(Some(square)).then_some((About::Ray, field)),
        PAWN_FIELD if on(ahead(square, receiver)) => Some((About::Ahead, 0)),
        PAWN_FIELD => Some((About::Capture, pawn_attacks(square, receiver).into_iter().position(on)?)),
        KNIGHT_FIELD => Some((About::Knight, (0..8).position(|i| on(knight_target(square, i)))?)),
        KING_FIELD => Some((About::King, (0..8).position(|d| on(step(square, d)))?)),
        _ => None,
    }
}

/// The bits of a type that are false; of what is ahead the only one.
fn of_types(
    about: About,
    receiver: Color,
    way: usize,
    [before, after]: [Option<PieceType>; 2],
    is_fallen: bool,
) -> Vec<Shown> {
    let color = if matches!(about, About::Capture | About::Ahead) { receiver.index() } else { 0 };
    let code = |piece: Option<PieceType>| match about {
        About::Ahead => u8::from(piece.is_some()),
        _ => piece.map_or(0, PieceType::code),
    };
    let differing = code(before) ^ code(after);
    let Some(lie) = lie(before, after) else {
        return Vec::new();
    };
    let bits = (0..3).filter(|bit| differing >> bit & 1 == 1);
    let shown = bits.flat_map(|bit| {
        let fallen = is_fallen.then_some(((about, Lie::Fallen), (color, way, 0)));
        fallen.into_iter().chain([((about, lie), (color, way, bit))])
    });
    shown.collect()
}

/// A pawn beside a double push that was made, or is told.
fn pushed(drawn: &Drawn, after: Option<u8>, pawn: Square) -> Vec<Shown> {
    let header = &drawn.public.header;
    let before = drawn.private.side.double_push.filter(|_| header.phase == Phase::Pre);
    if pawn.rank() != (!header.receiver).double_push_rank() || before == after {
        return Vec::new();
    }
    let beside = |file: Option<u8>| {
        let mut sides = PAWN_SIDES.into_iter();
        sides.position(|side| file.is_some() && pawn.offset(side, 0).map(|square| square.file()) == file)
    };
    let lies = [(beside(before), Lie::TooFew), (beside(after), Lie::TooMany)];
    let shown =
        lies.into_iter().filter_map(|(side, lie)| Some(((About::EnPassant, lie), (header.receiver.index(), side?, 0))));
    shown.collect()
}

/// Of the receiver's captured square nothing is told but its pass, and other keys begin the rays there.
fn captured(drawn: &Drawn, after: Option<Square>, (square, field): (Square, usize)) -> Vec<Shown> {
    let before = drawn.public.header.pending_receiver;
    if before == after {
        return Vec::new();
    }
    let lies = [(before, Lie::TooMany), (after, Lie::TooFew)];
    let is_empty = visible(drawn).piece(square).is_none();
    let shown = lies.into_iter().filter_map(|(captured, lie)| {
        let captured = captured?;
        let begins = field < PAWN_FIELD && behind(square, field) == Some(captured);
        let goes_on = field < PAWN_FIELD && square == captured && is_empty && step(square, field).is_some();
        if begins || goes_on {
            Some(((About::FirstStep, lie), (0, field, 0)))
        } else {
            (field >= PAWN_FIELD && square == captured).then(|| ((About::Captured, lie), (0, field - PAWN_FIELD, 0)))
        }
    });
    shown.collect()
}
