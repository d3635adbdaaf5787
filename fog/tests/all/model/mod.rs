//! A model of the answer with protections that can be left out, and of a receiver that tries every key it can derive.
//!
//! It stands beside the shipped code, which has no such switches, and agrees with it bit for bit when nothing is left out.

use fog::{
    F,
    curve::{FogKey, FogSecret, mul},
    engine::Phase,
    engine::sight_lines::answer::{Answer, king_payload, knight_payload, mask, pawn_payload, ray_key},
    engine::sight_lines::context::AnswerHeader,
    engine::sight_lines::geometry::{behind, is_present, step},
    engine::sight_lines::request::Request,
    merkle::Record,
    poseidon::{Tag, hash, hash2},
    testing::RandomExchange,
    word::to_small,
};
use group::Curve;
use rules::{
    PieceType, Seen, Side, Sight, Square,
    geometry::{DIRECTIONS, KNIGHT_STEPS, ahead, pawn_attacks, ray, two_ahead},
};

/// A protection that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    None,
    /// The captured square keeps its start keys.
    NoPendKeys,
    /// The captured square keeps its ciphertexts.
    NoZeroing,
    /// The captured square's pass is not sent.
    NoClearPass,
}

/// The answer of a sender that leaves a protection out.
pub fn flawed(sender: &Side, secret: &FogSecret, exchange: &AnswerHeader, request: &Request, flaw: Flaw) -> Answer {
    let board = sender.without(exchange.pending_sender);
    let own = FogKey(mul(&secret.key().0, &secret.scalar())).multiples();
    let shared = request.points.map(|point| mul(&point, &secret.scalar()));
    let masks = |square: Square, choice: usize| {
        let key = (own[choice] - shared[square.index()]).to_affine().x;
        mask(key, exchange.ctx, square, choice)
    };
    let pending = |square| exchange.pending_receiver == Some(square);
    let clear: Vec<F> = Square::all().map(|square| masks(square, 0)[0]).collect();
    let starts: Vec<[F; 2]> = Square::all()
        .map(|square| {
            if pending(square) && flaw != Flaw::NoPendKeys {
                hash2(Tag::Pend.field(), secret.field(), exchange.ctx)
            } else {
                [masks(square, 4)[0], masks(square, 3)[0]]
            }
        })
        .collect();
    let occupant = |square: Square| board.piece(square).map(|piece| F::from(piece as u64));
    let entering = |square: Square, d: usize| {
        let from = behind(square, d)?;
        Some(ray_key(starts[from.index()][d / 4], d))
    };
    let mut records = [[F::zero(); 14]; 64];
    for square in Square::all() {
        let record = &mut records[square.index()];
        for (d, value) in record.iter_mut().take(8).enumerate() {
            if let Some(key) = entering(square, d) {
                let beyond = step(square, d).and_then(|next| entering(next, d));
                let payload = occupant(square).or(beyond).unwrap_or_default();
                *value = hash(Tag::Ray, key, clear[square.index()]) + payload;
            }
        }
        if pending(square) && flaw != Flaw::NoZeroing {
            if flaw != Flaw::NoClearPass {
                record[13] = clear[square.index()];
            }
            continue;
        }
        let queen = masks(square, 5);
        record[9] = masks(square, 2)[0] + F::from(knight_payload(&board, square));
        record[10] = queen[0] + starts[square.index()][0];
        record[11] = queen[1] + starts[square.index()][1];
        record[12] = masks(square, 6)[0] + F::from(king_payload(&board, square));
        if is_present(square, 8, exchange.receiver) {
            let payload = pawn_payload(&board, square, exchange.phase);
            record[8] = masks(square, 1)[0] + F::from(payload);
        }
        if let Some(two) = two_ahead(square, exchange.receiver)
            && let Some(one) = ahead(square, exchange.receiver)
        {
            let blocked = board.piece(one).is_none() && board.piece(two).is_some();
            let push = hash(Tag::Push, masks(square, 1)[1], clear[one.index()]);
            record[13] = push + F::from(blocked);
        }
        if pending(square) {
            // without zeroing the pass still travels on its own
            record[13] = clear[square.index()];
        }
    }
    Answer { records, receiver: exchange.receiver, pending: exchange.pending_receiver }
}

/// What a receiver knows of an exchange.
pub struct Known<'a> {
    pub receiver: &'a Side,
    pub exchange: AnswerHeader,
    pub answer: &'a Answer,
    /// Both outputs of the masks of its own choices.
    pub masks: Vec<[F; 2]>,
}

impl<'a> Known<'a> {
    pub fn new(sighting: &'a RandomExchange, exchange: AnswerHeader, answer: &'a Answer) -> Self {
        let key = sighting.secret.key();
        let masks = Square::all()
            .map(|square| {
                let shared = mul(&key.0, &sighting.scalars[square.index()]);
                let choice = sighting.receiver.piece(square).map_or(0, |piece| piece as usize);
                mask(shared.x, exchange.ctx, square, choice)
            })
            .collect();
        Self { receiver: &sighting.receiver, exchange, answer, masks }
    }

