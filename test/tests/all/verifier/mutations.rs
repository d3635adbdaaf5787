//! Byte strings that a verifier might be handed: real proofs, and everything near them.

use alloy::primitives::{U256, keccak256, uint};

/// The order of the scalar field.
const R: U256 = uint!(0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001_U256);
/// The order of the base field.
const P: U256 = uint!(0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47_U256);
const WORD: usize = 32;

/// Where what stands, in words: inputs, points, scalars, and two points more.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub inputs: usize,
    pub points: usize,
    pub scalars: usize,
    pub words: usize,
}

impl Layout {
    /// Whether a word is an input or a scalar of the proof, or else a coordinate.
    fn is_scalar(&self, word: usize) -> bool {
        let scalars = self.inputs + 2 * self.points;
        word < self.inputs || (scalars..scalars + self.scalars).contains(&word)
    }

    /// The first words of points.
    fn points(&self) -> Vec<usize> {
        let opening = self.words - 4;
        (0..self.points).map(|i| self.inputs + 2 * i).chain([opening, opening + 2]).collect()
    }

    /// The bytes that the library's verifier would be handed to read the same: it takes scalars modulo r and ignores what follows.
    pub fn as_the_library_reads(&self, bytes: &[u8]) -> Vec<u8> {
        let mut read = bytes.to_vec();
        read.resize(self.words * WORD, 0);
        for word in (0..self.words).filter(|&word| self.is_scalar(word)) {
            let value = get(&read, word) % R;
            set(&mut read, word, value);
        }
        read
    }
}

fn get(bytes: &[u8], word: usize) -> U256 {
    U256::from_be_slice(&bytes[word * WORD..(word + 1) * WORD])
}

fn set(bytes: &mut [u8], word: usize, value: U256) {
    bytes[word * WORD..(word + 1) * WORD].copy_from_slice(&value.to_be_bytes::<WORD>());
}

/// Byte strings with a name each.
pub type Cases = Vec<(String, Vec<u8>)>;

/// Makes byte strings from real ones, always the same from one seed.
pub struct Mutations<'a> {
    seed: u64,
    layout: Layout,
    real: &'a [Vec<u8>],
}

impl<'a> Mutations<'a> {
    pub fn new(seed: u64, layout: Layout, real: &'a [Vec<u8>]) -> Self {
        assert!(real.len() > 1 && real.iter().all(|bytes| bytes.len() == layout.words * WORD));
        Self { seed, layout, real }
    }

    /// The real ones; each word of one of them set to what might pass for it; points swapped, negated, at infinity; other lengths.
    pub fn systematic(&self) -> Cases {
        let mut cases: Cases = Vec::new();
        cases.extend(self.real.iter().enumerate().map(|(i, bytes)| (format!("real {i}"), bytes.clone())));
        let (one, other) = (&self.real[1], &self.real[0]);
        for word in 0..self.layout.words {
            let value = get(one, word);
            let modulus = if self.layout.is_scalar(word) { R } else { P };
            let values = [
                ("zero", U256::ZERO),
                ("one", U256::ONE),
                ("plus one", value.wrapping_add(U256::ONE)),
                ("plus its modulus", value.wrapping_add(modulus)),
                ("plus the other modulus", value.wrapping_add(if modulus == R { P } else { R })),
                ("negated", modulus - value % modulus),
                ("r", R),
                ("p", P),
                ("the largest", U256::MAX),
                ("another proof's", get(other, word)),
            ];
            for (what, to) in values {
                let mut bytes = one.clone();
                set(&mut bytes, word, to);
                cases.push((format!("word {word}: {what}"), bytes));
            }
        }
        let points = self.layout.points();
        for (i, &at) in points.iter().enumerate() {
            let mut change = |what: &str, x: U256, y: U256| {
                let mut bytes = one.clone();
                set(&mut bytes, at, x);
                set(&mut bytes, at + 1, y);
                cases.push((format!("point at word {at}: {what}"), bytes));
            };
            let (x, y) = (get(one, at), get(one, at + 1));
            change("infinity", U256::ZERO, U256::ZERO);
            change("infinity as p, p", P, P);
            change("the generator", U256::ONE, uint!(2_U256));
            change("negated", x, P - y);
            change("both plus p", x.wrapping_add(P), y.wrapping_add(P));
            change("its coordinates swapped", y, x);
            change("another proof's", get(other, at), get(other, at + 1));
            let next = points[(i + 1) % points.len()];
            let mut bytes = one.clone();
            for (from, to) in [(at, next), (next, at), (at + 1, next + 1), (next + 1, at + 1)] {
                set(&mut bytes, to, get(one, from));
            }
            cases.push((format!("points at words {at} and {next} swapped"), bytes));
        }
        let inputs = self.layout.inputs * WORD;
        let lengths = [
            ("empty", Vec::new()),
            ("a byte short", one[..one.len() - 1].to_vec()),
            ("a word short", one[..one.len() - WORD].to_vec()),
            ("inputs alone", one[..inputs].to_vec()),
            ("the proof alone", one[inputs..].to_vec()),
            ("a zero byte long", [&one[..], &[0]].concat()),
            ("a word long", [&one[..], &[1; WORD]].concat()),
            ("twice", [&one[..], one].concat()),
            ("shifted by a byte", [&[0][..], &one[..one.len() - 1]].concat()),
            ("shifted by a word", [&[0; WORD][..], &one[..one.len() - WORD]].concat()),
            ("zeros", vec![0; one.len()]),
            ("all bits", vec![0xff; one.len()]),
            ("another's inputs", [&other[..inputs], &one[inputs..]].concat()),
        ];
        cases.extend(lengths.into_iter().map(|(what, bytes)| (what.to_owned(), bytes)));
        cases
    }

