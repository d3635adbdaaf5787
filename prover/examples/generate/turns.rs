//! Writes the real *turn* proofs that forge's tests run on: a short game up to its captured king, proved with development
//! parameters. Its secrets come from a fixed seed, so the same circuit gives the same game; proofs are blinded
//! afresh from that seed too.

use circuits::{StatementCircuit, TurnCircuit};
use eyre::{Result, bail, eyre};
use fog::{
    F,
    engine::{Cause, Engine, Proofs, Session, SightLines, sight_lines::fog_secret},
    statement::{
        Proves, Statement,
        answer::{AnswerPrivate, AnswerPublic, AnswerStatement},
        chain_answer::ChainAnswerStatement,
        fifty::FiftyStatement,
        no_move::NoMoveStatement,
        request_data::RequestDataStatement,
        turn::{TurnPrivate, TurnPublic, TurnStatement},
    },
    word::to_word,
};
use game::{
    ChainEvent, GameRef, Mode, Opening, OwnState, Player, ProvenSight, Table, Terms, opening_id,
    secrets::GameSecrets,
    toss::{creator_is_white, toss_commitment},
};
use prover::{Keys, NoProgress, Srs};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use rules::{Color, Sight};
use serde_json::{Value, json};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

/// The game: White's queen finds Black's king behind an open diagonal.
const MOVES: [&str; 5] = ["e2e4", "f7f6", "d1h5", "a7a6", "h5e8"];
const CHAIN_ID: u64 = 31337;
const CONTRACT: [u8; 20] = [0xf0; 20];
const PLAYERS: [[u8; 20]; 2] = [[0x11; 20], [0x22; 20]];
const NONCE: [u8; 32] = [0x07; 32];
const TERMS: Terms = Terms {
    mode: Mode::Verified,
    stake: 0,
    base: 600,
    increment: 0,
    delay: 0,
    window: 3_600,
    reveal: 600,
    expiry: (1 << 40) - 1,
    opponent: None,
};

/// Generates the fixture that contracts/test/TurnFixture.sol reads.
#[derive(clap::Args)]
pub struct Args {
    /// Where to write it.
    #[arg(long, default_value = "contracts/test/fixtures/turns.json")]
    out: PathBuf,
    /// Where parameters and keys are kept.
    #[arg(long, default_value = ".cache/fogmate")]
    cache: PathBuf,
}

/// Proves turns from a fixed seed. Answers are bound by their roots alone here: forge's tests never see one.
struct TurnProver {
    keys: Keys<TurnCircuit>,
    rng: Mutex<ChaCha20Rng>,
    instances: Mutex<Vec<Vec<F>>>,
}

impl Proves<TurnStatement> for TurnProver {
    fn prove(&self, public: &TurnPublic, private: &TurnPrivate) -> Result<Vec<u8>, Cause> {
        let (mut rng, mut instances) =
            (self.rng.lock().map_err(|_| "a proof panicked")?, self.instances.lock().map_err(|_| "a proof panicked")?);
        instances.push(public.to_instance().to_vec());
        Ok(self.keys.prove(public, private, &mut *rng)?)
    }

    fn verify(&self, _: &TurnPublic, _: &[u8]) -> Result<(), Cause> {
        Err("no turn is verified here".into())
    }
}

impl Proves<AnswerStatement> for TurnProver {
    fn prove(&self, _: &AnswerPublic, _: &AnswerPrivate) -> Result<Vec<u8>, Cause> {
        Ok(Vec::new())
    }

    fn verify(&self, _: &AnswerPublic, _: &[u8]) -> Result<(), Cause> {
        Err("no answer is verified here".into())
    }
}

/// A statement of disputes and claims, which this game has none of.
trait Disputed: Statement {}

impl Disputed for RequestDataStatement {}
impl Disputed for FiftyStatement {}
impl Disputed for NoMoveStatement {}
impl Disputed for ChainAnswerStatement {}

impl<S: Disputed> Proves<S> for TurnProver {
    fn prove(&self, _: &S::Public, _: &S::Private) -> Result<Vec<u8>, Cause> {
        Err("nothing is disputed or claimed here".into())
    }

    fn verify(&self, _: &S::Public, _: &[u8]) -> Result<(), Cause> {
        Err("nothing is disputed or claimed here".into())
    }
}

impl Proofs for TurnProver {
    fn answer_proof_bytes(&self) -> usize {
        0
    }
}

/// The game, with both players in hand.
struct Played {
    table: Table,
    /// Of the coin toss, the creator's first.
    shares: [[u8; 32]; 2],
    players: [Player; 2],
    states: [OwnState; 2],
    /// The answer that the last move gave, if it gave one.
    answer: Vec<Vec<u8>>,
}

