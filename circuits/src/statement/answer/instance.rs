//! The order of the public inputs: the statement's, but for the double pushes.
//!
//! On the wire field 13 stands on the receiver's pawn rank, so an element's number depends on the color. Here the eight come after all
//! other fields, by file, so that the circuit's cells have one place each; verifier and prover both move them by the public color:
//!
//! 8 scalars · 128 coordinates · fields 0 to 12 of all squares · field 13 of the pawn rank's 8 squares · the clear pass.

use fog::{
    engine::sight_lines::answer::ELEMENTS,
    engine::sight_lines::geometry::{PUSH_FIELD, is_present},
    merkle::RECORD_FIELDS,
    statement::answer::{ANSWER_INPUTS, AnswerPublic},
};
use halo2curves::bn256::Fr;
use rules::{Color, Square};

/// The instance column; none if the statement has another number of elements than an answer.
pub fn of(public: &AnswerPublic) -> Option<Vec<Fr>> {
    let stated = public.to_instance();
    let (scalars_and_points, elements) = stated.split_at_checked(ANSWER_INPUTS - ELEMENTS)?;
    if elements.len() != ELEMENTS {
        return None;
    }
    let mut column = scalars_and_points.to_vec();
    column.extend(order(public.header.receiver).iter().map(|&i| elements[i]));
    Some(column)
}

/// For each place among the circuit's elements its number on the wire.
fn order(receiver: Color) -> Vec<usize> {
    let places = Square::all().flat_map(|square| {
        let fields = 0..RECORD_FIELDS;
        fields.filter(move |&field| is_present(square, field, receiver))
    });
    let (mut order, mut pushes) = (Vec::with_capacity(ELEMENTS), Vec::new());
    for (number, field) in places.enumerate() {
        if field == PUSH_FIELD {
            pushes.push(number);
        } else {
            order.push(number);
        }
    }
    order.extend(pushes);
    order.push(ELEMENTS - 1);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_has_one_place() {
        for receiver in Color::ALL {
            let mut places = order(receiver);
            places.sort_unstable();
            assert_eq!(places, (0..ELEMENTS).collect::<Vec<_>>());
        }
    }

    #[test]
    fn only_double_pushes_move() {
        for receiver in Color::ALL {
            let order = order(receiver);
            let (fields, last) = order.split_at(ELEMENTS - 9);
            assert!(fields.is_sorted());
            // The clear pass comes last on the wire too; a2 is the first square of White's pawn rank and h7 the last of Black's.
            assert_eq!(last[8], ELEMENTS - 1);
            let first_rank = 2 * (3 + 4) + 6 * (5 + 4);
            let a2 = 5 + 5;
            match receiver {
                Color::White => assert_eq!(last[0], first_rank + a2),
                Color::Black => assert_eq!(last[7], ELEMENTS - 2 - first_rank),
            }
        }
    }
}
