//! Sums of groups of points in affine coordinates: in rounds of pairs, eight of which are added beside each other, and all of whose
//! inversions are made together (Montgomery's trick). The formula is the chord's: with λ = (y₂ − y₁)/(x₂ − x₁), x = λ² − x₁ − x₂ and
//! y = λ·(x₁ − x) − y₁.

use crate::backend::Backend;
use crate::field::{Base, Elements};
use crate::prefetch;
use crate::words::{Entry, Point, Words, base, of_base, of_entries, point, words};
use halo2curves::bn256::{Fq, G1};
use halo2curves::ff::Field;
use halo2curves::group::Curve;

const IDENTITY: Point = [[0; 4]; 2];
/// Vectors that take each step of the formula one after the other: a product needn't wait for the one before, and a processor doesn't look
/// far enough ahead to find the next vector's on its own.
const ABREAST: usize = 4;
/// Points that are asked of the memory before they are needed: they lie anywhere in a table that no cache holds.
const AHEAD: usize = 2 * 16 * ABREAST;

/// Which points of a table are summed up in groups.
#[derive(Clone, Debug)]
pub struct Groups<'a> {
    pub table: &'a [Entry],
    /// Twice the number of an entry of the table, and one more if it is subtracted. The groups' points follow each other.
    pub chosen: &'a [u32],
    /// How many points each group has, which may be none.
    pub lengths: Vec<u32>,
}

/// The sum of each group of points.
pub(crate) fn sum_groups<B: Backend>(backend: B, round: &mut Round<B>, groups: Groups<'_>) -> Vec<Entry> {
    let Groups { table, chosen, mut lengths } = groups;
    let empty = lengths.contains(&0).then(|| lengths.clone());
    let mut points = std::mem::take(&mut round.points);
    let mut is_left = round.sum_pairs(backend, Chosen { table: of_entries(table), chosen }, &mut lengths);
    while is_left {
        std::mem::swap(&mut points, &mut round.sums);
        is_left = round.sum_pairs(backend, &points[..], &mut lengths);
    }
    round.points = points;
    backend.enter(
        #[inline(always)]
        || make_canonical(backend, &mut round.sums),
    );
    let mut sums = round.sums.iter().map(|sum| Entry(point(*sum)));
    let Some(lengths) = empty else { return sums.take(lengths.len()).collect() };
    let sum = |length: &u32| if *length == 0 { None } else { sums.next() };
    lengths.iter().map(sum).map(Option::unwrap_or_default).collect()
}

/// Where the points of a round are.
trait Points: Copy {
    fn get(&self, index: usize) -> &Point;
    fn is_negative(&self, index: usize) -> bool;
    /// Asks the memory for a point that will be needed soon.
    fn prefetch(&self, index: usize);
}

/// Points of a table.
#[derive(Clone, Copy)]
struct Chosen<'a> {
    table: &'a [Point],
    chosen: &'a [u32],
}

impl Points for Chosen<'_> {
    #[inline(always)]
    fn get(&self, index: usize) -> &Point {
        &self.table[self.chosen[index] as usize >> 1]
    }

    #[inline(always)]
    fn is_negative(&self, index: usize) -> bool {
        self.chosen[index] & 1 == 1
    }

    #[inline(always)]
    fn prefetch(&self, index: usize) {
        if index < self.chosen.len() {
            prefetch(self.get(index));
        }
    }
}

/// Sums of the round before.
impl Points for &[Point] {
    #[inline(always)]
    fn get(&self, index: usize) -> &Point {
        &self[index]
    }

    #[inline(always)]
    fn is_negative(&self, _: usize) -> bool {
        false
    }

    #[inline(always)]
    fn prefetch(&self, _: usize) {}
}

/// Where two points lie, the second behind the first, and where their sum goes.
#[derive(Clone, Copy, Default)]
struct Pair {
    from: u32,
    to: u32,
}

/// One round of additions, which adds up the points of every group in pairs; and the memory for that, which the next one uses again.
pub(crate) struct Round<B: Backend> {
    /// As many as fill vectors, and these in groups of [`ABREAST`].
    pairs: Vec<Pair>,
    /// Of each vector of pairs the differences of x, and the product of those before it in its chain.
    steps: Vec<[[Elements<B, Base>; 2]; ABREAST]>,
    /// Pairs that the formula can't add: the identity, a point twice, a point and its negative.
    exceptions: Vec<Pair>,
    /// The sums of the round before.
    points: Vec<Point>,
    /// Coordinates of sums need not be canonical; those of the identity are zeros. Behind them is what pads the last vector.
    sums: Vec<Point>,
}

