//! The transcript: what is read from the calldata, and the challenges that are drawn from it.

use super::{Generator, Term, WORD, variable};
use crate::solidity::shape::value_name;

impl Generator<'_> {
    pub fn transcript(&mut self) {
        let shape = self.shape;
        let points = |names: Vec<String>| names.into_iter().map(|name| (name, 2 * WORD)).collect();
        let [advice, permuted, products, quotients] = shape.rounds().map(points);
        let values: Vec<_> = shape.evaluations.iter().map(|&value| (value_name(value), WORD)).collect();
        let inputs = vec![("INPUTS".to_owned(), WORD * shape.inputs)];
        self.code.title("Transcript: a challenge is the hash of the last challenge's hash and of what has come since.");
        self.code.open();
        self.code.line("let hash");
        self.round("θ: the key's hash, the public inputs, the advice columns", [inputs, advice].concat(), &["THETA"]);
        self.round("β, γ: the lookups' columns, permuted", permuted, &["BETA", "GAMMA"]);
        self.round("α: the running products, the random polynomial", products, &["ALPHA"]);
        self.round("z: the quotient's pieces", quotients, &["Z"]);
        self.round("µ, ν: the evaluations", values, &["MU", "NU"]);
        self.round("u: the opening's first point", vec![("C_OPENING".to_owned(), 2 * WORD)], &["U"]);
        self.round("the opening's second point, in no challenge", vec![("C_OPENING_AT_U".to_owned(), 2 * WORD)], &[]);
        self.code.close();
    }

    /// Copies what comes next in the calldata behind the last hash, and draws challenges.
    fn round(&mut self, what: &str, places: Vec<(String, usize)>, challenges: &[&str]) {
        self.code.comment(what);
        let bytes: usize = places.iter().map(|(_, bytes)| bytes).sum();
        let first = places.first().map(|(name, _)| name.clone());
        let started = self.read > WORD;
        // Before the first round stands the key's hash; before the others, the hash of the last challenge.
        if started && !challenges.is_empty() && first.is_some() {
            let name = format!("HASH_{}", challenges[0]);
            self.code.line(format!("mstore({name}, hash)"));
            self.memory.transcript.place(name, WORD);
        }
        places.into_iter().for_each(|(name, bytes)| self.memory.transcript.place(name, bytes));
        if let Some(first) = &first {
            self.code.line(format!("calldatacopy({first}, {:#x}, {bytes:#x})", self.read));
            self.read += bytes;
        }
        for (i, challenge) in challenges.iter().enumerate() {
            match &first {
                Some(first) if i == 0 => {
                    self.code.line(format!("hash := keccak256(sub({first}, 0x20), {:#x})", WORD + bytes));
                }
                _ => self.code.line("hash := hashAgain(hash)"),
            }
            self.keep(challenge, &Term::call("mod", [variable("hash"), variable("r")]));
        }
    }
}
