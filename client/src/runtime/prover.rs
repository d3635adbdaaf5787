//! The proof system of the shipped engine: halo2 with the keys of all statements (protocol, section 7).

use circuits::{
    AnswerCircuit, ChainAnswerCircuit, FiftyCircuit, NoMoveCircuit, RequestDataCircuit, StatementCircuit, TurnCircuit,
};
use fog::engine::{Cause, Proofs};
use fog::statement::{
    Proves, answer::AnswerStatement, chain_answer::ChainAnswerStatement, fifty::FiftyStatement,
    no_move::NoMoveStatement, request_data::RequestDataStatement, turn::TurnStatement,
};
use prover::{KeyError, Keys, NoProgress, Progress, ProofStage, Srs, SrsError, Statement, Verifier, Watch};
use rand::rngs::OsRng;
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Why there is no prover.
#[derive(Debug, thiserror::Error)]
pub enum ProverError {
    /// The parameters can't be used.
    #[error(transparent)]
    Parameters(#[from] SrsError),
    /// There are no keys.
    #[error(transparent)]
    Keys(#[from] KeyError),
}

/// Where the KZG parameters come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// Parameters whose secret everybody knows: for local chains only.
    Development,
    /// Those of the ceremony's file that this program carries.
    Shipped,
    /// A file of the same ceremony, the user's.
    File(PathBuf),
}

impl Parameters {
    /// The parameters for circuits of 2^k rows.
    pub fn load(&self, k: u32, cache: &Path, progress: &dyn Progress) -> Result<Srs, SrsError> {
        match self {
            Self::Development => Ok(Srs::development(k, cache, progress)),
            Self::Shipped => Srs::shipped(k, cache, progress),
            Self::File(path) => Srs::load(path, k, cache, progress),
        }
    }
}

/// The prover that is shipped: halo2 with keys from a cache.
pub struct KeyProver {
    /// None of a game that is over.
    made: Option<Made>,
    /// A file whose lock is held while a proof is made, where several players share a machine.
    lock: Option<PathBuf>,
}

/// The keys of all statements.
struct Made {
    turn: Keys<TurnCircuit>,
    answer: Keys<AnswerCircuit>,
    disputes: Disputes,
}

/// The keys that only disputes and claims need: their verifying keys are there from the start, so that nothing is missing that
/// could be missing; the proving keys are made or read when the first proof is.
struct Disputes {
    parameters: Parameters,
    /// Parameters of all statements but *chain answer*.
    narrow: Srs,
    cache: PathBuf,
    /// By statement, in the contract's order without *turn*: the hash of the verifying key.
    hashes: [[u8; 32]; 4],
    request_data: OnceLock<Keys<RequestDataCircuit>>,
    fifty: OnceLock<Keys<FiftyCircuit>>,
    no_move: OnceLock<Keys<NoMoveCircuit>>,
    chain_answer: OnceLock<Keys<ChainAnswerCircuit>>,
}

impl Disputes {
    fn prepare(
        parameters: &Parameters,
        narrow: Srs,
        cache: &Path,
        progress: &dyn Progress,
    ) -> Result<Self, ProverError> {
        let wide = parameters.load(ChainAnswerCircuit::K, cache, progress)?;
        let hashes = [
            Verifier::<RequestDataCircuit>::load_or_make(&narrow, cache, progress)?.key_hash(),
            Verifier::<FiftyCircuit>::load_or_make(&narrow, cache, progress)?.key_hash(),
            Verifier::<NoMoveCircuit>::load_or_make(&narrow, cache, progress)?.key_hash(),
            Verifier::<ChainAnswerCircuit>::load_or_make(&wide, cache, progress)?.key_hash(),
        ];
        Ok(Self {
            parameters: parameters.clone(),
            narrow,
            cache: cache.to_owned(),
            hashes,
            request_data: OnceLock::new(),
            fifty: OnceLock::new(),
            no_move: OnceLock::new(),
            chain_answer: OnceLock::new(),
        })
    }

    /// A statement's keys, made or read now.
    fn keys<'a, C: Statement>(&self, keys: &'a OnceLock<Keys<C>>) -> Result<&'a Keys<C>, Cause> {
        if let Some(keys) = keys.get() {
            return Ok(keys);
        }
        let srs = match C::K == self.narrow.k() {
            true => self.narrow.clone(),
            false => self.parameters.load(C::K, &self.cache, &NoProgress)?,
        };
        let made = Keys::load_or_make(&srs, &self.cache, &NoProgress)?;
        Ok(keys.get_or_init(|| made))
    }
}

fog::redacted!(KeyProver);

impl KeyProver {
    /// Takes all statements' keys from the folder `cache`, or makes them and puts them there.
    pub fn load_or_make(parameters: &Parameters, cache: &Path, progress: &dyn Progress) -> Result<Self, ProverError> {
        const { assert!(AnswerCircuit::K == TurnCircuit::K) };
        let narrow = parameters.load(TurnCircuit::K, cache, progress)?;
        let turn = Keys::load_or_make(&narrow, cache, progress)?;
        let answer = Keys::load_or_make(&narrow, cache, progress)?;
        let disputes = Disputes::prepare(parameters, narrow, cache, progress)?;
        Ok(Self { made: Some(Made { turn, answer, disputes }), lock: None })
    }

