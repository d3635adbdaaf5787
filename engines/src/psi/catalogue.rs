//! All elements that a proven set may hold, each with a number and a point of Grumpkin.
//!
//! **The order** is that of [the vectors' slots](crate::bfv::vector), for each slot the facts that may be found there, in the order of
//! [`facts`]; then the dummies of the set's kind. Numbers count from 1. They are those of a White receiver; for a Black one all ranks are
//! [mirrored](rules::Square::mirrored), so both colors have one catalogue.
//!
//! **The points.** `H(e)` is the first point of Grumpkin whose x-coordinate is `keccak256("fogmate/psi/point/1" ‖ e ‖ i)` modulo |F|, for
//! `i` = 0, 1, 2, … (a byte each; `e` are the element's 4 bytes, big-endian); of its two y-coordinates the even one. So nobody knows the logarithm of
//! one of them to another. Elements are public, so that the time tells which numbers have a point does no harm.

use super::element::{Element, Fact};
use crate::bfv::vector::{self, Aim, Slot, slots};
use fog::{
    curve::{Point, lift},
    engine::Phase,
    word::{keccak256, reduce},
};
use rules::{Color, PieceType, Side, lines::may_stand};
use std::{
    collections::HashMap,
    sync::{LazyLock, OnceLock},
    thread,
};

/// Bits of a number.
pub const NUMBER_BITS: usize = 15;
const DOMAIN: &[u8] = b"fogmate/psi/point/1";

/// Which of the two sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SetKind {
    /// What could be seen: the sender's.
    Shown,
    /// What is looked for: the receiver's.
    Asked,
}

impl SetKind {
    /// Both kinds of sets.
    pub const ALL: [Self; 2] = [Self::Shown, Self::Asked];

    fn dummy(self, index: usize) -> Element {
        match self {
            Self::Shown => Element::sender_dummy(index),
            Self::Asked => Element::receiver_dummy(index),
        }
    }
}

/// Which lines a set is about. A proof of a small set needs the same constraints and few rows: that is for tests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// All lines of the board.
    Full,
    /// The lines from b2 and d5 alone.
    Small,
}

impl Extent {
    /// Both extents of sets.
    pub const ALL: [Self; 2] = [Self::Full, Self::Small];

    /// Entries of every set, dummies included.
    ///
    /// A sender shows 1,126 elements at most, by counting; a receiver asks for at most 1,297 that a search found (see the document of the engine
    /// `dh-psi`, whose paddings these are). A set that has more isn't proven.
    pub const fn entries(self, kind: SetKind) -> usize {
        match (self, kind) {
            (Self::Full, SetKind::Shown) => 1168,
            (Self::Full, SetKind::Asked) => 1344,
            (Self::Small, SetKind::Shown) => 70,
            (Self::Small, SetKind::Asked) => 80,
        }
    }

    fn includes(self, slot: &Slot) -> bool {
        self == Self::Full || ["b2", "d5"].contains(&slot.from.to_string().as_str())
    }
}

/// The elements of a slot.
#[derive(Clone, Debug)]
pub struct Group {
    /// The slot's index among those of a White receiver.
    pub slot: usize,
    /// What may be found there.
    pub facts: Vec<Fact>,
    /// The number of the first; the others follow.
    pub first: u64,
}

/// The elements of one kind of set.
pub struct Catalogue {
    /// Entries of a set.
    pub entries: usize,
    /// The elements that aren't dummies, by slot.
    pub groups: Vec<Group>,
    elements: Vec<Element>,
    points: OnceLock<Vec<Point>>,
    extent: Extent,
    /// By slot, the group.
    places: HashMap<usize, usize>,
}

/// What may be found at a slot.
fn facts(slot: &Slot) -> Vec<Fact> {
    match slot.aim {
        Aim::Piece => {
            PieceType::ALL.into_iter().filter(|piece| may_stand(*piece, slot.square)).map(Fact::Piece).collect()
        }
        Aim::Way => vec![Fact::Occupied],
        Aim::Jump => vec![Fact::Jumped],
    }
}

impl Catalogue {
    fn new(kind: SetKind, extent: Extent) -> Self {
        let (mut elements, mut groups) = (Vec::new(), Vec::new());
        for (index, slot) in slots(Color::White).iter().enumerate().filter(|(_, slot)| extent.includes(slot)) {
            let facts = facts(slot);
            let first = elements.len() as u64 + 1;
            elements.extend(facts.iter().map(|fact| Element::attack(*fact, slot.square, slot.piece, slot.from)));
            groups.push(Group { slot: index, facts, first });
        }
        let entries = extent.entries(kind);
        elements.extend((0..entries).map(|index| kind.dummy(index)));
        let places = groups.iter().enumerate().map(|(place, group)| (group.slot, place)).collect();
        Self { entries, groups, elements, points: OnceLock::new(), extent, places }
    }

