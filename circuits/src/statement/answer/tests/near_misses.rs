//! Answers of which one element is false, many of each kind, without a prover: at each step of each piece, on each side of a pawn, and in each bit.
//!
//! A false answer is what another board gives under the same secrets. One of its elements at a time stands in the true answer, whose other elements, commitment and
//! header stay. Both forms of *answer* lay the same elements: that the on-chain form's roots are of these is in its own values.

mod falsehood;

use fog::{
    engine::sight_lines::geometry::{PAWN_FIELD, PUSH_FIELD, is_present},
    merkle::RECORD_FIELDS,
    statement::{
        Unmet,
        answer::{AnswerPublic, check},
    },
    testing::{cases, seed},
};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{Color, Square};

use super::super::AnswerCircuit;
use super::values::{Drawn, draws};
use crate::{
    StatementCircuit,
    values::{Dry, Wanted, differ_in},
};
use falsehood::Falsehood;

/// At least so many of each kind.
const LEAST: usize = 30;

/// What an element is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    /// What a ray finds on its square.
    Ray,
    /// What a pawn could capture.
    Capture,
    /// Whether something stands ahead of a pawn.
    Ahead,
    /// Whether a pawn could capture in passing.
    EnPassant,
    /// What a knight could reach.
    Knight,
    /// What a king could reach.
    King,
    /// Whether a double push is blocked where it ends.
    Push,
    /// What is told to pieces on the receiver's captured square.
    Captured,
    /// The first steps of rays that begin there.
    FirstStep,
    /// The pass of that square.
    Pass,
}

/// In what it is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lie {
    /// It tells of something that isn't there.
    TooMany,
    /// It doesn't tell of something that is there.
    TooFew,
    /// It tells of something else.
    Other,
    /// It tells of the sender's piece that was captured.
    Fallen,
}

/// The receiver, for pawns alone; the side, step or direction; the bit.
type Way = (usize, usize, usize);
type Shown = ((About, Lie), Way);

fn all() -> Vec<Shown> {
    let mut all = Vec::new();
    let mut add = |about, lies: &[Lie], colors: usize, ways: usize, bits: usize| {
        for color in 0..colors {
            for (way, bit) in (0..ways).flat_map(|way| (0..bits).map(move |bit| (way, bit))) {
                all.extend(lies.iter().map(|lie| ((about, *lie), (color, way, bit))));
            }
        }
    };
    let of_type = [Lie::TooMany, Lie::TooFew, Lie::Other];
    let of_flag = &of_type[..2];
    for piece in [About::Ray, About::Knight, About::King] {
        add(piece, &of_type, 1, 8, 3);
        add(piece, &[Lie::Fallen], 1, 8, 1);
    }
    add(About::Capture, &of_type, 2, 2, 3);
    add(About::Ahead, of_flag, 2, 1, 1);
    add(About::EnPassant, of_flag, 2, 2, 1);
    add(About::Push, of_flag, 2, 8, 1);
    add(About::Captured, of_flag, 1, PUSH_FIELD + 1 - PAWN_FIELD, 1);
    add(About::FirstStep, of_flag, 1, 8, 1);
    add(About::Pass, &of_type, 1, 1, 1);
    all
}

/// What each element stands for, in their order.
fn places(receiver: Color) -> Vec<Option<(Square, usize)>> {
    let fields = Square::all().flat_map(|square| (0..RECORD_FIELDS).map(move |field| (square, field)));
    fields.filter(|(square, field)| is_present(*square, *field, receiver)).map(Some).chain([None]).collect()
}

#[test]
fn every_false_element_is_refused() {
    let rng = &mut StdRng::seed_from_u64(seed(44));
    let dry = Dry::<AnswerCircuit>::new();
    let mut wanted = Wanted::new(cases(LEAST), all().into_iter().map(|(kind, _)| kind), all());
    let (mut refused, mut answers) = (0, 0);
    // By no order of captured squares.
    let mut drawn = draws(1, rng);
    drawn.shuffle(rng);
    for drawn in drawn {
        if wanted.is_over() {
            break;
        }
        let Drawn { public, private, .. } = &drawn;
        assert_eq!(check(public, private), Ok(()));
        let (computed, trace) = dry.lay(|_, cx| drawn.lay(cx).public());
        assert_eq!(differ_in(public.header, &trace, &[]), None);
        let differing = |public: &AnswerPublic| {
            let stated = AnswerCircuit::instance(public).remove(0);
            computed.iter().zip(&stated).filter(|(cell, value)| cell.value != **value).count()
        };
        assert_eq!(differing(public), 0, "the true answer is accepted");
        for falsehood in Falsehood::draw(&drawn, rng) {
            let shown = places(public.header.receiver).into_iter().map(|place| falsehood.shown(&drawn, place));
            let shown: Vec<_> = shown.collect();
            let chosen: Vec<bool> = shown
                .iter()
                .map(|shown| wanted.take(shown.iter().map(|(kind, _)| *kind), shown.iter().copied()))
                .collect();
            if !chosen.contains(&true) {
                continue;
            }
            answers += 1;
            // To the native check all chosen ones are false at once, since it makes the whole answer anew.
            let (elements, mut several) = (falsehood.elements(&drawn), public.clone());
            for (number, shown) in shown.iter().enumerate() {
                assert_eq!(elements[number] != public.elements[number], !shown.is_empty(), "{falsehood:?}, {number}");
                if chosen[number] {
                    let mut public = public.clone();
                    public.elements[number] = elements[number];
                    assert_eq!(differing(&public), 1, "{falsehood:?}, {shown:?}: the circuit doesn't notice");
                    several.elements[number] = elements[number];
                    refused += 1;
                }
            }
            let first = chosen.iter().position(|chosen| *chosen).expect("some are chosen");
            assert_eq!(check(&several, private), Err(Unmet::Element(first)), "{falsehood:?}");
        }
    }
    wanted.assert_all_drawn();
    println!("{refused} near misses of {answers} answers");
}