impl<B: Backend> Round<B> {
    pub fn new() -> Self {
        Self { pairs: Vec::new(), steps: Vec::new(), exceptions: Vec::new(), points: Vec::new(), sums: Vec::new() }
    }

    /// Halves the groups' lengths, and sums up their points in pairs; false if there were no pairs, and each sum is a group's.
    fn sum_pairs(&mut self, backend: B, points: impl Points, lengths: &mut [u32]) -> bool {
        self.plan(points, lengths);
        if !self.pairs.is_empty() {
            backend.enter(
                #[inline(always)]
                || self.add(backend, points),
            );
        }
        !self.pairs.is_empty()
    }

    fn plan(&mut self, points: impl Points, lengths: &mut [u32]) {
        let sums: u32 = lengths.iter().map(|length| length.div_ceil(2)).sum();
        self.sums.resize(sums as usize + 1, IDENTITY);
        self.pairs.clear();
        let (mut from, mut to) = (0, 0);
        for length in lengths {
            let pairs = *length / 2;
            self.pairs.extend((0..pairs).map(|i| Pair { from: from + 2 * i, to: to + i }));
            if *length % 2 == 1 {
                let last = (from + *length - 1) as usize;
                self.sums[(to + pairs) as usize] = with_sign(points, last);
            }
            from += *length;
            *length -= pairs;
            to += *length;
        }
        if let Some(first) = self.pairs.first() {
            let padding = Pair { to, ..*first };
            self.pairs.resize(self.pairs.len().next_multiple_of(8 * ABREAST), padding);
        }
    }

    #[inline(always)]
    fn add(&mut self, backend: B, points: impl Points) {
        let one = Elements::<B, Base>::splat(backend, &of_base(Fq::ONE));
        let mut chains = [one; ABREAST];
        self.exceptions.clear();
        let groups = self.pairs.as_chunks::<8>().0.as_chunks::<ABREAST>().0;
        if self.steps.len() < groups.len() {
            self.steps.resize(groups.len(), [[one; 2]; ABREAST]);
        }
        for group in 0..groups.len() {
            let (pairs, step) = (&groups[group], &mut self.steps[group]);
            for i in 0..ABREAST {
                for pair in &pairs[i] {
                    points.prefetch(pair.from as usize + AHEAD);
                    points.prefetch(pair.from as usize + AHEAD + 1);
                }
                let [left, right] = load::<B, 0>(backend, points, &pairs[i]);
                let difference = right.subtract(left);
                let exceptions = difference.may_be_zero() | left.may_be_written_zero() | right.may_be_written_zero();
                step[i] = [difference.replaced(exceptions, one), chains[i]];
                if exceptions != 0 {
                    self.exceptions
                        .extend((0..8).filter(|lane| exceptions >> lane & 1 == 1).map(|lane| pairs[i][lane]));
                }
            }
            for i in 0..ABREAST {
                chains[i] = chains[i].multiply(step[i][0]);
            }
        }
        let mut inverses = invert(backend, chains);
        for group in (0..groups.len()).rev() {
            let (pairs, step) = (&groups[group], &self.steps[group]);
            let mut slopes = [one; ABREAST];
            for i in 0..ABREAST {
                slopes[i] = inverses[i].multiply(step[i][1]);
                inverses[i] = inverses[i].multiply(step[i][0]);
            }
            add_vectors(backend, points, pairs, slopes, &mut self.sums);
        }
        for Pair { from, to } in &self.exceptions {
            let [left, right] = [*from, from + 1].map(|index| with_sign(points, index as usize));
            self.sums[*to as usize] = add_exceptional(backend, left, right);
        }
    }
}

