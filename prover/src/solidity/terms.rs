//! Code for the expressions of gates and lookups. What stands in several places is computed once: it becomes a variable where one gate
//! needs it, a word in memory where several do.

use super::code::{Code, Term};
use super::expression::{Graph, Id, Node};
use super::memory::{Constants, Memory, WORD};
use super::shape::value_name;
use halo2curves::bn256::Fr;
use halo2curves::ff::PrimeField;
use std::collections::{HashMap, HashSet};

/// Most variables of a gate: the EVM reaches sixteen slots of its stack, and some are in use already.
const MAX_VARIABLES: usize = 5;
/// Most slots that an expression may take.
const MAX_DEPTH: usize = 5;

/// Writes expressions, one unit (a gate or a lookup) after the other.
pub(super) struct Terms<'a> {
    graph: &'a Graph,
    /// Nodes with several uses, and whether these are in several units.
    shared: HashMap<Id, bool>,
    /// What has been computed.
    bound: HashMap<Id, Term>,
    /// What of it ends with the unit.
    local: Vec<Id>,
    variables: usize,
    spills: usize,
    /// Words in memory for the variables of a unit that has too many.
    most_spills: usize,
    words: usize,
}

impl<'a> Terms<'a> {
    /// For units with these roots.
    pub fn new(graph: &'a Graph, units: &[Vec<Id>]) -> Self {
        let mut uses: HashMap<Id, usize> = HashMap::new();
        let mut reached_from: HashMap<Id, HashSet<usize>> = HashMap::new();
        let mut counted = HashSet::new();
        for (unit, roots) in units.iter().enumerate() {
            let mut seen = HashSet::new();
            let mut stack: Vec<Id> = roots.iter().map(|&root| graph.positive(root)).collect();
            for &root in &stack {
                *uses.entry(root).or_default() += 1;
            }
            while let Some(id) = stack.pop() {
                if !seen.insert(id) {
                    continue;
                }
                reached_from.entry(id).or_default().insert(unit);
                let operands: Vec<Id> = graph.operands(id).into_iter().map(|operand| graph.positive(operand)).collect();
                if counted.insert(id) {
                    for &operand in &operands {
                        *uses.entry(operand).or_default() += 1;
                    }
                }
                stack.extend(operands);
            }
        }
        let computed = |id: &Id| matches!(graph.node(*id), Node::Sum(..) | Node::Product(..));
        let several = uses.into_iter().filter(|(id, uses)| *uses > 1 && computed(id));
        let shared = several.map(|(id, _)| (id, reached_from[&id].len() > 1)).collect();
        Self {
            graph,
            shared,
            bound: HashMap::new(),
            local: Vec::new(),
            variables: 0,
            spills: 0,
            most_spills: 0,
            words: 0,
        }
    }

    /// Ends a unit, and its variables with it.
    pub fn end_unit(&mut self) {
        for id in self.local.drain(..) {
            self.bound.remove(&id);
        }
        (self.variables, self.spills) = (0, 0);
    }

    /// Names the words in memory that were used.
    pub fn place(&self, memory: &mut Memory) {
        for word in 0..self.words {
            memory.shared.place(format!("SHARED_{word}"), WORD);
        }
        for spill in 0..self.most_spills {
            memory.shared.place(format!("SPILL_{spill}"), WORD);
        }
    }

    /// A node's value, after code for what it needs.
    pub fn term(&mut self, code: &mut Code, constants: &mut Constants, id: Id) -> Term {
        if let Some(term) = self.bound.get(&id) {
            return term.clone();
        }
        let term = match *self.graph.node(id) {
            Node::Constant(bytes) => {
                let value = Option::<Fr>::from(Fr::from_repr(bytes)).expect("a node holds a field element");
                match constants.of_gate(value) {
                    Ok(number) => Term::atom(number),
                    Err(name) => Term::word(&name),
                }
            }
            Node::Value(value) => Term::word(&value_name(value)),
            Node::Negated(a) => Term::negative(self.term(code, constants, a)),
            Node::Sum(a, b) => self.binary(code, constants, a, b, Term::sum),
            Node::Product(a, b) => self.binary(code, constants, a, b, Term::product),
        };
        match self.shared.get(&id) {
            None => term,
            Some(true) => {
                let name = format!("SHARED_{}", self.words);
                self.words += 1;
                code.store(&name, &term);
                self.bound.insert(id, Term::word(&name));
                Term::word(&name)
            }
            Some(false) => {
                let term = self.keep(code, &term);
                self.bound.insert(id, term.clone());
                self.local.push(id);
                term
            }
        }
    }

    fn binary(
        &mut self,
        code: &mut Code,
        constants: &mut Constants,
        a: Id,
        b: Id,
        make: fn(Term, Term) -> Term,
    ) -> Term {
        let (mut a, mut b) = (self.term(code, constants, a), self.term(code, constants, b));
        if a.depth > b.depth {
            (a, b) = (b, a);
        }
        if b.depth >= MAX_DEPTH {
            b = self.keep(code, &b);
        }
        if a.depth + 1 >= MAX_DEPTH {
            a = self.keep(code, &a);
        }
        make(a, b)
    }

    /// A variable with a value, or a word in memory if there are too many variables.
    fn keep(&mut self, code: &mut Code, term: &Term) -> Term {
        if self.variables < MAX_VARIABLES {
            let name = format!("t{}", self.variables);
            self.variables += 1;
            code.assign(&format!("let {name}"), term);
            return Term::atom(name);
        }
        let name = format!("SPILL_{}", self.spills);
        self.spills += 1;
        self.most_spills = self.most_spills.max(self.spills);
        code.store(&name, term);
        Term::word(&name)
    }
}
