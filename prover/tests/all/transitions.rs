//! Statements composed. *turn* proves that a committed board follows from the one before it by a move; *item* and *view* say of a ciphertext that it has
//! the vector of a committed board. They speak of the same commitments, so together they prove what is encrypted of every board that a game comes to.

use circuits::{ItemCircuit, StatementCircuit as _, TurnCircuit, ViewCircuit};
use engines::Unmet;
use engines::bfv::encrypted::{self, BoardPublic, EncryptedPrivate, EncryptedPublic};
use engines::bfv::vector::Kind;
use engines::testing::encryption;
use fog::curve::FogSecret;
use fog::engine::Phase;
use fog::statement::turn::{self, TurnDraft, TurnPrivate, TurnPublic, TurnSight};
use fog::testing::Walk;
use game::OwnState;
use game::secrets::ViewKey;
use prover::{Keys, NoProgress, ProofError, Srs, Statement};
use rand::{SeedableRng, rngs::StdRng};
use rules::Move;

/// A game in which each side captures a man of the other.
const MOVES: [&str; 5] = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3"];

/// A move of the game: its statement, and the state that it leads to, with the salt that the client gives it.
struct Ply {
    turn: (TurnPublic, TurnPrivate),
    after: OwnState,
}

/// The game, with the statement of each of its moves.
fn play() -> Vec<Ply> {
    let mut rng = StdRng::seed_from_u64(fog::testing::seed(71));
    let views = [ViewKey::from_bytes([3; 32]), ViewKey::from_bytes([4; 32])];
    let mut states = rules::Color::ALL.map(OwnState::start);
    let mut walk = Walk::start();
    let ply = |text: &&str| {
        let (mv, mover) = (text.parse::<Move>().expect("a move"), walk.to_move().index());
        let mut drawn = walk.pre(&mut rng);
        drawn.context.receiver_commitment = states[mover].commitment;
        drawn.context.sender_commitment = states[1 - mover].commitment;
        let (answer, next) = (drawn.answer(), states[mover].after(&views[mover], walk.pending, &mv));
        let sight = TurnSight {
            request_tree: &drawn.request_tree,
            scalars: &drawn.scalars,
            answer: &answer,
            ctx: drawn.context.ctx(),
        };
        let draft = TurnDraft {
            side: &states[mover].side,
            salt: states[mover].salt.0,
            pending: walk.pending,
            mv,
            next_salt: next.salt.0,
            fog_key: if walk.is_opening() { FogSecret::random(&mut rng).key() } else { drawn.secret.key() },
            sight: (!walk.is_opening()).then_some(sight),
            next_scalars: &walk.pre(&mut rng).scalars,
        };
        let turn = turn::gather(&draft).expect("a legal move");
        walk.play(&mv);
        states[mover] = next.clone();
        Ply { turn, after: next }
    };
    MOVES.iter().map(ply).collect()
}

/// The statement of a ciphertext of a state in a game.
fn vector_of(kind: Kind, state: &OwnState, pending: Option<rules::Square>) -> (EncryptedPublic, EncryptedPrivate) {
    let (color, phase) = (state.side.color, Phase::Pre);
    let board = BoardPublic { kind, commitment: state.commitment, pending, color, phase };
    encryption(board, &state.side, state.salt.0)
}

/// Whether a ciphertext is of the board that a move leads to: what who has both statements has to compare.
fn is_of(vector: &EncryptedPublic, turn: &TurnPublic) -> bool {
    (vector.board.commitment, vector.board.color) == (turn.next_commitment, turn.color)
}

