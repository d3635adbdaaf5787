//! The entries of the journal and their bytes. A key is the kind, the ply and the phase, so that a later entry of the same
//! kind replaces an earlier one; of a session's message the number follows too (2 bytes). Integers are big-endian, field elements words.
//!
//! ```text
//! 1 request   points (4096)
//! 2 answer    elements (23456) proof (…)
//! 3 choice    from to promotion offer (4) captured (1, if it captures; a withdrawn choice is empty)
//! 4 signed    from to promotion (3)  C′ requestRoot answerRoot basis (4 × 32)  capture king offer (3)  proof (…)
//! 5 released  ctx (32)
//! 6 set-up    a message of the opponent (its bytes)
//! 7 exchange  the same
//! 8 ply       own, time (1 + 8)  the ply as it is signed, up to its points, and its proof
//! 9 countersigned  the other player's signature under the position after the ply (64)
//! 10 result   winner outcome digest signature (98); as phase 0 the own one, 1 the opponent's
//! 11 wake     nothing
//! 12 evidence another ply that the opponent has signed, as 8 without its first 9 bytes
//! 13 begun    nothing
//! 14 behind   nothing
//! ```
//! Of a game between the machines plies, signatures and results are all that there is: they are kept for good.
//! Requests and answers of old plies are forgotten. The messages of sessions are kept for good: nothing proves them, and whoever is to be
//! called to account for them after the game needs them all.

use alloy::primitives::B256;
use fog::word::{from_word, to_word};
use game::message::{PLY_BYTES, SIGNATURE_BYTES};
use game::{GameResult, Message, MoveFields, Outcome, Phase, SessionId, SignedPly};
use halo2curves::bn256::Fr;
use rules::{Move, PieceType, Square};
use std::ops::Range;

const REQUEST: u8 = 1;
const ANSWER: u8 = 2;
const CHOICE: u8 = 3;
const SIGNED: u8 = 4;
const RELEASED: u8 = 5;
const SET_UP: u8 = 6;
const EXCHANGE: u8 = 7;
// Entries of a game between the machines:
const PLY: u8 = 8;
const COUNTERSIGNED: u8 = 9;
const RESULT: u8 = 10;
const WAKE: u8 = 11;
const EVIDENCE: u8 = 12;
const BEGUN: u8 = 13;
const BEHIND: u8 = 14;
const NONE: u8 = 64;
const WORD: usize = 32;

/// Why an entry can't be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// The check sum is wrong.
    #[error("its check sum is wrong")]
    Sum,
    /// The key is of no known kind.
    #[error("its key is of no known kind")]
    Key,
    /// The bytes are not what the kind has.
    #[error("its contents are malformed")]
    Contents,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A request or a proven answer of the opponent, or a message of a session that was accepted.
    Received(Message),
    /// The user has chosen a move; nothing is signed yet.
    Chosen {
        ply: u16,
        mv: Move,
        /// Whether to offer a draw with it.
        offer_draw: bool,
        /// What it captures, by the sight before it.
        captured: Option<PieceType>,
    },
    /// The choice came to nothing.
    Withdrawn { ply: u16 },
    /// The one transaction that is ever signed for the ply.
    Signed {
        mv: Move,
        fields: MoveFields,
        /// What it rests on.
        basis: B256,
        proof: Vec<u8>,
    },
    /// A ply of a game between the machines, verified and signed by its mover.
    Ply(Box<KeptPly>),
    /// The other player's signature under the position after a ply: the opponent's after an own one, the own after one of the opponent's.
    Countersigned { ply: u16, signature: [u8; SIGNATURE_BYTES] },
    /// How the game ended, as a player has signed it. Once it is the own, nothing more is signed.
    Result { own: bool, result: GameResult, signature: [u8; SIGNATURE_BYTES] },
    /// A wake is sent at a position: nothing more is played between the machines.
    Wake {
        ply: u16,
        /// The draw that is claimed once it goes on there: by fifty moves, or for want of a move.
        claim: Option<Outcome>,
    },
    /// A second, different ply that the opponent has signed.
    Evidence(Box<SignedPly>),
    /// A game between the machines is known here from its beginning: whatever was signed in it after that stands here as well.
    Begun,
    /// Some of the game was lost here: nothing more is signed between the machines.
    Behind,
    /// A sight that leaves for the opponent; it never does for another exchange.
    Released {
        ply: u16,
        /// Before or after its move.
        phase: Phase,
        /// The `ctx` of the exchange.
        ctx: Fr,
    },
}

/// A signed ply as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptPly {
    pub own: bool,
    /// When it was made or came, by this machine's clock, in seconds since 1970.
    pub at: u64,
    pub signed: SignedPly,
}

impl Entry {
    /// Whether what it belongs to must not leave before it is kept by everybody who keeps such entries for a recovery.
    pub fn is_of_a_channel(&self) -> bool {
        matches!(
            self,
            Self::Ply(_)
                | Self::Countersigned { .. }
                | Self::Result { .. }
                | Self::Wake { .. }
                | Self::Evidence(_)
                | Self::Begun
                | Self::Behind
        )
    }