/// Adds pairs, of whose differences of x the inverses are given.
#[inline(always)]
fn add_vectors<B: Backend>(
    backend: B,
    points: impl Points,
    pairs: &[[Pair; 8]; ABREAST],
    mut slopes: [Elements<B, Base>; ABREAST],
    sums: &mut [Point],
) {
    let (mut x, mut left_x, mut left_y) = (slopes, slopes, slopes);
    for i in 0..ABREAST {
        let [left, right] = load::<B, 1>(backend, points, &pairs[i]);
        slopes[i] = right.subtract(left).multiply(slopes[i]);
        left_y[i] = left;
    }
    for i in 0..ABREAST {
        let [left, right] = load::<B, 0>(backend, points, &pairs[i]);
        x[i] = slopes[i].square().subtract(left).subtract(right);
        left_x[i] = left;
    }
    for i in 0..ABREAST {
        let y = slopes[i].multiply(left_x[i].subtract(x[i])).subtract(left_y[i]);
        let [mut xs, mut ys] = [[[0; 4]; 8]; 2];
        x[i].store_row(&mut xs);
        y.store_row(&mut ys);
        for lane in 0..8 {
            sums[pairs[i][lane].to as usize] = [xs[lane], ys[lane]];
        }
    }
}

/// A coordinate of eight pairs of points.
#[inline(always)]
fn load<B: Backend, const COORDINATE: usize>(
    backend: B,
    points: impl Points,
    pairs: &[Pair; 8],
) -> [Elements<B, Base>; 2] {
    let mut of = [[&IDENTITY[COORDINATE]; 8]; 2];
    let mut negative = [0u8; 2];
    for side in 0..2 {
        for lane in 0..8 {
            let index = pairs[lane].from as usize + side;
            of[side][lane] = &points.get(index)[COORDINATE];
            negative[side] |= u8::from(COORDINATE == 1 && points.is_negative(index)) << lane;
        }
    }
    let mut elements = [Elements::load(backend, of[0]), Elements::load(backend, of[1])];
    for side in 0..2 {
        if negative[side] != 0 {
            let zero = Elements::splat(backend, &[0; 4]);
            elements[side] = elements[side].replaced(negative[side], zero.subtract(elements[side]));
        }
    }
    elements
}

/// A point, negated if its sign says so.
fn with_sign(points: impl Points, index: usize) -> Point {
    let at = *points.get(index);
    if points.is_negative(index) { words(-point(at)) } else { at }
}

/// The inverses of elements that aren't zero, by one inversion: of the vectors' product first, then of its lanes'.
#[inline(always)]
fn invert<B: Backend>(backend: B, chains: [Elements<B, Base>; ABREAST]) -> [Elements<B, Base>; ABREAST] {
    let mut before = chains;
    let mut product = chains[0];
    for i in 1..ABREAST {
        before[i] = product;
        product = product.multiply(chains[i]);
    }
    let mut lanes = [[0; 4]; 8];
    product.canonical().store_row(&mut lanes);
    let mut inverse = Elements::load_row(backend, &inverses(&lanes));
    let mut result = chains;
    for i in (1..ABREAST).rev() {
        result[i] = inverse.multiply(before[i]);
        inverse = inverse.multiply(chains[i]);
    }
    result[0] = inverse;
    result
}

fn inverses(lanes: &[Words; 8]) -> [Words; 8] {
    let elements = lanes.map(base);
    let mut product = Fq::ONE;
    let before = elements.map(|element| {
        let before = product;
        product *= element;
        before
    });
    let mut inverse = product.invert().expect("no element is zero");
    let mut result = *lanes;
    for lane in (0..8).rev() {
        result[lane] = of_base(inverse * before[lane]);
        inverse *= elements[lane];
    }
    result
}

/// A point twice, a point and its negative, and the rare pair whose difference looks like zero take the library's addition with an inversion.
fn add_exceptional<B: Backend>(backend: B, left: Point, right: Point) -> Point {
    if left == IDENTITY || right == IDENTITY {
        return if left == IDENTITY { right } else { left };
    }
    let mut points = vec![left, right];
    make_canonical(backend, &mut points);
    words((G1::from(point(points[0])) + point(points[1])).to_affine())
}

/// Makes coordinates what the library has, and pads the points to whole vectors.
#[inline(always)]
fn make_canonical<B: Backend>(backend: B, points: &mut Vec<Point>) {
    points.resize(points.len().next_multiple_of(4), IDENTITY);
    for row in points.as_flattened_mut().as_chunks_mut::<8>().0 {
        Elements::<B, Base>::load_row(backend, row).canonical().store_row(row);
    }
}
