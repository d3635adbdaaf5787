//! The sections of a verifier: calldata, transcript, inversions, Lagrange polynomials, constraints, opening, pairing.
//!
//! The names are those of halo2's book and of SHPLONK's paper, θ β γ α z for the challenges of PLONK and µ ν u for those of the opening.

use super::code::Term;
use super::expression::{Graph, Id, Node};
use super::generator::Generator;
use super::memory::WORD;
use super::shape::{Gate, Lookup, Shape, commitment_name, value_name};
use super::terms::Terms;
use super::value::{Polynomial, Value};
use halo2curves::bn256::Fr;
use halo2curves::ff::{Field, PrimeField};
use std::collections::BTreeSet;

fn word(name: &str) -> Term {
    Term::word(name)
}

fn variable(name: &str) -> Term {
    Term::atom(name)
}

fn difference(a: Term, b: Term) -> Term {
    Term::sum(a, Term::negative(b))
}

/// All rotations at which something is opened.
fn rotations(shape: &Shape) -> BTreeSet<i32> {
    shape.openings.iter().flat_map(|set| set.rotations.iter().copied()).collect()
}

/// The place of `1/(u − zω^rotation)`.
fn from_u(rotation: i32) -> String {
    match rotation {
        0 => "I_U".to_owned(),
        after if after > 0 => format!("I_U_AFTER_{after}"),
        before => format!("I_U_BEFORE_{}", -before),
    }
}