    /// The ply it belongs to.
    pub fn ply(&self) -> u16 {
        match self {
            Self::Received(message) => message.id().ply,
            Self::Chosen { ply, .. } | Self::Withdrawn { ply } | Self::Released { ply, .. } => *ply,
            Self::Signed { fields, .. } => fields.ply,
            Self::Ply(kept) => kept.signed.fields.ply,
            Self::Evidence(signed) => signed.fields.ply,
            Self::Countersigned { ply, .. } | Self::Wake { ply, .. } => *ply,
            Self::Result { .. } | Self::Begun | Self::Behind => 0,
        }
    }

    /// Kind, ply and phase; of a session's message its number too.
    pub fn key(&self) -> Vec<u8> {
        let (kind, phase) = match self {
            Self::Received(Message::Session { session, index, .. }) => {
                let (kind, ply, phase) = match *session {
                    SessionId::SetUp => (SET_UP, 0, Phase::Pre),
                    SessionId::Exchange { ply, phase } => (EXCHANGE, ply, phase),
                };
                return [&[kind], &ply.to_be_bytes()[..], &[phase as u8], &index.to_be_bytes()].concat();
            }
            Self::Received(Message::Answer { phase, .. }) => (ANSWER, *phase as u8),
            Self::Received(_) => (REQUEST, 0),
            Self::Chosen { .. } | Self::Withdrawn { .. } => (CHOICE, 0),
            Self::Signed { .. } => (SIGNED, 0),
            Self::Released { phase, .. } => (RELEASED, *phase as u8),
            Self::Ply(_) => (PLY, 0),
            Self::Countersigned { .. } => (COUNTERSIGNED, 0),
            Self::Result { own, .. } => (RESULT, u8::from(!own)),
            Self::Wake { claim: None, .. } => (WAKE, 0),
            Self::Wake { claim: Some(Outcome::FiftyMoves), .. } => (WAKE, 1),
            Self::Wake { claim: Some(_), .. } => (WAKE, 2),
            Self::Evidence(_) => (EVIDENCE, 0),
            Self::Begun => (BEGUN, 0),
            Self::Behind => (BEHIND, 0),
        };
        let [high, low] = self.ply().to_be_bytes();
        vec![kind, high, low, phase]
    }

    /// The keys of the messages of sights that followed on moves after the own one of ply `common`, which the sight before the opponent's
    /// next move doesn't: its opening was promised with the own one.
    pub(super) fn sights_after(common: Option<u16>) -> Range<[u8; 4]> {
        let start = common.map_or([EXCHANGE, 0, 0, 0], |ply| {
            let [high, low] = ply.saturating_add(1).to_be_bytes();
            [EXCHANGE, high, low, Phase::Post as u8]
        });
        start..[EXCHANGE + 1, 0, 0, 0]
    }

    /// The keys of requests and answers for plies before `oldest`.
    pub(super) fn messages_before(oldest: u16) -> [Range<[u8; 4]>; 2] {
        let [high, low] = oldest.to_be_bytes();
        [REQUEST, ANSWER].map(|kind| [kind, 0, 0, 0]..[kind, high, low, 0])
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Received(message) => message.engine_bytes(),
            Self::Withdrawn { .. } | Self::Wake { .. } | Self::Begun | Self::Behind => Vec::new(),
            Self::Ply(kept) => {
                let KeptPly { own, at, signed } = &**kept;
                [&[u8::from(*own)], &at.to_be_bytes()[..], &signed.head(), &signed.proof].concat()
            }
            Self::Evidence(signed) => [signed.head(), signed.proof.clone()].concat(),
            Self::Countersigned { signature, .. } => signature.to_vec(),
            Self::Result { result, signature, .. } => {
                Message::Result { result: *result, signature: *signature }.engine_bytes()
            }
            Self::Released { ctx, .. } => to_word(ctx).to_vec(),
            Self::Chosen { mv, offer_draw, captured, .. } => {
                [&move_bytes(mv)[..], &[u8::from(*offer_draw)], captured.map(PieceType::code).as_slice()].concat()
            }
            Self::Signed { mv, fields, basis, proof } => {
                let words = [fields.next_commitment, fields.next_request_root, fields.answer_root];
                let capture = fields.capture.map_or(NONE, u8::from);
                let flags = [capture, u8::from(fields.king_fell), u8::from(fields.offer_draw)];
                let words = words.map(|word| to_word(&word));
                [&move_bytes(mv)[..], words.as_flattened(), basis.as_slice(), &flags, proof].concat()
            }
        }
    }

    pub(crate) fn decode(key: &[u8], bytes: &[u8]) -> Result<Self, EntryError> {
        let (kind, high, low, phase) = match *key {
            [kind, high, low, phase] => (kind, high, low, phase),
            [kind, high, low, phase, first, second] => {
                let (ply, index) = (u16::from_be_bytes([high, low]), u16::from_be_bytes([first, second]));
                let session = match (kind, ply, phase) {
                    (SET_UP, 0, 0) => SessionId::SetUp,
                    (EXCHANGE, ply, 0) => SessionId::Exchange { ply, phase: Phase::Pre },
                    (EXCHANGE, ply, 1) => SessionId::Exchange { ply, phase: Phase::Post },
                    _ => return Err(EntryError::Key),
                };
                return Ok(Self::Received(Message::Session { session, index, bytes: bytes.to_vec() }));
            }
            _ => return Err(EntryError::Key),
        };
        let ply = u16::from_be_bytes([high, low]);
        let entry = match (kind, phase) {
            (REQUEST, 0) => Message::request(ply, bytes).map(Self::Received),
            (ANSWER, 0) => Message::answer(ply, Phase::Pre, bytes).map(Self::Received),
            (ANSWER, 1) => Message::answer(ply, Phase::Post, bytes).map(Self::Received),
            (CHOICE, 0) if bytes.is_empty() => Some(Self::Withdrawn { ply }),
            (CHOICE, 0) => chosen(ply, bytes),
            (SIGNED, 0) => signed(ply, bytes),
            (RELEASED, 0) => released(ply, Phase::Pre, bytes),
            (RELEASED, 1) => released(ply, Phase::Post, bytes),
            (PLY, 0) => kept(ply, bytes),
            (COUNTERSIGNED, 0) => bytes.try_into().ok().map(|signature| Self::Countersigned { ply, signature }),
            (RESULT, 0 | 1) => match Message::result(bytes) {
                Some(Message::Result { result, signature }) => {
                    Some(Self::Result { own: phase == 0, result, signature })
                }
                _ => None,
            },
            (WAKE, 0..=2) if bytes.is_empty() => {
                let claims = [None, Some(Outcome::FiftyMoves), Some(Outcome::NoMove)];
                Some(Self::Wake { ply, claim: claims[usize::from(phase)] })
            }
            (EVIDENCE, 0) => signed_ply(ply, bytes).map(Self::Evidence),
            (BEGUN, 0) if (ply, bytes.len()) == (0, 0) => Some(Self::Begun),
            (BEHIND, 0) if (ply, bytes.len()) == (0, 0) => Some(Self::Behind),
            _ => return Err(EntryError::Key),
        };
        entry.ok_or(EntryError::Contents)
    }
}

