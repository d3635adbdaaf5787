//! Whatever flags a prover chooses, the squares that a move comes from and leads to are those of a piece that moves so.

use halo2curves::bn256::Fr;
use rules::{
    Color, PieceType, Square,
    castling::Wing,
    geometry::{DIRECTIONS, FIRST_DIAGONAL, KNIGHT_STEPS, PAWN_SIDES},
};

use super::{
    super::super::{TurnCircuit, move_flags::MoveFlags, opened_square::OpenedSquare, public::Public, witness::Witness},
    all_squares, blank, of_turn, opened,
};
use crate::{
    gadget::trace::Trace,
    values::{Dry, compare, differ, flag},
};

/// The directions of a castling rook: toward file a from the king's side.
pub const TOWARD_KING: [usize; 2] = [3, 2];

/// What a prover says.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub color: Color,
    pub is_opening: bool,
    pub viewer: PieceType,
    pub from: Square,
    /// Single push, double push, capture toward file a, toward file h.
    pub way: Option<usize>,
    pub direction: usize,
    /// How many squares are opened.
    pub count: usize,
    pub wing: Option<Wing>,
    /// A slot in which another square is opened, and that square.
    pub aside: Option<(usize, Square)>,
    /// A slot that is left out.
    pub gap: Option<usize>,
}

impl Chosen {
    pub fn new(color: Color, viewer: PieceType, from: Square, direction: usize, count: usize) -> Self {
        Self { color, is_opening: false, viewer, from, way: None, direction, count, wing: None, aside: None, gap: None }
    }

    pub fn is_slider(&self) -> bool {
        self.viewer.is_orthogonal_slider() || self.viewer.is_diagonal_slider()
    }

    /// The square so many steps on the viewer's way; nowhere for one that opens none.
    pub fn on_way(&self, distance: i8) -> Option<Square> {
        let (file, rank) = match self.viewer {
            PieceType::Pawn => (0, self.color.forward()),
            _ if self.is_slider() => DIRECTIONS[self.direction],
            _ => return None,
        };
        self.from.offset(file * distance, rank * distance)
    }

    pub fn witness(&self, blank: &Witness) -> Witness {
        let mut witness = of_turn(blank, self.color, self.is_opening);
        witness.mv.viewer = self.viewer.code();
        witness.mv.castle = Wing::ALL.map(|wing| self.wing == Some(wing));
        witness.mv.pawn = std::array::from_fn(|way| self.way == Some(way));
        witness.mv.direction = self.direction;
        witness.mv.active = std::array::from_fn(|i| i < self.count && self.gap != Some(i));
        witness.opened = std::array::from_fn(|i| match i {
            0 => opened(blank, self.from, self.viewer.code()),
            _ => opened(blank, self.on_way(i as i8).unwrap_or(self.from), 0),
        });
        if let Some((slot, square)) = self.aside {
            witness.opened[slot].square = square;
        }
        witness
    }

    /// Where a piece comes from and goes that moves so. A slider that opens nothing stays, which the board refuses.
    pub fn expected(&self) -> Option<(Square, Square)> {
        // What isn't active may be any square.
        let is_aside = |(slot, square): (usize, Square)| slot <= self.count && self.on_way(slot as i8) != Some(square);
        if self.aside.is_some_and(is_aside) || self.gap.is_some() {
            return None;
        }
        let is_quiet = !self.is_opening || matches!(self.viewer, PieceType::Knight | PieceType::Pawn);
        let target = match (self.wing, self.viewer) {
            (Some(wing), PieceType::Rook) => {
                let number = usize::from(wing == Wing::ALL[1]);
                let is_right = self.from == wing.rook_from(self.color)
                    && self.direction == TOWARD_KING[number]
                    && self.count == wing.between(self.color).count();
                return (is_right && is_quiet).then(|| (Wing::king_from(self.color), wing.king_to(self.color)));
            }
            (Some(_), _) => None,
            (None, PieceType::Pawn) => self.pawn_target(),
            (None, PieceType::Knight) => self.leap(&KNIGHT_STEPS),
            (None, PieceType::King) => self.leap(&DIRECTIONS),
            (None, _) => {
                let is_diagonal = self.direction >= FIRST_DIAGONAL;
                let may =
                    if is_diagonal { self.viewer.is_diagonal_slider() } else { self.viewer.is_orthogonal_slider() };
                self.on_way(self.count as i8).filter(|_| may)
            }
        };
        target.filter(|_| is_quiet).map(|to| (self.from, to))
    }

    fn leap(&self, steps: &[(i8, i8); 8]) -> Option<Square> {
        let (file, rank) = steps[self.direction];
        self.from.offset(file, rank).filter(|_| self.count == 0)
    }

    fn pawn_target(&self) -> Option<Square> {
        let (files, ranks) = match self.way? {
            0 => (0, 1),
            1 => (0, 2),
            side => (PAWN_SIDES[side - 2], 1),
        };
        let is_double = ranks == 2;
        let may = !is_double || self.from.rank() == self.color.pawn_rank();
        let is_quiet = !self.is_opening || files == 0;
        let to = self.from.offset(files, ranks * self.color.forward());
        to.filter(|_| may && is_quiet && self.count == usize::from(is_double))
    }
}

