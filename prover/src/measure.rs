//! Measures a statement's keys and proofs, for `make bench`. Times depend on the machine, so they come with a yardstick that
//! is measured beside them: one multi-exponentiation of the circuit's size.

use crate::fingerprint::rows;
use crate::{Keys, NoProgress, ProofError, Srs, Statement};
use halo2_proofs::arithmetic::best_multiexp;
use halo2_proofs::poly::commitment::ParamsProver;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use rand::SeedableRng;
use rand::rngs::OsRng;
use rand_chacha::ChaCha20Rng;
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The statement.
    pub statement: &'static str,
    /// Base-two logarithm of the rows.
    pub k: u32,
    /// Rows that the witness uses.
    pub rows: usize,
    /// Advice columns.
    pub advice: usize,
    /// Fixed columns, selectors included.
    pub fixed: usize,
    /// Columns under the permutation argument.
    pub permutation: usize,
    /// Lookup arguments.
    pub lookups: usize,
    /// The constraint system's degree.
    pub degree: usize,
    /// Values in the instance columns.
    pub instances: usize,
    /// Bytes of a proof.
    pub proof_bytes: usize,
    /// Seconds to make the keys afresh.
    pub make_keys_s: f64,
    /// Seconds to read them from the cache, fingerprint included.
    pub read_keys_s: f64,
    /// Seconds to prove: the median.
    pub prove_s: f64,
    /// Seconds of processor time to prove, over all threads: the median, where the system tells. It depends least on what else
    /// the machine does.
    pub prove_cpu_s: Option<f64>,
    /// Milliseconds to verify: the median.
    pub verify_ms: f64,
    /// Milliseconds of one multi-exponentiation of 2^k points: the median, measured between the proofs.
    pub multiexp_ms: f64,
    /// Proving time in multi-exponentiations: comparable between machines.
    pub prove_in_multiexps: f64,
    /// Peak resident memory while proving in MiB, where the system tells.
    pub peak_mib: Option<u64>,
}

/// Makes keys afresh in the empty folder `scratch`, then proves and verifies `runs` times.
pub fn measure<C: Statement>(
    srs: &Srs,
    scratch: &Path,
    public: &C::Public,
    private: &C::Private,
    runs: usize,
) -> Result<Report, MeasureError> {
    let (made, make_keys_s) = timed(|| Keys::<C>::load_or_make(srs, scratch, &NoProgress));
    drop(made?);
    let (keys, read_keys_s) = timed(|| Keys::<C>::load_or_make(srs, scratch, &NoProgress));
    let keys = keys?;
    reset_peak();
    let [mut prove, mut cpu, mut verify, mut multiexp] = [(); 4].map(|()| Vec::new());
    for _ in 0..runs.max(1) {
        multiexp.push(time_multiexp(srs));
        let before = cpu_seconds();
        let (proof, seconds) = timed(|| keys.prove(public, private, OsRng));
        let proof = proof?;
        prove.push(seconds);
        let cpu_time = before.zip(cpu_seconds());
        cpu.extend(cpu_time.map(|(before, after)| after - before));
        let (verified, seconds) = timed(|| keys.verify(public, &proof));
        verified?;
        verify.push(seconds);
    }
    let cs = keys.verifier().verifying_key().cs();
    let (prove_s, multiexp_s) = (median(prove), median(multiexp));
    Ok(Report {
        statement: C::NAME,
        k: C::K,
        rows: rows::<C>()?,
        advice: cs.num_advice_columns(),
        fixed: keys.verifier().verifying_key().fixed_commitments().len(),
        permutation: cs.permutation().get_columns().len(),
        lookups: cs.lookups().len(),
        degree: cs.degree(),
        instances: C::INSTANCES.iter().sum(),
        proof_bytes: keys.verifier().proof_bytes(),
        make_keys_s,
        read_keys_s,
        prove_s,
        prove_cpu_s: (!cpu.is_empty()).then(|| median(cpu)),
        verify_ms: median(verify) * 1e3,
        multiexp_ms: multiexp_s * 1e3,
        prove_in_multiexps: prove_s / multiexp_s,
        peak_mib: peak_mib(),
    })
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// No keys.
    #[error(transparent)]
    Keys(#[from] crate::KeyError),
    /// No proof, or a refused one.
    #[error(transparent)]
    Proof(#[from] ProofError),
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: k = {} ({} rows used), degree {}", self.statement, self.k, self.rows, self.degree)?;
        writeln!(
            f,
            "  columns: {} advice, {} fixed, {} with equality; {} lookups; {} instance values",
            self.advice, self.fixed, self.permutation, self.lookups, self.instances
        )?;
        writeln!(f, "  proof: {} bytes", self.proof_bytes)?;
        writeln!(f, "  keys: made in {:.2} s, read in {:.2} s", self.make_keys_s, self.read_keys_s)?;
        writeln!(
            f,
            "  prove: {:.2} s = {:.1} multi-exponentiations of 2^{} ({:.1} ms)",
            self.prove_s, self.prove_in_multiexps, self.k, self.multiexp_ms
        )?;
        if let Some(seconds) = self.prove_cpu_s {
            writeln!(f, "         {seconds:.2} s of processor time")?;
        }
        writeln!(f, "  verify: {:.1} ms", self.verify_ms)?;
        match self.peak_mib {
            Some(peak) => write!(f, "  peak memory while proving: {peak} MiB"),
            None => write!(f, "  peak memory: not known on this system"),
        }
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn time_multiexp(srs: &Srs) -> f64 {
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let points = srs.params().get_g();
    let scalars: Vec<Fr> = points.iter().map(|_| Fr::random(&mut rng)).collect();
    timed(|| black_box(best_multiexp(&scalars, points))).1
}

/// Makes the system forget the peak so far; where it can't, the peak of the whole process is reported.
fn reset_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Processor time of this process so far. The kernel counts in hundredths of a second, whatever its own tick.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // After the name, which may hold anything but ends at the last parenthesis, user and system time are fields 12 and 13.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut hundredths = || fields.next()?.parse::<u64>().ok();
    Some((hundredths()? + hundredths()?) as f64 / 100.0)
}

fn peak_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? / 1024)
}
