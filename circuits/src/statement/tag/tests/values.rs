//! Tag square by square and step by step, over the edges too.

use std::collections::BTreeSet;

use contest::tag::{
    Exponent, NEIGHBOURHOOD, Position, Size, Square, Step, set_of, square_point,
    statement::{capture, reply, step},
    testing::{captures, position},
};
use fog::{
    poseidon::{Tag, hash},
    testing::seed,
};
use halo2curves::bn256::Fr;
use rand::{SeedableRng, rngs::StdRng};

use super::super::{TagCaptureCircuit, TagReplyCircuit, TagStepCircuit, king::KingSquare, step::Witness};
use crate::{
    gadget::Label,
    values::{Dry, compare, differ, differ_in, flag},
};

/// A king's step, or its placing, that a prover says.
struct Said {
    square: Square,
    /// Its number among the steps.
    step: usize,
    size: Size,
    is_placed: bool,
}

impl Said {
    fn witness(&self) -> Witness {
        let [look, answer] = [1, 2].map(|byte| Exponent::new([byte; 31]));
        Witness {
            position: Position { square: self.square, look, answer },
            size: self.size,
            is_placed: self.is_placed,
            steps: std::array::from_fn(|step| step == self.step),
            before_salt: Fr::from(5),
        }
    }

    /// The commitment before, and what the public input of the grid says.
    fn expected(&self) -> [Fr; 2] {
        let (files, ranks) = Step::all().nth(self.step).expect("eight steps").offset();
        let [file, rank] = [(self.square.file(), files), (self.square.rank(), ranks)]
            .map(|(onto, step)| i64::from(onto) - i64::from(step));
        // Off the grid too, where it is the code of no square.
        let code = 16 * rank + file;
        let code = if code < 0 { -Fr::from(code.unsigned_abs()) } else { Fr::from(code.unsigned_abs()) };
        let before = hash(Tag::King, code, Fr::from(5));
        let start = if self.is_placed { 16 * (1 + self.square.code()) } else { 0 };
        [flag(!self.is_placed) * before, Fr::from(u64::from(self.size.side()) + start)]
    }
}

fn all_said() -> Vec<Said> {
    let mut said = Vec::new();
    for square in Square::all() {
        for step in 0..NEIGHBOURHOOD - 1 {
            for size in Size::ALL {
                said.extend([false, true].map(|is_placed| Said { square, step, size, is_placed }));
            }
        }
    }
    said
}

#[test]
fn every_step_of_every_king_on_every_grid() {
    let dry = Dry::<TagStepCircuit>::new();
    compare("tag: steps", &all_said(), |said| {
        let ((square, previous, place), trace) = dry.lay(|_, cx| said.witness().lay_move(cx));
        let outside: &[Label] = if said.size.contains(said.square) { &[] } else { &["TS1.on_grid"] };
        let what = (said.square, said.step, said.size);
        differ(what, square.code.value, Fr::from(said.square.code()))
            .or(differ(what, [previous.value, place.value], said.expected()))
            .or(differ_in(what, &trace, outside))
    });
}

#[test]
fn every_square_has_its_point_in_every_place() {
    let dry = Dry::<TagStepCircuit>::new();
    let squares: Vec<Square> = Square::all().collect();
    compare("tag: points", &squares, |square| {
        let (found, trace) = dry.lay(|_, cx| {
            let king = KingSquare::new(cx, "TS1.one_square", *square);
            let zero = cx.zero;
            let beyond = king.beyond(cx, zero).value;
            (king.code.value, beyond, std::array::from_fn(|place| king.point(cx, place)))
        });
        let (code, beyond, points): (Fr, Fr, [_; NEIGHBOURHOOD]) = found;
        let larger = (0..).zip(Size::ALL).find(|(_, size)| size.contains(*square)).map(|(larger, _)| larger);
        let points = points.map(|point| [point.x.value, point.y.value]);
        let expected = std::array::from_fn(|place| square_point(*square, place)).map(|point| [point.x, point.y]);
        differ(square, points, expected)
            .or(differ(square, Some(beyond), larger.map(Fr::from)))
            .or(differ(square, code, Fr::from(square.code())))
            .or(differ_in(square, &trace, &[]))
    });
}

/// Whole statements: a king placed or moved to every square, a reply from every square, and captures.
#[test]
fn statements_of_every_square_are_accepted() {
    let rng = &mut StdRng::seed_from_u64(seed(87));
    let (steps, replies) = (Dry::<TagStepCircuit>::new(), Dry::<TagReplyCircuit>::new());
    let set = set_of(&position(Size::Eight.start(true), rng));
    let mut made = BTreeSet::new();
    for (number, square) in Square::all().enumerate() {
        let onto = position(square, rng);
        let (step, before) = (0..8)
            .map(|i| Step::all().nth((number + i) % 8).expect("eight steps"))
            .find_map(|step| Some((step, Square::all().find(|from| from.after(step) == Some(square))?)))
            .expect("every square has a neighbour");
        made.insert(step.offset());
        let (public, private) = step::gather(Size::Eight, Some(&position(before, rng)), onto.clone()).expect("a step");
        assert!(steps.refusals(&public, &private).is_empty(), "{before} to {square}");
        let (public, private) = reply::gather(&set, &onto).expect("points");
        assert!(replies.refusals(&public, &private).is_empty(), "{square}");
    }
    assert_eq!(made.len(), 8, "each step is made: {made:?}");
    let captured = Dry::<TagCaptureCircuit>::new();
    for (public, private) in captures(seed(88)).take(4) {
        assert_eq!(capture::check(&public, &private), Ok(()));
        assert!(captured.refusals(&public, &private).is_empty());
    }
}
