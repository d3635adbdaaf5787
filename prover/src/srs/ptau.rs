//! The `.ptau` format of snarkjs: "ptau", u32 version, u32 number of sections, then sections of u32 id, u64 length and
//! contents. 1: header (u32 bytes of a coordinate, prime, u32 power, u32 the ceremony's power); 2: 2·2^power − 1 powers of τ
//! in G1; 3: 2^power powers of τ in G2. All little-endian, coordinates in Montgomery form. Other sections aren't needed here.

use super::powers::Powers;
use super::reader::{Encoding, Reader};
use super::{Point, SrsError};
use fog::ensure;
use halo2curves::bn256::Fq;
use halo2curves::ff::{Field, PrimeField};

pub(super) const MAGIC: &[u8; 4] = b"ptau";
const VERSION: u32 = 1;
const HEADER: u32 = 1;
const TAU_G1: u32 = 2;
const TAU_G2: u32 = 3;
const COORDINATE: u32 = 32;
/// No ceremony has more; bounds the lengths computed from a header.
const MAX_POWER: u32 = 28;

/// The three sections that are needed.
#[derive(Default)]
struct Sections<'a>([Option<&'a [u8]>; 3]);

impl<'a> Sections<'a> {
    fn read(mut reader: Reader<'a>) -> Result<Self, SrsError> {
        let version = reader.u32("the file's header")?;
        ensure!(version == VERSION, SrsError::UnknownVersion(version));
        let count = reader.u32("the file's header")?;
        let mut sections = Self::default();
        for _ in 0..count {
            let id = reader.u32("a section's header")?;
            let length = reader.u64("a section's header")?;
            let length = usize::try_from(length).map_err(|_| SrsError::Truncated("a section"))?;
            let contents = reader.take(length, "a section")?;
            let needed = (HEADER..=TAU_G2).contains(&id);
            if needed && sections.0[id as usize - 1].replace(contents).is_some() {
                return Err(SrsError::DuplicateSection(id));
            }
        }
        reader.finish()?;
        Ok(sections)
    }

    fn get(&self, id: u32) -> Result<&'a [u8], SrsError> {
        self.0[id as usize - 1].ok_or(SrsError::MissingSection(id))
    }

    /// A section of points, whose length the header determines.
    fn points(&self, id: u32, expected: u64) -> Result<Reader<'a>, SrsError> {
        let contents = self.get(id)?;
        let got = contents.len() as u64;
        ensure!(got == expected, SrsError::WrongSectionLength { section: id, expected, got });
        Ok(Reader::new(contents))
    }
}

/// Base-two logarithm of the file's size, from its header.
fn power(header: &[u8]) -> Result<u32, SrsError> {
    const WHAT: &str = "the section of the header";
    let mut reader = Reader::new(header);
    ensure!(reader.u32(WHAT)? == COORDINATE, SrsError::WrongPrime);
    // The modulus is one more than the largest element, −1, whose lowest bit is 0.
    let mut modulus = (-Fq::ONE).to_repr();
    modulus[0] += 1;
    ensure!(reader.take(COORDINATE as usize, WHAT)? == modulus, SrsError::WrongPrime);
    let power = reader.u32(WHAT)?;
    let ceremony_power = reader.u32(WHAT)?;
    reader.finish()?;
    if power > ceremony_power || ceremony_power > MAX_POWER {
        return Err(SrsError::WrongHeader("its power is larger than the ceremony's"));
    }
    Ok(power)
}

/// The first 2^k powers of a file's bytes, magic included.
pub(super) fn parse(bytes: &[u8], k: u32) -> Result<Powers, SrsError> {
    let mut reader = Reader::new(bytes);
    ensure!(reader.take(MAGIC.len(), "the file's header")? == MAGIC, SrsError::WrongMagic);
    let sections = Sections::read(reader)?;
    let power = power(sections.get(HEADER)?)?;
    let powers = 1u64 << power;
    let mut g1 = sections.points(TAU_G1, (2 * powers - 1) * 64)?;
    let mut g2 = sections.points(TAU_G2, powers * 128)?;
    ensure!(power >= k, SrsError::TooSmall { powers, k });
    Ok(Powers {
        g1: g1.powers(1 << k, Encoding::Montgomery)?,
        g2: g2.g2(Point::G2, Encoding::Montgomery)?,
        tau_g2: g2.g2(Point::TauG2, Encoding::Montgomery)?,
    })
}