    /// Without keys, which take long to load: in a game that is over for good nothing is proven or verified any more.
    pub fn of_game_over() -> Self {
        Self { made: None, lock: None }
    }

    /// This prover, but a proof is made only while the lock of this file is held: where several players share a machine, each
    /// proof then has all cores, and the measured seconds are its own.
    #[must_use]
    pub fn with_lock(self, lock: Option<PathBuf>) -> Self {
        Self { lock, ..self }
    }

    /// Waits for the machine. What is returned is held while the proof is made.
    fn admit(&self) -> Option<File> {
        // Without the lock the proof only takes longer. It is released when the file is closed, also by a sudden end.
        let file = File::create(self.lock.as_ref()?).ok()?;
        file.lock().ok()?;
        Some(file)
    }

    fn made(&self) -> Result<&Made, Cause> {
        self.made.as_ref().ok_or_else(|| "no keys were loaded, for the game is over".into())
    }

    /// The hashes of the verifying keys of the statements that the contract verifies, in its order; none without keys.
    pub fn key_hashes(&self) -> Option<[[u8; 32]; 5]> {
        let Made { turn, disputes, .. } = self.made.as_ref()?;
        let [request_data, fifty, no_move, chain_answer] = disputes.hashes;
        Some([turn.verifier().key_hash(), request_data, fifty, no_move, chain_answer])
    }

    /// The keys of *turn*, if there are any.
    pub fn turn(&self) -> Option<&Keys<TurnCircuit>> {
        self.made.as_ref().map(|made| &made.turn)
    }

    /// The keys of *answer*, if there are any.
    pub fn answer(&self) -> Option<&Keys<AnswerCircuit>> {
        self.made.as_ref().map(|made| &made.answer)
    }
}

/// A statement that [`KeyProver`] has keys of.
trait Kept: fog::statement::Statement {
    type Circuit: Statement<Public = Self::Public, Private = Self::Private>;

    fn keys(prover: &KeyProver) -> Result<&Keys<Self::Circuit>, Cause>;
}

macro_rules! kept {
    ($($statement:ty, $circuit:ty: |$made:ident| $keys:expr;)*) => {
        $(impl Kept for $statement {
            type Circuit = $circuit;

            fn keys(prover: &KeyProver) -> Result<&Keys<$circuit>, Cause> {
                let $made = prover.made()?;
                $keys
            }
        })*
    };
}

kept! {
    TurnStatement, TurnCircuit: |made| Ok(&made.turn);
    AnswerStatement, AnswerCircuit: |made| Ok(&made.answer);
    RequestDataStatement, RequestDataCircuit: |made| made.disputes.keys(&made.disputes.request_data);
    FiftyStatement, FiftyCircuit: |made| made.disputes.keys(&made.disputes.fifty);
    NoMoveStatement, NoMoveCircuit: |made| made.disputes.keys(&made.disputes.no_move);
    ChainAnswerStatement, ChainAnswerCircuit: |made| made.disputes.keys(&made.disputes.chain_answer);
}

impl<S: Kept> Proves<S> for KeyProver {
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        // Keys that are read or made now take all cores, too.
        let _admitted = self.admit();
        let keys = S::keys(self)?;
        let (watch, start) = (WATCH.with_borrow(JobWatch::clone), Instant::now());
        let proof = keys.prove_watched(public, private, OsRng, &watch)?;
        TIMES.set(Times { prove: Some(start.elapsed()), ..TIMES.get() });
        Ok(proof)
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        let keys = S::keys(self)?;
        let start = Instant::now();
        let result = keys.verify(public, proof);
        TIMES.set(Times { verify: Some(start.elapsed()), ..TIMES.get() });
        Ok(result?)
    }
}

impl Proofs for KeyProver {
    fn answer_proof_bytes(&self) -> usize {
        self.answer().map_or(0, |answer| answer.verifier().proof_bytes())
    }
}

/// How long the last proof made and the last verification on this thread took, waiting not included.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    pub prove: Option<Duration>,
    pub verify: Option<Duration>,
}

/// What tells the maker of a proof that nobody wants it any more.
#[derive(Clone, Debug, Default)]
pub(super) struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Told of each stage of a proof as it begins.
pub(super) type OnStage = Arc<dyn Fn(ProofStage) + Send + Sync>;

/// Stops a proof that nobody wants any more, and tells how far it is.
#[derive(Clone, Default)]
pub(super) struct JobWatch {
    pub cancel: Cancel,
    pub on_stage: Option<OnStage>,
}

impl Watch for JobWatch {
    fn begins(&self, stage: ProofStage) {
        if let Some(tell) = &self.on_stage {
            tell(stage);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    fn verified(&self, time: Duration) {
        TIMES.set(Times { verify: Some(time), ..TIMES.get() });
    }
}

thread_local! {
    /// What watches the job that runs on this thread. An engine's steps have no room for it.
    static WATCH: RefCell<JobWatch> = RefCell::default();
    static TIMES: Cell<Times> = const { Cell::new(Times { prove: None, verify: None }) };
}

/// The times of the job that has just run on this thread. An engine's messages have no room for them.
pub(super) fn take_times() -> Times {
    TIMES.take()
}

/// From now on, proofs on this thread are watched by `watch`.
pub(super) fn watch_by(watch: JobWatch) {
    WATCH.replace(watch);
}
