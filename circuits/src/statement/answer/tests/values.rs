//! An answer's elements value by value: every type on every target, each captured square, each double push, for both colors in both phases.
//!
//! The keys of the masks take the longest, and hang on nothing but points: they are laid once for each request, and compared there; the elements are laid with cells that hold them.

use std::sync::Arc;

use fog::{
    curve::{Point as AffinePoint, mul},
    engine::{
        Phase,
        sight_lines::answer::{CHOICES, is_asked},
    },
    statement::answer::{AnswerPrivate, AnswerPublic, gather},
    testing::{Walk, seed},
};
use halo2curves::{bn256::Fr, grumpkin::Fr as Scalar};
use rand::{Rng, SeedableRng, rngs::StdRng};
use rules::{Color, PieceType, Side, Square};

use super::super::{AnswerCircuit, keys::MaskKeys, relation::Relation, witness::Witness};
use crate::{
    StatementCircuit,
    gadget::{Context, Point},
    values::{Dry, compare, differ, differ_in},
};

/// What the cells of keys hold.
pub struct KeyValues {
    fog_key: [Fr; 2],
    request: Vec<[Fr; 2]>,
    secret: Fr,
    keys: Vec<[Option<Fr>; CHOICES]>,
}

impl KeyValues {
    fn of(keys: &MaskKeys) -> Self {
        let of_point = |point: &Point| [point.x.value, point.y.value];
        Self {
            fog_key: of_point(&keys.fog_key),
            request: keys.request.iter().map(of_point).collect(),
            secret: keys.secret.value,
            keys: keys.keys.iter().map(|keys| keys.map(|key| key.map(|cell| cell.value))).collect(),
        }
    }

    fn lay(&self, cx: &mut Context<'_>) -> MaskKeys {
        let point = |cx: &mut Context<'_>, [x, y]: [Fr; 2]| Point { x: cx.witness(x), y: cx.witness(y) };
        MaskKeys {
            fog_key: point(cx, self.fog_key),
            request: self.request.iter().map(|xy| point(cx, *xy)).collect(),
            secret: cx.witness(self.secret),
            keys: self.keys.iter().map(|keys| keys.map(|key| key.map(|value| cx.witness(value)))).collect(),
        }
    }
}

/// A statement, and the keys of its request.
pub struct Drawn {
    pub public: AnswerPublic,
    pub private: AnswerPrivate,
    keys: Arc<KeyValues>,
}

impl Drawn {
    /// Lays all but the keys, which it takes as they are.
    pub fn lay(&self, cx: &mut Context<'_>) -> Relation {
        let AnswerPublic { fog_key, header, request, .. } = &self.public;
        let witness = Witness::new(fog_key, header, request, &self.private);
        Relation::lay_with(cx, &witness, |cx| self.keys.lay(cx))
    }
}

/// Boards with something on nearly every square, of which in turn each square is the captured one of either player, and each file that of a double push. As many
/// as there are squares, or a few of them, every so many.
pub fn draws(every: usize, rng: &mut StdRng) -> Vec<Drawn> {
    let dry = Dry::<AnswerCircuit>::new();
    let exchange = Walk::start().pre(rng);
    let mut draws = Vec::new();
    let squares = Square::all().map(Some).chain([None]);
    let cases: Vec<_> = squares.flat_map(|square| [(square, Phase::Pre), (square, Phase::Post)]).collect();
    let request = exchange.request.clone();
    let mut keys = None;
    for (number, (captured, phase)) in cases.into_iter().enumerate().filter(|(number, _)| number % every == 0) {
        let receiver = Color::ALL[number / 2 % 2];
        let mut header = exchange.header();
        (header.receiver, header.phase) = (receiver, phase);
        // Of each player's squares those of its own phase, as in a game; that of the other is none.
        header.pending_receiver = captured.filter(|_| phase == Phase::Pre);
        header.pending_sender = captured.filter(|_| phase == Phase::Post);
        let mut side = Side::empty(!receiver);
        side.pieces = [(); 64].map(|()| PieceType::from_code(rng.gen_range(0..=7)));
        side.double_push = (number as u8 / 4 % 9).checked_sub(1);
        let (salt, secret) = (exchange.sender_salt, exchange.secret.clone());
        let (public, private) = gather(side, salt, secret, &header, request.clone()).expect("an honest request");
        let of_request = keys.get_or_insert_with(|| {
            let witness = Witness::new(&public.fog_key, &header, &request, &private);
            let (values, trace) = dry.lay(|config, cx| KeyValues::of(&MaskKeys::multiply(cx, config, &witness)));
            assert_eq!(differ_in("keys", &trace, &[]), None);
            Arc::new(values)
        });
        let keys = Arc::clone(of_request);
        draws.push(Drawn { public, private, keys });
    }
    draws
}

