//! Measures a statement's keys and proofs. Times depend on the machine, so what is compared is measured in turns in one
//! process: this prover, the library's, the commitments and transforms of a proof alone, and one multi-exponentiation of the circuit's
//! size as a yardstick.

use crate::rows::used_rows;
use eyre::Result;
use halo2_proofs::arithmetic::best_multiexp;
use halo2_proofs::poly::commitment::ParamsProver;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use plonk::{Floor, Lanes, Options, ProofStage, Watch};
use prover::{Backend, Keys, NoProgress, Srs, Statement};
use rand::SeedableRng;
use rand::rngs::OsRng;
use rand_chacha::ChaCha20Rng;
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

/// A statement to prove.
pub type Sample<C> = (<C as circuits::StatementCircuit>::Public, <C as circuits::StatementCircuit>::Private);

#[derive(Clone, Debug, Serialize)]
pub struct Sizes {
    /// Base-two logarithm of the rows.
    pub k: u32,
    /// Rows that the witness uses.
    pub rows: usize,
    pub advice: usize,
    /// Fixed columns, selectors included.
    pub fixed: usize,
    /// Columns under the permutation argument.
    pub permutation: usize,
    pub lookups: usize,
    /// The constraint system's degree.
    pub degree: usize,
    /// Values in the instance columns.
    pub instances: usize,
    /// Bytes of a proof.
    pub proof_bytes: usize,
}

/// Times of proofs, medians.
#[derive(Clone, Debug, Serialize)]
pub struct Times {
    /// What computed eight elements at once in all that isn't called scalar; None if nothing did.
    pub lanes: Option<String>,
    #[serde(flatten)]
    pub fast: Proving,
    pub scalar: Proving,
    /// Seconds to prove with the library's prover.
    pub library_s: f64,
    /// Seconds of processor time for that.
    pub library_cpu_s: f64,
    pub verify_ms: f64,
    /// Milliseconds of one multi-exponentiation of 2^k points by the library.
    pub multiexp_ms: f64,
    /// Seconds of processor time to prove, for each sample: least, median, most.
    pub samples_cpu_s: Vec<[f64; 3]>,
}

/// Times of proofs by this prover, medians.
#[derive(Clone, Debug, Serialize)]
pub struct Proving {
    /// Seconds to prove, own verification included.
    pub prove_s: f64,
    /// Seconds of processor time for that. It depends least on what else the machine does.
    pub prove_cpu_s: f64,
    /// Seconds of the commitments and transforms alone.
    pub floor_s: f64,
    /// Seconds of processor time of each stage of a proof, in order; the last with the own verification.
    pub stages_cpu_s: Vec<(String, f64)>,
}

/// Times of a start.
#[derive(Clone, Debug, Serialize)]
pub struct Start {
    /// Seconds to make keys and tables afresh.
    pub make_keys_s: f64,
    /// Seconds to read them from the cache and to prepare the prover.
    pub read_keys_s: f64,
    /// Seconds of the first proof after that.
    pub first_s: f64,
    /// Seconds of a later one.
    pub warm_s: f64,
}

pub fn sizes<C: Statement>(srs: &Srs, cache: &Path) -> Result<Sizes> {
    let keys = Keys::<C>::load_or_make_for(Backend::Library, srs, cache, &NoProgress)?;
    let cs = keys.verifier().verifying_key().cs();
    Ok(Sizes {
        k: C::K,
        rows: used_rows::<C>()?,
        advice: cs.num_advice_columns(),
        fixed: keys.verifier().verifying_key().fixed_commitments().len(),
        permutation: cs.permutation().get_columns().len(),
        lookups: cs.lookups().len(),
        degree: cs.degree(),
        instances: C::INSTANCES.iter().sum(),
        proof_bytes: keys.verifier().proof_bytes(),
    })
}

/// Proves the samples in turns, `runs` times each, with both provers, this one with lanes and without, and does what they can't avoid as often.
pub fn times<C: Statement>(srs: &Srs, cache: &Path, samples: &[Sample<C>], runs: usize) -> Result<Times> {
    let keys = Keys::<C>::load_or_make(srs, cache, &NoProgress)?;
    let library = Keys::<C>::load_or_make_for(Backend::Library, srs, cache, &NoProgress)?;
    let mut fast = Measured { lanes: Lanes::chosen().unwrap_or(None), ..Measured::default() };
    let mut scalar = Measured::default();
    let mut all = BTreeMap::<&str, Vec<f64>>::new();
    let mut by_sample = vec![Vec::new(); samples.len()];
    // Caches and branches warm up.
    let (public, private) = &samples[0];
    keys.prove(public, private, OsRng)?;
    library.prove(public, private, OsRng)?;
    for _ in 0..runs.max(1) {
        for (sample @ (public, private), own) in samples.iter().zip(&mut by_sample) {
            let proof = fast.prove(&keys, sample)?;
            own.extend(fast.cpu.last());
            let (verified, seconds, _) = timed(|| keys.verify(public, &proof));
            verified?;
            all.entry("verify").or_default().push(seconds);
            scalar.prove(&keys, sample)?;
            let (proof, seconds, cpu) = timed(|| library.prove(public, private, OsRng));
            proof?;
            all.entry("library").or_default().push(seconds);
            all.entry("library cpu").or_default().push(cpu);
        }
        if let Some(prover) = keys.prover() {
            let floor = Floor::new(prover, &mut ChaCha20Rng::seed_from_u64(0));
            for path in [&mut fast, &mut scalar] {
                path.floor.push(timed(|| floor.run(path.lanes)).1);
            }
        }
        all.entry("multiexp").or_default().push(time_multiexp(srs));
    }
    let mut middle = |name: &str| all.remove(name).and_then(median);
    Ok(Times {
        lanes: fast.lanes.map(|lanes| lanes.to_string()),
        fast: fast.medians(),
        scalar: scalar.medians(),
        library_s: middle("library").unwrap_or_default(),
        library_cpu_s: middle("library cpu").unwrap_or_default(),
        verify_ms: middle("verify").unwrap_or_default() * 1e3,
        multiexp_ms: middle("multiexp").unwrap_or_default() * 1e3,
        samples_cpu_s: by_sample.into_iter().filter_map(spread).collect(),
    })
}

