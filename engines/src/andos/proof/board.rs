//! The proof of a board: that its packet is the next of the sender's chain, and that the pawn phase's packet says which of its squares are
//! occupied.
//!
//! For the second the pairs (code, occupied) of all squares are, permuted and re-randomised, as many pairs (some code, 1) as the sender has men,
//! and else (0, 0), all but the codes in the open. The chain has no more codes than men: the captured are gone.
//!
//! Wire: the pawn phase's packet, the codes (1,024 bytes each), the digest of the copies, and the move's message if there was one; openings
//! in the same order.

use crate::andos::{
    packet::{PACKET, SQUARE, SQUARES},
    proof::{
        chain::{
            self, Advance, Advanced, Chain,
            lists::{BOARD, Claim, pairs},
            open_code,
            units::{Code, Units, code, code_bytes, roots},
        },
        challenge::Challenge,
        copies::{self, Step},
    },
    public_key::PublicKey,
    random::{StreamKey, permutation},
    secret_key::SecretKey,
};
use fog::{engine::Word, word::WORD};

/// What decides the sizes of a proof's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardSize {
    pub men: usize,
    /// Whether it has moved since the exchange before.
    pub moved: bool,
}

impl BoardSize {
    /// Bytes of what is said.
    pub const fn message_bytes(&self) -> usize {
        let of_move = if self.moved { chain::MESSAGE } else { 0 };
        PACKET + self.men * SQUARE + WORD + of_move
    }

    /// Bytes of the openings.
    pub const fn opening_bytes(&self) -> usize {
        let of_move = if self.moved { chain::opening_bytes() } else { 0 };
        copies::opening_bytes(&BOARD) + of_move
    }
}

pub struct BoardProof {
    pub message: Vec<u8>,
    step: Step,
    copies: StreamKey,
    advance: Option<Advance>,
}

/// The pairs of all squares, and what they are claimed to be.
fn occupancy(key: &PublicKey, general: &[u8], pawn: &[u8], codes: &[u8]) -> Option<Claim> {
    let (one, zero) = (open_code(key, 1), open_code(key, 0));
    let mut claimed: Vec<u8> = codes.chunks(SQUARE).flat_map(|code| [code, &one].concat()).collect();
    while claimed.len() < BOARD.bytes() {
        claimed.extend([&zero[..], &zero].concat());
    }
    Claim::new(key, BOARD, &pairs(general, pawn), &claimed)
}

impl BoardProof {
    /// Of the codes that a chain holds. Of other codes, a message whose openings prove nothing.
    pub fn new(
        key: &SecretKey,
        chain: &Chain,
        codes: &[u8; SQUARES],
        advance: Option<Advance>,
        randomness: &StreamKey,
    ) -> Self {
        let public = key.public();
        let mut units = Units::new(public, randomness, 2 * SQUARES);
        let [zero, one] = [0, 1].map(|bit| code(&open_code(public, bit), 0));
        let order = permutation(SQUARES, &mut randomness.stream(1));
        let is_man = |square: &u8| codes[usize::from(*square)] != 0;
        let (men, empty): (Vec<u8>, Vec<u8>) = order.into_iter().partition(is_man);
        let (mut pawn, mut shown, mut all) = (vec![0; PACKET], Vec::new(), Vec::new());
        let mut put = |square: usize, code: &Code| pawn[square * SQUARE..][..SQUARE].copy_from_slice(&code_bytes(code));
        for square in men.iter().copied().map(usize::from) {
            let (made, first, _) = units.rerandomise(&code(&chain.packet, square));
            let (occupied, _, second) = units.rerandomise(&one);
            put(square, &occupied);
            shown.extend(code_bytes(&made));
            all.extend([first, second]);
        }
        for square in empty.iter().copied().map(usize::from) {
            let (free, _, second) = units.rerandomise(&zero);
            put(square, &free);
            all.extend([roots(key, &code(&chain.packet, square), &zero), second]);
        }
        let squares = [men, empty].concat();
        let step = Step { masks: vec![0; SQUARES], squares, roots: all.concat() };
        let claim = occupancy(public, &chain.packet, &pawn, &shown).expect("own lists have elements");
        let copies = StreamKey::from_bytes(crate::andos::random::bytes(&mut randomness.stream(2)));
        let commitment = copies::commit(public, &claim.second, &copies);
        let mut message = [&pawn[..], &shown, &commitment].concat();
        message.extend(advance.iter().flat_map(|advance| &advance.message));
        Self { message, step, copies, advance }
    }

