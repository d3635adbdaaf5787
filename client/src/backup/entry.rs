//! The entries of a backup and their bytes. Integers are big-endian, field elements words.
//!
//! ```text
//! 1 ply            ply (2)  at (8)  C′ requestRoot answerRoot (3 × 32)  capture king offer (3)  clock (4)  signed (1)  signature (64)
//!                  points (2, and so many)  proof (…)
//! 2 countersigned  ply (2)  signature (64)
//! 3 result         own (2)  winner outcome (2)  last (32)  signature (64)
//! 4 wake           ply (2)
//! 5 second         as 1
//! ```
//! An entry is framed by its length (4) and a check sum of length and bytes (8).

use super::{Contents, KeptPly};
use crate::journal;
use alloy::primitives::B256;
use fog::word::{from_word, to_word};
use game::channel_transcript::Signature;
use game::{GameResult, MoveFields, Outcome};
use halo2curves::bn256::Fr;
use rules::Square;
use sha2::{Digest as _, Sha256};

const PLY: u8 = 1;
const COUNTERSIGNED: u8 = 2;
const RESULT: u8 = 3;
const WAKE: u8 = 4;
const SECOND: u8 = 5;
/// In the place of a square.
const NO_SQUARE: u8 = 64;
/// In the place of a winner.
const NOBODY: u8 = 2;
const WORD: usize = 32;
/// Bytes of the frame before those of an entry.
const FRAME_BYTES: usize = 12;
/// More bytes no entry has.
const MAX_BYTES: usize = 1 << 16;
/// More second plies are evidence of nothing new.
const MAX_SECONDS: usize = 64;

/// What must be safe before anything that belongs to it leaves the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Ply(SignedPly),
    /// The other player's signature under the position after a ply.
    Countersigned {
        ply: u16,
        signature: Signature,
    },
    /// How the game ended, as one of the players has signed it.
    Result {
        own: bool,
        result: GameResult,
        signature: Signature,
    },
    /// The game is about to be woken at a ply: nothing more is played by the link.
    Wake {
        ply: u16,
    },
    /// Another ply that the opponent has signed beside the one that was taken: evidence.
    Second(SignedPly),
}

/// A ply of either player, as its mover declared and signed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedPly {
    pub fields: MoveFields,
    /// What the mover has on its clock after it, in seconds.
    pub clock: u32,
    /// The mover's signature under the position after it; none where a king falls, for such a position nobody signs.
    pub signature: Option<Signature>,
    pub proof: Vec<u8>,
    /// The points of the mover's new request, if they are kept.
    pub points: Vec<u8>,
    /// When it was made or came, by the machine's clock, in seconds since 1970.
    pub at: u64,
}

impl SignedPly {
    fn of(signed: &game::SignedPly, at: u64) -> Self {
        let game::SignedPly { fields, clock, signature, points, proof } = signed;
        // Where a king falls nobody signs a position.
        let signature = Some(Signature(*signature)).filter(|signature| signature.0 != [0; 64]);
        Self { fields: *fields, clock: *clock, signature, proof: proof.clone(), points: points.to_vec(), at }
    }

    /// Whether it is what another is as well: the same move, signed in the same position.
    fn is(&self, other: &Self) -> bool {
        (self.fields, self.clock, self.signature) == (other.fields, other.clock, other.signature)
    }
}

/// Why an entry can't be kept where one of its place stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misfit {
    /// Another one was kept.
    Taken,
    /// Those before it are missing.
    Gap,
}

impl Entry {
    /// What a journal's entry is here; none for one that a recovery doesn't need.
    pub fn of(entry: &journal::Entry) -> Option<Self> {
        Some(match entry {
            journal::Entry::Ply(kept) => Self::Ply(SignedPly::of(&kept.signed, kept.at)),
            journal::Entry::Countersigned { ply, signature } => {
                Self::Countersigned { ply: *ply, signature: Signature(*signature) }
            }
            journal::Entry::Result { own, result, signature } => {
                Self::Result { own: *own, result: *result, signature: Signature(*signature) }
            }
            journal::Entry::Wake { ply } => Self::Wake { ply: *ply },
            journal::Entry::Evidence(signed) => Self::Second(SignedPly::of(signed, 0)),
            journal::Entry::Received(_)
            | journal::Entry::Chosen { .. }
            | journal::Entry::Withdrawn { .. }
            | journal::Entry::Signed { .. }
            | journal::Entry::Released { .. } => return None,
        })
    }