/// What is measured of this prover, with lanes or without.
#[derive(Default)]
struct Measured {
    lanes: Option<Lanes>,
    seconds: Vec<f64>,
    cpu: Vec<f64>,
    floor: Vec<f64>,
    stages: BTreeMap<ProofStage, Vec<f64>>,
}

impl Measured {
    fn prove<C: Statement>(&mut self, keys: &Keys<C>, (public, private): &Sample<C>) -> Result<Vec<u8>> {
        let clock = Clock::default();
        let options = Options { lanes: self.lanes, ..Options::new(&clock) };
        let (proof, seconds, cpu) = timed(|| keys.prove_with(public, private, OsRng, options));
        self.seconds.push(seconds);
        self.cpu.push(cpu);
        let stages = clock.stages().into_iter();
        stages.for_each(|(stage, seconds)| self.stages.entry(stage).or_default().push(seconds));
        Ok(proof?)
    }

    fn medians(self) -> Proving {
        let stages = self.stages.into_iter();
        Proving {
            prove_s: median(self.seconds).unwrap_or_default(),
            prove_cpu_s: median(self.cpu).unwrap_or_default(),
            floor_s: median(self.floor).unwrap_or_default(),
            stages_cpu_s: stages.filter_map(|(stage, all)| Some((stage.to_string(), median(all)?))).collect(),
        }
    }
}

/// Makes keys and tables afresh in the empty folder `scratch`, reads them again, and proves twice. `srs` gives parameters as after a start, without the tables of those before.
pub fn start<C: Statement>(srs: impl Fn() -> Srs, scratch: &Path, sample: &Sample<C>) -> Result<Start> {
    let (public, private) = sample;
    let [fresh, again] = [srs(), srs()];
    let (made, make_keys_s, _) = timed(|| Keys::<C>::load_or_make(&fresh, scratch, &NoProgress));
    drop((made?, fresh));
    let (keys, read_keys_s, _) = timed(|| Keys::<C>::load_or_make(&again, scratch, &NoProgress));
    let keys = keys?;
    let (first, first_s, _) = timed(|| keys.prove(public, private, OsRng));
    first?;
    let (warm, warm_s, _) = timed(|| keys.prove(public, private, OsRng));
    warm?;
    Ok(Start { make_keys_s, read_keys_s, first_s, warm_s })
}

/// Peak resident memory in MiB of a process that has read these keys and proves, where the system tells. Only right in a process that has
/// done nothing else.
pub fn peak_memory<C: Statement>(keys: &Keys<C>, sample: &Sample<C>) -> Result<Option<u64>> {
    let (public, private) = sample;
    for _ in 0..2 {
        keys.prove(public, private, OsRng)?;
    }
    Ok(status("VmHWM:"))
}

/// Takes the processor time of the stages of a proof.
#[derive(Default)]
struct Clock(Mutex<Vec<(ProofStage, f64)>>);

impl Watch for Clock {
    fn begins(&self, stage: ProofStage) {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((stage, cpu_seconds()));
    }
}

impl Clock {
    /// Seconds of each stage, the last one until now.
    fn stages(self) -> Vec<(ProofStage, f64)> {
        let begun = self.0.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let ends = begun.iter().skip(1).map(|(_, end)| *end).chain([cpu_seconds()]);
        begun.iter().zip(ends).map(|((stage, start), end)| (*stage, end - start)).collect()
    }
}

/// Does the work; seconds, and seconds of processor time.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64, f64) {
    let (before, start) = (cpu_seconds(), Instant::now());
    let result = work();
    let seconds = start.elapsed().as_secs_f64();
    (result, seconds, cpu_seconds() - before)
}

/// Least, median and most.
fn spread(values: Vec<f64>) -> Option<[f64; 3]> {
    let least = values.iter().copied().min_by(f64::total_cmp)?;
    let most = values.iter().copied().max_by(f64::total_cmp)?;
    Some([least, median(values)?, most])
}

/// The middle value, or the mean of both.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let [low, high] = [values.len().checked_sub(1)? / 2, values.len() / 2];
    Some((values[low] + values[high]) / 2.0)
}

fn time_multiexp(srs: &Srs) -> f64 {
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let points = srs.params().get_g();
    let scalars: Vec<Fr> = points.iter().map(|_| Fr::random(&mut rng)).collect();
    timed(|| black_box(best_multiexp(&scalars, points))).1
}

/// Processor time of this process so far, all threads together.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// A line of the process's status, in MiB.
fn status(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? / 1024)
}
