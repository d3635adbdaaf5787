//! The known attack on exponentiation in a group of smooth order, run on what an opponent sees. A twin of the protocol in the multiplicative group of
//! the field, whose order has small factors, gives both kings' squares away; in Grumpkin, whose order is prime, the same attack learns nothing.

use std::collections::HashMap;

use contest::Action;
use contest::tag::{Move, NEIGHBOURHOOD, Square, lift, reply_to, set_of, square_point, testing::position};
use ff::{Field, PrimeField};
use fog::{
    F,
    curve::{Point, Scalar, mul},
    testing::seed,
    word::{WORD, Word, from_word, to_word},
};
use group::Curve;
use rand::{Rng, SeedableRng, rngs::StdRng};

/// What the attack needs of a group.
trait Group {
    type Element: Copy + PartialEq;
    const UNIT: Self::Element;
    fn order() -> Word;
    fn product(a: Self::Element, b: Self::Element) -> Self::Element;
    fn power(base: Self::Element, exponent: &Word) -> Self::Element;
    /// The element of a place of a square's neighbourhood.
    fn name(square: Square, place: usize) -> Self::Element;
}

/// The multiplicative group of the field, of order |F| − 1 = 2²⁸·3²·13·29·983·….
struct Weak;

impl Group for Weak {
    type Element = F;
    const UNIT: F = F::ONE;

    fn order() -> Word {
        to_word(&-F::ONE)
    }

    fn product(a: F, b: F) -> F {
        a * b
    }

    fn power(base: F, exponent: &Word) -> F {
        let mut limbs = [0; 4];
        for (limb, chunk) in limbs.iter_mut().rev().zip(exponent.chunks_exact(8)) {
            *limb = u64::from_be_bytes(chunk.try_into().expect("eight bytes"));
        }
        base.pow_vartime(limbs)
    }

    fn name(square: Square, place: usize) -> F {
        square_point(square, place).x
    }
}

/// The group of the game.
struct Grumpkin;

impl Group for Grumpkin {
    type Element = Point;
    const UNIT: Point = Point { x: F::ZERO, y: F::ZERO };

    fn order() -> Word {
        let mut order = to_word(&-Scalar::ONE);
        order[WORD - 1] += 1;
        order
    }

    fn product(a: Point, b: Point) -> Point {
        (a + b).to_affine()
    }

    fn power(base: Point, exponent: &Word) -> Point {
        mul(&base, &from_word(exponent).expect("below the order"))
    }

    fn name(square: Square, place: usize) -> Point {
        square_point(square, place)
    }
}

/// A big-endian number divided by a small one, and the remainder.
fn divide(number: Word, divisor: u64) -> (Word, u64) {
    let (mut quotient, mut rest) = ([0; WORD], 0);
    for (digit, byte) in quotient.iter_mut().zip(number) {
        rest = rest << 8 | u64::from(byte);
        *digit = (rest / divisor) as u8;
        rest %= divisor;
    }
    (quotient, rest)
}

/// The odd primes below a thousand that divide the order.
fn small_factors<G: Group>() -> Vec<u64> {
    (3..1000).filter(|n| (2..*n).all(|d| n % d != 0) && divide(G::order(), *n).1 == 0).collect()
}

/// What may have been raised: the squares of which all `names` went to all of `raised` by one exponent, as far as it can be seen in the parts of the
/// group that have the order of one of `primes`.
fn attack<G: Group>(primes: &[u64], names: impl Fn(Square) -> Vec<G::Element>, raised: &[G::Element]) -> Vec<Square> {
    let mut candidates: Vec<Square> = Square::all().collect();
    for prime in primes {
        let (cofactor, _) = divide(G::order(), *prime);
        let project = |element: G::Element| G::power(element, &cofactor);
        let targets: Vec<G::Element> = raised.iter().map(|element| project(*element)).collect();
        candidates.retain(|square| {
            let bases: Vec<G::Element> = names(*square).into_iter().map(&project).collect();
            // Of the first: all exponents that fit, which is one unless it has no part of this order.
            let mut power = G::UNIT;
            let mut fitting = Vec::new();
            for exponent in 0..*prime {
                if power == targets[0] {
                    fitting.push(exponent);
                }
                power = G::product(power, bases[0]);
            }
            fitting.into_iter().any(|exponent| {
                let exponent = fog::word::small_word(exponent);
                bases.iter().zip(&targets).all(|(base, target)| G::power(*base, &exponent) == *target)
            })
        });
    }
    candidates
}

