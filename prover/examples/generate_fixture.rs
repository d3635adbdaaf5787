//! Writes the real *turn* proofs that forge's tests run on: a short game up to its captured king, proved with development
//! parameters for `TurnVerifierDev`. Its secrets come from a fixed seed, so the same circuit gives the same game; proofs are blinded
//! afresh from that seed too.

use circuits::{StatementCircuit, TurnCircuit};
use clap::Parser;
use eyre::{Result, eyre};
use fog::{
    F,
    commitment::commit,
    curve::{FogSecret, Scalar, random_scalars},
    engine::sight_lines::answer::{Answer, answer},
    engine::sight_lines::context::{Context, Phase},
    engine::sight_lines::request::Request,
    statement::turn::{TurnDraft, TurnPrivate, TurnPublic, TurnSight, gather},
    word::{keccak256, to_word},
};
use prover::{Keys, NoProgress, Srs};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use rules::{Color, Move, Side, Square};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The game: White's queen finds Black's king behind an open diagonal.
const MOVES: [&str; 5] = ["e2e4", "f7f6", "d1h5", "a7a6", "h5e8"];
const CHAIN_ID: u64 = 31337;
const CONTRACT: [u8; 20] = [0xf0; 20];
const PLAYERS: [[u8; 20]; 2] = [[0x11; 20], [0x22; 20]];

/// Generates the fixture of contracts/test/TurnProof.t.sol.
#[derive(Parser)]
struct Args {
    /// Where to write it.
    #[arg(long, default_value = "contracts/test/fixtures/turns.json")]
    out: PathBuf,
    /// Where parameters and keys are kept.
    #[arg(long, default_value = ".cache/fogmate")]
    cache: PathBuf,
}

/// A player between two moves.
struct Player {
    side: Side,
    salt: F,
    secret: FogSecret,
    standing: Option<(Request, [Scalar; 64])>,
}

impl Player {
    fn commitment(&self) -> F {
        commit(&self.side, self.salt)
    }
}

/// What the opponent's last move left for the mover.
#[derive(Default)]
struct Left {
    pending: Option<Square>,
    sight: Option<(Answer, F)>,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let srs = Srs::development(TurnCircuit::K, &args.cache, &NoProgress);
    let keys = Keys::<TurnCircuit>::load_or_make(&srs, &args.cache, &NoProgress)?;
    let rng = &mut ChaCha20Rng::seed_from_u64(0xf0);
    let game_id = game_id();
    let mut players = Color::ALL.map(|color| Player {
        side: Side::start(color),
        salt: F::zero(),
        secret: FogSecret::random(rng),
        standing: None,
    });
    let key_words = players.each_ref().map(|player| {
        let (x, y) = player.secret.key().xy();
        [word(&x), word(&y)]
    });
    let (mut turns, mut moves, mut left) = (Vec::new(), Vec::new(), Left::default());
    for (ply, mv) in MOVES.iter().enumerate() {
        let mv: Move = mv.parse()?;
        let [white, black] = &mut players;
        let (mover, other) = if ply % 2 == 0 {
            (white, black)
        } else {
            (black, white)
        };
        let next_scalars = random_scalars(rng);
        let next_salt = F::from(1000 + ply as u64);
        let (public, private) = turn(mover, other, &left, mv, next_salt, &next_scalars)?;
        let proof = keys.prove(&public, &private, &mut *rng)?;

        mover.side = mover.side.without(left.pending).play(&mv);
        mover.salt = next_salt;
        let request = Request::make(&mover.side, &next_scalars, &other.secret.key())?;
        mover.standing = Some((request, next_scalars));
        left = Left {
            pending: public.capture,
            sight: answer_next(mover, other, ply, game_id, public.capture)?,
        };

        let instance: Vec<_> = public.to_instance().iter().map(word).collect();
        turns.push(json!({ "instance": instance, "proof": bytes(&proof) }));
        moves.push(posted(ply, &public, &left, &proof));
    }
    let fixture: Value = json!({
        "proofLength": keys.verifier().proof_bytes(),
        "turns": turns,
        "game": {
            "chainId": CHAIN_ID,
            "contract": bytes(&CONTRACT),
            "creator": bytes(&PLAYERS[0]),
            "joiner": bytes(&PLAYERS[1]),
            "gameId": bytes(&game_id),
            "whiteKey": key_words[0],
            "blackKey": key_words[1],
            "moves": moves,
        },
    });
    write(&args.out, &fixture)
}

/// What the mover posts.
fn posted(ply: usize, public: &TurnPublic, left: &Left, proof: &[u8]) -> Value {
    let sight = left.sight.as_ref();
    let (answer_root, ctx) = sight.map_or((F::zero(), F::zero()), |(answer, ctx)| {
        (answer.root(), *ctx)
    });
    json!({
        "nextCommitment": word(&public.next_commitment),
        "nextRequestRoot": word(&public.next_request_root),
        "answerRoot": word(&answer_root),
        "ctxNext": word(&ctx),
        "ply": ply,
        "capture": public.capture.map_or(64, |square| square.index()),
        "kingFell": public.king_fell,
        "offerDraw": false,
        "proof": bytes(proof),
    })
}

fn write(out: &Path, fixture: &Value) -> Result<()> {
    if let Some(folder) = out.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(out, serde_json::to_string_pretty(fixture)? + "\n")?;
    println!("{} written", out.display());
    Ok(())
}

/// The statement of a move.
fn turn(
    mover: &Player,
    other: &Player,
    left: &Left,
    mv: Move,
    next_salt: F,
    next_scalars: &[Scalar; 64],
) -> Result<(TurnPublic, TurnPrivate)> {
    let sight = match (&mover.standing, &left.sight) {
        (Some((request, scalars)), Some((answer, ctx))) => Some(TurnSight {
            request,
            scalars,
            answer,
            ctx: *ctx,
        }),
        _ => None,
    };
    let draft = TurnDraft {
        side: &mover.side,
        salt: mover.salt,
        pending: left.pending,
        mv,
        next_salt,
        fog_key: other.secret.key(),
        sight,
        next_scalars,
    };
    gather(&draft).map_err(|error| eyre!("{mv}: {error}"))
}

/// The answer that the mover of `ply` gives for the other's next sight, if the other has asked for one.
fn answer_next(
    mover: &Player,
    other: &Player,
    ply: usize,
    game_id: [u8; 32],
    capture: Option<Square>,
) -> Result<Option<(Answer, F)>> {
    let Some((request, _)) = &other.standing else {
        return Ok(None);
    };
    let context = Context {
        chain_id: CHAIN_ID,
        contract: CONTRACT,
        game_id,
        ply: ply as u64 + 1,
        phase: Phase::Pre,
        sender_commitment: mover.commitment(),
        pending_sender: None,
        receiver_commitment: other.commitment(),
        pending_receiver: capture,
        fog_key: mover.secret.key(),
        request_root: request.root(),
    };
    let answer = answer(&mover.side, &mover.secret, &context.exchange(), request)?;
    Ok(Some((answer, context.ctx())))
}

/// `keccak256(abi.encode(chainId, contract, creator, 0))`.
fn game_id() -> [u8; 32] {
    let mut words = [0; 128];
    words[24..32].copy_from_slice(&CHAIN_ID.to_be_bytes());
    words[44..64].copy_from_slice(&CONTRACT);
    words[76..96].copy_from_slice(&PLAYERS[0]);
    keccak256(&words)
}

fn word(value: &F) -> String {
    bytes(&to_word(value))
}

fn bytes(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}
