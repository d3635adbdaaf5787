//! Sums of groups of points in affine coordinates: in rounds of pairs, eight of which are added beside each other, and all of whose
//! inversions are made together (Montgomery's trick). The formula is the chord's: with λ = (y₂ − y₁)/(x₂ − x₁), x = λ² − x₁ − x₂ and
//! y = λ·(x₁ − x) − y₁.

use crate::backend::Backend;
use crate::field::{Base, Elements};
use crate::limbs::{Limbs, Point, base, of_base, of_points};
use halo2curves::bn256::{Fq, G1, G1Affine};
use halo2curves::ff::Field;
use halo2curves::group::Curve;

const IDENTITY: Point = [[0; 4]; 2];
/// Vectors that take each step of the formula one after the other: a product needn't wait for the one before, and a processor doesn't look
/// far enough ahead to find the next vector's on its own.
const ABREAST: usize = 4;

/// The sum of each group of points; the groups' points follow each other.
pub(crate) fn sum_groups<B: Backend>(backend: B, points: &[G1Affine], mut lengths: Vec<u32>) -> Vec<G1Affine> {
    let empty = lengths.contains(&0).then(|| lengths.clone());
    let mut round = Round { pairs: Vec::new(), steps: Vec::new(), exceptions: Vec::new(), sums: Vec::new() };
    let mut sums: Vec<Point> = Vec::new();
    let mut is_first = true;
    while round.plan(if is_first { of_points(points) } else { &sums }, &mut lengths) {
        let points = if is_first { of_points(points) } else { &sums };
        backend.enter(
            #[inline(always)]
            || round.add(backend, points),
        );
        std::mem::swap(&mut sums, &mut round.sums);
        // What pads the last vector goes behind the last sum.
        sums.pop();
        is_first = false;
    }
    // Without a round each group is a point, or none.
    let sums = if is_first { points.to_vec() } else { canonical(backend, &sums) };
    let Some(lengths) = empty else { return sums };
    let mut sums = sums.into_iter();
    let sum = |length: &u32| if *length == 0 { None } else { sums.next() };
    lengths.iter().map(sum).map(Option::unwrap_or_default).collect()
}

/// Where two points lie, the second behind the first, and where their sum goes.
#[derive(Clone, Copy, Default)]
struct Pair {
    from: u32,
    to: u32,
}

/// One round of additions, which adds up the points of every group in pairs.
struct Round<B: Backend> {
    /// As many as fill vectors, and these in groups of [`ABREAST`].
    pairs: Vec<[Pair; 8]>,
    /// Of each vector of pairs the differences of x, and the product of those before it in its chain.
    steps: Vec<[[Elements<B, Base>; 2]; ABREAST]>,
    /// Pairs that the formula can't add: the identity, a point twice, a point and its negative.
    exceptions: Vec<Pair>,
    /// Coordinates of sums need not be canonical; those of the identity are zeros.
    sums: Vec<Point>,
}

impl<B: Backend> Round<B> {
    /// Plans a round, and halves the groups' lengths; false if every group has been summed up.
    fn plan(&mut self, points: &[Point], lengths: &mut [u32]) -> bool {
        self.pairs.clear();
        self.sums.clear();
        let (mut from, mut to) = (0, 0);
        let (mut vector, mut filled) = ([Pair::default(); 8], 0);
        for length in lengths {
            let pairs = *length / 2;
            for i in 0..pairs {
                vector[filled] = Pair { from: from + 2 * i, to: to + i };
                filled += 1;
                if filled == 8 {
                    self.pairs.push(vector);
                    filled = 0;
                }
            }
            self.sums.resize((to + pairs) as usize, IDENTITY);
            if *length % 2 == 1 {
                self.sums.push(points[(from + *length - 1) as usize]);
            }
            from += *length;
            *length -= pairs;
            to += *length;
        }
        if filled > 0 {
            let padding = Pair { to, ..vector[0] };
            vector[filled..].fill(padding);
            self.pairs.push(vector);
        }
        let Some([first, ..]) = self.pairs.first() else { return false };
        let padding = Pair { to, ..*first };
        self.pairs.resize(self.pairs.len().next_multiple_of(ABREAST), [padding; 8]);
        self.sums.push(IDENTITY);
        true
    }

    #[inline(always)]
    fn add(&mut self, backend: B, points: &[Point]) {
        let one = Elements::<B, Base>::splat(backend, &of_base(Fq::ONE));
        let mut chains = [one; ABREAST];
        self.exceptions.clear();
        let groups = self.pairs.as_chunks::<ABREAST>().0;
        self.steps.resize(groups.len(), [[one; 2]; ABREAST]);
        for group in 0..groups.len() {
            let (pairs, step) = (&groups[group], &mut self.steps[group]);
            for i in 0..ABREAST {
                let [left, right] = load(backend, points, &pairs[i], 0);
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
            let (left, right) = (points[*from as usize], points[*from as usize + 1]);
            self.sums[*to as usize] = add_exceptional(backend, left, right);
        }
    }
}

/// Adds pairs, of whose differences of x the inverses are given.
#[inline(always)]
fn add_vectors<B: Backend>(
    backend: B,
    points: &[Point],
    pairs: &[[Pair; 8]; ABREAST],
    mut slopes: [Elements<B, Base>; ABREAST],
    sums: &mut [Point],
) {
    let (mut x, mut left_x, mut left_y) = (slopes, slopes, slopes);
    for i in 0..ABREAST {
        let [left, right] = load(backend, points, &pairs[i], 1);
        slopes[i] = right.subtract(left).multiply(slopes[i]);
        left_y[i] = left;
    }
    for i in 0..ABREAST {
        let [left, right] = load(backend, points, &pairs[i], 0);
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
fn load<B: Backend>(backend: B, points: &[Point], pairs: &[Pair; 8], coordinate: usize) -> [Elements<B, Base>; 2] {
    let mut at = [[&points[0], &points[0]]; 8];
    for lane in 0..8 {
        let [left, right] = &points[pairs[lane].from as usize..][..2] else { unreachable!("the slice has two points") };
        at[lane] = [left, right];
    }
    let mut of = [[&at[0][0][coordinate]; 8]; 2];
    for lane in 0..8 {
        of[0][lane] = &at[lane][0][coordinate];
        of[1][lane] = &at[lane][1][coordinate];
    }
    [Elements::load(backend, of[0]), Elements::load(backend, of[1])]
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

fn inverses(lanes: &[Limbs; 8]) -> [Limbs; 8] {
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

/// Only a point twice, or a point and its negative, take the library's addition with an inversion.
fn add_exceptional<B: Backend>(backend: B, left: Point, right: Point) -> Point {
    if left == IDENTITY || right == IDENTITY {
        return if left == IDENTITY { right } else { left };
    }
    let points = canonical(backend, &[left, right]);
    let sum = (G1::from(points[0]) + points[1]).to_affine();
    [of_base(sum.x), of_base(sum.y)]
}

/// Points as the library has them.
fn canonical<B: Backend>(backend: B, points: &[Point]) -> Vec<G1Affine> {
    let mut result = Vec::with_capacity(points.len());
    for four in points.chunks(4) {
        let mut words = [[0; 4]; 8];
        words.as_chunks_mut().0[..four.len()].copy_from_slice(four);
        let mut below_p = words;
        backend.enter(
            #[inline(always)]
            || Elements::<B, Base>::load_row(backend, &words).canonical().store_row(&mut below_p),
        );
        let point = |[x, y]: &Point| G1Affine { x: base(*x), y: base(*y) };
        result.extend(below_p.as_chunks().0[..four.len()].iter().map(point));
    }
    result
}
