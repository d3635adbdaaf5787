//! A whole game of tag between two processes on a chain of its own, to a capture, audited at the end.
//!
//! Both kings walk along the diagonal, each in the fog of the other, until one comes beside the other.

use std::env;
use std::path::PathBuf;

use client::runtime::Parameters;
use contest::Role;
use contest::tag::{Size, Square, Tag};
use deploy::Repository;
use eyre::{OptionExt as _, Result, bail, eyre};
use serde_json::{Value, json};

use crate::cache::of_clone;
use crate::contest::demo::{Stage, heard};
use crate::contest::process::Player;
use crate::contest::tell::cost;
use crate::keys::tag_prover;
use crate::output::say;
use crate::words::cost_of;

/// Plays the demo, shows it on standard output, and gives its report in JSON.
pub async fn demo(repository: Repository, size: Size, cache: Option<PathBuf>) -> Result<Value> {
    // Taken from the environment here, where it doesn't count as an option that was given.
    let cache =
        cache.or_else(|| env::var_os("FOGMATE_CACHE").map(PathBuf::from)).unwrap_or_else(|| of_clone(&repository));
    let stage = Stage::set::<Tag>(&repository, cache.clone()).await?;
    // Made now if they aren't there, and not by both players at once.
    let known = stage.local.deployment.clone();
    tokio::task::spawn_blocking(move || tag_prover(&Parameters::Development, &cache, &known).map(drop)).await??;

    let (game, opened) = stage.open(&["--grid", &format!("{0}x{0}", size.side())]).await?;
    let [first, second] = Role::ALL.map(|role| size.start(role == Role::Joiner));
    let [created, joined] = opened.each_ref().map(of_cost);
    say!("Alice places her king on {first} ({created}), Bob his on {second} ({joined}).\n")?;
    let players = stage.play(game, &[])?;
    let mut narrator = Narrator { players, size, plies: Vec::new(), current: Ply::default(), asked: None };
    let ending = narrator.run().await?;
    for player in narrator.players {
        player.end().await?;
    }
    let winner = Role::ALL.into_iter().find(|role| ending["winner"] == role.name());
    let winner = winner.ok_or_else(|| eyre!("nobody has won: {ending}"))?;
    let paid = stage.withdraw(winner).await?;
    let [report, costs] = stage.audit::<Tag>(game, winner).await?;
    Ok(json!({
        "grid": size.side(), "plies": narrator.plies, "ending": ending, "paid_ether": paid, "audit": report, "costs": costs,
    }))
}

/// What something cost, in words.
fn of_cost(value: &Value) -> String {
    let seconds = value["seconds"].as_f64().unwrap_or_default();
    cost(value["proofs"].as_u64().unwrap_or_default(), seconds, &cost_of(value))
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
    players: [Player; 2],
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
            let [alice, bob] = &mut self.players;
            let [alice_plays, bob_plays] = endings.each_ref().map(Option::is_none);
            let next = async {
                tokio::select! {
                    said = alice.next(), if alice_plays => (Role::Creator, said),
                    said = bob.next(), if bob_plays => (Role::Joiner, said),
                }
            };
            let (by, said) = heard(next).await?;
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
            Some("stepped") if said["by"] == by.name() => self.current.stepped = Some(said),
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
        self.players[by as usize].process.type_line(&next.to_string()).await
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
        self.players.each_ref().map(|player| player.process.name)
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
            "ply": ply, "by": mover.name(), "square": to, "commitment": stepped["commitment"], "set": stepped["set"],
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
        let winner = Role::ALL.into_iter().find(|role| ending["winner"] == role.name());
        let Some(winner) = winner else { return say!("\nNobody has won: {}.", ending["outcome"]) };
        let [who, other] = [winner, winner.other()].map(|role| self.names()[role as usize]);
        let seen = |role: Role| self.current.sees[role as usize].as_ref().and_then(Value::as_str).unwrap_or("?");
        let (prey, captor) = (seen(winner), seen(winner.other()));
        let cost = self.sent("capture").map(|(_, said)| of_cost(said)).unwrap_or_default();
        say!("\n{who}'s king on {captor} has caught {other}'s on {prey}; the chain has verified it ({cost}).")
    }
}