    /// The pawn phase's packet.
    pub fn pawn_packet(&self) -> &[u8] {
        &self.message[..PACKET]
    }

    /// The openings to a challenge.
    pub fn open(&self, key: &PublicKey, challenge: &Challenge) -> Vec<u8> {
        let mut openings = copies::open(key, &BOARD, &self.step, &self.copies, challenge);
        openings.extend(self.advance.iter().flat_map(|advance| advance.open(key, challenge)));
        openings
    }
}

/// The receiver's side: a board that is claimed.
pub struct BoardClaim {
    occupancy: Claim,
    commitment: Word,
    advanced: Option<Advanced>,
    /// The chain before the move, if there was none also after it.
    before: Chain,
    /// The packet that the exchange opened with.
    general: Vec<u8>,
}

impl BoardClaim {
    /// Reads what is said, [`BoardSize::message_bytes`], of the packet that an exchange opens with.
    pub fn read(
        key: &PublicKey,
        before: &Chain,
        size: &BoardSize,
        general: &[u8],
        message: &[u8],
    ) -> Result<Self, &'static str> {
        let (pawn, rest) = message.split_at(PACKET);
        let (codes, rest) = rest.split_at(size.men * SQUARE);
        let (commitment, of_move) = rest.split_at(WORD);
        let occupancy = occupancy(key, general, pawn, codes).ok_or("an element is not below the modulus")?;
        let read = || Advanced::read(key, before, of_move).map_err(|_| "the move is none");
        let advanced = size.moved.then(read).transpose()?;
        let commitment = std::array::from_fn(|i| commitment[i]);
        Ok(Self { occupancy, commitment, advanced, before: before.clone(), general: general.to_vec() })
    }

    /// The chain that holds the board, if the openings, [`BoardSize::opening_bytes`], prove it.
    pub fn verify(&self, key: &PublicKey, challenge: &Challenge, openings: &[u8]) -> Result<Chain, &'static str> {
        let (of_squares, of_move) = openings.split_at(copies::opening_bytes(&BOARD));
        let Claim { first, second } = &self.occupancy;
        let occupied = copies::verify(key, [first, second], &self.commitment, challenge, of_squares);
        occupied.map_err(|_| "the pawn phase's packet isn't that of the board")?;
        let next = match &self.advanced {
            Some(advanced) => advanced.verify(key, challenge, of_move).map_err(|_| "the move isn't proven")?,
            None => self.before.clone(),
        };
        (next.packet == self.general).then_some(next).ok_or("the packet isn't the next of the chain")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::andos::random::KEY_BYTES;
    use rules::{Color, PieceType, Side};

    fn stream(byte: u8) -> StreamKey {
        StreamKey::from_bytes([byte; KEY_BYTES])
    }

    /// A sender hides a pawn from the pawn phase, shows one that isn't there, or opens with another packet than its chain's.
    #[test]
    fn boards_that_are_not_the_chain_s_are_refused() {
        let key = SecretKey::generate(&stream(1));
        let public = key.public();
        let chain = Chain::start(public, Color::White);
        let codes: [u8; SQUARES] = Side::start(Color::White).pieces.map(|piece| piece.map_or(0, PieceType::code));
        let size = BoardSize { men: 16, moved: false };
        let challenge = Challenge::draw(&stream(2));
        let check = |codes: &[u8; SQUARES], general: &[u8]| {
            let proof = BoardProof::new(&key, &chain, codes, None, &stream(3));
            assert_eq!(proof.message.len(), size.message_bytes());
            let openings = proof.open(public, &challenge);
            assert_eq!(openings.len(), size.opening_bytes());
            let claim = BoardClaim::read(public, &chain, &size, general, &proof.message)?;
            claim.verify(public, &challenge, &openings)
        };
        assert_eq!(check(&codes, &chain.packet), Ok(chain.clone()));
        let mut moved = codes;
        moved.swap(8, 24);
        assert_eq!(check(&moved, &chain.packet), Err("the pawn phase's packet isn't that of the board"));
        let mut other = chain.clone();
        other.capture(public, rules::Square::new(8).expect("a square"));
        let mut fewer = codes;
        fewer[8] = 0;
        assert!(check(&codes, &other.packet).is_err());
        let proof = BoardProof::new(&key, &other, &fewer, None, &stream(4));
        let size = BoardSize { men: 15, moved: false };
        let claim = BoardClaim::read(public, &chain, &size, &other.packet, &proof.message).expect("elements");
        let refused = claim.verify(public, &challenge, &proof.open(public, &challenge));
        assert_eq!(refused, Err("the packet isn't the next of the chain"));
    }
}
