//! A whole game of tag between two processes on a chain of its own, to a capture.
//!
//! Both kings walk along the diagonal, each in the fog of the other, until one comes beside the other. Everything that is started is owned by a value
//! here: dropping [`demo`]'s future at any point kills the players, ends Anvil and deletes the demo's folder.

use std::path::PathBuf;
use std::time::Duration;

use alloy::primitives::{B256, U256};
use alloy::signers::local::PrivateKeySigner;
use client::connection::ConnectionConfig;
use client::runtime::Parameters;
use client::tag::TagChain;
use deploy::anvil::{Anvil, FIRST_ACCOUNT_KEY, Mining};
use deploy::{Contracts, Deployment, Direct, Game, Repository, deploy};
use eyre::{OptionExt as _, Result, bail, eyre};
use serde_json::{Value, json};
use tag::{Role, Size, Square};

use super::place;
use super::tell::{cost, name};
use crate::cache::of_clone;
use crate::contest::{DEMO_FUNDS, Machine, Process, costs_told, told};
use crate::keys::tag_prover;
use crate::output::{note, say};
use crate::words::cost_of;

/// What each player puts in, in ether.
const STAKE: &str = "1";
/// A demo in which nothing happens for so long has failed.
const SILENCE: Duration = Duration::from_secs(120);

const ROLES: [Role; 2] = [Role::Creator, Role::Joiner];

/// Plays the demo, shows it on standard output, and gives its report in JSON.
pub async fn demo(repository: Repository, size: Size, cache: Option<PathBuf>) -> Result<Value> {
    let cache = cache.unwrap_or_else(|| of_clone(&repository));
    let folder = tempfile::Builder::new().prefix("fogmate-tag-").tempdir()?;
    note!("Starting a chain of our own (Anvil) and deploying the contract of tag …");
    let anvil = tokio::task::spawn_blocking(move || Anvil::start(&repository, Mining::Instant)).await??;
    let deployments = folder.path().join("deployments");
    let signer: PrivateKeySigner = FIRST_ACCOUNT_KEY.parse()?;
    let (contracts, creator) = (Contracts::shipped(Game::Tag, true), Direct::new(&anvil.rpc(), &signer)?);
    let deployed = deploy(&anvil.rpc(), &contracts, &deployments, &creator).await?;
    // Made now if they aren't there, and not by both players at once.
    let (keys, known) = (cache.clone(), deployed.clone());
    tokio::task::spawn_blocking(move || tag_prover(&Parameters::Development, &keys, &known).map(drop)).await??;

    let environment =
        [("FOGMATE_RPC", anvil.rpc().into()), ("FOGMATE_DEPLOYMENTS", deployments), ("FOGMATE_CACHE", cache)];
    let new = |name: &'static str| Machine::new("tag", name, folder.path(), &environment);
    let machines = [new("Alice")?, new("Bob")?];
    for machine in &machines {
        anvil.fund(machine.address, U256::from(DEMO_FUNDS)).await?;
    }
    let (game, opened) = open_game(&machines, size).await?;
    say!("Chain 31337 on {}, game {game}", anvil.rpc())?;
    let [alice, bob] = machines.each_ref().map(|machine| machine.address);
    say!("Alice is {alice}, Bob is {bob}; each puts in {STAKE} ETH.")?;
    let [first, second] = ROLES.map(|role| size.start(role == Role::Joiner));
    let [created, joined] = opened.each_ref().map(of_cost);
    say!("Alice places her king on {first} ({created}), Bob his on {second} ({joined}).\n")?;

    let id = game.to_string();
    let processes = [machines[0].play(&id, &["--stay"])?, machines[1].play(&id, &["--stay"])?];
    let mut narrator = Narrator { processes, size, plies: Vec::new(), current: Ply::default(), asked: None };
    let ending = narrator.run().await?;
    for process in narrator.processes {
        process.end().await?;
    }
    let winner = ROLES.into_iter().find(|role| ending["winner"] == name(*role));
    let winner = winner.ok_or_else(|| eyre!("nobody has won: {ending}"))?;
    let fetched = machines[winner as usize].ask(&["withdraw"]).await?;
    let paid = fetched["owed_wei"].as_str().and_then(|wei| wei.parse::<u128>().ok()).unwrap_or_default();
    let (who, paid) = (machines[winner as usize].name, client::lobby::in_ether(paid));
    say!("{who} has withdrawn both stakes, {paid} ETH ({}).", cost_of(&fetched))?;

    let costs = costs_of(&anvil, &deployed, game).await?;
    Ok(json!({ "grid": size.side(), "plies": narrator.plies, "ending": ending, "paid_ether": paid, "costs": costs }))
}