    /// Several changes at once, at random places.
    pub fn random(&self, count: usize) -> Cases {
        (0..count).map(|case| (format!("random {case}, seed {}", self.seed), self.random_case(case))).collect()
    }

    fn random_case(&self, case: usize) -> Vec<u8> {
        let mut source = Source { state: keccak256(format!("{} {case}", self.seed)).into(), used: 0 };
        let mut bytes = self.real[source.below(self.real.len())].clone();
        if source.below(50) == 0 {
            // All words canonical and none of them right.
            for word in 0..self.layout.words {
                set(&mut bytes, word, source.word() % R);
            }
            return bytes;
        }
        for _ in 0..1 + source.below(3) {
            let word = source.below(self.layout.words);
            match source.below(8) {
                0 => bytes[word * WORD + source.below(WORD)] ^= 1 << source.below(8),
                1 => set(&mut bytes, word, source.word()),
                2 | 3 => set(&mut bytes, word, source.word() % R),
                4 => {
                    let from = source.below(self.layout.words);
                    let value = get(&bytes, from);
                    set(&mut bytes, word, value);
                }
                5 => {
                    // A point of this proof or another in place of a point.
                    let points = self.layout.points();
                    let (to, from) = (points[source.below(points.len())], points[source.below(points.len())]);
                    let other = &self.real[source.below(self.real.len())];
                    set(&mut bytes, to, get(other, from));
                    set(&mut bytes, to + 1, get(other, from + 1));
                }
                6 => {
                    let value = get(&bytes, word).wrapping_add(U256::from(1 + source.below(3)));
                    set(&mut bytes, word, value);
                }
                _ => {
                    let points = self.layout.points();
                    let at = points[source.below(points.len())];
                    let negated = P - get(&bytes, at + 1) % P;
                    set(&mut bytes, at + 1, negated);
                }
            }
        }
        match source.below(20) {
            0 => bytes.truncate(bytes.len() - 1 - source.below(WORD)),
            1 => bytes.extend(vec![0; 1 + source.below(WORD)]),
            _ => {}
        }
        bytes
    }
}

/// Numbers that look random.
struct Source {
    state: [u8; 32],
    used: usize,
}

impl Source {
    fn word(&mut self) -> U256 {
        self.state = keccak256(self.state).into();
        self.used = 0;
        U256::from_be_bytes(self.state)
    }

    fn below(&mut self, bound: usize) -> usize {
        if self.used + 4 > WORD {
            self.state = keccak256(self.state).into();
            self.used = 0;
        }
        let bytes: [u8; 4] = self.state[self.used..self.used + 4].try_into().expect("four bytes");
        self.used += 4;
        u32::from_be_bytes(bytes) as usize % bound
    }
}
