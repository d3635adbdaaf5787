//! What a receiver can derive from a *post* answer and the next *pre* answer to the same request, by trying every key it has
//! on everything, is exactly what the rules let it see; and the negative controls: with a protection left out the same
//! search finds the leak (protocol, first paragraph and section 5).

use crate::model::{Flaw, Known, derive, excess, flawed};
use fog::{
    F,
    engine::sight_lines::answer::Answer,
    engine::sight_lines::context::AnswerHeader,
    engine::sight_lines::open::open,
    testing::{AnswerCase, RandomExchange, Walk, seed},
};
use rand::{SeedableRng, rngs::StdRng};
use rules::{PieceType, Sight, Square};

/// A *post* exchange and the next *pre* exchange of the same receiver, request and fog key.
fn pair(walk: &mut Walk, rng: &mut StdRng) -> Option<[RandomExchange; 2]> {
    let ply = walk.ply;
    let post = (ply > 1 && !walk.over).then(|| walk.post(rng));
    walk.advance(rng);
    let post = post.filter(|_| walk.ply == ply + 1)?;
    let mut pre = walk.pre(rng);
    assert_eq!(pre.receiver, post.receiver);
    pre.secret = post.secret.clone();
    pre.scalars = post.scalars;
    pre.request = post.request.clone();
    pre.context.registered = post.context.registered;
    pre.context.request_root = post.context.request_root;
    Some([post, pre])
}

fn model_answer(sighting: &RandomExchange, exchange: &AnswerHeader, flaw: Flaw) -> Answer {
    flawed(&sighting.sender, &sighting.secret, exchange, &sighting.request, flaw)
}

fn opened(sighting: &RandomExchange, answer: &Answer) -> Option<Sight> {
    let key = sighting.secret.key();
    open(&sighting.receiver, &sighting.scalars, &key, &sighting.header(), answer).ok()
}

/// Differences of the two answers' ciphertexts that are small: payloads without their masks.
fn small_differences(first: &Answer, second: &Answer) -> Vec<(Square, i64)> {
    let mut found = Vec::new();
    for square in Square::all() {
        for (a, b) in first.record(square).iter().zip(second.record(square)) {
            let (plus, minus) = (*b - a, *a - b);
            let plus = fog::word::to_small(plus, 24).map(|value| value as i64);
            let minus = fog::word::to_small(minus, 24).map(|value| -(value as i64));
            found.extend(plus.or(minus).filter(|value| *value != 0).map(|value| (square, value)));
        }
    }
    found
}

#[test]
fn the_model_without_flaws_is_the_shipped_answer() {
    let mut rng = StdRng::seed_from_u64(seed(41));
    let mut walk = Walk::start();
    for _ in 0..40 {
        walk.advance(&mut rng);
        if walk.ply > 0 {
            let sighting = walk.pre(&mut rng);
            let model = model_answer(&sighting, &sighting.header(), Flaw::None);
            assert_eq!(model, sighting.answer());
        }
    }
}

#[test]
fn all_that_can_be_derived_is_what_the_rules_allow() {
    let mut rng = StdRng::seed_from_u64(seed(42));
    let mut walk = Walk::start();
    let (mut pairs, mut captured) = (0, 0);
    while pairs < 10 {
        let Some(both) = pair(&mut walk, &mut rng) else {
            continue;
        };
        let fallen = walk.pending.and_then(|square| walk.mover().piece(square));
        // every second pair has a captured piece that could still see
        if pairs % 2 == 1 && fallen.is_none_or(|piece| piece == PieceType::Pawn) {
            continue;
        }
        let exchanges = both.each_ref().map(RandomExchange::header);
        let answers = both.each_ref().map(RandomExchange::answer);
        let [post, pre] = [0, 1].map(|i| Known::new(&both[i], exchanges[i], &answers[i]));
        for (index, target) in [&post, &pre].into_iter().enumerate() {
            let allowed = both[index].sight();
            let found = derive(&[&post, &pre], target);
            assert_eq!(excess(&found, &allowed), [], "{:?}", walk.last);
            assert_eq!(found.en_passant, allowed.en_passant);
            // and the search is not blind: it finds every piece that the rules show
            for square in Square::all().filter(|square| allowed.at(*square).is_occupied()) {
                assert_eq!(found.at(square), allowed.at(square), "{square}");
            }
            assert_eq!(opened(&both[index], &answers[index]), Some(allowed));
        }
        assert_eq!(small_differences(&answers[0], &answers[1]), []);
        pairs += 1;
        captured += usize::from(fallen.is_some());
    }
    println!("{pairs} pairs, {captured} with a captured square pending");
}