pub fn write(args: &Args) -> Result<()> {
    let srs = Srs::development(TurnCircuit::K, &args.cache, &NoProgress);
    let proofs = Arc::new(TurnProver {
        keys: Keys::load_or_make(&srs, &args.cache, &NoProgress)?,
        rng: Mutex::new(ChaCha20Rng::seed_from_u64(0xf0)),
        instances: Mutex::default(),
    });
    let mut game = Played::start(&SightLines::new(proofs.clone()))?;
    let (mut moves, mut made) = (Vec::new(), Vec::new());
    for mv in MOVES {
        let (posted, proof) = game.play(mv)?;
        made.push(bytes(&proof));
        moves.push(posted);
    }
    let instances = proofs.instances.lock().map_err(|_| eyre!("a proof panicked"))?;
    let words = |instance: &Vec<F>| instance.iter().map(word).collect::<Vec<_>>();
    let turns = instances.iter().zip(&made);
    let turns = turns.map(|(instance, proof)| json!({ "instance": words(instance), "proof": proof }));
    let board = game.table.begun().ok_or_else(|| eyre!("the game has begun"))?;
    let keys = board.registered.map(|key| {
        let (x, y) = key.split_at(key.len() / 2);
        [bytes(x), bytes(y)]
    });
    let fixture: Value = json!({
        "proofLength": proofs.keys.verifier().proof_bytes(),
        "turns": turns.collect::<Vec<_>>(),
        "game": {
            "chainId": CHAIN_ID,
            "contract": bytes(&CONTRACT),
            "creator": bytes(&PLAYERS[0]),
            "joiner": bytes(&PLAYERS[1]),
            "gameId": bytes(game.table.game().game_id.as_slice()),
            "nonce": bytes(&NONCE),
            "creatorShare": bytes(&game.shares[0]),
            "joinerShare": bytes(&game.shares[1]),
            "whiteKey": keys[0],
            "blackKey": keys[1],
            "moves": moves,
        },
    });
    if let Some(folder) = args.out.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(&args.out, serde_json::to_string_pretty(&fixture)? + "\n")?;
    println!("{} written", args.out.display());
    Ok(())
}

impl Played {
    /// Takes the game through the coin toss; the creator plays White.
    fn start(engine: &dyn Engine) -> Result<Self> {
        let contract = CONTRACT.into();
        let opening_id = opening_id(CHAIN_ID, contract, PLAYERS[0].into(), NONCE.into());
        let creator = GameSecrets::derive(&[1; 32], &opening_id);
        let opening = Opening {
            creator: PLAYERS[0].into(),
            nonce: NONCE.into(),
            terms: TERMS,
            toss: toss_commitment(&PLAYERS[0], &creator.toss_secret()).into(),
            registration: fog_secret(creator.seed()).key().to_bytes(),
        };
        let game_id = opening.game_id(CHAIN_ID, contract);
        let game = GameRef { chain_id: CHAIN_ID, contract, game_id };
        let joiner = GameSecrets::derive(&[2; 32], &game_id);
        let creator_share = creator.toss_secret();
        let shares = (0..=u8::MAX).map(|byte| [byte; 32]);
        let share = shares.into_iter().find(|share| creator_is_white(&creator_share, share, &game_id));
        let share = share.ok_or_else(|| eyre!("one share in two makes the creator White"))?;
        let mut table = Table::new(game);
        for event in [
            ChainEvent::Created(opening),
            ChainEvent::Joined {
                joiner: PLAYERS[1].into(),
                toss: toss_commitment(&PLAYERS[1], &share).into(),
                registration: fog_secret(joiner.seed()).key().to_bytes(),
            },
            ChainEvent::TossRevealed { share: creator_share.into() },
            ChainEvent::Started { white: PLAYERS[0].into(), share: share.into() },
        ] {
            table.apply(&event)?;
        }
        let (secrets, shares) = ([creator, joiner], [creator_share, share]);
        let board = table.begun().ok_or_else(|| eyre!("the game has begun"))?;
        let public = board.engine_game(&game);
        let player = |color: Color| -> Result<Player> {
            let secrets = &secrets[color.index()];
            let party = engine.set_up(color, secrets.seed(), &public)?;
            let (mut session, job) = Session::start(party, color == Color::White);
            session.finish(job.run())?;
            let Some(keys) = session.output() else {
                bail!("the engine sets up without messages");
            };
            Ok(Player::new(game, color, secrets.view_key().clone(), keys.clone()))
        };
        let players = [player(Color::White)?, player(Color::Black)?];
        Ok(Self { table, shares, players, states: Color::ALL.map(OwnState::start), answer: Vec::new() })
    }

    /// Makes a move: what `move` takes, and the proof.
    fn play(&mut self, mv: &str) -> Result<(Value, Vec<u8>)> {
        let board = self.table.playing().ok_or_else(|| eyre!("{mv} comes after the end"))?;
        let (mover, other) = (board.turn(), !board.turn());
        let (player, own) = (&self.players[mover.index()], &self.states[mover.index()]);
        let theirs = &self.states[other.index()];
        let sight = Sight::between(&own.applied(board.pending), &theirs.side, true);
        let seen = ProvenSight { sight: &sight, messages: &self.answer };
        // Black has asked for nothing yet when White moves first.
        let asked = (board.ply > 0).then(|| self.players[other.index()].request(theirs));
        let asked = asked.transpose()?;
        let seen = (!board.opening()).then_some(seen);
        let declared = player.declare(board, own, mv.parse()?, false, seen, asked.as_deref())?;
        let proof = player.keys().prove_move(&declared.step)?;
        let fields = declared.fields;
        let basis = board.basis(self.table.game(), &fields);
        let posted = json!({
            "nextCommitment": word(&fields.next_commitment),
            "nextRequestRoot": word(&fields.next_request_root),
            "answerRoot": word(&fields.answer_root),
            "basis": basis.to_string(),
            "ply": fields.ply,
            "capture": fields.capture.map_or(64, |square| square.index()),
            "kingFell": fields.king_fell,
            "offerDraw": fields.offer_draw,
            "proof": bytes(&proof),
        });
        self.answer = match declared.answer {
            Some((_, party)) => {
                let (mut session, job) = Session::start(party, true);
                session.finish(job.run())?;
                session.messages().to_vec()
            }
            None => Vec::new(),
        };
        self.states[mover.index()] = declared.next;
        self.table.apply(&ChainEvent::Moved {
            player: PLAYERS[mover.index()].into(),
            fields,
            basis: Some(basis),
            proof: Some(proof.clone()),
        })?;
        Ok((posted, proof))
    }
}

fn word(value: &F) -> String {
    bytes(&to_word(value))
}

fn bytes(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}
