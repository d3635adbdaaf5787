//! The state before and after a move: every square, right, corner, file of a double push, promotion and counter.

use ff::Field;
use fog::{
    commitment::commit,
    curve::Scalar,
    engine::sight_lines::context::square_field,
    statement::turn::{TurnPrivate, TurnPublic, plan::Plan},
    testing::{Walk, seed},
};
use halo2curves::bn256::Fr;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use rules::{CastlingRights, Color, Move, PieceType, Side, Square, castling::Wing};

use super::{
    super::super::{
        TurnCircuit, board, first_move, move_flags::MoveFlags, opened_square::OpenedSquare, public::Public,
        witness::Witness,
    },
    all_squares, blank, opened,
};
use crate::values::{Dry, compare, differ};

/// A move of a committed side, and what is claimed wrongly, if anything is.
struct Made {
    what: String,
    witness: Witness,
    is_legal: bool,
}

/// The statement of a move, without a request or an answer.
fn made(blank: &Witness, side: &Side, pending: Option<Square>, mv: Move) -> Made {
    let (mut public, mut private): (TurnPublic, TurnPrivate) = first_move();
    let applied = side.without(pending);
    let plan = Plan::new(&applied, &mv);
    let viewer = plan.as_ref().map_or(mv.from, |plan| plan.viewer);
    let passes = plan.as_ref().map_or(Vec::new(), |plan| plan.passes.clone());
    let [salt, next_salt] = [5, 7].map(Fr::from);
    public.commitment = commit(side, salt);
    public.next_commitment = commit(&applied.play(&mv), next_salt);
    (public.pending, public.color, public.opening) = (pending, side.color, false);
    (private.side, private.mv, private.salt, private.next_salt) = (side.clone(), mv, salt, next_salt);
    private.next_scalars = [Scalar::from(1); 64];
    let viewer_type = match &plan {
        Ok(plan) => plan.viewer_type.code(),
        Err(_) => applied.piece(mv.from).map_or(0, PieceType::code),
    };
    private.opened = vec![opened(blank, viewer, viewer_type)];
    private.opened.extend(passes.into_iter().map(|square| opened(blank, square, 0)));
    let what = format!("{:?} {pending:?} {mv}", side);
    Made { what, witness: Witness::new(&public, &private), is_legal: plan.is_ok() }
}

/// What a cheat could write instead.
const LIES: [fn(&mut Witness, &mut StdRng); 8] = [
    |w, _| w.mv.rights[0] = !w.mv.rights[0],
    |w, _| w.mv.rights[1] = !w.mv.rights[1],
    |w, rng| w.mv.double_push = (w.mv.double_push + rng.gen_range(1..9)) % 9,
    |w, rng| w.mv.since_pawn = (w.mv.since_pawn + rng.gen_range(1..128)) % 128,
    |w, rng| w.mv.salts[rng.gen_range(0..2)] += Fr::ONE,
    |w, rng| {
        let square = rng.gen_range(0..64);
        w.mv.next_types[square] = (w.mv.next_types[square] + rng.gen_range(1..8)) % 8;
    },
    |w, rng| {
        let other = Square::all().nth(rng.gen_range(0..64)).filter(|square| Some(*square) != w.mv.pending);
        w.mv.pending = if other.is_none() && w.mv.pending.is_none() { Square::new(9) } else { other };
    },
    |w, rng| {
        let other = Square::all().nth(rng.gen_range(0..64)).filter(|square| Some(*square) != w.mv.pending);
        let other = if other.is_none() && w.mv.pending.is_none() { Square::new(9) } else { other };
        (w.mv.pending, w.public.pending) = (other, square_field(other));
        w.mv.removed = rng.gen_range(1..7);
    },
];

/// A side with a king on e1 or e8, some men, and some rights.
fn side(color: Color, men: &[(Square, PieceType)], rights: [bool; 2]) -> Side {
    let [king_side, queen_side] = rights;
    let mut side = Side { rights: CastlingRights { king_side, queen_side }, ..Side::empty(color) };
    side.pieces[Wing::king_from(color).index()] = Some(PieceType::King);
    for (square, piece) in men {
        side.pieces[square.index()] = Some(*piece);
    }
    side
}

/// All that a castling, a king's move and a rook's hang on: rights, rooks, and what was captured.
fn castlings(blank: &Witness, rng: &mut StdRng) -> Vec<Made> {
    let mut all = Vec::new();
    for (color, bits) in Color::ALL.into_iter().flat_map(|color| (0..16).map(move |bits: u8| (color, bits))) {
        let [king, queen, ..] = [1, 2, 4, 8].map(|bit| bits & bit > 0);
        let corners = Wing::ALL.map(|wing| wing.rook_from(color));
        let rooks: Vec<_> = corners.into_iter().zip([4, 8]).filter(|(_, bit)| bits & bit == 0).collect();
        let men: Vec<_> = rooks.into_iter().map(|(corner, _)| (corner, PieceType::Rook)).collect();
        let side = side(color, &men, [king, queen]);
        let from = Wing::king_from(color);
        let up = |square: Square| square.offset(0, color.forward()).expect("a rank ahead");
        let mut moves: Vec<Move> = Wing::ALL.map(|wing| Move::new(from, wing.king_to(color))).to_vec();
        moves.push(Move::new(from, up(from)));
        moves.extend(corners.map(|corner| Move::new(corner, up(corner))));
        let elsewhere = all_squares()[rng.gen_range(16..48)];
        for pending in [None, Some(corners[0]), Some(corners[1]), Some(elsewhere)] {
            all.extend(moves.iter().map(|mv| made(blank, &side, pending, *mv)));
        }
    }
    all
}

