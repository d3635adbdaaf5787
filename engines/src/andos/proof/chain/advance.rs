//! The mover's side of a move: the message, and the openings to a challenge.

use super::{
    Chain,
    lists::{self, BOARD, Claim, LAST_RANK, OF_TYPES, RANK, TYPES},
    open_code,
    units::{Code, Units, code, code_bytes, roots},
};
use crate::andos::{
    packet::{BITS, Form, PACKET, SQUARE, SQUARES},
    proof::{
        challenge::Challenge,
        copies::{self, Step},
    },
    public_key::PublicKey,
    random::{self, StreamKey, permutation},
    secret_key::SecretKey,
};
use crypto_bigint::U2048;
use rules::{PieceType, Side};

/// A move, ready to be proven.
pub struct Advance {
    pub message: Vec<u8>,
    /// The chain after it.
    pub next: Chain,
    proofs: Vec<(Form, Step, StreamKey)>,
}

/// What changes on a board: the squares of two swaps, each of a man and an own-empty square or of two such, and which square of the last rank
/// (its file) becomes what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub swaps: [(usize, usize); 2],
    /// File and new type.
    pub promotion: Option<(usize, u8)>,
}

impl Change {
    /// What leads from one board to the other; `None` where more changes than a move can.
    pub fn between(before: &Side, after: &Side) -> Option<Self> {
        let squares = |here: &Side, there: &Side| -> Vec<usize> {
            let is_left = |square: &usize| here.pieces[*square].is_some() && there.pieces[*square].is_none();
            (0..SQUARES).filter(is_left).collect()
        };
        let (left, mut reached) = (squares(before, after), squares(after, before));
        let empty = (0..SQUARES).find(|square| before.pieces[*square].or(after.pieces[*square]).is_none())?;
        let mut change = Self { swaps: [(empty, empty); 2], promotion: None };
        // The identity: a swap needs two squares.
        let other = (empty + 1..SQUARES).find(|square| before.pieces[*square].or(after.pieces[*square]).is_none())?;
        change.swaps = [(empty, other); 2];
        if left.len() != reached.len() || left.len() > 2 {
            return None;
        }
        for (swap, from) in change.swaps.iter_mut().zip(left) {
            let same = reached.iter().position(|to| after.pieces[*to] == before.pieces[from]);
            let to = reached.remove(same.or_else(|| (reached.len() == 1).then_some(0))?);
            if same.is_none() {
                change.promotion = Some((to % 8, after.pieces[to]?.code()));
            }
            *swap = (from, to);
        }
        Some(change)
    }
}

/// A swap of a man on `from` with an empty square `to`: its bytes, and how its list is made.
fn swap(key: &SecretKey, packet: &[u8], (from, to): (usize, usize), randomness: &StreamKey) -> (Vec<u8>, Step) {
    let public = key.public();
    let mut units = Units::new(public, randomness, 2 * SQUARES);
    let order = permutation(SQUARES, &mut randomness.stream(1)).into_iter();
    let kept: Vec<u8> = order.filter(|square| ![from, to].contains(&usize::from(*square))).collect();
    let (mut next, mut codes, mut all) = (vec![0; PACKET], Vec::new(), Vec::new());
    let mut put = |square: usize, code: &Code| next[square * SQUARE..][..SQUARE].copy_from_slice(&code_bytes(code));
    for square in kept.iter().copied().map(usize::from) {
        let (made, first, _) = units.rerandomise(&code(packet, square));
        let (after, _, second) = units.rerandomise(&made);
        put(square, &after);
        codes.extend(code_bytes(&made));
        all.extend([first, second]);
    }
    let empty = code(&open_code(public, 0), 0);
    let (moved, first, _) = units.rerandomise(&code(packet, from));
    let (left, _, second) = units.rerandomise(&empty);
    put(from, &left);
    all.extend([first, second]);
    let (reached, _, second) = units.rerandomise(&moved);
    put(to, &reached);
    all.extend([roots(key, &code(packet, to), &empty), second]);
    codes.extend(code_bytes(&moved));
    let squares: Vec<u8> = kept.into_iter().chain([from as u8, to as u8]).collect();
    let step = Step { masks: vec![0; SQUARES], squares, roots: all.concat() };
    ([next, codes].concat(), step)
}