    /// The passes that it knows: of squares where it chose none, and what came in the clear.
    fn passes(&self) -> Vec<(Square, F)> {
        let none = Square::all().filter(|square| self.receiver.piece(*square).is_none());
        let mut passes: Vec<_> = none.map(|square| (square, self.masks[square.index()][0])).collect();
        if let Some(square) = self.exchange.pending_receiver {
            passes.push((square, self.answer.record(square)[13]));
        }
        passes
    }
}

/// Everything that can be learnt from `target` by trying all keys that the receiver derives from `sources` (and from
/// `target` itself, if it is one of them), whatever its own type on a square is supposed to open.
pub fn derive(sources: &[&Known], target: &Known) -> Sight {
    let mut passes = vec![Vec::new(); 64];
    let mut by_source = vec![[None; 64]; sources.len()];
    let mut keys = vec![Vec::new(); 64];
    for (source, set) in sources.iter().zip(&mut by_source) {
        for (square, pass) in source.passes() {
            set[square.index()] = Some(pass);
            passes[square.index()].push(pass);
        }
        for square in Square::all() {
            let [zero, one] = source.masks[square.index()];
            keys[square.index()].extend([zero, one]);
            for known in sources {
                let record = known.answer.record(square);
                keys[square.index()].extend([record[10] - zero, record[11] - one]);
            }
        }
    }
    let mut sight = Sight::DARK;
    for square in Square::all() {
        let record = target.answer.record(square);
        for key in &keys[square.index()] {
            open_payloads(&mut sight, target, square, record, *key);
            open_push(&mut sight, target, square, record, *key, &passes);
            for d in 0..DIRECTIONS.len() {
                for passes in &by_source {
                    walk(&mut sight, target, square, d, ray_key(*key, d), |square| passes[square.index()]);
                }
            }
        }
    }
    sight
}

fn see(sight: &mut Sight, target: &Known, square: Square, seen: Seen) {
    let own = target.receiver.without(target.exchange.pending_receiver);
    if own.piece(square).is_none() {
        sight.add(square, seen);
    }
}

fn seen(code: u64) -> Seen {
    PieceType::from_code(code as u8).map_or(Seen::Empty, Seen::Piece)
}

fn open_payloads(sight: &mut Sight, target: &Known, from: Square, record: &Record, key: F) {
    for (field, steps) in [(9, &KNIGHT_STEPS), (12, &DIRECTIONS)] {
        if let Some(payload) = to_small(record[field] - key, 24) {
            for (index, (file, rank)) in steps.iter().enumerate() {
                if let Some(square) = from.offset(*file, *rank) {
                    see(sight, target, square, seen(payload >> (3 * index) & 7));
                }
            }
        }
    }
    let Some(payload) = to_small(record[8] - key, 9) else {
        return;
    };
    let color = target.exchange.receiver;
    for (side, square) in pawn_attacks(from, color).into_iter().enumerate() {
        if let Some(square) = square {
            see(sight, target, square, seen(payload >> (3 * side) & 7));
            if payload >> (7 + side) & 1 == 1 {
                assert_eq!(target.exchange.phase, Phase::Pre);
                sight.add_en_passant(color, square);
            }
        }
    }
    if let Some(one) = ahead(from, color) {
        let blocked = payload >> 6 & 1 == 1;
        see(sight, target, one, if blocked { Seen::Occupied } else { Seen::Empty });
    }
}

fn open_push(sight: &mut Sight, target: &Known, from: Square, record: &Record, key: F, passes: &[Vec<F>]) {
    let color = target.exchange.receiver;
    let (Some(one), Some(two)) = (ahead(from, color), two_ahead(from, color)) else {
        return;
    };
    for pass in &passes[one.index()] {
        if let Some(bit) = to_small(record[13] - hash(Tag::Push, key, *pass), 1) {
            // a zero says "two ahead is empty" only if the square ahead is
            let open = sight.at(one) == Seen::Empty;
            if bit == 1 || open {
                see(sight, target, two, if bit == 1 { Seen::Occupied } else { Seen::Empty });
            }
        }
    }
}

/// Follows a ray with a key that may be wrong, over squares whose pass is known. Only a piece or an empty square at the
/// board's end shows that the key was right; what lies between is then known to be empty.
fn walk(sight: &mut Sight, target: &Known, from: Square, d: usize, first: F, pass_of: impl Fn(Square) -> Option<F>) {
    let mut key = first;
    let mut crossed = Vec::new();
    for square in ray(from, d) {
        let Some(pass) = pass_of(square) else {
            return;
        };
        key = target.answer.record(square)[d] - hash(Tag::Ray, key, pass);
        match to_small(key, 3) {
            Some(code) if code > 0 || step(square, d).is_none() => {
                see(sight, target, square, seen(code));
                for square in crossed {
                    see(sight, target, square, Seen::Empty);
                }
                return;
            }
            _ => crossed.push(square),
        }
    }
}

/// Squares of which `found` says more than, or something else than, `allowed`.
pub fn excess(found: &Sight, allowed: &Sight) -> Vec<(Square, Seen)> {
    let more = |square: &Square| match (found.at(*square), allowed.at(*square)) {
        (Seen::Dark, _) => false,
        (Seen::Occupied, Seen::Piece(_)) => false,
        (found, allowed) => found != allowed,
    };
    Square::all().filter(more).map(|square| (square, found.at(square))).collect()
}
