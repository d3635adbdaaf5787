//! Each backend against `halo2curves`, with random elements, those at the edges, and those that aren't canonical.

use super::*;
use crate::portable::Portable;
use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::Field;
use halo2curves::serde::SerdeObject;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;

const ROUNDS: usize = if cfg!(miri) {
    1
} else if cfg!(debug_assertions) {
    300
} else {
    5_000
};

fn words<F: SerdeObject>(element: &F) -> Words {
    let bytes = element.to_raw_bytes();
    std::array::from_fn(|i| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("eight bytes")))
}

fn element<F: SerdeObject>(words: Words) -> F {
    F::from_raw_bytes_unchecked(&words.map(u64::to_le_bytes).concat())
}

/// a + k·b, which has no more than four words.
fn plus(a: Words, b: Words, k: u64) -> Words {
    let mut carry = 0u128;
    let sum = std::array::from_fn(|i| {
        carry += u128::from(a[i]) + u128::from(b[i]) * u128::from(k);
        let word = carry as u64;
        carry >>= 64;
        word
    });
    assert_eq!(carry, 0);
    sum
}

/// In Montgomery's form: the least and the greatest, powers of two, and ones up to where a limb or a word ends; and the negatives of all.
fn edges<F: Field + SerdeObject>() -> Vec<F> {
    let of_bits = |bits: std::ops::Range<usize>| {
        let mut words = [0; 4];
        bits.for_each(|bit| words[bit / 64] |= 1 << (bit % 64));
        element::<F>(words)
    };
    let powers = (0..253).map(|bit| of_bits(bit..bit + 1));
    let ones = [51, 52, 53, 63, 64, 104, 128, 156, 192, 208, 209, 253].map(|end| of_bits(0..end));
    let all = [F::ZERO, F::ONE].into_iter().chain(powers).chain(ones);
    all.flat_map(|element| [element, -element]).collect()
}

/// The operations, and what they are in the library. The last two are chains: results at their most must do as operands.
type Operation<T> = fn(T, T) -> T;
type Both<B, P, F> = (Operation<Elements<B, P>>, Operation<F>);

fn operations<B: Backend, P: Prime, F: Field>() -> [Both<B, P, F>; 7] {
    [
        (|a, b| a.multiply(b), |a, b| a * b),
        (|a, b| a.add(b), |a, b| a + b),
        (|a, b| a.subtract(b), |a, b| a - b),
        (|a, _| a.square(), |a, _| a.square()),
        (|a, b| a.replaced(0b0101_1010, b).canonical(), |a, _| a),
        (
            |a, b| a.subtract(b).subtract(b).subtract(b).subtract(b).multiply(a.add(a).add(a).add(a).add(b)),
            |a, b| (a - b - b - b - b) * (a + a + a + a + b),
        ),
        (
            |a, b| a.add(b).add(b).subtract(a).add(a).square().subtract(b).subtract(a).multiply(b),
            |a, b| ((a + b + b - a + a).square() - b - a) * b,
        ),
    ]
}

fn check<B: Backend, P: Prime, F: Field + SerdeObject>(backend: B) {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let edges = edges::<F>();
    for round in 0..ROUNDS {
        let mut draw = || {
            std::array::from_fn::<F, 8, _>(|_| match rng.gen_bool(0.5) {
                true => edges[rng.gen_range(0..edges.len())],
                false => F::random(&mut rng),
            })
        };
        let (a, b) = (draw(), draw());
        // Each may be its element plus p or 2p; with 3p only what is below 2^209.
        let mut loose = |elements: &[F; 8]| {
            elements.each_ref().map(|element| {
                let words = words(element);
                let is_small = words[3] == 0 && words[2] == 0;
                plus(words, P::P, rng.gen_range(0..if is_small { 4 } else { 3 }))
            })
        };
        let [loose_a, loose_b] = [loose(&a), loose(&b)];
        for (number, (ours, theirs)) in operations::<B, P, F>().into_iter().enumerate() {
            let (result, canonical) = backend.enter(|| {
                let [a, b] = [&loose_a, &loose_b].map(|elements| Elements::<B, P>::load_row(backend, elements));
                let result = ours(a, b);
                let mut canonical = [[0; 4]; 8];
                result.canonical().store_row(&mut canonical);
                (result, canonical)
            });
            assert!(result.are_bounded(), "round {round}, operation {number}");
            for lane in 0..8 {
                let is_replaced = number == 4 && 0b0101_1010 >> lane & 1 == 1;
                let expected = if is_replaced { b[lane] } else { theirs(a[lane], b[lane]) };
                assert_eq!(canonical[lane], words(&expected), "round {round}, operation {number}, lane {lane}");
            }
        }
    }
}