impl Generator<'_> {
    pub fn sections(&mut self) {
        self.calldata();
        self.transcript();
        self.inversions();
        self.lagrange();
        self.constraints();
        self.opening();
        self.pairing();
    }

    fn title(&mut self, text: &str) {
        self.code.blank();
        self.code.comment(text);
    }

    fn calldata(&mut self) {
        let fixed = (0..self.shape.fixed).map(Polynomial::Fixed);
        let sigma = (0..self.shape.permutation.len()).map(Polynomial::Sigma);
        for polynomial in fixed.chain(sigma) {
            self.memory.key.place(commitment_name(polynomial), 2 * WORD);
        }
        self.memory.key.place("G2", 4 * WORD);
        self.memory.key.place("NEGATIVE_TAU", 4 * WORD);
        self.memory.key.place("KEY_HASH", WORD);
        self.code.comment(
            "Calldata: its length, the key, field elements below r, points on the curve. No other contract has been called yet.",
        );
        self.code.line(
            "if iszero(eq(calldatasize(), DATA_END)) { refuse() }\n\
             if iszero(eq(extcodesize(calldataload(0)), add(KEY_BYTES, 1))) { fail() }\n\
             extcodecopy(calldataload(0), KEY, 1, KEY_BYTES)\n\
             if iszero(and(inField(DATA_INPUTS, DATA_POINTS), inField(DATA_VALUES, DATA_OPENING))) { refuse() }\n\
             if iszero(and(onCurve(DATA_POINTS, DATA_VALUES), onCurve(DATA_OPENING, DATA_END))) { refuse() }\n\
             let r := R",
        );
    }

    fn transcript(&mut self) {
        let shape = self.shape;
        let points = |names: Vec<(Polynomial, String)>| names.into_iter().map(|(_, name)| (name, 2 * WORD)).collect();
        let [advice, permuted, products, quotients] = shape.rounds().map(points);
        let values: Vec<_> = shape.evaluations.iter().map(|&value| (value_name(value), WORD)).collect();
        let inputs = vec![("INPUTS".to_owned(), WORD * shape.inputs)];
        self.title("Transcript: a challenge is the hash of the last challenge's hash and of what has come since.");
        self.open();
        self.code.line("let hash");
        self.round("θ: the key's hash, the public inputs, the advice columns", [inputs, advice].concat(), &["THETA"]);
        self.round("β, γ: the lookups' columns, permuted", permuted, &["BETA", "GAMMA"]);
        self.round("α: the running products, the random polynomial", products, &["ALPHA"]);
        self.round("z: the quotient's pieces", quotients, &["Z"]);
        self.round("µ, ν: the evaluations", values, &["MU", "NU"]);
        self.round("u: the opening's first point", vec![("C_OPENING".to_owned(), 2 * WORD)], &["U"]);
        self.round("the opening's second point, in no challenge", vec![("C_OPENING_AT_U".to_owned(), 2 * WORD)], &[]);
        self.close();
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

    fn inversions(&mut self) {
        let shape = self.shape;
        self.title(
            "Inversions, all by one: of zⁿ − 1, z, u − zωⁱ wherever something is opened, z − ωⁱ for the last row and row 0, and of the \
             products of z − ωⁱ over the blinding rows and over the inputs' rows.",
        );
        self.open();
        self.code.line("let z := mload(Z)\nlet power := z");
        (0..shape.k).for_each(|_| self.code.line("power := mulmod(power, power, r)"));
        self.keep("Z_N", &variable("power"));
        self.code.line("let product := 1\nlet value");
        self.denominator("I_VANISHING", &difference(variable("power"), variable("1")));
        self.denominator("I_Z", &variable("z"));
        for rotation in rotations(shape) {
            let turned = match rotation {
                0 => variable("z"),
                _ => Term::product(variable("z"), word(&self.omega(rotation))),
            };
            self.denominator(&from_u(rotation), &difference(word("U"), turned));
        }
        let (omega, last) = (self.omega(1), self.omega(shape.last()));
        self.code.line(format!("let omega := mload({omega})\nlet root := mload({last})"));
        self.denominator("I_LAST", &difference(variable("z"), variable("root")));
        self.code.comment("Σ ωⁱ/(z − ωⁱ) over the blinding rows as a fraction top/bottom");
        self.code.line("let top := 0\nlet bottom := 1\nroot := mulmod(root, omega, r)");
        self.fraction(&format!("for {{ let i := {} }} i {{ i := sub(i, 1) }}", shape.blinding), "root");
        self.keep("L_BLINDING", &variable("top"));
        self.denominator("I_BLINDING", &variable("bottom"));
        self.denominator("I_FIRST", &difference(variable("z"), variable("1")));
        self.code.comment("Σ inputᵢ·ωⁱ/(z − ωⁱ) likewise");
        self.code.line("top := 0\nbottom := 1");
        let bytes = WORD * shape.inputs;
        let rows = format!("for {{ let at := INPUTS }} lt(at, add(INPUTS, {bytes:#x})) {{ at := add(at, 0x20) }}");
        self.fraction(&rows, "mulmod(root, mload(at), r)");
        self.keep(&value_name(Value::instance(0, 0)), &variable("top"));
        self.denominator("I_INPUTS", &variable("bottom"));
        let factors = shape.openings[0].rotations.iter().map(|&rotation| word(&from_u(rotation)));
        let vanishing = factors.reduce(Term::product).expect("an opening has points");
        self.keep("VANISHING_U", &vanishing);
        let all = self.memory.denominators.bytes();
        self.memory.denominators.place("I_END", all);
        self.memory.products = all;
        self.code.line(
            "if iszero(product) { refuse() }\n\
             product := inverse(product)\n\
             for { let at := I_END } gt(at, I_VANISHING) {} {\n    \
                 at := sub(at, 0x20)\n    \
                 value := mload(at)\n    \
                 mstore(at, mulmod(product, mload(add(at, PRODUCTS)), r))\n    \
                 product := mulmod(product, value, r)\n\
             }",
        );
        self.close();
    }

    /// Puts down a value to be inverted, and the product of those before it.
    fn denominator(&mut self, name: &str, value: &Term) {
        self.memory.denominators.place(name, WORD);
        self.code.assign("value", value);
        self.code.line(format!(
            "mstore({name}, value)\nmstore(add({name}, PRODUCTS), product)\nproduct := mulmod(product, value, r)"
        ));
    }

    /// Adds `numerator/(z − root)` to `top/bottom` for some rows, and turns `root`.
    fn fraction(&mut self, rows: &str, numerator: &str) {
        self.code.line(format!(
            "{rows} {{\n    \
                 value := addmod(z, sub(r, root), r)\n    \
                 top := addmod(mulmod(top, value, r), mulmod({numerator}, bottom, r), r)\n    \
                 bottom := mulmod(bottom, value, r)\n    \
                 root := mulmod(root, omega, r)\n\
             }}"
        ));
    }

    fn lagrange(&mut self) {
        let last = self.omega(self.shape.last());
        let n = Fr::from(1 << self.shape.k).invert().expect("a power of two is not zero");
        let n = self.memory.constants.named("N_INVERSE", n);
        self.title("Lagrange polynomials at z, ωⁱ(zⁿ − 1)/n(z − ωⁱ): of row 0, the last row, the rows that don't blind; the instance.");
        self.open();
        let vanishing = difference(word("Z_N"), variable("1"));
        self.code.assign("let scale", &Term::product(vanishing, word(&n)));
        self.keep("L_FIRST", &Term::product(variable("scale"), word("I_FIRST")));
        self.keep("L_LAST", &Term::product(variable("scale"), Term::product(word(&last), word("I_LAST"))));
        let blinding = Term::product(variable("scale"), Term::product(word("L_BLINDING"), word("I_BLINDING")));
        let inactive = Term::sum(word("L_LAST"), blinding);
        self.keep("L_ACTIVE", &difference(variable("1"), inactive));
        let instance = value_name(Value::instance(0, 0));
        let sum = Term::product(variable("scale"), Term::product(word(&instance), word("I_INPUTS")));
        self.code.store(&instance, &sum);
        self.close();
    }

    /// The numerator of the quotient: all constraints, folded by powers of α.
    fn constraints(&mut self) {
        let shape = self.shape;
        let plans: Vec<Plan> = shape.gates.iter().map(|gate| Plan::of(gate, &shape.graph)).collect();
        let lookups = shape.lookups.iter().map(|lookup| [&lookup.inputs[..], &lookup.table].concat());
        let units: Vec<Vec<Id>> = plans.iter().map(Plan::roots).chain(lookups).collect();
        let mut terms = Terms::new(&shape.graph, &units);
        self.title("Constraints, folded by powers of α.");
        self.open();
        self.code.line("let alpha := mload(ALPHA)\nlet all := 0");
        self.powers_of_alpha(&plans);
        for (gate, plan) in shape.gates.iter().zip(&plans) {
            self.code.blank();
            self.code.comment(format!("Gate: {}", gate.name));
            self.open();
            self.gate(&mut terms, gate, plan);
            terms.end_unit();
            self.close();
        }
        self.code.blank();
        self.permutation();
        for (i, lookup) in shape.lookups.iter().enumerate() {
            self.code.blank();
            self.lookup(&mut terms, i, lookup);
            terms.end_unit();
        }
        terms.place(&mut self.memory);
        self.code.blank();
        self.code.comment("The quotient's value follows.");
        self.keep("E_QUOTIENT", &Term::product(variable("all"), word("I_VANISHING")));
        self.close();
    }

    /// The powers of α by which whole gates are folded.
    fn powers_of_alpha(&mut self, plans: &[Plan]) {
        let whole = plans.iter().filter(|plan| plan.selector.is_some()).map(|plan| plan.parts.len());
        let wanted: BTreeSet<usize> = whole.collect();
        let Some(&most) = wanted.last() else { return };
        self.open();
        self.code.line("let power := alpha");
        for power in 2..=most {
            self.code.line("power := mulmod(power, alpha, r)");
            if wanted.contains(&power) {
                self.keep(&format!("ALPHA_{power}"), &variable("power"));
            }
        }
        self.close();
    }

    fn gate(&mut self, terms: &mut Terms<'_>, gate: &Gate, plan: &Plan) {
        let sum = if plan.selector.is_some() { "gate" } else { "all" };
        if plan.selector.is_some() {
            self.code.line("let gate := 0");
        }
        for ((name, _), &(part, negative)) in gate.constraints.iter().zip(&plan.parts) {
            if !name.is_empty() {
                self.code.comment(name);
            }
            let term = terms.term(&mut self.code, &mut self.memory.constants, part);
            let term = if negative { Term::negative(term) } else { term };
            let folded = Term::product(variable(sum), variable("alpha"));
            self.code.assign(sum, &Term::sum(folded, term));
        }
        if let Some(selector) = plan.selector {
            let selector = terms.term(&mut self.code, &mut self.memory.constants, selector);
            let power = word(&format!("ALPHA_{}", plan.parts.len()));
            let gate = Term::product(variable("gate"), selector);
            self.code.assign("all", &Term::sum(Term::product(variable("all"), power), gate));
        }
    }

    fn permutation(&mut self) {
        let shape = self.shape;
        let chunks = shape.chunks();
        let product = |i: usize, rotation: i32| word(&value_name(Value::new(Polynomial::Permutation(i), rotation)));
        let fold = |term: Term| Term::sum(Term::product(variable("all"), variable("alpha")), term);
        self.code
            .comment("Permutation: the running products start at 1, go on from chunk to chunk, and end at 0 or 1.");
        self.open();
        let start = Term::product(word("L_FIRST"), difference(variable("1"), product(0, 0)));
        self.code.assign("all", &fold(start));
        let end = product(chunks - 1, 0);
        let end = Term::product(end.clone(), difference(end, variable("1")));
        self.code.assign("all", &fold(Term::product(word("L_LAST"), end)));
        for i in 1..chunks {
            let step = difference(product(i, 0), product(i - 1, shape.last()));
            self.code.assign("all", &fold(Term::product(word("L_FIRST"), step)));
        }
        let delta = self.memory.constants.named("DELTA", Fr::DELTA);
        self.code.line(format!(
            "let beta := mload(BETA)\nlet gamma := mload(GAMMA)\nlet identity := mulmod(beta, mload(Z), r)\n\
             let delta := mload({delta})\nlet left\nlet right\nlet value"
        ));
        let mut column = 0;
        for (i, columns) in shape.permutation.chunks(shape.chunk).enumerate() {
            self.code.assign("left", &product(i, 1));
            self.code.assign("right", &product(i, 0));
            for polynomial in columns {
                let value = word(&value_name(Value::new(*polynomial, 0)));
                let sigma = word(&value_name(Value::new(Polynomial::Sigma(column), 0)));
                self.code.assign("value", &Term::sum(value, variable("gamma")));
                let left = Term::sum(variable("value"), Term::product(variable("beta"), sigma));
                self.code.assign("left", &Term::product(variable("left"), left));
                let right = Term::sum(variable("value"), variable("identity"));
                self.code.assign("right", &Term::product(variable("right"), right));
                column += 1;
                if column < shape.permutation.len() {
                    self.code.assign("identity", &Term::product(variable("identity"), variable("delta")));
                }
            }
            let chunk = difference(variable("left"), variable("right"));
            self.code.assign("all", &fold(Term::product(word("L_ACTIVE"), chunk)));
        }
        self.close();
    }

    fn lookup(&mut self, terms: &mut Terms<'_>, i: usize, lookup: &Lookup) {
        self.code.comment(format!("Lookup: {}", lookup.name));
        self.open();
        self.code.line("let theta := mload(THETA)");
        for (name, columns) in [("input", &lookup.inputs), ("table", &lookup.table)] {
            for (i, &column) in columns.iter().enumerate() {
                let term = terms.term(&mut self.code, &mut self.memory.constants, column);
                let folded = Term::product(variable(name), variable("theta"));
                match i {
                    0 => self.code.assign(&format!("let {name}"), &term),
                    _ => self.code.assign(name, &Term::sum(folded, term)),
                }
            }
        }
        let product = value_name(Value::new(Polynomial::Lookup(i), 0));
        self.code.line(format!("all := lookup(all, input, table, {product})"));
        self.close();
    }

    /// SHPLONK: every set of polynomials that are opened at the same points, folded by powers of µ, and the sets by powers of ν.
    fn opening(&mut self) {
        let shape = self.shape;
        self.title(
            "Opening: Σᵢ νⁱ·Z₀(u)/Zᵢ(u)·Σⱼ µʲ(Cⱼ − Rⱼ(u)) − Z₀(u)·W + u·W', where Zᵢ vanishes where set i is opened and Rⱼ takes the values \
             of polynomial j there. The sum of commitments grows at 0, `values` is the sum of Rⱼ.",
        );
        self.open();
        self.code.line("let mu := mload(MU)\nlet scale := mload(VANISHING_U)\nlet values := 0");
        for (i, set) in shape.openings.iter().enumerate() {
            let points: Vec<String> = set.rotations.iter().map(|&rotation| turned(rotation)).collect();
            self.code.blank();
            self.code.comment(format!("Opened at {}", points.join(", ")));
            self.open();
            self.code.line("let factor\nlet sum");
            for &rotation in &set.rotations {
                self.values_of_set(set.rotations.as_slice(), rotation, &set.polynomials);
            }
            let inverses = set.rotations.iter().map(|&rotation| word(&from_u(rotation)));
            self.code.assign("factor", &inverses.fold(variable("scale"), Term::product));
            for (j, &polynomial) in set.polynomials.iter().enumerate() {
                self.commitment(polynomial, (i, j) == (0, 0));
                if j + 1 < set.polynomials.len() {
                    self.code.line("factor := mulmod(factor, mu, r)");
                }
            }
            self.close();
            if i + 1 < shape.openings.len() {
                self.code.line("scale := mulmod(scale, mload(NU), r)");
            }
        }
        self.code.blank();
        self.code.line(
            "accumulate(C_OPENING, sub(r, mload(VANISHING_U)))\n\
             accumulate(C_OPENING_AT_U, mload(U))",
        );
        self.memory.values.place("GENERATOR", 2 * WORD);
        self.code.line("mstore(GENERATOR, 1)\nmstore(add(GENERATOR, 0x20), 2)\naccumulate(GENERATOR, sub(r, values))");
        self.close();
    }

    /// Adds a set's values at one of its points, times that point's Lagrange polynomial at u.
    fn values_of_set(&mut self, points: &[i32], rotation: i32, polynomials: &[Polynomial]) {
        for (j, &polynomial) in polynomials.iter().rev().enumerate() {
            let value = word(&value_name(Value::new(polynomial, rotation)));
            let folded = Term::product(variable("sum"), variable("mu"));
            self.code.assign("sum", &if j == 0 { value } else { Term::sum(folded, value) });
        }
        // Z₀(u)·Π (u − zωᵐ)/(zωⁱ − zωᵐ) over the set's other points m, divided by Zᵢ(u).
        let mut weight = Fr::ONE;
        for &other in points.iter().filter(|&&other| other != rotation) {
            weight *= self.power_of_omega(rotation) - self.power_of_omega(other);
        }
        let mut factor = Term::product(variable("scale"), word(&from_u(rotation)));
        if points.len() > 1 {
            let weight = weight.invert().expect("powers of ω differ");
            let points: Vec<String> = points.iter().map(|&point| sign(point)).collect();
            let name = format!("WEIGHT_{}_OF_{}", sign(rotation), points.join("_"));
            let weight = self.memory.constants.named(&name, weight);
            factor = (1..points.len()).fold(factor, |factor, _| Term::product(factor, word("I_Z")));
            factor = Term::product(factor, word(&weight));
        }
        self.code.assign("factor", &factor);
        let value = Term::product(variable("factor"), variable("sum"));
        self.code.assign("values", &Term::sum(variable("values"), value));
    }

    /// Adds a commitment times `factor`; the first one of all has the factor 1.
    fn commitment(&mut self, polynomial: Polynomial, first: bool) {
        let name = commitment_name(polynomial);
        match polynomial {
            Polynomial::Quotient => {
                self.open();
                self.code.line("let piece := factor");
                for i in 0..self.shape.quotients {
                    self.code.line(format!("accumulate({name}_{i}, piece)"));
                    if i + 1 < self.shape.quotients {
                        self.code.line("piece := mulmod(piece, mload(Z_N), r)");
                    }
                }
                self.close();
            }
            _ if first => self.code.line(format!("mcopy(0, {name}, 0x40)")),
            _ => self.code.line(format!("accumulate({name}, factor)")),
        }
    }

    fn pairing(&mut self) {
        self.title("Pairing: e(sum, 1)·e(W', −τ) = 1 in G2.");
        self.code.line(
            "mcopy(0x40, G2, 0x80)\n\
             mcopy(0xc0, C_OPENING_AT_U, 0x40)\n\
             mcopy(0x100, NEGATIVE_TAU, 0x80)\n\
             if iszero(staticcall(gas(), 8, 0, 0x180, 0, 0x20)) { fail() }\n\
             return(0, 0x20)",
        );
    }

    fn open(&mut self) {
        self.code.open();
    }

    fn close(&mut self) {
        self.code.close();
    }
}

