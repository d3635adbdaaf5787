//! One's own states in a game: what is committed to, with which salt (protocol, sections 4 and 9). A state that is on
//! chain is found again by trying the own moves that could have led there; nothing is stored.

use crate::secrets::ViewKey;
use ff::Field;
use fog::{
    commitment::{Salt, commit, pack},
    engine,
    word::to_word,
};
use halo2curves::bn256::Fr;
use rules::{Color, Move, PieceType, Seen, Side, Sight, Square};

/// A state, its salt and its commitment.
#[derive(Clone, PartialEq, Eq)]
pub struct OwnState {
    /// Own pieces and rights, as committed to: a piece captured since is still there.
    pub side: Side,
    /// The salt of the commitment.
    pub salt: Salt,
    /// The commitment `H(COMMIT; side, salt)` to the side.
    pub commitment: Fr,
    /// The move that led here; none at the start.
    pub mv: Option<Move>,
    /// The state before that move; of an earlier one only the start is kept.
    before: Option<Box<OwnState>>,
}

fog::redacted!(OwnState);

impl OwnState {
    /// The starting position of a color, with salt 0.
    pub fn start(color: Color) -> Self {
        Self::new(Side::start(color), Fr::ZERO)
    }

    fn new(side: Side, salt: Fr) -> Self {
        let commitment = commit(&side, salt);
        Self { side, salt: Salt(salt), commitment, mv: None, before: None }
    }

    /// The board as it is for its owner's move, after a capture on `pending`.
    pub fn applied(&self, pending: Option<Square>) -> Side {
        self.side.without(pending)
    }

    /// The state after a move, with the salt that belongs to it.
    pub fn after(&self, view: &ViewKey, pending: Option<Square>, mv: &Move) -> Self {
        let side = self.side.without(pending).play(mv);
        let salt = view.next_salt(self.commitment, pack(&side));
        let mut before = self.clone();
        before.before = before.before.filter(|start| start.mv.is_none());
        Self { mv: Some(*mv), before: Some(Box::new(before)), ..Self::new(side, salt) }
    }

    /// Whether a view key opens the commitment to a player's first move, before which nothing of its own can have been captured; if it has made none, every
    /// key does.
    pub(crate) fn is_opened(color: Color, key: &ViewKey, first: Option<Fr>) -> bool {
        first.is_none_or(|commitment| Self::start(color).find(key, None, commitment).is_some())
    }

    /// The state that `commitment` commits to, if one move leads there.
    pub fn find(&self, view: &ViewKey, pending: Option<Square>, commitment: Fr) -> Option<Self> {
        let moves = candidates(&self.side.without(pending));
        let mut states = moves.iter().map(|mv| self.after(view, pending, mv));
        states.find(|state| state.commitment == commitment)
    }

    /// The state as a sight engine takes it.
    pub fn committed(&self) -> engine::CommittedState {
        let state = engine::CommittedState::new(self.side.clone(), to_word(&self.salt.0), to_word(&self.commitment));
        engine::CommittedState { steps: self.steps(), ..state }
    }

    /// The moves from the earliest state that is kept, the first one first.
    fn steps(&self) -> Vec<engine::OwnMove> {
        let (Some(before), Some(mv)) = (&self.before, self.mv) else { return Vec::new() };
        let last = engine::OwnMove { side: before.side.clone(), salt: to_word(&before.salt.0).into(), mv };
        before.steps().into_iter().chain([last]).collect()
    }
}

/// Every move that could be legal for a side, whatever the opponent has: those on a board that is empty but for it, and
/// the captures of its pawns. Whether a pawn captures *en passant* makes no difference to its owner's state.
pub fn candidates(side: &Side) -> Vec<Move> {
    let everywhere = |seen| Sight { squares: [seen; 64], en_passant: None };
    let mut moves = side.legal_moves(&everywhere(Seen::Empty));
    let captures = side.legal_moves(&everywhere(Seen::Piece(PieceType::Pawn)));
    let of_pawns = |mv: &Move| side.piece(mv.from) == Some(PieceType::Pawn);
    moves.extend(captures.into_iter().filter(of_pawns));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(side: Side) -> OwnState {
        OwnState::new(side, Fr::from(5))
    }

    #[test]
    fn every_kind_of_move_is_found_from_its_commitment() {
        let mut side = Side::empty(Color::White);
        for (square, piece) in [
            ("e1", PieceType::King),
            ("a1", PieceType::Rook),
            ("h1", PieceType::Rook),
            ("b7", PieceType::Pawn),
            ("e5", PieceType::Pawn),
            ("g2", PieceType::Pawn),
            ("d3", PieceType::Queen),
        ] {
            let square: Square = square.parse().expect("a square");
            side.pieces[square.index()] = Some(piece);
        }
        side.rights = rules::CastlingRights::BOTH;
        let view = ViewKey::from_bytes([3; 32]);
        let from = state(side);
        for mv in ["e1g1", "e1c1", "b7b8n", "b7a8q", "b7c8r", "e5d6", "e5f6", "g2g4", "d3h7", "e1d2"] {
            let mv: Move = mv.parse().expect("a move");
            let after = from.after(&view, None, &mv);
            assert_eq!(from.find(&view, None, after.commitment).and_then(|found| found.mv), Some(mv));
        }
        assert_eq!(from.find(&view, None, Fr::from(1)), None);
        assert_eq!(
            from.find(
                &ViewKey::from_bytes([4; 32]),
                None,
                from.after(&view, None, &"g2g4".parse().expect("a move")).commitment
            ),
            None
        );
    }

    #[test]
    fn a_captured_piece_is_gone_before_the_next_move() {
        let view = ViewKey::from_bytes([3; 32]);
        let start = OwnState::start(Color::Black);
        let pending: Option<Square> = Some("h8".parse().expect("a square"));
        let next = start.after(&view, pending, &"g8f6".parse().expect("a move"));
        assert_eq!(next.side.piece("h8".parse().expect("a square")), None);
        assert!(!next.side.rights.king_side && next.side.rights.queen_side);
        assert!(start.find(&view, pending, next.commitment).is_some());
        assert!(start.find(&view, None, next.commitment).is_none());
    }
}