fn neighbourhood<G: Group>(square: Square) -> Vec<G::Element> {
    (0..NEIGHBOURHOOD).map(|place| G::name(square, place)).collect()
}

fn draw(rng: &mut StdRng) -> (Square, Word) {
    let mut exponent: Word = rng.r#gen();
    exponent[0] = 0;
    exponent[WORD - 1] |= 1;
    (Square::new(rng.gen_range(0..8), rng.gen_range(0..8)).expect("below 8"), exponent)
}

#[test]
fn the_weak_twin_gives_both_squares_away() {
    let rng = &mut StdRng::seed_from_u64(seed(71));
    let primes = small_factors::<Weak>();
    assert_eq!(primes, [3, 13, 29, 983]);
    for _ in 0..4 {
        let ((square, a), (other, b)) = (draw(rng), draw(rng));
        let set: Vec<F> = neighbourhood::<Weak>(square).into_iter().map(|name| Weak::power(name, &a)).collect();
        assert_eq!(attack::<Weak>(&primes, neighbourhood::<Weak>, &set), [square], "from the set alone");
        let raised = set.iter().map(|element| Weak::power(*element, &b));
        let reply: Vec<F> = raised.chain([Weak::power(Weak::name(other, 4), &b)]).collect();
        let names = |square| set.iter().copied().chain([Weak::name(square, 4)]).collect();
        assert_eq!(attack::<Weak>(&primes, names, &reply), [other], "from the reply");
    }
}

/// In Grumpkin no small number divides the order, so there is no part of the group to compare in. With the factors of the weak group the attack finds no
/// exponent for any square, the right one no more than another; an exponent below such a factor it does find.
#[test]
fn nothing_is_recovered_in_the_group_of_the_game() {
    let rng = &mut StdRng::seed_from_u64(seed(72));
    assert!(small_factors::<Grumpkin>().is_empty());
    let square = draw(rng).0;
    let looking = position(square, rng);
    let other = position(draw(rng).0, rng);
    let set = set_of(&looking);
    let reply = reply_to(&set, &other).expect("points");
    let points = |xs: &[F]| -> Vec<Point> { xs.iter().map(|x| lift(*x).expect("a point")).collect() };
    let of_reply = points(&[&reply.raised[..], &[reply.own]].concat());
    let set = points(&set.0);
    let names = |square| set.iter().copied().chain([square_point(square, 4)]).collect();
    let guessed = fog::word::small_word(rng.gen_range(2..13));
    let weak: Vec<Point> =
        neighbourhood::<Grumpkin>(square).iter().map(|name| Grumpkin::power(*name, &guessed)).collect();
    for prime in [13, 29] {
        assert_eq!(attack::<Grumpkin>(&[prime], neighbourhood::<Grumpkin>, &set), []);
        assert_eq!(attack::<Grumpkin>(&[prime], names, &of_reply), []);
        assert_eq!(attack::<Grumpkin>(&[prime], neighbourhood::<Grumpkin>, &weak), [square]);
    }
}

/// Nothing in what is sent comes twice: not from ply to ply, though a king stands where it stood, and not between players.
#[test]
fn what_is_sent_never_repeats() {
    let mut pair = crate::tag::pair::Pair::new(contest::tag::Size::Six, 12, seed(73));
    let mut seen: HashMap<[u8; 32], u16> = HashMap::new();
    for name in ["b1", "f5", "a1", "f6", "b1", "f5", "a1", "f6"] {
        let (mover, ply) = (pair.table().mover(), pair.table().ply());
        let step = pair.step(name.parse().expect("a square")).expect("a step");
        pair.say(mover, &step).expect("proven");
        let (other, answer) = pair.next();
        pair.say(other, &answer).expect("proven");
        let (Action::Move(Move::Step { placement, reply, .. }), Action::Move(Move::Reply { reply: answer, .. })) =
            (step, answer)
        else {
            panic!("a step and a reply");
        };
        let words = placement.set.0.into_iter().chain(reply.raised).chain(answer.raised);
        for x in words.chain([placement.commitment, reply.own]) {
            assert_eq!(seen.insert(x.to_repr(), ply), None);
        }
    }
}