#[test]
fn elements_are_those_of_every_board() {
    let dry = Dry::<AnswerCircuit>::new();
    compare("answer: elements", &draws(1, &mut StdRng::seed_from_u64(seed(41))), |drawn| {
        let (found, trace) = dry.lay(|_, cx| drawn.lay(cx).public());
        let expected = AnswerCircuit::instance(&drawn.public).remove(0);
        let what = (&drawn.private.side, &drawn.public.header);
        let place = found.iter().zip(&expected).position(|(cell, value)| cell.value != *value);
        differ((&what, "length"), found.len(), expected.len())
            .or(differ((&what, "public input"), place, None))
            .or(differ_in(what, &trace, &[]))
    });
}

/// There are 64 squares, and nowhere.
#[test]
fn no_other_square_is_captured() {
    let dry = Dry::<AnswerCircuit>::new();
    let Drawn { public, private, keys } = draws(130, &mut StdRng::seed_from_u64(seed(43))).remove(0);
    for (label, is_sender) in [("A2.pending", true), ("A8.pending", false)] {
        let mut witness = Witness::new(&public.fog_key, &public.header, &public.request, &private);
        *(if is_sender { &mut witness.pending_sender } else { &mut witness.pending_receiver }) = 65;
        let (_, trace) = dry.lay(|_, cx| Relation::lay_with(cx, &witness, |cx| keys.lay(cx)));
        assert_eq!(differ_in("square 65", &trace, &[label]), None);
    }
}

/// `k_{s,j} = (a·B_s − j·a·A).x` for every square and every choice that is asked there.
#[test]
fn keys_are_those_of_every_choice() {
    let rng = &mut StdRng::seed_from_u64(seed(42));
    let dry = Dry::<AnswerCircuit>::new();
    let cases: Vec<_> = (0..2).map(|_| Walk::start().pre(rng)).collect();
    compare("answer: keys", &cases, |drawn| {
        let (side, secret) = (drawn.sender.clone(), drawn.secret.clone());
        let private = AnswerPrivate { side, salt: drawn.sender_salt, secret };
        let witness = Witness::new(&drawn.secret.key(), &drawn.header(), &drawn.request, &private);
        let (found, trace) = dry.lay(|config, cx| KeyValues::of(&MaskKeys::multiply(cx, config, &witness)));
        let own = mul(&drawn.secret.key().0, &drawn.secret.scalar());
        let shared = drawn.request.points.map(|point| mul(&point, &drawn.secret.scalar()));
        let key = |square: Square, choice: usize| {
            let multiple = own * Scalar::from(choice as u64);
            AffinePoint::from(shared[square.index()] - AffinePoint::from(multiple)).x
        };
        let keys = Square::all()
            .map(|square| std::array::from_fn(|choice| is_asked(square, choice).then(|| key(square, choice))));
        // Two copies on one place would be one cell: so the two points of a sum stand beside each other.
        let copied = trace.copies.iter().filter(|copied| copied.label.is_none()).count();
        differ("keys", found.keys, keys.collect::<Vec<_>>())
            .or(differ("places of copies", trace.copies().count(), copied))
            .or(differ_in("keys", &trace, &[]))
    });
}
