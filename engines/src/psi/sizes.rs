//! Tests of the sets themselves: what there is, that intersections are sights, and that no set outgrows its padding.

use super::{
    element::Element,
    lines::attack_vectors,
    lines::{asked, shown},
    reading::sight,
};
use crate::dh_psi::{RECEIVER_SET, SENDER_SET};
use fog::{
    engine::Phase,
    testing::{Walk, seed},
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{
    Color, PieceType, Position, Side, Square,
    lines::{all_lines, may_stand},
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Of 218 moves, the most that a position of chess has.
const MOST_MOVES: &str = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";

const PHASES: [Phase; 2] = [Phase::Pre, Phase::Post];

/// All elements have 18 bits and names of their own, and nothing that is asked or shown lacks a point.
#[test]
fn every_element_of_random_games_is_an_attack_vector() {
    let vectors = attack_vectors();
    println!("{} attack vectors", vectors.len());
    assert!(vectors.iter().all(|element| u32::from_be_bytes(element.to_bytes()) < 1 << 18 && element.is_attack()));
    let mut rng = StdRng::seed_from_u64(seed(131));
    let mut walk = Walk::start();
    let mut used = BTreeSet::new();
    for _ in 0..3000 {
        walk.advance(&mut rng);
        for phase in PHASES {
            for side in &walk.sides {
                used.extend(asked(side, phase).into_iter().chain(shown(side, phase)));
            }
        }
    }
    println!("{} of them used", used.len());
    assert!(used.is_subset(&vectors) && used.len() > vectors.len() / 2);
}

#[test]
fn intersections_are_sights() {
    let mut rng = StdRng::seed_from_u64(seed(132));
    let mut walk = Walk::start();
    for _ in 0..2000 {
        walk.advance(&mut rng);
        let (own, other) = (walk.board(), walk.other());
        for phase in PHASES {
            let sets = [asked(&own, phase), shown(other, phase)];
            let [asked, shown]: [HashSet<Element>; 2] = sets.map(|set| {
                let distinct: HashSet<Element> = set.iter().copied().collect();
                assert_eq!(distinct.len(), set.len());
                distinct
            });
            let found: HashSet<Element> = asked.intersection(&shown).copied().collect();
            let right = rules::Sight::between(&own, other, phase == Phase::Pre);
            assert_eq!(sight(&own, phase, &found), Ok(right));
        }
    }
}

/// Findings with one left out, or one more, are those of no board or of another one.
#[test]
fn other_findings_give_no_sight_or_another() {
    let mut rng = StdRng::seed_from_u64(seed(133));
    let mut walk = Walk::start();
    let (mut refused, mut others) = (0, 0);
    for _ in 0..400 {
        walk.advance(&mut rng);
        let (own, other) = (walk.board(), walk.other());
        let asked = asked(&own, Phase::Pre);
        let shown: HashSet<Element> = shown(other, Phase::Pre).into_iter().collect();
        let found: HashSet<Element> = asked.iter().copied().filter(|element| shown.contains(element)).collect();
        let right = sight(&own, Phase::Pre, &found);
        let Some(changed) = asked.choose(&mut rng) else { continue };
        let wrong = found.symmetric_difference(&HashSet::from([*changed])).copied().collect();
        match sight(&own, Phase::Pre, &wrong) {
            Err(_) => refused += 1,
            wrong => {
                assert_ne!(wrong, right);
                others += 1;
            }
        }
    }
    println!("{refused} refused, {others} other sights");
    assert!(refused > 20 && others > 20);
}

/// A proof by counting: no line shows more than one piece, so a piece is shown on as many lines at most as on an empty board, and the
/// sixteen squares that most lines meet bound all sets; with the jump, which two pawns may capture.
#[test]
fn no_sender_shows_more_than_the_padding() {
    for color in Color::ALL {
        let mut lines: BTreeMap<Square, usize> = BTreeMap::new();
        for line in all_lines(color) {
            for square in &line.squares {
                *lines.entry(*square).or_default() += 1;
            }
        }
        let mut counts: Vec<usize> = lines.into_values().collect();
        counts.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
        let bound = counts.iter().take(16).sum::<usize>() + 2;
        println!("{color}: at most {bound}");
        assert!(bound <= SENDER_SET);
    }
}

/// The men that aren't promoted; the pieces of eight pawns come after them.
const OFFICERS: [PieceType; 8] = {
    use PieceType::{Bishop, King, Knight, Queen, Rook};
    [King, Queen, Rook, Rook, Bishop, Bishop, Knight, Knight]
};

/// A side of sixteen men: the officers, then pawns or what they were promoted to.
#[derive(Clone)]
struct Placement(Vec<(PieceType, Square)>);

impl Placement {
    fn random(rng: &mut StdRng) -> Self {
        let mut squares: Vec<Square> = Square::all().collect();
        squares.shuffle(rng);
        Self(OFFICERS.into_iter().chain([PieceType::Queen; 8]).zip(squares).collect())
    }

    fn of(side: &Side) -> Self {
        let mut rest: Vec<(PieceType, Square)> = side.men().map(|(square, piece)| (piece, square)).collect();
        let mut men = Vec::new();
        for officer in OFFICERS {
            let place = rest.iter().position(|(piece, _)| *piece == officer).expect("all officers");
            men.push(rest.swap_remove(place));
        }
        Self([men, rest].concat())
    }

    fn side(&self, color: Color) -> Side {
        let mut side = Side::empty(color);
        for (piece, square) in &self.0 {
            side.pieces[square.index()] = Some(*piece);
        }
        side
    }

    /// One man elsewhere, two men exchanged, or another promotion or none.
    fn changed(&self, rng: &mut StdRng) -> Self {
        let mut men = self.0.clone();
        let [index, other] = [(); 2].map(|()| rng.gen_range(0..men.len()));
        let square = Square::new(rng.gen_range(0..64)).expect("a square");
        match rng.gen_range(0..5) {
            0 if index >= OFFICERS.len() => {
                let kinds = [PieceType::Pawn, PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight];
                men[index].0 = *kinds.choose(rng).expect("a kind");
            }
            1 => (men[index].1, men[other].1) = (men[other].1, men[index].1),
            _ if men.iter().all(|(_, taken)| *taken != square) => men[index].1 = square,
            _ => (),
        }
        let is_proper = men.iter().all(|(piece, square)| may_stand(*piece, *square));
        if is_proper { Self(men) } else { self.clone() }
    }

    fn asks(&self) -> usize {
        asked(&self.side(Color::White), Phase::Pre).len()
    }
}

/// Climbs from a placement; now and then a step down is taken, the rarer the larger.
fn most_asked(mut placement: Placement, steps: usize, rng: &mut StdRng) -> usize {
    let (mut asks, mut most) = (placement.asks(), 0);
    for step in 0..steps {
        let heat = 12.0 * (1.0 - step as f64 / steps as f64) + 0.1;
        let next = placement.changed(rng);
        let next_asks = next.asks();
        let loss = asks.saturating_sub(next_asks) as f64;
        if rng.r#gen::<f64>() < (-loss / heat).exp() {
            (placement, asks) = (next, next_asks);
        }
        most = most.max(asks);
    }
    most
}

/// Counted without the rule that pawns never stand on the first and last rank, the known position asks 1,326. What a sender's set is padded to, and
/// "Dark Chess" has for both, isn't enough for it.
#[test]
fn no_receiver_asks_for_more_than_the_padding() {
    let mut rng = StdRng::seed_from_u64(seed(134));
    let known = Position::from_fen(MOST_MOVES).expect("a position");
    let known = known.side(Color::White);
    let elements = asked(known, Phase::Pre);
    let places: BTreeSet<_> = elements
        .iter()
        .map(|element| (element.fact().map(|(_, square)| square), u32::from_be_bytes(element.to_bytes()) & 0x1ff))
        .collect();
    println!("the known position: {} elements, {} places", elements.len(), places.len());
    assert_eq!(6 * places.len(), 1326);
    assert!(elements.len() > SENDER_SET, "what suffices for a sender would do here, too");
    let mut most = elements.len();
    let climbs = std::env::var("FOGMATE_CLIMBS").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    for climb in 0..climbs {
        let start = if climb % 2 == 0 { Placement::of(known) } else { Placement::random(&mut rng) };
        let found = most_asked(start, 15_000, &mut rng);
        println!("climb {climb}: {found}");
        most = most.max(found);
    }
    println!("at most {most}");
    assert!(most <= RECEIVER_SET);
}