/// One player creates a game and the other joins it, as on two machines.
async fn open_game(machines: &[Machine; 2], size: Size) -> Result<(B256, [Value; 2])> {
    let (opponent, grid) = (machines[1].address.to_string(), format!("{0}x{0}", size.side()));
    let created = machines[0].ask(&["create", "--stake", STAKE, "--opponent", &opponent, "--grid", &grid]).await?;
    let game = created["game"].as_str().ok_or_eyre("`fogmate tag create` tells no game")?.to_owned();
    let joined = machines[1].ask(&["join", &game, "--stake", STAKE]).await?;
    Ok((game.parse()?, [created, joined]))
}

/// What something cost, in words.
fn of_cost(value: &Value) -> String {
    let seconds = value["seconds"].as_f64().unwrap_or_default();
    cost(value["proofs"].as_u64().unwrap_or_default(), seconds, &cost_of(value))
}

async fn costs_of(anvil: &Anvil, deployed: &Deployment, game: B256) -> Result<Value> {
    let config = ConnectionConfig::new(&anvil.rpc(), place(deployed));
    let chain = TagChain::connect(&config, None).await.map_err(told)?;
    let history = chain.history(game, None).await.map_err(told)?;
    let mut transactions: Vec<B256> = history.told.iter().map(|told| told.transaction).collect();
    transactions.dedup();
    costs_told(&chain.costs(&transactions).await.map_err(told)?)
}

/// What both players have said of a ply so far.
#[derive(Default)]
struct Ply {
    /// What each has sent: the step, the reply, the capture.
    sent: Vec<(Role, Value)>,
    /// The step as the chain has it.
    stepped: Option<Value>,
    /// Where each has seen the other's king.
    sees: [Option<Value>; 2],
    /// Who has told the reply.
    replied: [bool; 2],
}

/// Both players, and the telling of their game.
struct Narrator {
    processes: [Process; 2],
    size: Size,
    /// The report of each ply.
    plies: Vec<Value>,
    current: Ply,
    /// Who is asked for a step, and the words.
    asked: Option<(Role, Value)>,
}

impl Narrator {
    /// Plays to the end, which both must tell alike.
    async fn run(&mut self) -> Result<Value> {
        let mut endings: [Option<Value>; 2] = [None, None];
        loop {
            let [alice, bob] = &mut self.processes;
            let [alice_plays, bob_plays] = endings.each_ref().map(Option::is_none);
            let next = async {
                tokio::select! {
                    said = alice.next(), if alice_plays => (Role::Creator, said),
                    said = bob.next(), if bob_plays => (Role::Joiner, said),
                }
            };
            let heard = tokio::time::timeout(SILENCE, next).await;
            let (by, said) = heard.map_err(|_| eyre!("nothing has happened for {} s", SILENCE.as_secs()))?;
            let said = said?;
            if let Some(seen) = said.get("sees").filter(|_| said["event"] != "turn") {
                self.current.sees[by as usize] = Some(seen.clone());
            }
            if said["event"] == "over" {
                endings[by as usize] = Some(said);
            } else {
                self.hear(by, said).await?;
            }
            if let [Some(first), Some(second)] = &endings {
                if (&first["winner"], &first["outcome"]) != (&second["winner"], &second["outcome"]) {
                    bail!("the players disagree: {first}, {second}");
                }
                let ending = first.clone();
                if self.current.stepped.is_some() {
                    self.tell_ply()?;
                }
                self.tell_ending(&ending)?;
                return Ok(ending);
            }
        }
    }

    async fn hear(&mut self, by: Role, said: Value) -> Result<()> {
        match said["event"].as_str() {
            Some("turn") => self.asked = Some((by, said)),
            Some("mined") => self.current.sent.push((by, said)),
            Some("stepped") if said["by"] == name(by) => self.current.stepped = Some(said),
            Some("replied") => {
                self.current.replied[by as usize] = true;
                if self.current.replied == [true; 2] {
                    self.tell_ply()?;
                }
            }
            _ => {}
        }
        self.let_step().await
    }