fn chosen(ply: u16, bytes: &[u8]) -> Option<Entry> {
    let (mv, rest) = bytes.split_first_chunk()?;
    let (offer_draw, captured) = match *rest {
        [offer_draw] => (offer_draw, None),
        [offer_draw, code] => (offer_draw, Some(PieceType::from_code(code)?)),
        _ => return None,
    };
    Some(Entry::Chosen { ply, mv: move_of(*mv)?, offer_draw: boolean(offer_draw)?, captured })
}

fn signed(ply: u16, bytes: &[u8]) -> Option<Entry> {
    let (mv, rest) = bytes.split_first_chunk()?;
    let (words, rest) = rest.split_first_chunk::<{ 3 * WORD }>()?;
    let (basis, rest) = rest.split_first_chunk::<WORD>()?;
    let ([capture, king_fell, offer_draw], proof) = rest.split_first_chunk()?;
    let (words, _) = words.as_chunks();
    let words: Vec<Fr> = words.iter().map(from_word).collect::<Option<_>>()?;
    let [next_commitment, next_request_root, answer_root] = words[..] else { return None };
    let capture = match *capture {
        NONE => None,
        index => Some(Square::new(index)?),
    };
    let (king_fell, offer_draw) = (boolean(*king_fell)?, boolean(*offer_draw)?);
    let fields = MoveFields { ply, next_commitment, next_request_root, answer_root, capture, king_fell, offer_draw };
    Some(Entry::Signed { mv: move_of(*mv)?, fields, basis: basis.into(), proof: proof.to_vec() })
}

fn kept(ply: u16, bytes: &[u8]) -> Option<Entry> {
    let ([own], rest) = bytes.split_first_chunk()?;
    let (at, rest) = rest.split_first_chunk()?;
    let (own, at, signed) = (boolean(*own)?, u64::from_be_bytes(*at), *signed_ply(ply, rest)?);
    Some(Entry::Ply(Box::new(KeptPly { own, at, signed })))
}

fn signed_ply(ply: u16, bytes: &[u8]) -> Option<Box<SignedPly>> {
    let (head, proof) = bytes.split_at_checked(PLY_BYTES)?;
    SignedPly::of(ply, head, proof.to_vec()).map(Box::new)
}

fn released(ply: u16, phase: Phase, bytes: &[u8]) -> Option<Entry> {
    let ctx = from_word(bytes.try_into().ok()?)?;
    Some(Entry::Released { ply, phase, ctx })
}

fn move_bytes(mv: &Move) -> [u8; 3] {
    [mv.from.into(), mv.to.into(), mv.promotion.map_or(0, PieceType::code)]
}

fn move_of([from, to, promotion]: [u8; 3]) -> Option<Move> {
    let promotion = match promotion {
        0 => None,
        code => Some(PieceType::from_code(code)?),
    };
    Some(Move { from: Square::new(from)?, to: Square::new(to)?, promotion })
}

fn boolean(byte: u8) -> Option<bool> {
    (byte <= 1).then_some(byte == 1)
}
