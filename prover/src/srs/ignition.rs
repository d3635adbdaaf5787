//! Aztec Ignition as arkworks serialises `UniversalParams`, uncompressed: u64 n, n powers of τ in G1, u64 0 (no powers of
//! γ), the generator of G2, τ in G2, u64 0 (no negative powers). Little-endian; the top two bits of a point are flags.

use super::powers::Powers;
use super::reader::Reader;
use super::{Point, SrsError};

const G1_BYTES: usize = 64;
/// The largest Ignition file has 100.8 million powers; a larger count means that the file is something else.
const MAX_POWERS: u64 = 1 << 27;

impl Powers {
    /// The first 2^k powers of a file's bytes.
    pub fn parse(bytes: &[u8], k: u32) -> Result<Self, SrsError> {
        let mut reader = Reader::new(bytes);
        let powers = reader.u64("the number of powers")?;
        let count = usize::try_from(powers).ok().filter(|_| powers > 0 && powers <= MAX_POWERS);
        let count = count.ok_or(SrsError::WrongFormat)?;
        let mut g1 = Reader::new(reader.take(count * G1_BYTES, "the powers of τ in G1")?);
        empty(&mut reader, "the powers of γ should be absent")?;
        let g2 = reader.g2(Point::G2)?;
        let tau_g2 = reader.g2(Point::TauG2)?;
        empty(&mut reader, "the negative powers should be absent")?;
        reader.finish()?;
        fog::ensure!(powers >= 1 << k, SrsError::TooSmall { powers, k });
        Ok(Self { g1: g1.powers(1 << k)?, g2, tau_g2 })
    }
}

fn empty(reader: &mut Reader<'_>, why: &'static str) -> Result<(), SrsError> {
    if reader.u64("a list's length")? == 0 { Ok(()) } else { Err(SrsError::WrongHeader(why)) }
}
