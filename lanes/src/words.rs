//! The curve's types as the words that they are in memory: in Montgomery's form with R = 2^256, the least word first.
#![allow(unsafe_code)]

use halo2curves::bn256::{Fq, Fr, G1Affine};
use halo2curves::ff::Field;
use std::mem::{align_of, offset_of, size_of, transmute};

/// An element's words, the least first.
pub(crate) type Words = [u64; 4];
/// The words of a point's coordinates. The identity is zero in both.
pub(crate) type Point = [Words; 2];

/// A point of a table, aligned to a line of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct Entry(pub G1Affine);

const _: () = assert!(size_of::<Fq>() == size_of::<Words>() && align_of::<Fq>() == align_of::<Words>());
const _: () = assert!(size_of::<Fr>() == size_of::<Words>() && align_of::<Fr>() == align_of::<Words>());
const _: () = assert!(size_of::<G1Affine>() == size_of::<Point>() && align_of::<G1Affine>() == align_of::<Point>());
const _: () = assert!(size_of::<Entry>() == size_of::<Point>() && align_of::<Entry>() >= align_of::<Point>());
const _: () = assert!(offset_of!(G1Affine, x) == 0 && offset_of!(G1Affine, y) == size_of::<Words>());
// The words of one are 2^256 modulo the prime, so neither another form nor another order of words would compile.
const _: () =
    assert!(same(of_base(Fq::ONE), [0xd35d438dc58f0d9d, 0x0a78eb28f5c70b3d, 0x666ea36f7879462c, 0x0e0a77c19a07df2f]));
const _: () = assert!(same(
    // SAFETY: an element of this field is four words without padding, as its size says, and any four words are `Words`.
    unsafe { transmute::<Fr, Words>(Fr::ONE) },
    [0xac96341c4ffffffb, 0x36fc76959f60cd29, 0x666ea36f7879462e, 0x0e0a77c19a07df2f]
));

const fn same(a: Words, b: Words) -> bool {
    a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3]
}

/// The words of scalars.
pub(crate) fn of_scalars(scalars: &[Fr]) -> &[Words] {
    // SAFETY: size and alignment are asserted above, so that no byte is padding; any bytes are words; the lifetime is the argument's.
    unsafe { std::slice::from_raw_parts(scalars.as_ptr().cast(), scalars.len()) }
}

/// The words of scalars, of which only canonical ones may be written.
pub(crate) fn of_scalars_mut(scalars: &mut [Fr]) -> &mut [Words] {
    // SAFETY: as for `of_scalars`, and the borrow is exclusive; a scalar is a structure of four integers, for which any words are valid.
    unsafe { std::slice::from_raw_parts_mut(scalars.as_mut_ptr().cast(), scalars.len()) }
}

/// The words of the coordinates of a table's points.
pub(crate) fn of_entries(entries: &[Entry]) -> &[Point] {
    // SAFETY: an entry has the size of its point and no smaller alignment, a point has the size of its coordinates at their offsets, all of
    // which is asserted above, so that no byte is padding; any bytes are words; the lifetime is the argument's.
    unsafe { std::slice::from_raw_parts(entries.as_ptr().cast(), entries.len()) }
}

/// The point with these words, which are below the prime.
pub(crate) const fn point([x, y]: Point) -> G1Affine {
    G1Affine { x: base(x), y: base(y) }
}

/// The words of a point's coordinates.
pub(crate) const fn words(point: G1Affine) -> Point {
    [of_base(point.x), of_base(point.y)]
}

/// The element with these words, which are below the prime.
pub(crate) const fn base(limbs: Words) -> Fq {
    // SAFETY: sizes are equal, and the element is a structure of four integers, for which any words are valid.
    unsafe { transmute(limbs) }
}

/// The words of an element of the base field.
pub(crate) const fn of_base(element: Fq) -> Words {
    // SAFETY: sizes are equal, and any bytes are words.
    unsafe { transmute(element) }
}