#[test]
fn the_boards_of_a_game_carry_their_vectors_from_move_to_move() {
    let plies = play();
    for (number, Ply { turn: (public, private), after }) in plies.iter().enumerate() {
        turn::check(public, private).expect("a legal move");
        // The opponent moves by the item vector of this board; its owner by the view vector, once it knows what was captured.
        let next = plies.get(number + 2).map(|ply| &ply.turn.0);
        let item = vector_of(Kind::Item, after, None);
        let view = vector_of(Kind::View, after, next.and_then(|next| next.pending));
        for (statement, private) in [&item, &view] {
            assert_eq!(encrypted::check(statement, private), Ok(()));
            assert!(is_of(statement, public), "ply {number}");
        }
        if let Some(next) = next {
            assert_eq!(
                (next.commitment, next.pending),
                (view.0.board.commitment, view.0.board.pending),
                "ply {number}"
            );
        }
        // Every other board of the game has another commitment, and its vectors are none of this one.
        for (_, other) in plies.iter().enumerate().filter(|(other, _)| *other != number) {
            for kind in Kind::ALL {
                let (mut foreign, private) = vector_of(kind, &other.after, None);
                assert!(!is_of(&foreign, public));
                (foreign.board.commitment, foreign.board.color) = (public.next_commitment, public.color);
                assert_eq!(encrypted::check(&foreign, &private), Err(Unmet::Commitment));
            }
        }
    }
}

fn keys<C: Statement>(srs: &Srs, cache: &std::path::Path) -> Keys<C> {
    Keys::load_or_make(srs, cache, &NoProgress).expect("keys")
}

/// Proofs of the capture on d5, of what Black sees of the board after it, and of where White looks once it is recaptured.
#[test]
fn a_move_and_the_vectors_of_its_board_are_proved_together() {
    let cache = crate::common::cache();
    let srs = Srs::development(TurnCircuit::K, &cache, &NoProgress);
    let (turns, items, views) =
        (keys::<TurnCircuit>(&srs, &cache), keys::<ItemCircuit>(&srs, &cache), keys::<ViewCircuit>(&srs, &cache));
    let plies = play();
    let [before, capture, next] = [0, 2, 4].map(|ply| &plies[ply]);
    let ((turn, private), (next_turn, next_private)) = (&capture.turn, &next.turn);
    let item = vector_of(Kind::Item, &capture.after, None);
    let view = vector_of(Kind::View, &capture.after, next_turn.pending);
    assert!(turn.capture.is_some() && turn.capture == view.0.board.pending, "captured, and recaptured there");

    let mut rng = crate::common::rng();
    for (public, private) in [(turn, private), (next_turn, next_private)] {
        let proof = turns.prove(public, private, &mut rng).expect("a legal move");
        turns.verify(public, &proof).expect("a proof");
    }
    let item_proof = items.prove(&item.0, &item.1, &mut rng).expect("the board's vector");
    let view_proof = views.prove(&view.0, &view.1, &mut rng).expect("the board's vector");
    items.verify(&item.0, &item_proof).expect("a proof");
    views.verify(&view.0, &view_proof).expect("a proof");
    assert!(is_of(&item.0, turn) && is_of(&view.0, turn));
    assert_eq!((next_turn.commitment, next_turn.pending), (view.0.board.commitment, view.0.board.pending));

    // The vector of the board before the move: its proof is none of the board after it, and none can be made.
    let (old, old_private) = vector_of(Kind::Item, &before.after, None);
    let proof = items.prove(&old, &old_private, &mut rng).expect("the old board's vector");
    items.verify(&old, &proof).expect("a proof");
    assert!(!is_of(&old, turn));
    let mut moved = old.clone();
    moved.board.commitment = turn.next_commitment;
    assert!(matches!(items.verify(&moved, &proof), Err(ProofError::Rejected)));
    assert!(matches!(items.prove(&moved, &old_private, &mut rng), Err(ProofError::Unsatisfied(_))));
    // From the right board and salt, with a ciphertext that isn't of its vector.
    let claimed = EncryptedPublic { ciphertext: old.ciphertext.clone(), ..item.0.clone() };
    assert!(is_of(&claimed, turn));
    assert!(matches!(items.verify(&claimed, &item_proof), Err(ProofError::Rejected)));
    assert!(matches!(items.prove(&claimed, &item.1, &mut rng), Err(ProofError::Unsatisfied(_))));
    // And of where White looks as if nothing had been captured of it.
    let whole =
        EncryptedPublic { ciphertext: vector_of(Kind::View, &capture.after, None).0.ciphertext, ..view.0.clone() };
    assert!(matches!(views.verify(&whole, &view_proof), Err(ProofError::Rejected)));
    assert!(matches!(views.prove(&whole, &view.1, &mut rng), Err(ProofError::Unsatisfied(_))));
}