    /// What it is, for a sentence.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Ply(SignedPly { fields, .. }) | Self::Second(SignedPly { fields, .. }) => {
                format!("ply {}", fields.ply)
            }
            Self::Countersigned { ply, .. } => format!("signature under ply {ply}"),
            Self::Result { .. } => "result".to_owned(),
            Self::Wake { ply } => format!("wake at ply {ply}"),
        }
    }

    /// Puts it to those that are kept: says whether it is new.
    pub(super) fn set(&self, contents: &mut Contents) -> Result<bool, Misfit> {
        let taken = |is_same: bool| if is_same { Ok(false) } else { Err(Misfit::Taken) };
        match self {
            Self::Ply(signed) => match contents.plies.get(usize::from(signed.fields.ply)) {
                Some(known) => taken(known.signed.is(signed)),
                None if contents.plies.len() == usize::from(signed.fields.ply) => {
                    contents.plies.push(KeptPly { signed: signed.clone(), countersignature: None });
                    Ok(true)
                }
                None => Err(Misfit::Gap),
            },
            Self::Countersigned { ply, signature } => match contents.plies.get_mut(usize::from(*ply)) {
                Some(KeptPly { countersignature: Some(known), .. }) => taken(known == signature),
                Some(known) => {
                    known.countersignature = Some(*signature);
                    Ok(true)
                }
                None => Err(Misfit::Gap),
            },
            Self::Result { own, result, signature } => {
                let place = &mut contents.results[usize::from(!own)];
                match place {
                    Some(known) => taken(*known == (*result, *signature)),
                    None => {
                        *place = Some((*result, *signature));
                        Ok(true)
                    }
                }
            }
            Self::Wake { ply } => Ok(contents.wakes.insert(*ply)),
            Self::Second(signed) => {
                let is_new =
                    contents.seconds.len() < MAX_SECONDS && !contents.seconds.iter().any(|known| known.is(signed));
                contents.seconds.extend(is_new.then(|| signed.clone()));
                Ok(is_new)
            }
        }
    }

    /// As it stands in the file.
    pub(super) fn framed(&self) -> Vec<u8> {
        let body = match self {
            Self::Ply(signed) => [vec![PLY], bytes_of(signed)].concat(),
            Self::Second(signed) => [vec![SECOND], bytes_of(signed)].concat(),
            Self::Countersigned { ply, signature } => [&[COUNTERSIGNED], &ply.to_be_bytes()[..], &signature.0].concat(),
            Self::Result { own, result, signature } => {
                let GameResult { creator_won, outcome, last } = result;
                let winner = creator_won.map_or(NOBODY, |creator_won| u8::from(!creator_won));
                [&[RESULT, 0, u8::from(*own), winner, *outcome as u8], &last[..], &signature.0].concat()
            }
            Self::Wake { ply } => [&[WAKE], &ply.to_be_bytes()[..]].concat(),
        };
        let length = u32::try_from(body.len()).unwrap_or(u32::MAX).to_be_bytes();
        [&length[..], &sum(&length, &body), &body].concat()
    }

    fn decode(body: &[u8]) -> Option<Self> {
        let ([kind, high, low], rest) = body.split_first_chunk()?;
        let ply = u16::from_be_bytes([*high, *low]);
        match *kind {
            PLY => signed_ply(ply, rest).map(Self::Ply),
            SECOND => signed_ply(ply, rest).map(Self::Second),
            COUNTERSIGNED => Some(Self::Countersigned { ply, signature: Signature(rest.try_into().ok()?) }),
            RESULT => {
                let ([winner, outcome], rest) = rest.split_first_chunk()?;
                let (last, signature) = rest.split_first_chunk::<WORD>()?;
                let creator_won = match *winner {
                    NOBODY => None,
                    role => Some(!flag(role)?),
                };
                let (outcome, _): &(Outcome, _) = Outcome::NAMES.get(usize::from(*outcome))?;
                let result = GameResult { creator_won, outcome: *outcome, last: B256::from(last) };
                let own = flag(u8::try_from(ply).ok()?)?;
                Some(Self::Result { own, result, signature: Signature(signature.try_into().ok()?) })
            }
            WAKE if rest.is_empty() => Some(Self::Wake { ply }),
            _ => None,
        }
    }
}

