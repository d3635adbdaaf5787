//! What is evaluated at the challenges z and u before any constraint: the inverses, and the Lagrange polynomials that are made of them.

use super::{Generator, Term, WORD, difference, variable, word};
use crate::solidity::shape::value_name;
use halo2curves::bn256::Fr;
use plonk::Column;
use std::collections::BTreeSet;

/// The place of `1/(u − zω^rotation)`.
pub(super) fn from_u(rotation: i32) -> String {
    match rotation {
        0 => "I_U".to_owned(),
        after if after > 0 => format!("I_U_AFTER_{after}"),
        before => format!("I_U_BEFORE_{}", -before),
    }
}

impl Generator<'_> {
    pub fn inversions(&mut self) {
        let shape = self.shape;
        self.code.title(
            "Inversions, all by one: of zⁿ − 1, z, u − zωⁱ wherever something is opened, z − ωⁱ for the last row and row 0, and of the \
             products of z − ωⁱ over the blinding rows and over the inputs' rows.",
        );
        self.code.open();
        self.code.line("let z := mload(Z)\nlet power := z");
        (0..shape.k).for_each(|_| self.code.line("power := mulmod(power, power, r)"));
        self.keep("Z_N", &variable("power"));
        self.code.line("let product := 1\nlet value");
        self.denominator("I_VANISHING", &difference(variable("power"), variable("1")));
        self.denominator("I_Z", &variable("z"));
        let opened: BTreeSet<i32> = shape.openings.iter().flat_map(|set| set.rotations.iter().copied()).collect();
        for rotation in opened {
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
        self.keep(&value_name(Column::Instance(0).at(0)), &variable("top"));
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
        self.code.close();
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

    pub fn lagrange(&mut self) {
        let last = self.omega(self.shape.last());
        let n = Fr::from(1 << self.shape.k).invert().expect("a power of two is not zero");
        let n = self.memory.constants.named("N_INVERSE", n);
        self.code.title("Lagrange polynomials at z, ωⁱ(zⁿ − 1)/n(z − ωⁱ): of row 0, the last row, the rows that don't blind; the instance.");
        self.code.open();
        let vanishing = difference(word("Z_N"), variable("1"));
        self.code.assign("let scale", &Term::product(vanishing, word(&n)));
        self.keep("L_FIRST", &Term::product(variable("scale"), word("I_FIRST")));
        self.keep("L_LAST", &Term::product(variable("scale"), Term::product(word(&last), word("I_LAST"))));
        let blinding = Term::product(variable("scale"), Term::product(word("L_BLINDING"), word("I_BLINDING")));
        let inactive = Term::sum(word("L_LAST"), blinding);
        self.keep("L_ACTIVE", &difference(variable("1"), inactive));
        let instance = value_name(Column::Instance(0).at(0));
        let sum = Term::product(variable("scale"), Term::product(word(&instance), word("I_INPUTS")));
        self.code.store(&instance, &sum);
        self.code.close();
    }
}
