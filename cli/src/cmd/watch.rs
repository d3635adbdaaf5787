//! `fogmate watch`: a game as everybody may know it, as it goes on. No wallet is needed.

use std::time::Instant;

use clap::Args as ClapArgs;
use client::chain::{ChainTime, LogUpdate, Watcher};
use client::runtime::{ChainUpdate, watch};
use eyre::{Result, eyre};
use game::{ChainEvent, Notice, Phase, Table, date};
use rules::Color;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tui::Clocks;

use crate::boards;
use crate::clocks;
use crate::failure::Interrupted;
use crate::home::{HomeArgs, game_id};
use crate::node::NodeArgs;
use crate::output::{note, say};
use crate::terms::describe;
use crate::words;

/// Follow a game's public facts
///
/// Tells what the chain tells everybody, once it is final: who moved, what was captured where, clocks, demands, claims, and the end, with which it ends. What stands in
/// the fog nobody is told.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game's id, or the start of one that this machine knows
    game: String,
    #[command(flatten)]
    home: HomeArgs,
    #[command(flatten)]
    node: NodeArgs,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let home = args.home.home()?;
    let known = home.find(&args.game)?;
    let id = game_id(known.as_ref(), &args.game)?;
    let (chain, _) = args.node.connect(known.as_ref(), None).await?;
    chain.game(id).await?;
    let mut table = Table::new(chain.game_ref(id));
    let (sender, mut updates) = mpsc::channel(1);
    let (poll, watcher) = (chain.config().poll, Watcher::new(chain, id, 0, None));
    tokio::spawn(watch(watcher, poll, sender));
    loop {
        let update = tokio::select! {
            update = updates.recv() => update.ok_or_else(|| eyre!("nobody follows the chain any more"))?,
            _ = tokio::signal::ctrl_c() => return Err(Interrupted.into()),
        };
        let update = match update {
            ChainUpdate::Logs(update) => *update,
            ChainUpdate::Unreachable(reason) => {
                note!("note: {reason}");
                continue;
            }
        };
        update.notes.iter().for_each(|text| note!("note: {text}"));
        let is_new = !update.logs.is_empty();
        for log in update.logs {
            let LogUpdate::Final(log) = log else { continue };
            table.apply(&log.event)?;
            if let Some(fact) = fact(&log.event, &table) {
                tell(args.json, fact, log.block.number)?;
            }
        }
        match table.ending() {
            Some(_) => return Ok(()),
            None if is_new => tell_clocks(args.json, &update.time)?,
            None => {}
        }
    }
}

/// Tells a fact; a program also which block it stands in.
fn tell(is_json: bool, (event, mut fields, text): Fact, block: u64) -> Result<()> {
    if !is_json {
        return say!("{text}");
    }
    let common = json!({ "v": game::LINES_VERSION, "event": event, "block": block, "text": text });
    for (name, value) in common.as_object().into_iter().flatten() {
        fields[name] = value.clone();
    }
    say!("{fields}")
}

/// Tells how the clocks stand, as a player is told.
fn tell_clocks(is_json: bool, time: &ChainTime) -> Result<()> {
    let Some(notice) = time.clocks().map(|clocks| Notice::clocks(clocks, time.now())) else { return Ok(()) };
    let now = Instant::now();
    match Clocks::of(&notice, now) {
        _ if is_json => say!("{}", notice.to_line()?),
        Some(clocks) => say!("{}", clocks::sentences(&clocks, now)),
        None => Ok(()),
    }
}

/// What an event tells: its name for programs with what belongs to it, and a sentence.
type Fact = (&'static str, Value, String);

/// What everybody may know of an event that the table has just taken; nothing of what only machines need.
fn fact(event: &ChainEvent, table: &Table) -> Option<Fact> {
    let color_of = |player| table.begun().and_then(|play| play.color_of(player));
    let name = |color: Option<Color>| color.map_or("A player", boards::name);
    let turn = table.begun().map(|play| play.turn());
    Some(match event {
        ChainEvent::Created(opening) => {
            let (player, terms) = (opening.creator, opening.terms);
            (
                "created",
                json!({ "player": player, "terms": terms }),
                format!("{player} opens a game: {}.", describe(&terms)),
            )
        }
        ChainEvent::Joined { joiner, .. } => ("joined", json!({ "player": joiner }), format!("{joiner} joins.")),
        ChainEvent::Started { .. } => {
            let [white, black] = table.begun()?.players;
            (
                "started",
                json!({ "white": white, "black": black }),
                format!("The game begins: {white} is White, {black} Black."),
            )
        }
        ChainEvent::Moved { player, fields, .. } => {
            let (color, ply) = (color_of(*player), fields.ply);
            let capture = fields.capture.map_or_else(String::new, |square| format!(" and captures on {square}"));
            let offer = if fields.offer_draw { ", offering a draw" } else { "" };
            let told = json!({
                "ply": ply, "color": name(color).to_lowercase(), "capture": fields.capture.map(|square| square.to_string()),
                "draw_offered": fields.offer_draw,
            });
            ("moved", told, format!("{}. {} moves{capture}{offer}.", ply / 2 + 1, name(color)))
        }
        ChainEvent::SightDemanded { demanded, deadline, bond, .. } => {
            let (who, ply) = (name(Some(demanded.receiver)), demanded.ply);
            let when = if demanded.phase == Phase::Pre { "before" } else { "after" };
            let told = json!({
                "ply": ply, "when": when, "color": who.to_lowercase(), "deadline": deadline, "bond_wei": bond.to_string(),
            });
            let (number, until) = (ply / 2 + 1, date(*deadline));
            let text =
                format!("{who} demands its sight {when} move {number}: the opponent gives it until {until}, or loses.");
            ("sight_demanded", told, text)
        }
        ChainEvent::SightAnswered { paid, .. } => {
            ("sight_answered", json!({ "paid_wei": paid.to_string() }), "The sight is given.".to_owned())
        }
        ChainEvent::FiftyClaimed { ply, deadline, bond } => {
            let told = json!({ "ply": ply, "color": name(turn).to_lowercase(), "deadline": deadline, "bond_wei": bond.to_string() });
            let until = date(*deadline);
            let text = format!(
                "{} claims a draw by fifty moves: unless the opponent shows by {until} that it has made fewer, the game is drawn.",
                name(turn)
            );
            ("fifty_claimed", told, text)
        }
        ChainEvent::FiftyFailed { claims_from, paid, .. } => {
            let told = json!({ "claims_from": claims_from, "paid_wei": paid.to_string() });
            ("fifty_failed", told, "The claim of fifty moves was wrong: the game goes on.".to_owned())
        }
        ChainEvent::Ended { .. } => {
            let ending = table.ending()?;
            let told = json!({ "winner": ending.winner, "color": ending.color.map(|color| color.to_string()), "reason": ending.outcome.to_string() });
            ("over", told, words::of(&Notice::Over(ending))?)
        }
        _ => return None,
    })
}