/// What is at the bound, and just beyond it.
fn check_bounds<B: Backend, P: Prime>(backend: B) {
    let bound = plus([0, 0, 0, 2 << 16], P::P, 3);
    let mut most = bound;
    most[0] -= 1;
    let most = Elements::<B, P>::splat(backend, &most);
    assert!(most.are_bounded());
    let zero = Elements::splat(backend, &[0; 4]);
    for result in [most.add(most), zero.subtract(most), most.subtract(zero), most.multiply(most), most.square()] {
        assert!(result.are_bounded());
    }
    let at_bound =
        Elements::<B, P> { backend, limbs: multiple(bound, 1).map(|limb| backend.splat(limb)), prime: PhantomData };
    assert!(!at_bound.are_bounded());
    let out_of_place = Elements::<B, P> { backend, limbs: [backend.splat(LOW_52 + 1); 5], prime: PhantomData };
    assert!(!out_of_place.are_bounded());
}

fn check_zeros_and_transposition<B: Backend>(backend: B) {
    let multiples = [0, 1, 2, 3].map(|k| plus([0; 4], Base::P, k));
    let one = [1, 0, 0, 0];
    let row = [multiples[0], one, multiples[1], one, multiples[2], one, multiples[3], Base::P.map(|word| word ^ 1)];
    let elements = Elements::<B, Base>::load_row(backend, &row);
    assert_eq!(elements.may_be_zero(), 0b0101_0101);
    assert_eq!(elements.may_be_written_zero(), 1);
    let row = |i: u64| std::array::from_fn::<Words, 8, _>(|j| [8 * i + j as u64; 4].map(|word| word << 20));
    let mut rows = std::array::from_fn(|i| Elements::<B, Scalar>::load_row(backend, &row(i as u64)));
    backend.enter(|| Elements::transpose(&mut rows));
    for (i, row) in rows.into_iter().enumerate() {
        let mut stored = [[0; 4]; 8];
        row.store_row(&mut stored);
        assert_eq!(stored, std::array::from_fn(|j| [(8 * j + i) as u64; 4].map(|word| word << 20)));
    }
}

fn check_all<B: Backend>(backend: B) {
    check::<B, Base, Fq>(backend);
    check::<B, Scalar, Fr>(backend);
    check_bounds::<B, Base>(backend);
    check_bounds::<B, Scalar>(backend);
    check_zeros_and_transposition(backend);
}

#[test]
fn plain_integers_give_what_the_library_gives() {
    check_all(Portable);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn the_instructions_give_what_the_library_gives() {
    match crate::ifma::Ifma::detect() {
        Some(backend) => check_all(backend),
        None => println!("not run: this processor has no AVX-512 IFMA"),
    }
}

/// What the kernel says of the processor says whether the instructions must have been tested.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn the_instructions_are_found_where_they_are() {
    let described = std::fs::read_to_string("/proc/cpuinfo").expect("the kernel describes the processor");
    let flags = described.lines().find(|line| line.starts_with("flags")).unwrap_or_default();
    let has = |name: &str| flags.split_whitespace().any(|flag| flag == name);
    let expected = has("avx512f") && has("avx512ifma");
    assert_eq!(crate::Lanes::detect().is_some(), expected);
}
