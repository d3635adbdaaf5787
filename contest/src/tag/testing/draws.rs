//! Valid draws of the three statements.

use rand::{Rng, SeedableRng, rngs::StdRng, seq::IteratorRandom};

use crate::tag::{
    EXPONENT_BITS, Exponent, Position, Set, Size, Square, neighbourhood, reply_to, set_of,
    statement::{
        capture::{self, CapturePrivate, CapturePublic},
        reply::{self, ReplyPrivate, ReplyPublic},
        step::{self, StepPrivate, StepPublic},
    },
};

pub fn exponent(rng: &mut StdRng) -> Exponent {
    let mut z = [0; EXPONENT_BITS / 8];
    rng.fill(&mut z[..]);
    Exponent::new(z)
}

/// A position on a square with random exponents.
pub fn position(square: Square, rng: &mut StdRng) -> Position {
    Position { square, look: exponent(rng), answer: exponent(rng) }
}

/// An endless, seeded row of steps, of kings placed on their start (each third) and of all grids by turns.
pub fn steps(seed: u64) -> impl Iterator<Item = (StepPublic, StepPrivate)> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..).map(move |number: usize| {
        let size = Size::ALL[number % Size::ALL.len()];
        if number % 3 == 2 {
            let square = size.start(rng.r#gen());
            return step::gather(size, None, position(square, &mut rng)).expect("a start is on the grid");
        }
        let from = size.squares().choose(&mut rng).expect("a grid has squares");
        let onto = neighbourhood(from).into_iter().flatten().filter(|to| size.contains(*to) && *to != from);
        let onto = onto.choose(&mut rng).expect("every square has a neighbour");
        let before = position(from, &mut rng);
        step::gather(size, Some(&before), position(onto, &mut rng)).expect("a king's step")
    })
}

/// A random set: of a king somewhere.
fn set(rng: &mut StdRng) -> (Position, Set) {
    let square = Square::all().choose(rng).expect("64 squares");
    let looking = position(square, rng);
    let set = set_of(&looking);
    (looking, set)
}

/// An endless, seeded row of replies, each second one of a king in the neighbourhood.
pub fn replies(seed: u64) -> impl Iterator<Item = (ReplyPublic, ReplyPrivate)> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..).map(move |number: usize| {
        let (looking, set) = set(&mut rng);
        let squares = Square::all().filter(|square| number.is_multiple_of(2) || looking.square.sees(*square));
        let square = squares.choose(&mut rng).expect("a neighbourhood has squares");
        reply::gather(&set, &position(square, &mut rng)).expect("points of the curve")
    })
}

/// An endless, seeded row of captures.
pub fn captures(seed: u64) -> impl Iterator<Item = (CapturePublic, CapturePrivate)> {
    let mut rng = StdRng::seed_from_u64(seed);
    std::iter::from_fn(move || {
        let (looking, set) = set(&mut rng);
        let seen = neighbourhood(looking.square).into_iter().flatten().choose(&mut rng).expect("its own square");
        let reply = reply_to(&set, &position(seen, &mut rng)).expect("points of the curve");
        let (_, public, private) = capture::gather(&reply, &looking).expect("a king in the neighbourhood");
        Some((public, private))
    })
}
