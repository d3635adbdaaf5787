//! Where a verifier keeps what: names of places in memory, given out while the code is written and numbered at its end.

use super::code::Code;
use super::expression::is_small;
use halo2curves::bn256::Fr;
use halo2curves::ff::PrimeField;

/// Bytes of a word.
pub(super) const WORD: usize = 32;
/// Bytes at the start of memory for calls of precompiled contracts; a pairing takes most.
const SCRATCH: usize = 12 * WORD;

/// A part of memory whose places follow one another in the order in which they were named.
#[derive(Debug, Default)]
pub(super) struct Area {
    places: Vec<(String, usize)>,
}

impl Area {
    /// Names a place of so many bytes.
    pub fn place(&mut self, name: impl Into<String>, bytes: usize) {
        self.places.push((name.into(), bytes));
    }

    /// The length of all places in bytes.
    pub fn bytes(&self) -> usize {
        self.places.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Declares the places from an address on; the address after the last one.
    fn declare(&self, code: &mut Code, title: &str, from: usize) -> usize {
        if self.places.is_empty() {
            return from;
        }
        code.comment(title);
        let mut at = from;
        for (name, bytes) in &self.places {
            declare(code, name, at);
            at += bytes;
        }
        code.blank();
        at
    }
}

/// Declares a constant of the contract.
pub(super) fn declare(code: &mut Code, name: &str, value: usize) {
    code.line(format!("uint256 private constant {name} = {value:#x};"));
}

/// The memory of a verifier.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Challenges, and what follows from them.
    pub values: Area,
    /// Subexpressions that more than one gate has.
    pub shared: Area,
    /// What is inverted, and behind it the products on the way.
    pub denominators: Area,
    /// How far behind a denominator stands the product of those before it.
    pub products: usize,
    /// The key, whose constants come first.
    pub constants: Constants,
    /// The rest of the key.
    pub key: Area,
    /// What the transcript absorbs, in its order.
    pub transcript: Area,
}

impl Memory {
    pub fn declare(&self, code: &mut Code) {
        let at = self.values.declare(code, "Memory: challenges, and what is computed from them.", SCRATCH);
        let at = self.shared.declare(code, "Memory: subexpressions of several gates.", at);
        let at = self.denominators.declare(
            code,
            "Memory: what is inverted, then its inverses; so far behind, products of it.",
            at,
        );
        declare(code, "PRODUCTS", self.products);
        code.blank();
        declare(code, "KEY", at);
        declare(code, "KEY_BYTES", self.key_bytes());
        let at = self.constants.area.declare(code, "Memory, the key: constants.", at);
        let at = self.key.declare(
            code,
            "Memory, the key: commitments, 1 and −τ in G2, the hash with which the transcript starts.",
            at,
        );
        self.transcript.declare(
            code,
            "Memory: the transcript, round by round, behind the key's hash. C_ is a commitment, E_ an evaluation.",
            at,
        );
    }

    /// The length of a key. Its last word is the first that the transcript absorbs.
    pub fn key_bytes(&self) -> usize {
        self.constants.area.bytes() + self.key.bytes()
    }
}

/// Field elements that are too long to stand in the code.
#[derive(Debug, Default)]
pub(super) struct Constants {
    area: Area,
    values: Vec<Fr>,
    names: Vec<String>,
}

impl Constants {
    /// A constant with a name of its own; the name to use, which is another one if the same value has one already.
    pub fn named(&mut self, name: &str, value: Fr) -> String {
        if let Some(known) = self.values.iter().position(|known| *known == value) {
            return self.names[known].clone();
        }
        self.area.place(name, WORD);
        self.values.push(value);
        self.names.push(name.to_owned());
        name.to_owned()
    }

    /// How to write a constant of a gate: a decimal number (true), or the name of its place (false).
    pub fn of_gate(&mut self, value: Fr) -> Result<String, String> {
        if is_small(&value) {
            let mut low = [0; 8];
            low.copy_from_slice(&value.to_repr()[..8]);
            return Ok(u64::from_le_bytes(low).to_string());
        }
        Err(self.named(&format!("K_{}", self.values.len()), value))
    }

    /// The values in their order.
    pub fn values(&self) -> &[Fr] {
        &self.values
    }
}
