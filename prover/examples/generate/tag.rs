//! Writes the real proofs that forge's tests of tag run on: a whole game on 6×6, up to the capture, proved with development parameters.
//! Its secrets come from a fixed seed, so the same circuits give the same game; proofs are blinded from that seed too.

use alloy_primitives::{Address, B256};
use circuits::{TagCaptureCircuit, TagReplyCircuit, TagStepCircuit};
use contest::tag::{
    Duty, Move, OwnKing, Placement, Proofs, Reply, Setup, Size, Square, Tag,
    statement::{capture::CaptureStatement, reply::ReplyStatement, step::StepStatement},
};
use contest::{Action, Hand as _, Opening, Role, Side, Table, Terms};
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

/// Where both kings go, by turns: the joiner's comes beside the creator's in the fourth ply, and the creator captures in place of its reply.
const STEPS: [&str; 4] = ["b2", "e5", "c3", "d4"];
const TERMS: Terms<Setup> =
    Terms { stake: 0, turn: 600, expiry: (1 << 40) - 1, opponent: None, setup: Setup { size: Size::Six, plies: 20 } };

/// Generates the fixture that contracts/test/TagTest.sol reads.
#[derive(clap::Args)]
pub struct Args {
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

fn king(role: Role) -> OwnKing {
    OwnKing::new(Seed::derive(&[role as u8 + 1; 32], &[7; 32]).branch("tag"))
}

pub fn write(args: &Args) -> Result<()> {
    let srs = Srs::development(TagProofs::K, &args.cache, &NoProgress);
    let proofs = Seeded {
        keys: TagProofs::load_or_make(&srs, &args.cache, &NoProgress)?,
        rng: Mutex::new(ChaCha20Rng::seed_from_u64(0x746167)),
    };
    let proven: &(dyn Proofs + 'static) = &proofs;
    let creator = account(Role::Creator);
    let entry = king(Role::Creator).entry(creator, &TERMS.setup, proven)?;
    let (contract, nonce) = (Address::ZERO, B256::ZERO);
    let opening = Opening::<Tag> { chain_id: 1, contract, creator, nonce, terms: TERMS, entry };
    let mut actions = vec![json!({ "kind": "create", "by": 0, "placement": of_placement(&opening.entry) })];
    let table = Table::open(opening, proven)?;
    let [first, second] = Role::ALL.map(|role| Side::new(account(role), king(role), table.clone()));
    let mut sides = [first?, second?];
    let mut next = Some((Role::Joiner, Action::Join(sides[1].acceptance(proven)?)));
    let mut steps = STEPS.iter();
    while let Some((role, action)) = next {
        actions.push(of_action(role, &action));
        for side in &mut sides {
            side.hear(account(role), &action, 1_000_000, proven)?;
        }
        next = None;
        for (role, side) in Role::ALL.into_iter().zip(&sides) {
            match side.duty()? {
                None => {}
                Some(Duty::Step) => {
                    let Some(step) = steps.next() else { bail!("the steps lead to no capture") };
                    next = Some((role, side.choose(step.parse::<Square>()?, proven)?));
                }
                Some(duty) => next = Some((role, side.perform(duty, proven)?)),
            }
        }
    }
    if sides[0].table().ending().is_none() {
        bail!("the game goes on");
    }
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

fn of_action(role: Role, action: &Action<Tag>) -> Value {
    let (kind, by) = (action.name(), role as u8);
    match action {
        Action::Join(placement) => json!({ "kind": kind, "by": by, "placement": of_placement(placement) }),
        Action::Move(Move::Step { placement, reply, proof }) => {
            json!({ "kind": kind, "by": by, "placement": of_placement(placement), "reply": of_reply(reply, proof) })
        }
        Action::Move(Move::Reply { reply, proof }) => {
            json!({ "kind": kind, "by": by, "reply": of_reply(reply, proof) })
        }
        Action::Move(Move::Capture { place, proof }) => {
            json!({ "kind": kind, "by": by, "place": place, "proof": bytes(proof) })
        }
        _ => json!({ "kind": kind, "by": by }),
    }
}
