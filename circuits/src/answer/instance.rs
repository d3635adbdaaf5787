//! The order of the public inputs: the statement's, but for the double pushes.
//!
//! On the wire field 13 stands on the receiver's pawn rank, so an element's number depends on the colour. Here the eight come after all
//! other fields, by file, so that the circuit's cells have one place each; verifier and prover both move them by the public colour:
//!
//! 8 scalars · 128 coordinates · fields 0 to 12 of all squares · field 13 of the pawn rank's 8 squares · the clear pass.

use fog::{
    answer::ELEMENTS,
    geometry::{PUSH_FIELD, is_present},
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
    column.extend(order(public.receiver).iter().map(|&i| elements[i]));
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
        let [white, black] = Color::ALL.map(order);
        let last = [10, 28, 732];
        assert_eq!(white[ELEMENTS - 9..].len(), 9);
        assert_eq!(white[ELEMENTS - 1], last[2]);
        assert_eq!(black[ELEMENTS - 1], last[2]);
        assert!(white[ELEMENTS - 9] < black[ELEMENTS - 9]);
    }
}