/// How a gate is computed: its constraints, without the factor that all of them have in common.
struct Plan {
    selector: Option<Id>,
    /// What is left of each constraint, and whether it is to be negated.
    parts: Vec<(Id, bool)>,
}

impl Plan {
    fn of(gate: &Gate, graph: &Graph) -> Self {
        let signed = |id: Id| (graph.positive(id), graph.positive(id) != id);
        let whole: Vec<(Id, bool)> = gate.constraints.iter().map(|(_, id)| signed(*id)).collect();
        // Both ways to see a product as a factor and the rest.
        let splits = |id: Id| match *graph.node(id) {
            Node::Product(a, b) => vec![(a, b), (b, a)],
            _ => Vec::new(),
        };
        let without = |factor: Id| -> Option<Vec<(Id, bool)>> {
            let parts = whole.iter().map(|&(id, negative)| {
                let (_, rest) = splits(id).into_iter().find(|(first, _)| *first == factor)?;
                Some((rest, negative))
            });
            parts.collect()
        };
        let factors = if whole.len() > 1 { splits(whole[0].0) } else { Vec::new() };
        let found = factors.into_iter().find_map(|(factor, _)| Some((factor, without(factor)?)));
        match found {
            Some((selector, parts)) => Self { selector: Some(selector), parts },
            None => Self { selector: None, parts: whole },
        }
    }

    fn roots(&self) -> Vec<Id> {
        self.parts.iter().map(|(id, _)| *id).chain(self.selector).collect()
    }
}

/// The expression for the point `zωⁱ`.
fn turned(rotation: i32) -> String {
    match rotation {
        0 => "z".to_owned(),
        1 => "zω".to_owned(),
        rotation => format!("zω^{rotation}"),
    }
}

/// A rotation within a name.
fn sign(rotation: i32) -> String {
    if rotation < 0 { format!("M{}", -rotation) } else { rotation.to_string() }
}
