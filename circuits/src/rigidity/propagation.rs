//! Solving the equations of a tangent space: what follows from what, and which combinations of equations are 0.

use std::collections::{BTreeMap, HashMap};

use ff::Field;
use halo2curves::bn256::Fr;
use rand::RngCore;

use super::{
    CellId,
    classes::{Classes, Terms},
    system::LeftOut,
};

/// A sum of parameters: their numbers, in order, and factors, of which none is 0.
type Sum = Vec<(u32, Fr)>;

/// Every variable in terms of parameters.
pub(super) struct Propagation {
    /// What the variable of each class is, once it is known.
    sums: Vec<Option<Sum>>,
    /// Class and first cell of each parameter.
    pub parameters: Vec<(u32, CellId)>,
    /// Equations and the variables that follow from them, in order: one, or two at once.
    steps: Vec<Step>,
    /// Equations of which no variable follows, and what they say of the parameters.
    left: Vec<(usize, Sum)>,
}

/// Variables that follow from as many equations.
enum Step {
    One(usize, u32),
    Two([usize; 2], [u32; 2]),
}

/// Equations by the number of their variables that aren't known yet.
struct Open {
    uses: Vec<Vec<usize>>,
    unknown: Vec<usize>,
    /// Those that came down to one.
    one: Vec<usize>,
    /// Those that came down to two.
    two: Vec<usize>,
}

impl Open {
    fn new(equations: &[Terms], classes: usize) -> Self {
        let mut uses = vec![Vec::new(); classes];
        for (i, terms) in equations.iter().enumerate() {
            for (class, _) in terms {
                uses[*class as usize].push(i);
            }
        }
        let unknown: Vec<usize> = equations.iter().map(Vec::len).collect();
        let with = |count: usize| (0..equations.len()).filter(|&i| unknown[i] == count).collect();
        let (one, two) = (with(1), with(2));
        Self { uses, unknown, one, two }
    }

    /// One more variable is known.
    fn learn(&mut self, class: u32) {
        for &i in &self.uses[class as usize] {
            self.unknown[i] -= 1;
            match self.unknown[i] {
                1 => self.one.push(i),
                2 => self.two.push(i),
                _ => (),
            }
        }
    }
}

impl Propagation {
    /// Follows the equations as far as they go; `priority` says which unknown becomes the next parameter.
    pub fn run(equations: &[Terms], left_out: &LeftOut, classes: &Classes, priority: &[CellId]) -> Self {
        let mut this = Self { sums: vec![None; classes.count], parameters: vec![], steps: vec![], left: vec![] };
        let mut open = Open::new(equations, classes.count);
        let (mut is_step, mut pairs, mut priority) = (vec![false; equations.len()], HashMap::new(), priority.iter());
        loop {
            if let Some(i) = open.one.pop() {
                if let [class] = this.unknown(&equations[i])[..] {
                    let sum = this.solve(&equations[i], class);
                    this.sums[class as usize] = Some(sum);
                    this.steps.push(Step::One(i, class));
                    is_step[i] = true;
                    open.learn(class);
                }
            } else if let Some(i) = open.two.pop() {
                let [u, v] = this.unknown(&equations[i])[..] else { continue };
                let Some(&other) = pairs.get(&(u, v)) else {
                    pairs.insert((u, v), i);
                    continue;
                };
                if let Some(sums) = this.solve_two([&equations[other], &equations[i]], [u, v]) {
                    for (class, sum) in [u, v].into_iter().zip(sums) {
                        this.sums[class as usize] = Some(sum);
                    }
                    this.steps.push(Step::Two([other, i], [u, v]));
                    (is_step[other], is_step[i]) = (true, true);
                    open.learn(u);
                    open.learn(v);
                }
            } else {
                let is_unknown = |cell: &&CellId| this.sums[classes.of[**cell as usize] as usize].is_none();
                let Some(&cell) = priority.find(is_unknown) else { break };
                let class = classes.of[cell as usize];
                this.sums[class as usize] = Some(vec![(this.parameters.len() as u32, Fr::ONE)]);
                this.parameters.push((class, cell));
                open.learn(class);
            }
        }
        for (i, terms) in equations.iter().enumerate().filter(|(i, _)| !is_step[*i] && !left_out.equations[*i]) {
            let said = this.sum(terms.iter());
            this.left.push((i, said));
        }
        this
    }

    /// The variables of an equation that aren't known yet.
    fn unknown(&self, terms: &Terms) -> Vec<u32> {
        let unknown = terms.iter().filter(|(class, _)| self.sums[*class as usize].is_none());
        unknown.map(|(class, _)| *class).collect()
    }

    /// What the only unknown of an equation is.
    fn solve(&self, terms: &Terms, class: u32) -> Sum {
        let mut sum = self.sum(terms.iter().filter(|(other, _)| *other != class));
        let scale = -inverse(coefficient(terms, class));
        sum.iter_mut().for_each(|(_, value)| *value *= scale);
        sum
    }

    /// What the only two unknowns of two equations are, unless both say the same of them.
    fn solve_two(&self, equations: [&Terms; 2], unknown: [u32; 2]) -> Option<[Sum; 2]> {
        let [[a, b], [c, d]] = equations.map(|terms| unknown.map(|class| coefficient(terms, class)));
        let determinant = Option::<Fr>::from((a * d - b * c).invert())?;
        let known = equations.map(|terms| self.sum(terms.iter().filter(|(class, _)| !unknown.contains(class))));
        let combined = |k: [Fr; 2]| {
            let mut sum = Sum::new();
            known.iter().zip(k).for_each(|(known, k)| add(&mut sum, known, -k * determinant));
            sum
        };
        Some([combined([d, -b]), combined([-c, a])])
    }