    /// Types the step that a player is asked for, once both have told the ply before.
    async fn let_step(&mut self) -> Result<()> {
        let told = self.plies.len() as u64;
        let Some((by, said)) = self.asked.take_if(|(_, said)| said["ply"].as_u64() == Some(told)) else {
            return Ok(());
        };
        let next = self.next_step(by, said["square"].as_str())?;
        self.processes[by as usize].type_line(&next.to_string()).await
    }

    /// The next square on the diagonal toward the other corner.
    fn next_step(&self, by: Role, from: Option<&str>) -> Result<Square> {
        let from: Square = from.and_then(|name| name.parse().ok()).ok_or_eyre("a player tells no square")?;
        let steps: [i8; 2] = [1, -1];
        let step = steps[by as usize];
        let next = (from.file().checked_add_signed(step)).zip(from.rank().checked_add_signed(step));
        let next = next.and_then(|(file, rank)| Square::new(file, rank));
        next.filter(|square| self.size.contains(*square)).ok_or_eyre("a king is at the end of its way")
    }

    fn names(&self) -> [&'static str; 2] {
        self.processes.each_ref().map(|process| process.name)
    }

    fn sent(&self, action: &str) -> Option<&(Role, Value)> {
        self.current.sent.iter().find(|(_, said)| said["action"] == action)
    }

    /// What a player saw in this ply.
    fn sight(&self, role: Role) -> String {
        let who = self.names()[role as usize];
        match self.current.sees[role as usize].as_ref().and_then(Value::as_str) {
            Some(square) => format!("{who} sees {}'s king on {square}", self.names()[role.other() as usize]),
            None => format!("{who} sees nobody"),
        }
    }

    /// Tells a ply: step, set, the reply unless there was a capture in its place, and what they cost.
    fn tell_ply(&mut self) -> Result<()> {
        let (Some((mover, step)), Some(stepped)) = (self.sent("step"), &self.current.stepped) else {
            bail!("a ply is over of which no step was told");
        };
        let reply = self.sent("reply").map(|(_, said)| said);
        let (mover, ply) = (*mover, step["ply"].as_u64().unwrap_or_default());
        let [who, other] = [mover, mover.other()].map(|role| self.names()[role as usize]);
        let text = |field: &str| stepped[field].as_str().unwrap_or_default().to_owned();
        let short = |field: &str| text(field).chars().take(10).collect::<String>();
        let (to, commitment, set) = (text("square"), short("commitment"), short("set"));
        say!(
            "ply {ply:2}  {who} steps to {to}: commitment {commitment}…, set {set}…, reply to {other}'s set ({})",
            of_cost(step)
        )?;
        match reply {
            Some(reply) => {
                say!("        {}; replies to {who}'s set ({})", self.sight(mover.other()), of_cost(reply))?;
                say!("        {}", self.sight(mover))?;
            }
            None => say!("        {}, and it is {other}'s turn", self.sight(mover.other()))?,
        }
        let report = json!({
            "ply": ply, "by": name(mover), "square": to, "commitment": stepped["commitment"], "set": stepped["set"],
            "step": step, "reply": reply, "sees": self.current.sees,
        });
        let is_over = reply.is_some();
        self.plies.push(report);
        if is_over {
            self.current = Ply::default();
        }
        Ok(())
    }

    fn tell_ending(&self, ending: &Value) -> Result<()> {
        let winner = ROLES.into_iter().find(|role| ending["winner"] == name(*role));
        let Some(winner) = winner else { return say!("\nNobody has won: {}.", ending["outcome"]) };
        let [who, other] = [winner, winner.other()].map(|role| self.names()[role as usize]);
        let seen = |role: Role| self.current.sees[role as usize].as_ref().and_then(Value::as_str).unwrap_or("?");
        let (prey, captor) = (seen(winner), seen(winner.other()));
        let cost = self.sent("capture").map(|(_, said)| of_cost(said)).unwrap_or_default();
        say!("\n{who}'s king on {captor} has caught {other}'s on {prey}; the chain has verified it ({cost}).")
    }
}