/// A retyping of the last rank: its bytes, and how its two lists are made.
fn retype(
    key: &SecretKey,
    rank: &[u8],
    promotion: Option<(usize, u8)>,
    randomness: &StreamKey,
) -> (Vec<u8>, [Step; 2]) {
    let public = key.public();
    let mut units = Units::new(public, randomness, 2 * (RANK + 1) + TYPES + 2);
    let opened = |code_: u8| code(&open_code(public, code_), 0);
    // The types in a random order, the one that is needed first.
    let mut order = permutation(TYPES, &mut randomness.stream(1));
    let needed = promotion
        .and_then(|(_, code)| order.iter().position(|i| PieceType::PROMOTIONS[usize::from(*i)].code() == code));
    order.swap(0, needed.unwrap_or(0));
    let of_type = |place: &u8| opened(PieceType::PROMOTIONS[usize::from(*place)].code());
    let types: Vec<(Code, Code, Code)> = order.iter().map(|place| units.rerandomise(&of_type(place))).collect();
    let type_roots: Vec<Code> = types.iter().map(|(_, root, _)| *root).collect();
    let types_step = Step { masks: vec![0; TYPES], squares: order, roots: type_roots.concat() };
    let (pawn, type_) = (opened(PieceType::Pawn.code()), types[0].0);
    // Of the nine pairs the last is (pawn, type): the spare one, or the promoted pawn's.
    let retyped = promotion.map_or(RANK, |(file, _)| file);
    let order = permutation(RANK + 1, &mut randomness.stream(2)).into_iter();
    let mut squares: Vec<u8> = order.filter(|pair| usize::from(*pair) != retyped).collect();
    let mut after = vec![[U2048::ZERO; BITS]; RANK + 1];
    let (mut kept, mut all, mut spare) = (Vec::new(), Vec::new(), opened(0));
    for pair in squares.iter().copied().map(usize::from) {
        let before = if pair == RANK {
            spare = units.rerandomise(&opened(0)).0;
            spare
        } else {
            code(rank, pair)
        };
        let (made, first, _) = units.rerandomise(&before);
        let (second_code, _, second) = units.rerandomise(&made);
        after[pair] = second_code;
        kept.extend(code_bytes(&made));
        all.extend([first, second]);
    }
    let first = if retyped == RANK {
        let (made, _, back) = units.rerandomise(&pawn);
        spare = made;
        back
    } else {
        roots(key, &code(rank, retyped), &pawn)
    };
    let (second_code, _, second) = units.rerandomise(&type_);
    after[retyped] = second_code;
    all.extend([first, second]);
    squares.push(retyped as u8);
    let step = Step { masks: vec![0; RANK + 1], squares, roots: all.concat() };
    let mut bytes: Vec<u8> = after[..RANK].iter().flat_map(code_bytes).collect();
    bytes.extend([code_bytes(&spare), code_bytes(&after[RANK]), kept].concat());
    bytes.extend(types.iter().flat_map(|(made, _, _)| code_bytes(made)));
    (bytes, [step, types_step])
}

impl Advance {
    /// A move that changes a board as said. Of a change that no move makes, a message whose openings prove nothing.
    pub fn new(key: &SecretKey, chain: &Chain, change: &Change, randomness: &StreamKey) -> Self {
        let part = |number: usize| StreamKey::from_bytes(random::bytes(&mut randomness.stream(number)));
        let public = key.public();
        let (first, first_step) = swap(key, &chain.packet, change.swaps[0], &part(0));
        let (second, second_step) = swap(key, &first[..PACKET], change.swaps[1], &part(1));
        let rank = lists::rank(chain, &second[..PACKET]);
        let (retyping, [rank_step, types_step]) = retype(key, rank, change.promotion, &part(2));
        let claim = |claim: Option<Claim>| claim.expect("own lists have elements").second;
        let [ranks, types] = lists::retyping(public, rank, &retyping).expect("own lists have elements");
        let lists = [
            (BOARD, claim(lists::swap(public, &chain.packet, &first)), first_step),
            (BOARD, claim(lists::swap(public, &first[..PACKET], &second)), second_step),
            (LAST_RANK, ranks.second, rank_step),
            (OF_TYPES, types.second, types_step),
        ];
        let next = lists::next(chain, &second, &retyping);
        let mut message = [first, second, retyping].concat();
        let mut proofs = Vec::new();
        for (number, (form, list, step)) in lists.into_iter().enumerate() {
            let copies = part(3 + number);
            message.extend(copies::commit(public, &list, &copies));
            proofs.push((form, step, copies));
        }
        Self { message, next, proofs }
    }

    /// The openings to a challenge.
    pub fn open(&self, key: &PublicKey, challenge: &Challenge) -> Vec<u8> {
        let openings = self.proofs.iter();
        openings.flat_map(|(form, step, copies)| copies::open(key, form, step, copies, challenge)).collect()
    }
}