    /// The catalogue of a kind of set. Its points are hashed when they are first asked for: in a second, once in a process.
    pub fn get(kind: SetKind, extent: Extent) -> &'static Self {
        static ALL: LazyLock<HashMap<(SetKind, Extent), Catalogue>> = LazyLock::new(|| {
            let all = SetKind::ALL.into_iter().flat_map(|kind| Extent::ALL.map(|extent| (kind, extent)));
            all.map(|(kind, extent)| ((kind, extent), Catalogue::new(kind, extent))).collect()
        });
        &ALL[&(kind, extent)]
    }

    /// The highest number of an element in this catalogue.
    pub fn last(&self) -> u64 {
        self.elements.len() as u64
    }

    /// The number of the first dummy.
    pub fn first_dummy(&self) -> u64 {
        (self.elements.len() - self.entries) as u64 + 1
    }

    /// The points of the numbers from 1 on.
    pub fn points(&self) -> &[Point] {
        self.points.get_or_init(|| {
            if self.extent == Extent::Full {
                let attacks = self.elements.len() - self.entries;
                static ATTACKS: OnceLock<Vec<Point>> = OnceLock::new();
                let points = ATTACKS.get_or_init(|| hash_to_points(&self.elements[..attacks]));
                [points.clone(), hash_to_points(&self.elements[attacks..])].concat()
            } else {
                hash_to_points(&self.elements)
            }
        })
    }

    /// The points of numbers, none of which may be 0 or above [`Self::last`].
    pub fn points_of(&self, numbers: &[u64]) -> Vec<Point> {
        let points = self.points();
        numbers.iter().map(|number| points[*number as usize - 1]).collect()
    }

    /// The element of a number, as it is on the receiver's board; none of 0 and above [`Self::last`].
    pub fn element(&self, number: u64, receiver: Color) -> Option<Element> {
        let element = *self.elements.get(number.checked_sub(1)? as usize)?;
        Some(if receiver == Color::Black { element.mirrored() } else { element })
    }

    /// The set of a board, its captured piece removed: the numbers of its elements in ascending order, then the first dummies. None if it has
    /// more elements than entries. What has no number isn't in it, such as a pawn on the last rank, or lines that the extent leaves out.
    pub fn set(&self, kind: SetKind, board: &Side, phase: Phase) -> Option<Vec<u64>> {
        let mut numbers: Vec<u64> = match kind {
            SetKind::Shown => self.shown(board, phase),
            SetKind::Asked => self.asked(board, phase),
        };
        let dummies = self.entries.checked_sub(numbers.len())? as u64;
        numbers.extend(self.first_dummy()..self.first_dummy() + dummies);
        Some(numbers)
    }

    /// What the sender's item vector has, but on lines that begin on a square of its own.
    fn shown(&self, board: &Side, phase: Phase) -> Vec<u64> {
        let item = vector::item(board, phase);
        let slots = slots(!board.color);
        let number = |(slot, value): (usize, &u64)| {
            let group = &self.groups[*self.places.get(&slot)?];
            let is_own = slots[slot].aim != Aim::Jump && board.piece(slots[slot].from).is_some();
            let fact = match slots[slot].aim {
                _ if *value == 0 || is_own => None,
                Aim::Piece => Some(Fact::Piece(PieceType::from_code(*value as u8)?)),
                Aim::Way => Some(Fact::Occupied),
                Aim::Jump => Some(Fact::Jumped),
            };
            let place = group.facts.iter().position(|other| Some(*other) == fact)?;
            Some(group.first + place as u64)
        };
        item.iter().enumerate().filter_map(number).collect()
    }

    /// Everything that may be found where the receiver's view vector looks.
    fn asked(&self, board: &Side, phase: Phase) -> Vec<u64> {
        let view = vector::view(board, phase);
        let groups = self.groups.iter().filter(|group| view[group.slot] == 1);
        groups.flat_map(|group| group.first..group.first + group.facts.len() as u64).collect()
    }
}

/// The points of many elements, hashed by as many threads as the machine has.
fn hash_to_points(elements: &[Element]) -> Vec<Point> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let part = elements.len().div_ceil(threads).max(1);
    let hash = |elements: &[Element]| elements.iter().map(|element| hash_to_point(*element)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let parts: Vec<_> = elements.chunks(part).map(|part| scope.spawn(move || hash(part))).collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// The point `H(e)` of an element `e`.
pub fn hash_to_point(element: Element) -> Point {
    let candidates = (0..=u8::MAX).map(|i| reduce(&keccak256(&[DOMAIN, &element.to_bytes(), &[i]].concat())));
    candidates.filter_map(lift).next().expect("half of all x have a point, and here are 256")
}

/// Where sums of a proof begin, so that none of its additions is of equal or opposite points: a point as little foreseen as the others.
pub fn offset() -> Point {
    static OFFSET: LazyLock<Point> = LazyLock::new(|| {
        let candidates =
            (0..=u8::MAX).map(|i| reduce(&keccak256(&[b"fogmate/psi/offset/1".as_slice(), &[i]].concat())));
        candidates.filter_map(lift).next().expect("half of all x have a point, and here are 256")
    });
    *OFFSET
}