/// The first exchange of a case in which `test` finds something; the search also runs on the right answer and finds nothing.
fn find_leak(case: AnswerCase, flaw: Flaw, seed: u64) -> Vec<(Square, rules::Seen)> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut walk = Walk::start();
    for _ in 0..100_000 {
        walk.advance(&mut rng);
        if walk.over || walk.ply < 2 || !case.matches(&walk) {
            continue;
        }
        let sighting = walk.pre(&mut rng);
        let exchange = sighting.header();
        let search = |answer: &Answer| {
            let known = Known::new(&sighting, exchange, answer);
            excess(&derive(&[&known], &known), &sighting.sight())
        };
        assert_eq!(search(&sighting.answer()), []);
        let found = search(&model_answer(&sighting, &exchange, flaw));
        if !found.is_empty() {
            for (square, seen) in &found {
                let truth = sighting.sender.piece(*square).map_or(rules::Seen::Empty, rules::Seen::Piece);
                assert_eq!(*seen, truth, "what leaks on {square} is true");
            }
            println!("{flaw:?} after {:?}: leaks {found:?}", walk.last);
            return found;
        }
    }
    Vec::new()
}

#[test]
fn without_pend_keys_a_captured_slider_still_sees() {
    for piece in [PieceType::Bishop, PieceType::Rook] {
        let found = find_leak(AnswerCase::PrePending(piece), Flaw::NoPendKeys, seed(43));
        assert!(!found.is_empty(), "{piece:?}");
    }
}

#[test]
fn without_zeroing_a_captured_leaper_still_sees() {
    for piece in [PieceType::Knight, PieceType::Pawn] {
        let found = find_leak(AnswerCase::PrePending(piece), Flaw::NoZeroing, seed(44));
        assert!(!found.is_empty(), "{piece:?}");
    }
}

#[test]
fn without_the_clear_pass_the_sight_is_not_the_rules() {
    let mut rng = StdRng::seed_from_u64(seed(45));
    let mut walk = Walk::start();
    for _ in 0..100_000 {
        walk.advance(&mut rng);
        let looked_at = walk.pending.is_some_and(|square| walk.sight().at(square) != rules::Seen::Dark);
        if walk.over || walk.ply < 2 || !looked_at {
            continue;
        }
        let sighting = walk.pre(&mut rng);
        let exchange = sighting.header();
        assert_eq!(opened(&sighting, &sighting.answer()), Some(sighting.sight()));
        let poor = model_answer(&sighting, &exchange, Flaw::NoClearPass);
        if opened(&sighting, &poor) != Some(sighting.sight()) {
            println!("no clear pass after {:?}: the sight is wrong", walk.last);
            return;
        }
    }
    panic!("no captured square was ever looked into");
}

#[test]
fn one_ctx_for_two_boards_is_a_two_time_pad() {
    let mut rng = StdRng::seed_from_u64(seed(46));
    let mut walk = Walk::start();
    for _ in 0..1000 {
        let Some([post, pre]) = pair(&mut walk, &mut rng) else {
            continue;
        };
        // the sender moved in the dark and captured nothing
        let quiet = walk.pending.is_none() && post.sight().squares == pre.sight().squares;
        if !quiet {
            continue;
        }
        let right = [post.answer(), pre.answer()];
        assert_eq!(small_differences(&right[0], &right[1]), []);
        let reused = AnswerHeader { ctx: post.header().ctx, ..pre.header() };
        let second = model_answer(&pre, &reused, Flaw::None);
        let found = small_differences(&right[0], &second);
        let moved = walk.last.expect("a move was made");
        // a knight's step from the square that was left or entered carries the piece in three bits
        let left = pre_piece(&post, moved.from);
        let steps = |target: Square| {
            let near = rules::geometry::KNIGHT_STEPS.map(|(file, rank)| target.offset(-file, -rank));
            near.into_iter().flatten().collect::<Vec<_>>()
        };
        let squares: Vec<Square> = found.iter().map(|(square, _)| *square).collect();
        assert!(steps(moved.from).iter().all(|square| squares.contains(square)), "{moved}");
        println!("reused ctx: the {left:?} that goes {moved} in the dark is followed");
        return;
    }
    panic!("no move in the dark was found");
}

fn pre_piece(sighting: &RandomExchange, square: Square) -> Option<PieceType> {
    sighting.sender.without(sighting.context.pending_sender).piece(square)
}

#[test]
fn the_exchange_is_bound_to_its_ctx() {
    let mut rng = StdRng::seed_from_u64(seed(47));
    let mut walk = Walk::start();
    walk.advance(&mut rng);
    let sighting = walk.pre(&mut rng);
    let mut others = vec![sighting.context; 8];
    others[0].chain_id += 1;
    others[1].contract[19] ^= 1;
    others[2].game_id[0] ^= 1;
    others[3].ply += 2;
    others[4].sender_commitment += F::one();
    others[5].receiver_commitment += F::one();
    others[6].request_root += F::one();
    others[7].pending_receiver = Square::new(0);
    for other in others {
        assert_ne!(other.ctx(), sighting.context.ctx());
    }
}