/// All choices of every piece on every square.
fn choices() -> Vec<Chosen> {
    let mut all = Vec::new();
    for (color, from) in
        Color::ALL.into_iter().flat_map(|color| all_squares().into_iter().map(move |from| (color, from)))
    {
        let new = |viewer, direction, count| Chosen::new(color, viewer, from, direction, count);
        for (way, count) in (0..5).flat_map(|way: usize| (0..3).map(move |count| (way.checked_sub(1), count))) {
            all.push(Chosen { way, ..new(PieceType::Pawn, from.index() % 8, count) });
        }
        for direction in 0..8 {
            for viewer in [PieceType::Knight, PieceType::King] {
                all.extend((0..2).map(|count| new(viewer, direction, count)));
            }
            for viewer in [PieceType::Bishop, PieceType::Rook, PieceType::Queen] {
                all.extend((0..8).map(|count| new(viewer, direction, count)));
            }
            for (wing, count) in Wing::ALL.into_iter().flat_map(|wing| (0..5).map(move |count| (wing, count))) {
                all.push(Chosen { wing: Some(wing), ..new(PieceType::Rook, direction, count) });
            }
        }
    }
    // Before there is sight; and who castles with another piece, or is a pawn and moves like none.
    let corners = Wing::ALL.map(|wing| (Some(wing), wing.rook_from(Color::White)));
    for viewer in PieceType::ALL {
        for (wing, from) in corners {
            let direction = TOWARD_KING[usize::from(wing == Some(Wing::ALL[1]))];
            let count = 2 + usize::from(wing == Some(Wing::ALL[1]));
            all.push(Chosen { wing, ..Chosen::new(Color::White, viewer, from, direction, count) });
        }
        for (way, from) in (0..5).flat_map(|way: usize| [8, 27].map(|from| (way.checked_sub(1), all_squares()[from]))) {
            let count = usize::from(way == Some(1) || way.is_none());
            let chosen = Chosen { way, ..Chosen::new(Color::White, viewer, from, way.unwrap_or(0), count) };
            all.extend([Chosen { is_opening: true, ..chosen.clone() }, chosen]);
        }
    }
    // Slides of two squares in every direction, and a double push, with every square in every slot; and slides with a gap.
    let slides = (0..8).map(|direction| Chosen::new(Color::White, PieceType::Queen, all_squares()[27], direction, 2));
    let double = Chosen { way: Some(1), ..Chosen::new(Color::White, PieceType::Pawn, all_squares()[12], 0, 1) };
    for chosen in slides.chain([double]) {
        let asides = (1..=7).flat_map(|slot| all_squares().into_iter().map(move |square| Some((slot, square))));
        all.extend(asides.map(|aside| Chosen { aside, ..chosen.clone() }));
    }
    for (count, gap) in (2..=7).flat_map(|count| (0..count - 1).map(move |gap| (count, Some(gap)))) {
        let a1 = all_squares()[0];
        all.push(Chosen { gap, ..Chosen::new(Color::White, PieceType::Bishop, a1, FIRST_DIAGONAL, count) });
    }
    // Only pawns have a way of pawns.
    all.retain(|chosen| chosen.viewer == PieceType::Pawn || chosen.way.is_none());
    all
}

/// The squares that a witness says, if nothing refuses it.
fn found(dry: &Dry<TurnCircuit>, witness: &Witness) -> (Option<(Square, Square)>, [Fr; 4], Trace) {
    let (flags, trace) = dry.lay(|_, cx| {
        let public = Public::new(cx, &witness.public);
        let opened: Vec<_> =
            witness.opened.iter().map(|slot| OpenedSquare::of_values(cx, slot, [Fr::zero(); 2])).collect();
        MoveFlags::new(cx, &public, witness, &opened)
    });
    let small = |value: Fr| (0..8).find(|small| Fr::from(u64::from(*small)) == value);
    let square = |file: Fr, rank: Fr| Square::at(small(file)?, small(rank)?);
    let from = square(flags.from_file.value, flags.from_rank.value);
    let to = square(flags.to_file.value, flags.to_rank.value);
    let is_accepted = trace.refused().is_empty();
    let said = [flags.moved, flags.slides, flags.straight, flags.pawn_captures].map(|cell| cell.value);
    (from.zip(to).filter(|_| is_accepted), said, trace)
}

#[test]
fn whatever_is_chosen_leads_where_a_piece_goes() {
    let (dry, blank) = (Dry::<TurnCircuit>::new(), blank());
    compare("turn: geometry", &choices(), |chosen| {
        let (found, said, trace) = found(&dry, &chosen.witness(&blank));
        let moved = if found.is_some() && chosen.wing.is_some() { PieceType::King } else { chosen.viewer };
        let captures = flag(matches!(chosen.way, Some(2 | 3)));
        let straight = flag(chosen.is_slider() && chosen.wing.is_none());
        let expected = [Fr::from(u64::from(moved.code())), flag(chosen.is_slider()), straight, captures];
        differ((chosen, trace.refused()), found, chosen.expected())
            .or(found.and_then(|_| differ(chosen, said, expected)))
    });
}

/// A viewer was asked for as what it is.
#[test]
fn every_other_choice_of_the_viewer_is_refused() {
    let (dry, blank) = (Dry::<TurnCircuit>::new(), blank());
    let d3 = all_squares()[19];
    for (viewer, choice) in PieceType::ALL.into_iter().flat_map(|viewer| (0..8).map(move |choice| (viewer, choice))) {
        let way = (viewer == PieceType::Pawn).then_some(0);
        let count = usize::from(matches!(viewer, PieceType::Bishop | PieceType::Rook | PieceType::Queen));
        let direction = if viewer == PieceType::Bishop { FIRST_DIAGONAL } else { 0 };
        let chosen = Chosen { way, ..Chosen::new(Color::White, viewer, d3, direction, count) };
        let mut witness = chosen.witness(&blank);
        witness.opened[0].choice = choice;
        assert_eq!(found(&dry, &witness).0.is_some(), choice == viewer.code(), "{chosen:?}, {choice}");
    }
}