    fn sum<'t>(&self, terms: impl Iterator<Item = &'t (u32, Fr)>) -> Sum {
        let mut sum = Sum::new();
        for (class, k) in terms {
            add(&mut sum, self.sums[*class as usize].as_ref().expect("it is known"), *k);
        }
        sum
    }

    /// A random `y` with `yᵀM = 0`.
    pub fn null_vector(&self, equations: &[Terms], relations: &Relations, rng: &mut impl RngCore) -> Vec<Fr> {
        let mut y = vec![Fr::ZERO; equations.len()];
        for (&(i, _), value) in self.left.iter().zip(relations.null_vector(self, rng)) {
            y[i] = value;
        }
        let mut total = vec![Fr::ZERO; self.sums.len()];
        let add = |total: &mut [Fr], i: usize, y: Fr| {
            if y == Fr::ZERO {
                return;
            }
            for (class, k) in &equations[i] {
                total[*class as usize] += y * k;
            }
        };
        for &(i, _) in self.left.iter().filter(|(i, _)| y[*i] != Fr::ZERO) {
            add(&mut total, i, y[i]);
        }
        for step in self.steps.iter().rev() {
            match *step {
                Step::One(i, class) => {
                    if total[class as usize] != Fr::ZERO {
                        y[i] = -total[class as usize] * inverse(coefficient(&equations[i], class));
                        add(&mut total, i, y[i]);
                    }
                }
                Step::Two(both, classes) => {
                    let [[a, b], [c, d]] = both.map(|i| classes.map(|class| coefficient(&equations[i], class)));
                    let [u, v] = classes.map(|class| -total[class as usize] * inverse(a * d - b * c));
                    for (i, value) in both.into_iter().zip([u * d - v * c, v * a - u * b]) {
                        y[i] = value;
                        add(&mut total, i, value);
                    }
                }
            }
        }
        assert!(total.iter().all(|sum| *sum == Fr::ZERO), "a combination of the equations that isn't 0");
        y
    }
}

/// The coefficient of a variable that an equation has.
fn coefficient(terms: &Terms, class: u32) -> Fr {
    terms.iter().find(|(other, _)| *other == class).map_or(Fr::ZERO, |(_, k)| *k)
}

/// Most coefficients are 1 or −1, and an inversion is what takes the time.
fn inverse(k: Fr) -> Fr {
    if k == Fr::ONE || k == -Fr::ONE {
        return k;
    }
    k.invert().expect("terms that are 0 were left out")
}

/// `sum + k·other`, without terms that are 0.
fn add(sum: &mut Sum, other: &Sum, k: Fr) {
    let mut rest = std::mem::take(sum).into_iter().peekable();
    for &(parameter, value) in other {
        while let Some(term) = rest.next_if(|(before, _)| *before < parameter) {
            sum.push(term);
        }
        let known = rest.next_if(|(same, _)| *same == parameter).map_or(Fr::ZERO, |(_, known)| known);
        sum.extend(Some((parameter, known + value * k)).filter(|(_, value)| *value != Fr::ZERO));
    }
    sum.extend(rest);
}

/// What the equations left over say of the parameters.
pub(super) struct Relations {
    /// For each parameter that is bound, the last of some independent relation: the relation reduced, with 1 there, and the left-over equations that make it,
    /// by their number and factor.
    pub pivots: BTreeMap<u32, (Sum, Sum)>,
    /// The left-over equations that others make, and how: combinations that are 0.
    implied: Vec<Sum>,
    /// Which of the left-over equations say nothing of the parameters.
    empty: Vec<bool>,
}

impl Relations {
    /// Reduces what the equations left over say.
    pub fn of(propagation: &Propagation) -> Self {
        let mut this = Self { pivots: BTreeMap::new(), implied: Vec::new(), empty: Vec::new() };
        for (number, (_, said)) in propagation.left.iter().enumerate() {
            this.empty.push(said.is_empty());
            if said.is_empty() {
                continue;
            }
            let (mut rest, mut made) = (said.clone(), Sum::from([(number as u32, Fr::ONE)]));
            // From the last parameter down: a pivot's relation has none behind its own.
            while let Some(&(last, k)) = rest.iter().rev().find(|(last, _)| this.pivots.contains_key(last)) {
                let (relation, how) = &this.pivots[&last];
                add(&mut rest, relation, -k);
                add(&mut made, how, -k);
            }
            let Some(&(last, k)) = rest.last() else {
                this.implied.push(made);
                continue;
            };
            let scale = inverse(k);
            [&mut rest, &mut made].into_iter().flatten().for_each(|(_, value)| *value *= scale);
            this.pivots.insert(last, (rest, made));
        }
        this
    }

    /// A random combination of the left-over equations that says nothing of the parameters.
    fn null_vector(&self, propagation: &Propagation, rng: &mut impl RngCore) -> Vec<Fr> {
        let mut y: Vec<Fr> =
            self.empty.iter().map(|empty| if *empty { Fr::random(&mut *rng) } else { Fr::ZERO }).collect();
        for combination in &self.implied {
            let factor = Fr::random(&mut *rng);
            combination.iter().for_each(|(i, k)| y[*i as usize] += factor * k);
        }
        debug_assert_eq!(y.len(), propagation.left.len());
        y
    }
}
