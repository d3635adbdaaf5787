//! The masks of the oblivious transfer, on the sender's side (protocol section 5, "Answer").
//!
//! `D_s = a·B_s`, `k_{s,j} = (D_s − j·a·A).x`, `M_{s,j} = H(OT; k_{s,j}, ctx + 8s + j)`, two outputs.

use crate::{
    F,
    curve::{FogKey, FogSecret, Point, mul, normalize},
    engine::sight_lines::geometry::pawn_may_stand,
    engine::sight_lines::request::{Request, RequestError},
    multiply::multiply,
    poseidon::{Tag, hash2},
    secret::wipe_all,
};
use rules::{PieceType, Square};

/// Choices of a request: none and six types.
pub const CHOICES: usize = 7;

/// The mask of a choice, from its key.
pub fn mask(key: F, ctx: F, square: Square, choice: usize) -> [F; 2] {
    let offset = (8 * square.index() + choice) as u64;
    hash2(Tag::Ot.field(), key, ctx + F::from(offset))
}

/// Whether a key is made for a choice on a square: no pawn stands on the outer ranks.
pub fn is_asked(square: Square, choice: usize) -> bool {
    choice != PieceType::Pawn as usize || pawn_may_stand(square)
}

/// No point is `j·A` or `−j·A` for a choice `j` that is asked there. Of `j·A` the key would be the point at infinity; for `−j·A` the
/// circuit would have to double. Nobody who can prove a turn makes such a point: its scalar would be a multiple of `a`.
fn check_request(key: &FogKey, request: &Request) -> Result<(), RequestError> {
    let multiples: Vec<Point> = normalize(&key.multiples());
    for (square, point) in Square::all().zip(&request.points) {
        let is_multiple = |j: usize| is_asked(square, j) && multiples[j].x == point.x;
        ensure!(!(1..CHOICES).any(is_multiple), RequestError::Multiple(square));
    }
    Ok(())
}

/// The keys of all masks of an exchange; wiped when dropped, since they open the whole answer.
pub struct Masks {
    keys: Vec<F>,
    ctx: F,
}

impl Masks {
    /// The keys, with one inversion for all 448.
    pub fn new(secret: &FogSecret, ctx: F, request: &Request) -> Result<Self, RequestError> {
        check_request(&secret.key(), request)?;
        let scalar = secret.scalar();
        let own = FogKey(mul(&secret.key().0, &scalar)).multiples();
        let mut points = Vec::with_capacity(64 * CHOICES);
        for point in &request.points {
            let shared = multiply(point, &scalar);
            points.extend(own.iter().map(|multiple| shared - multiple));
        }
        let keys = normalize(&points).iter().map(|point| point.x).collect();
        Ok(Self { keys, ctx })
    }

    /// The mask of a choice: none, or a type.
    pub fn of(&self, square: Square, choice: Option<PieceType>) -> [F; 2] {
        let choice = choice.map_or(0, |piece| piece as usize);
        mask(self.keys[CHOICES * square.index() + choice], self.ctx, square, choice)
    }
}

impl Drop for Masks {
    fn drop(&mut self) {
        wipe_all(&mut self.keys);
    }
}