/// A piece from every square, with each type captured on every other one in turn.
fn everywhere(blank: &Witness, rng: &mut StdRng) -> Vec<Made> {
    let mut all = Vec::new();
    for (number, from) in all_squares().into_iter().enumerate() {
        let color = Color::ALL[number % 2];
        for mover in [PieceType::Knight, PieceType::Queen] {
            let others =
                all_squares().into_iter().filter(|square| *square != from && *square != Wing::king_from(color));
            let others: Vec<Square> = others.collect();
            let mut alone = side(color, &[(from, mover)], [false; 2]);
            (alone.since_pawn, alone.double_push) = (rng.gen_range(0..=127), Some(number as u8 % 8));
            let free = others.iter().filter(|to| Plan::new(&alone, &Move::new(from, **to)).is_ok());
            let to = *free.copied().collect::<Vec<_>>().choose(rng).expect("a piece has somewhere to go");
            for captured in [to, others[number % others.len()]] {
                let mut held = alone.clone();
                held.pieces[captured.index()] = Some(PieceType::ALL[rng.gen_range(0..6)]);
                all.push(made(blank, &held, Some(captured), Move::new(from, to)));
            }
        }
    }
    for (square, piece) in all_squares().into_iter().flat_map(|square| PieceType::ALL.map(|piece| (square, piece))) {
        let color = Color::ALL[square.index() % 2];
        let home = Wing::king_from(color);
        let mut held = side(color, &[], [false; 2]);
        held.pieces[square.index()] = Some(piece);
        let step =
            home.offset(1, 0).filter(|to| *to != square).or(home.offset(-1, 0)).expect("a square beside the king");
        all.push(made(blank, &held, Some(square).filter(|square| *square != home), Move::new(home, step)));
    }
    all
}

/// Pawns: every file, push, capture and promotion, allowed or not; and every counter and double push before.
fn pawns(blank: &Witness) -> Vec<Made> {
    let mut all = Vec::new();
    for (color, file) in Color::ALL.into_iter().flat_map(|color| (0..8).map(move |file| (color, file))) {
        let last_but_one = (!color).pawn_rank();
        for (rank, onto) in [(color.pawn_rank(), 1), (color.pawn_rank(), 2), (3, 1), (last_but_one, 1)] {
            let from = Square::at(file, rank).expect("a square");
            let mut held = side(color, &[(from, PieceType::Pawn)], [true; 2]);
            (held.since_pawn, held.double_push) = (file * 9, file.checked_sub(1));
            for files in [0, 1, -1] {
                let Some(to) = from.offset(files, onto * color.forward()) else { continue };
                if held.piece(to).is_some() {
                    continue;
                }
                // A pawn that becomes a pawn is one that stays what it is.
                let others = PieceType::ALL.into_iter().filter(|piece| *piece != PieceType::Pawn);
                let promotions = [None].into_iter().chain(others.map(Some));
                all.extend(promotions.map(|promotion| made(blank, &held, None, Move { from, to, promotion })));
            }
        }
    }
    for since_pawn in 0..=127u8 {
        let knight = all_squares()[18];
        let mut held = side(Color::White, &[(knight, PieceType::Knight)], [false, true]);
        (held.since_pawn, held.double_push) = (since_pawn, (since_pawn % 9).checked_sub(1));
        all.push(made(blank, &held, None, Move::new(knight, all_squares()[35])));
    }
    all
}

/// Moves of random games, legal and not.
fn games(blank: &Witness, rng: &mut StdRng) -> Vec<Made> {
    let (mut all, mut walk) = (Vec::new(), Walk::start());
    for _ in 0..250 {
        walk.advance(rng);
        let legal = walk.legal_moves();
        let any = || Move::new(all_squares()[0], all_squares()[1]);
        let mut moves = vec![legal.choose(rng).copied().unwrap_or_else(any)];
        let men: Vec<Square> = walk.board().men().map(|(square, _)| square).collect();
        for _ in 0..3 {
            let from = *men.choose(rng).expect("men");
            moves.push(Move::new(from, all_squares()[rng.gen_range(0..64)]));
        }
        all.extend(moves.into_iter().map(|mv| made(blank, walk.mover(), walk.pending, mv)));
    }
    all
}

#[test]
fn the_state_follows_every_move() {
    let rng = &mut StdRng::seed_from_u64(seed(134));
    let (dry, blank) = (Dry::<TurnCircuit>::new(), blank());
    let parts = [castlings(&blank, rng), everywhere(&blank, rng), pawns(&blank), games(&blank, rng)];
    let mut all: Vec<Made> = parts.into_iter().flatten().collect();
    for number in 0..all.len() {
        // Each move with one lie.
        let Made { what, witness, is_legal } = &all[number];
        if *is_legal {
            let mut witness = witness.clone();
            LIES[number % LIES.len()](&mut witness, rng);
            all.push(Made { what: format!("{what}, lie {}", number % LIES.len()), witness, is_legal: false });
        }
    }
    println!("{} moves, {} legal", all.len(), all.iter().filter(|made| made.is_legal).count());
    compare("turn: board", &all, |made| {
        let witness = &made.witness;
        let ((), trace) = dry.lay(|_, cx| {
            let public = Public::new(cx, &witness.public);
            let opened: Vec<_> =
                witness.opened.iter().map(|slot| OpenedSquare::of_values(cx, slot, [Fr::ZERO; 2])).collect();
            let flags = MoveFlags::new(cx, &public, witness, &opened);
            let next_types = witness.mv.next_types.map(|kind| cx.witness(u64::from(kind).into()));
            board::constrain(cx, &public.mover, &witness.mv, &flags, &next_types);
        });
        differ((&made.what, trace.refused()), trace.refused().is_empty(), made.is_legal)
    });
}
