//! What a viewer sees: every type on every target, every bit of a pawn's payload, and every square of every way.

use ff::Field;
use fog::{
    engine::sight_lines::{
        answer::ray_key,
        geometry::{
            AHEAD_BIT, EN_PASSANT_BIT, KING_FIELD, KNIGHT_FIELD, PAWN_BITS, PAWN_FIELD, PUSH_FIELD, QUEEN_DIAG_FIELD,
            QUEEN_ORTH_FIELD, TARGET_BITS,
        },
    },
    poseidon::{Tag, hash},
    testing::seed,
};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{
    Color, PieceType, Square,
    castling::Wing,
    geometry::{DIRECTIONS, FIRST_DIAGONAL},
};

use super::{
    super::super::{
        TurnCircuit, move_flags::MoveFlags, opened_square::OpenedSquare, public::Public, view, witness::Witness,
    },
    all_squares, blank,
    geometry::{Chosen, TOWARD_KING},
};
use crate::{
    gadget::Label,
    values::{Dry, compare, differ_in, flag},
};

/// A choice that a player with this answer makes, what it captures, and what must refuse it.
struct Met {
    chosen: Chosen,
    witness: Witness,
    masks: [[Fr; 2]; 8],
    capture: Option<(Square, bool)>,
    refused: Vec<Label>,
}

impl Met {
    /// With nothing in the records.
    fn new(blank: &Witness, chosen: Chosen, rng: &mut StdRng) -> Self {
        let mut witness = chosen.witness(blank);
        witness.public.pending = Fr::from(64);
        let masks = [(); 8].map(|()| [(); 2].map(|()| Fr::random(&mut *rng)));
        Self { chosen, witness, masks, capture: None, refused: Vec::new() }
    }

    /// With a payload in a field of the viewer's record.
    fn with_payload(mut self, field: usize, payload: u64) -> Self {
        self.witness.opened[0].record[field] = self.masks[0][0] + Fr::from(payload);
        self
    }

    /// With a piece of a type on a square that is entered, a king perhaps; of the types 0 and 7 there is none.
    fn entering(mut self, square: Option<Square>, kind: u64) -> Self {
        let is_piece = (1..=6).contains(&kind);
        self.capture = square.filter(|_| is_piece).map(|square| (square, kind == PieceType::King as u64));
        self
    }

    fn refused_for(mut self, label: Label, is_refused: bool) -> Self {
        self.refused.extend(is_refused.then_some(label));
        self
    }

    /// Fills the records of a slider's way with what stands on each square, 0 for nothing.
    fn with_way(mut self, kinds: &[u64], rng: &mut StdRng) -> Self {
        let direction = self.chosen.direction;
        let [[first, second], ..] = self.masks;
        let record = &mut self.witness.opened[0].record;
        let [orthogonal, diagonal] = [(); 2].map(|()| Fr::random(&mut *rng));
        (record[QUEEN_ORTH_FIELD], record[QUEEN_DIAG_FIELD]) = (first + orthogonal, second + diagonal);
        let start = match self.chosen.viewer {
            PieceType::Queen if direction < FIRST_DIAGONAL => orthogonal,
            PieceType::Queen => diagonal,
            _ => first,
        };
        let mut key = ray_key(start, direction);
        for (i, kind) in kinds.iter().enumerate() {
            let slot = &mut self.witness.opened[i + 1];
            let is_pending = Fr::from(slot.square.index() as u64) == self.witness.public.pending;
            slot.record = [(); 14].map(|()| Fr::random(&mut *rng));
            let pass = if is_pending { slot.record[PUSH_FIELD] } else { self.masks[i + 1][0] };
            // Where nothing stands there is the next square's key; none at the board's end.
            let next = if *kind == 0 && i + 1 < kinds.len() { Fr::random(&mut *rng) } else { Fr::from(*kind) };
            slot.record[direction] = next + hash(Tag::Ray, key, pass);
            key = next;
        }
        self
    }

