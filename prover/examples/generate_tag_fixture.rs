//! Writes the real proofs that forge's tests of tag run on: a whole game on the smaller grid, up to the capture, proved with development parameters.
//! Its secrets come from a fixed seed, so the same circuits give the same game; proofs are blinded from that seed too.

use alloy_primitives::Address;
use circuits::{TagCaptureCircuit, TagReplyCircuit, TagStepCircuit};
use clap::Parser;
use eyre::{Result, bail};
use fog::{
    engine::{Cause, Seed},
    statement::{Proves, Statement},
    word::to_word,
};
use prover::{Keys, NoProgress, Srs, TagProofs};
use rand_chacha::{
    ChaCha20Rng,
    rand_core::{RngCore, SeedableRng},
};
use serde_json::{Value, json};
use std::{path::PathBuf, sync::Mutex};
use tag::{
    Action, Effect, Event, Placement, Reply, Role, Secrets, Side, Size, Square, Status, Table, Terms,
    statement::{capture::CaptureStatement, reply::ReplyStatement, step::StepStatement},
};

/// Where both kings go, by turns: the joiner's comes beside the creator's in the fourth ply, and the creator captures in place of its reply.
const STEPS: [&str; 4] = ["b2", "e5", "c3", "d4"];
const TERMS: Terms = Terms { size: Size::Six, plies: 20, turn: 600, expiry: (1 << 40) - 1, opponent: None };

/// Generates the fixture that contracts/test/TagTest.sol reads.
#[derive(Parser)]
struct Args {
    /// Where to write it.
    #[arg(long, default_value = "contracts/test/fixtures/tag.json")]
    out: PathBuf,
    /// Where parameters and keys are kept.
    #[arg(long, default_value = ".cache/fogmate")]
    cache: PathBuf,
}

/// Proves with blinding from a fixed seed.
struct Seeded {
    keys: TagProofs,
    rng: Mutex<ChaCha20Rng>,
}

/// A statement of tag: its keys.
trait Kept: Statement {
    type Circuit: prover::Statement<Public = Self::Public, Private = Self::Private>;

    fn keys(of: &TagProofs) -> &Keys<Self::Circuit>;
}

impl Kept for StepStatement {
    type Circuit = TagStepCircuit;

    fn keys(of: &TagProofs) -> &Keys<TagStepCircuit> {
        &of.step
    }
}

impl Kept for ReplyStatement {
    type Circuit = TagReplyCircuit;

    fn keys(of: &TagProofs) -> &Keys<TagReplyCircuit> {
        &of.reply
    }
}

impl Kept for CaptureStatement {
    type Circuit = TagCaptureCircuit;

    fn keys(of: &TagProofs) -> &Keys<TagCaptureCircuit> {
        &of.capture
    }
}

impl<S: Kept> Proves<S> for Seeded {
    fn prove(&self, public: &S::Public, private: &S::Private) -> Result<Vec<u8>, Cause> {
        let mut seed = [0; 32];
        self.rng.lock().map_err(|_| "a proof panicked")?.fill_bytes(&mut seed);
        Ok(S::keys(&self.keys).prove(public, private, ChaCha20Rng::from_seed(seed))?)
    }

    fn verify(&self, public: &S::Public, proof: &[u8]) -> Result<(), Cause> {
        Ok(S::keys(&self.keys).verify(public, proof)?)
    }
}

fn account(role: Role) -> Address {
    Address::repeat_byte(0x11 * (role as u8 + 1))
}

fn secrets(role: Role) -> Secrets {
    Secrets::new(Seed::derive(&[role as u8 + 1; 32], &[7; 32]).branch("tag"))
}

fn main() -> Result<()> {
    let args = Args::parse();
    let srs = Srs::development(TagProofs::K, &args.cache, &NoProgress);
    let proofs = Seeded {
        keys: TagProofs::load_or_make(&srs, &args.cache, &NoProgress)?,
        rng: Mutex::new(ChaCha20Rng::seed_from_u64(0x746167)),
    };
    let [creator, joiner] = [Role::Creator, Role::Joiner];
    let placement = Side::first_placement(TERMS.size, &secrets(creator), &proofs)?;
    let table = Table::open(TERMS, account(creator), &placement, &proofs)?;
    let side = |role| Side::new(account(role), secrets(role), table.clone());
    let mut sides = [side(creator)?, side(joiner)?];
    let mut actions = vec![json!({ "kind": "create", "by": 0, "placement": of_placement(&placement) })];
    let mut waiting = vec![(joiner, sides[1].joining(&proofs)?)];
    let mut steps = STEPS.iter();
    loop {
        let (role, action) = match waiting.pop() {
            Some(next) => next,
            None => {
                let Some(step) = steps.next() else { break };
                let role = sides[0].table().mover();
                let effects = sides[role as usize].on(&Event::Go(step.parse::<Square>()?), &proofs)?;
                let Some(Effect::Send(action)) = effects.into_iter().next() else { bail!("no step") };
                (role, action)
            }
        };
        actions.push(of_action(role, &action));
        let event = Event::Said { sender: account(role), action, time: 1_000_000 };
        for (side, of) in sides.iter_mut().zip([creator, joiner]) {
            let effects = side.on(&event, &proofs)?;
            waiting.extend(effects.into_iter().filter_map(|effect| match effect {
                Effect::Send(action) => Some((of, action)),
                _ => None,
            }));
        }
    }
    let Status::Over(_) = sides[0].table().status() else { bail!("the game goes on") };
    let fixture = json!({ "proofLength": proofs.keys.step.verifier().proof_bytes(), "actions": actions });
    std::fs::write(&args.out, serde_json::to_string_pretty(&fixture)? + "\n")?;
    println!("{} written: {} actions", args.out.display(), actions.len());
    Ok(())
}

fn word(value: &fog::F) -> Value {
    json!(format!("0x{}", hex::encode(to_word(value))))
}

fn bytes(bytes: &[u8]) -> Value {
    json!(format!("0x{}", hex::encode(bytes)))
}

/// The words of a placement as the contract takes them, and the proof.
fn of_placement(placement: &Placement) -> Value {
    let words = [placement.commitment, placement.set.hash()].into_iter().chain(placement.set.0);
    json!({ "words": words.map(|value| word(&value)).collect::<Vec<_>>(), "proof": bytes(&placement.proof) })
}

fn of_reply(reply: &Reply, proof: &[u8]) -> Value {
    let words = reply.raised.iter().chain([&reply.own]);
    json!({ "words": words.map(word).collect::<Vec<_>>(), "proof": bytes(proof) })
}

fn of_action(role: Role, action: &Action) -> Value {
    let by = role as u8;
    match action {
        Action::Join(placement) => json!({ "kind": "join", "by": by, "placement": of_placement(placement) }),
        Action::Step { placement, reply, proof } => {
            json!({ "kind": "step", "by": by, "placement": of_placement(placement), "reply": of_reply(reply, proof) })
        }
        Action::Reply { reply, proof } => json!({ "kind": "reply", "by": by, "reply": of_reply(reply, proof) }),
        Action::Capture { place, proof } => {
            json!({ "kind": "capture", "by": by, "place": place, "proof": bytes(proof) })
        }
        other => json!({ "kind": format!("{other:?}"), "by": by }),
    }
}
