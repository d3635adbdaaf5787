//! How an entry of the journal stands in a backup: its length (4 bytes, big-endian), a check sum of length and bytes (8), its key (4), and its bytes as
//! they are in the journal.

use crate::check_sum;
use crate::journal::Entry;

/// Bytes of a check sum.
pub(super) const SUM_BYTES: usize = 8;
/// Bytes of the frame before those of an entry.
const FRAME_BYTES: usize = 4 + SUM_BYTES;
/// Bytes of an entry's key.
const KEY_BYTES: usize = 4;
/// More bytes no entry has.
const MAX_BYTES: usize = 1 << 16;

/// As it stands in the file.
pub(super) fn framed(entry: &Entry) -> Vec<u8> {
    let body = [entry.key(), entry.encode()].concat();
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX).to_be_bytes();
    [&length[..], &check_sum::<SUM_BYTES>(&[&length, &body]), &body].concat()
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
            let entry = body.split_at_checked(KEY_BYTES).and_then(|(key, rest)| Entry::decode(key, rest).ok());
            let entry = entry.filter(Entry::is_of_a_channel);
            entry.map_or(Front::Damaged, |entry| Front::Entry(Box::new(entry), FRAME_BYTES + body.len()))
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
    (check_sum::<SUM_BYTES>(&[length, body]) == given).then_some(body)
}
