//! How long the last proof of each kind has taken on this machine: what a player is told to expect of the next. It is kept in a small file beside
//! the journals; one that is damaged, or can't be written, costs only that.

use chain::private;
use game::ProofJob;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The file, in the folder of the journals.
const NAME: &str = "proof-times.json";

#[derive(Debug)]
pub(super) struct ProofTimes {
    file: PathBuf,
    /// Each in milliseconds; none where a file of an earlier version has `null`.
    last: Mutex<BTreeMap<ProofJob, Option<u64>>>,
}

impl ProofTimes {
    /// Those of the machine whose journals are in a folder.
    pub fn open(journals: &Path) -> Self {
        let file = journals.join(NAME);
        let last = std::fs::read(&file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Self { file, last: Mutex::new(last.unwrap_or_default()) }
    }

    /// The milliseconds that the last proof of this kind took, if there was one.
    pub fn of(&self, job: ProofJob) -> Option<u64> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.get(&job).copied().flatten()
    }

    /// A proof took so long.
    pub fn keep(&self, job: ProofJob, took: Duration) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.insert(job, Some(took.as_millis() as u64));
        // What isn't written is forgotten with the process.
        let _ = serde_json::to_vec(&*last).map(|bytes| private::write(&self.file, &bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_time_of_each_kind_is_known_after_a_restart_and_a_damaged_file_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let known = || {
            let times = ProofTimes::open(folder.path());
            (times.of(ProofJob::Move), times.of(ProofJob::Answer))
        };
        assert_eq!(known(), (None, None));
        let times = ProofTimes::open(folder.path());
        times.keep(ProofJob::Move, Duration::from_millis(8_100));
        assert_eq!(known(), (Some(8_100), None));
        times.keep(ProofJob::Answer, Duration::from_secs(7));
        times.keep(ProofJob::Move, Duration::from_secs(9));
        assert_eq!(known(), (Some(9_000), Some(7_000)));
        std::fs::write(folder.path().join(NAME), "{\"move\":9000,\"answer\":null}").expect("written");
        assert_eq!(known(), (Some(9_000), None), "as earlier versions wrote it");
        std::fs::write(folder.path().join(NAME), "{\"move\":").expect("written");
        assert_eq!(known(), (None, None));
    }
}
