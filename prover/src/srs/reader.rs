//! A cursor over a ceremony file's bytes, and the field elements and points in it. Every failure has a name.

use super::{Point, SrsError};
use halo2curves::CurveAffine;
use halo2curves::bn256::{Fq, Fq2, G1Affine, G2Affine};
use halo2curves::ff::{Field, PrimeField};

/// Bytes of a coordinate.
const COORDINATE: usize = 32;

/// The rest of a file.
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Takes the next bytes; `what` they belong to is named if they aren't there.
    pub fn take(&mut self, length: usize, what: &'static str) -> Result<&'a [u8], SrsError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(SrsError::Truncated(what))?;
        self.0 = rest;
        Ok(taken)
    }

    pub fn u64(&mut self, what: &'static str) -> Result<u64, SrsError> {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(self.take(8, what)?);
        Ok(u64::from_le_bytes(bytes))
    }

    /// Nothing may be left.
    pub fn finish(self) -> Result<(), SrsError> {
        if self.0.is_empty() { Ok(()) } else { Err(SrsError::TrailingBytes(self.0.len())) }
    }

    /// The first `count` powers of τ in G1.
    pub fn powers(&mut self, count: usize) -> Result<Vec<G1Affine>, SrsError> {
        (0..count)
            .map(|index| {
                let [x, y] = self.coordinates(Point::Power(index), "the powers of τ in G1")?;
                on_curve(x, y, Point::Power(index))
            })
            .collect()
    }

    /// A point of G2; whether it is in the subgroup is checked elsewhere.
    pub fn g2(&mut self, point: Point) -> Result<G2Affine, SrsError> {
        let [x0, x1, y0, y1] = self.coordinates(point, "the points of G2")?;
        on_curve(Fq2::new(x0, x1), Fq2::new(y0, y1), point)
    }

    /// Little-endian, with arkworks' two flags at the top of the last coordinate: bit 7 the sign of `y`, bit 6 infinity.
    fn coordinates<const N: usize>(&mut self, point: Point, what: &'static str) -> Result<[Fq; N], SrsError> {
        let mut coordinates = [Fq::ZERO; N];
        for (index, coordinate) in coordinates.iter_mut().enumerate() {
            let mut bytes = [0; COORDINATE];
            bytes.copy_from_slice(self.take(COORDINATE, what)?);
            if index + 1 == N {
                fog::ensure!(bytes[COORDINATE - 1] & 0x40 == 0, SrsError::Infinity(point));
                bytes[COORDINATE - 1] &= 0x3f;
            }
            *coordinate = Fq::from_repr(bytes).into_option().ok_or(SrsError::NotCanonical(point))?;
        }
        Ok(coordinates)
    }
}

fn on_curve<C: CurveAffine>(x: C::Base, y: C::Base, point: Point) -> Result<C, SrsError> {
    let found: C = C::from_xy(x, y).into_option().ok_or(SrsError::NotOnCurve(point))?;
    if bool::from(found.is_identity()) { Err(SrsError::Infinity(point)) } else { Ok(found) }
}
