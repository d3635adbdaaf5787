//! The vectors: a slot for every square of every line of sight that any piece of the receiver's color could have, a line being what one
//! piece looks along ([`lines`](crate::psi::lines)), and one for every pawn and square that could capture *en passant*. 3,822 of 8,192; the rest is 0.
//!
//! In the item vector, which is the sender's, a slot says which piece stands on its square (1 to 6) if that is the first of the sender's
//! on the line, else 0; on a pawn's way ahead only that there is one (1); of a jump, that the last move was one over that square (1).
//! In the view vector, which is the receiver's, a slot is 1 if the receiver's own piece looks along the line as far as the square. So the
//! product has what the receiver sees, and 0 everywhere else.

use super::refusal::Refusal;
use crate::psi::{
    element::{Element, Fact},
    lines::{Line, all_lines, jump_rank, lines_of, may_stand},
    reading,
};
use fog::engine::{Cause, Phase};
use rules::{Color, PieceType, Side, Sight, Square, geometry::pawn_attacks};
use std::{
    collections::{HashMap, HashSet},
    sync::OnceLock,
};
use zeroize::Zeroizing;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Aim {
    /// A piece, by its type.
    Piece,
    /// Any piece, ahead of a pawn.
    Way,
    /// The square that the last move jumped over.
    Jump,
}

/// What a slot stands for: who looks from where, at which square, for what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Slot {
    piece: PieceType,
    from: Square,
    square: Square,
    aim: Aim,
}

impl Slot {
    fn on(line: &Line, square: Square) -> Self {
        let aim = if line.is_way { Aim::Way } else { Aim::Piece };
        Self { piece: line.piece, from: line.from, square, aim }
    }

    /// The finding that a value of the product is; an error if the slot has no such value.
    fn finding(&self, value: u64) -> Result<Element, Refusal> {
        let code = u8::try_from(value).map_err(|_| Refusal::Product)?;
        let fact = match self.aim {
            Aim::Piece => Fact::Piece(PieceType::from_code(code).ok_or(Refusal::Product)?),
            Aim::Way if value == 1 => Fact::Occupied,
            Aim::Jump if value == 1 => Fact::Jumped,
            Aim::Way | Aim::Jump => return Err(Refusal::Product),
        };
        Ok(Element::attack(fact, self.square, self.piece, self.from))
    }
}

/// The slots of a receiver's color, in order.
struct Table {
    slots: Vec<Slot>,
    places: HashMap<Slot, usize>,
}

impl Table {
    fn new(receiver: Color) -> Self {
        let of_line = |line: Line| line.squares.iter().map(|square| Slot::on(&line, *square)).collect::<Vec<_>>();
        let mut slots: Vec<Slot> = all_lines(receiver).flat_map(of_line).collect();
        let pawns = Square::all().filter(|from| may_stand(PieceType::Pawn, *from));
        slots.extend(pawns.flat_map(|from| jumps(from, receiver)));
        let places = slots.iter().copied().zip(0..).collect();
        Self { slots, places }
    }

    fn get(receiver: Color) -> &'static Self {
        static TABLES: OnceLock<[Table; 2]> = OnceLock::new();
        &TABLES.get_or_init(|| Color::ALL.map(Self::new))[receiver.index()]
    }

    /// A vector with some slots set.
    fn vector(&self, set: impl IntoIterator<Item = (Slot, u64)>) -> Zeroizing<Vec<u64>> {
        let mut vector = Zeroizing::new(vec![0; self.slots.len()]);
        for (slot, value) in set {
            if let Some(place) = self.places.get(&slot) {
                vector[*place] = value;
            }
        }
        vector
    }
}

/// Where a pawn of `color` may capture *en passant*.
fn jumps(pawn: Square, color: Color) -> impl Iterator<Item = Slot> {
    let targets = pawn_attacks(pawn, color).into_iter().flatten();
    let targets = targets.filter(move |target| target.rank() == jump_rank(color));
    targets.map(move |square| Slot { piece: PieceType::Pawn, from: pawn, square, aim: Aim::Jump })
}