fn bytes_of(signed: &SignedPly) -> Vec<u8> {
    let SignedPly { fields, clock, signature, proof, points, at } = signed;
    let words = [fields.next_commitment, fields.next_request_root, fields.answer_root].map(|word| to_word(&word));
    let capture = fields.capture.map_or(NO_SQUARE, u8::from);
    let flags = [capture, u8::from(fields.king_fell), u8::from(fields.offer_draw)];
    let is_signed = u8::from(signature.is_some());
    let signature = signature.map_or([0; 64], |signature| signature.0);
    let length = u16::try_from(points.len()).unwrap_or(u16::MAX).to_be_bytes();
    let numbers = [&fields.ply.to_be_bytes()[..], &at.to_be_bytes()].concat();
    [&numbers[..], words.as_flattened(), &flags, &clock.to_be_bytes(), &[is_signed], &signature, &length, points, proof]
        .concat()
}

fn signed_ply(ply: u16, bytes: &[u8]) -> Option<SignedPly> {
    let (at, rest) = bytes.split_first_chunk()?;
    let (words, rest) = rest.split_first_chunk::<{ 3 * WORD }>()?;
    let ([capture, king_fell, offer_draw], rest) = rest.split_first_chunk()?;
    let (clock, rest) = rest.split_first_chunk()?;
    let ([is_signed], rest) = rest.split_first_chunk()?;
    let (signature, rest) = rest.split_first_chunk::<64>()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (points, proof) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
    let (words, _) = words.as_chunks();
    let words: Vec<Fr> = words.iter().map(from_word).collect::<Option<_>>()?;
    let [next_commitment, next_request_root, answer_root] = words[..] else { return None };
    let capture = match *capture {
        NO_SQUARE => None,
        index => Some(Square::new(index)?),
    };
    let (king_fell, offer_draw) = (flag(*king_fell)?, flag(*offer_draw)?);
    let signature = flag(*is_signed)?.then_some(Signature(*signature));
    let fields = MoveFields { ply, next_commitment, next_request_root, answer_root, capture, king_fell, offer_draw };
    let (clock, at) = (u32::from_be_bytes(*clock), u64::from_be_bytes(*at));
    Some(SignedPly { fields, clock, signature, proof: proof.to_vec(), points: points.to_vec(), at })
}

fn flag(byte: u8) -> Option<bool> {
    (byte <= 1).then_some(byte == 1)
}

/// What stands at the front of bytes.
pub(super) enum Front {
    /// An entry of so many bytes, frame included.
    Entry(Box<Entry>, usize),
    /// The last entry, of which only a part was written: nobody was told that it is safe.
    Torn,
    /// What was written once and is something else now.
    Damaged,
}

/// Reads the first entry of bytes, of which there are some.
pub(super) fn front(bytes: &[u8]) -> Front {
    match whole(bytes) {
        Some(body) => {
            Entry::decode(body).map_or(Front::Damaged, |entry| Front::Entry(Box::new(entry), FRAME_BYTES + body.len()))
        }
        // Each entry is on disk before the next is written, so only the last can be cut off.
        None if (1..bytes.len()).any(|at| whole(&bytes[at..]).is_some()) => Front::Damaged,
        None => Front::Torn,
    }
}

/// The bytes of the entry at the front, if all of them are there.
fn whole(bytes: &[u8]) -> Option<&[u8]> {
    let (frame, rest) = bytes.split_first_chunk::<FRAME_BYTES>()?;
    let (length, given) = frame.split_at(4);
    let size = length.iter().fold(0, |size, byte| size << 8 | usize::from(*byte));
    let body = rest.get(..size).filter(|body| (1..=MAX_BYTES).contains(&body.len()))?;
    (sum(length, body) == given).then_some(body)
}

pub(super) fn sum(length: &[u8], body: &[u8]) -> [u8; 8] {
    let digest = Sha256::new().chain_update(length).chain_update(body).finalize();
    std::array::from_fn(|i| digest[i])
}