    fn differs(&self, dry: &Dry<TurnCircuit>) -> Option<String> {
        let mut public = self.witness.public;
        public.capture = Fr::from(self.capture.map_or(64, |(square, _)| square.index() as u64));
        public.king_fell = flag(self.capture.is_some_and(|(_, is_king)| is_king));
        let ((), trace) = dry.lay(|_, cx| {
            let public = Public::new(cx, &public);
            let slots = self.witness.opened.iter().zip(self.masks);
            let opened: Vec<_> = slots.map(|(slot, mask)| OpenedSquare::of_values(cx, slot, mask)).collect();
            let flags = MoveFlags::new(cx, &public, &self.witness, &opened);
            view::constrain(cx, &public, &flags, &opened);
        });
        differ_in((&self.chosen, self.capture), &trace, &self.refused)
    }
}

/// Every type on every target of a knight and of a king, beside any others; and what doesn't fit the payload.
fn leaps(blank: &Witness, rng: &mut StdRng) -> Vec<Met> {
    let mut all = Vec::new();
    for (viewer, field) in [(PieceType::Knight, KNIGHT_FIELD), (PieceType::King, KING_FIELD)] {
        for (direction, kind) in (0..8).flat_map(|direction| (0..8).map(move |kind| (direction, kind))) {
            let chosen = Chosen::new(Color::White, viewer, all_squares()[27], direction, 0);
            let to = chosen.expected().map(|(_, to)| to);
            let others = rng.gen_range(0..1u64 << TARGET_BITS) & !(7 << (3 * direction));
            let met = Met::new(blank, chosen.clone(), rng).with_payload(field, others | kind << (3 * direction));
            all.push(met.entering(to, kind));
            let met = Met::new(blank, chosen, rng).with_payload(field, kind << (3 * direction) | 1 << TARGET_BITS);
            all.push(met.entering(to, kind).refused_for("T17.payload", true));
        }
    }
    all
}

/// Every payload of a pawn, in every way that it can go; and more bits than it has.
fn pawns(blank: &Witness, rng: &mut StdRng) -> Vec<Met> {
    let mut all = Vec::new();
    for (color, way) in Color::ALL.into_iter().flat_map(|color| (0..4).map(move |way| (color, way))) {
        let rank = if way == 1 { color.pawn_rank() } else { 3 };
        let from = Square::at(4, rank).expect("a square");
        let count = usize::from(way == 1);
        let chosen = Chosen { way: Some(way), ..Chosen::new(color, PieceType::Pawn, from, 0, count) };
        let to = chosen.expected().map(|(_, to)| to);
        for payload in (0..1u64 << PAWN_BITS).chain((PAWN_BITS..TARGET_BITS).map(|bit| 1 << bit)) {
            let bit = |bit: usize| payload >> bit & 1 == 1;
            let mut met = Met::new(blank, chosen.clone(), rng).with_payload(PAWN_FIELD, payload);
            let is_push_right = payload % 3 > 0;
            let push = hash(Tag::Push, met.masks[0][1], met.masks[1][0]);
            met.witness.opened[0].record[PUSH_FIELD] = push + flag(!is_push_right);
            met = met.refused_for("T17.pawn_payload", payload >> PAWN_BITS > 0);
            all.push(match way {
                0 => met.refused_for("T18.ahead_empty", bit(AHEAD_BIT)),
                1 => met.refused_for("T18.ahead_empty", bit(AHEAD_BIT)).refused_for("T18.double_push", !is_push_right),
                _ => {
                    let side = way - 2;
                    let kind = payload >> (3 * side) & 7;
                    met = met.entering(to, kind);
                    if met.capture.is_none() && bit(EN_PASSANT_BIT + side) {
                        met.capture =
                            to.and_then(|to| Square::at(to.file(), from.rank())).map(|beside| (beside, false));
                    }
                    let nothing = met.capture.is_none();
                    met.refused_for("T19.captures", nothing)
                }
            });
        }
    }
    all
}