/// The sender's vector, given its board.
pub fn item(board: &Side, phase: Phase) -> Zeroizing<Vec<u64>> {
    let table = Table::get(!board.color);
    let first = |line: Line| {
        let (square, piece) = line.squares.iter().find_map(|square| Some((*square, board.piece(*square)?)))?;
        let value = if line.is_way { 1 } else { u64::from(piece.code()) };
        Some((Slot::on(&line, square), value))
    };
    let jumped = board.jumped_square().filter(|_| phase == Phase::Pre);
    let jumped = table.slots.iter().filter(move |slot| slot.aim == Aim::Jump && Some(slot.square) == jumped);
    table.vector(all_lines(!board.color).filter_map(first).chain(jumped.map(|slot| (*slot, 1))))
}

/// The receiver's vector, given its board.
pub fn view(board: &Side, phase: Phase) -> Zeroizing<Vec<u64>> {
    let table = Table::get(board.color);
    let lines = lines_of(board);
    let seen = lines.iter().flat_map(|line| line.open_squares(board).map(|square| Slot::on(line, square)));
    let pawns = board.men().filter(|(_, piece)| *piece == PieceType::Pawn && phase == Phase::Pre);
    let seen = seen.chain(pawns.flat_map(|(from, _)| jumps(from, board.color)));
    table.vector(seen.map(|slot| (slot, 1)))
}

/// The sight that a product gives to the player whose board is `own`; an error if no board does.
pub fn sight(own: &Side, phase: Phase, product: &[u64]) -> Result<Sight, Cause> {
    let (table, view) = (Table::get(own.color), view(own, phase));
    let (slots, rest) = product.split_at_checked(table.slots.len()).ok_or(Refusal::Product)?;
    let is_hidden = slots.iter().zip(&**view).any(|(value, view)| *view == 0 && *value != 0);
    fog::ensure!(!is_hidden && rest.iter().all(|value| *value == 0), Refusal::Product.into());
    let found = slots.iter().zip(&table.slots).filter(|(value, _)| **value != 0);
    let found = found.map(|(value, slot)| slot.finding(*value)).collect::<Result<HashSet<Element>, Refusal>>()?;
    Ok(reading::sight(own, phase, &found)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bfv::parameters::DEGREE;
    use fog::testing::{Walk, seed};
    use rand::{Rng, SeedableRng, rngs::StdRng};

    fn product(own: &Side, other: &Side, phase: Phase) -> Vec<u64> {
        item(other, phase).iter().zip(&**view(own, phase)).map(|(item, view)| item * view).collect()
    }

    #[test]
    fn each_color_has_3_822_slots() {
        for color in Color::ALL {
            let table = Table::get(color);
            assert_eq!((table.slots.len(), table.places.len()), (3822, 3822));
            assert!(table.slots.len() <= DEGREE);
        }
    }

    #[test]
    fn products_are_sights() {
        let mut rng = StdRng::seed_from_u64(seed(171));
        let mut walk = Walk::start();
        for _ in 0..2000 {
            walk.advance(&mut rng);
            let (own, other) = (walk.board(), walk.other());
            for phase in [Phase::Pre, Phase::Post] {
                let right = Sight::between(&own, other, phase == Phase::Pre);
                let product = product(&own, other, phase);
                assert_eq!(sight(&own, phase, &product).expect("a sight"), right);
            }
        }
    }

    /// A value where the receiver doesn't look, or one that no piece has, is refused.
    #[test]
    fn other_products_are_refused() {
        let mut rng = StdRng::seed_from_u64(seed(172));
        let mut walk = Walk::start();
        for _ in 0..50 {
            walk.advance(&mut rng);
            let own = walk.board();
            let right = [product(&own, walk.other(), Phase::Pre), vec![0; DEGREE - 3822]].concat();
            assert!(sight(&own, Phase::Pre, &right).is_ok());
            let view = view(&own, Phase::Pre);
            let mut changed = right.clone();
            let place = rng.gen_range(0..DEGREE);
            changed[place] = if view.get(place) == Some(&1) { 7 } else { 1 };
            let refused = sight(&own, Phase::Pre, &changed);
            assert!(refused.is_err_and(|cause| cause.downcast_ref() == Some(&Refusal::Product)));
        }
    }
}