/// Slides of every length in every direction onto every type; with a piece on each square that is crossed; and with the own captured piece, or another
/// own one, on each.
fn slides(blank: &Witness, rng: &mut StdRng) -> Vec<Met> {
    let mut all = Vec::new();
    let viewers = [PieceType::Bishop, PieceType::Rook, PieceType::Queen];
    let ways = viewers.into_iter().flat_map(|viewer| (0..DIRECTIONS.len()).map(move |direction| (viewer, direction)));
    for (viewer, direction) in ways {
        let is_diagonal = direction >= FIRST_DIAGONAL;
        if !(if is_diagonal { viewer.is_diagonal_slider() } else { viewer.is_orthogonal_slider() }) {
            continue;
        }
        let (file, rank) = DIRECTIONS[direction];
        let from = Square::at(if file < 0 { 7 } else { 0 }, if rank < 0 { 7 } else { 0 }).expect("a corner");
        for count in 1..=7 {
            let chosen = Chosen::new(Color::Black, viewer, from, direction, count);
            let to = chosen.on_way(count as i8);
            let mut way = vec![0; count];
            for kind in 0..8 {
                way[count - 1] = kind;
                all.push(Met::new(blank, chosen.clone(), rng).with_way(&way, rng).entering(to, kind));
            }
            for slot in 0..count {
                let mut way = vec![0; count];
                let crossed = rng.gen_range(1..=6);
                if slot + 1 < count {
                    way[slot] = crossed;
                    let met = Met::new(blank, chosen.clone(), rng).with_way(&way, rng);
                    all.push(met.refused_for("T16.crossed_empty", true));
                    way[slot] = 0;
                }
                let mut met = Met::new(blank, chosen.clone(), rng);
                met.witness.opened[slot + 1].choice = 3;
                all.push(met.with_way(&way, rng).refused_for("T6.own_piece_crossed", true));
                let mut met = Met::new(blank, chosen.clone(), rng);
                met.witness.opened[slot + 1].choice = 3;
                met.witness.public.pending = Fr::from(met.witness.opened[slot + 1].square.index() as u64);
                all.push(met.with_way(&way, rng));
            }
        }
    }
    all
}

/// Castlings, with nothing in the way and with a piece on each square of it; and the opening, in which no record is looked at.
fn others(blank: &Witness, rng: &mut StdRng) -> Vec<Met> {
    let mut all = Vec::new();
    for (number, color) in [0, 1].into_iter().flat_map(|number| Color::ALL.map(|color| (number, color))) {
        let wing = Wing::ALL[number];
        let count = wing.between(color).count();
        let corner = wing.rook_from(color);
        let chosen =
            Chosen { wing: Some(wing), ..Chosen::new(color, PieceType::Rook, corner, TOWARD_KING[number], count) };
        all.push(Met::new(blank, chosen.clone(), rng).with_way(&vec![0; count], rng));
        for (slot, kind) in (0..count).flat_map(|slot| (1..=6).map(move |kind| (slot, kind))) {
            let mut way = vec![0; count];
            way[slot] = kind;
            let met = Met::new(blank, chosen.clone(), rng).with_way(&way, rng);
            all.push(met.refused_for("T16.crossed_empty", true));
        }
    }
    for (viewer, way) in [(PieceType::Pawn, Some(0)), (PieceType::Pawn, Some(1)), (PieceType::Knight, None)] {
        let count = usize::from(way == Some(1));
        let chosen = Chosen { way, is_opening: true, ..Chosen::new(Color::White, viewer, all_squares()[12], 0, count) };
        let mut met = Met::new(blank, chosen, rng);
        met.witness.opened[0].record = [(); 14].map(|()| Fr::random(&mut *rng));
        all.push(met);
    }
    all
}

#[test]
fn all_that_a_viewer_sees_counts() {
    let rng = &mut StdRng::seed_from_u64(seed(133));
    let (dry, blank) = (Dry::<TurnCircuit>::new(), blank());
    let parts = [slides(&blank, rng), others(&blank, rng), leaps(&blank, rng), pawns(&blank, rng)];
    let all: Vec<Met> = parts.into_iter().flatten().collect();
    compare("turn: view", &all, |met| met.differs(&dry));
}
