//! `fogmate watch`: a game as everybody may know it, as it goes on. No wallet is needed.

use std::time::Instant;

use clap::Args as ClapArgs;
use client::chain::{ChainTime, LogUpdate, Watcher};
use client::runtime::{ChainUpdate, watch};
use eyre::{Result, eyre};
use game::audit::Record;
use game::chronicle::{Chronicle, Entry};
use game::{ChainEvent, Mode, Notice, Table, date};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tui::Clocks;

use crate::clocks;
use crate::failure::Interrupted;
use crate::node::GameArgs;
use crate::output::{note, say, tell};
use crate::terms::describe;
use crate::words;

/// Follow a game's public facts
///
/// Tells what the chain tells everybody, once it is final: who moved, what was captured where, clocks, demands, claims, and the end, with which it ends. What stands in
/// the fog nobody is told.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

pub async fn run(args: &Args) -> Result<()> {
    let (_, known, id) = args.game.known()?;
    let (chain, ..) = args.game.look.find(known.as_ref(), id).await?;
    let mut chronicle = Chronicle::new(chain.game_ref(id));
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
            // A node that tells what can't follow is told of, too.
            chronicle.table().clone().apply(&log.event)?;
            let entry = chronicle.tell(&Record::of_chain(log.event.clone(), None));
            if let Some(fields) = fields(&log.event, chronicle.table()) {
                let text = in_words(&log.event, &entry, &chronicle);
                match args.json {
                    true => say!("{}", as_json(fields, &entry, chronicle.table(), log.block.number, &text))?,
                    false => tell!("{text}")?,
                }
            }
        }
        match chronicle.table().ending() {
            Some(_) => return Ok(()),
            None if is_new => tell_clocks(args.json, &update.time)?,
            None => {}
        }
    }
}

/// An event for a program: also which block it stands in.
fn as_json((event, more): (&str, Value), entry: &Entry, table: &Table, block: u64, text: &str) -> Value {
    let color = entry.by.and_then(|by| table.begun()?.color_of(by)).map(|color| color.to_string());
    let mut line = json!({
        "v": game::LINES_VERSION, "event": event, "block": block, "text": text, "ply": entry.ply, "player": entry.by, "color": color,
        "deadline": entry.deadline,
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        line[name] = value.clone();
    }
    line
}

/// Tells how the clocks stand, as a player is told.
fn tell_clocks(is_json: bool, time: &ChainTime) -> Result<()> {
    let Some(notice) = time.clocks().map(|clocks| Notice::clocks(clocks, time.now())) else { return Ok(()) };
    let now = Instant::now();
    match Clocks::of(&notice, now) {
        _ if is_json => say!("{}", notice.to_line()?),
        Some(clocks) => tell!("{}", clocks::sentences(&clocks, now)),
        None => Ok(()),
    }
}

/// What an event is called for programs, with what belongs to it beside its entry in the chronicle; none for what only machines need.
fn fields(event: &ChainEvent, table: &Table) -> Option<(&'static str, Value)> {
    Some(match event {
        ChainEvent::Created(opening) => ("created", json!({ "terms": opening.terms })),
        ChainEvent::Joined { .. } => ("joined", json!({})),
        ChainEvent::TossRevealed { .. } => ("toss_revealed", json!({})),
        ChainEvent::Started { .. } => {
            let [white, black] = table.begun()?.players;
            ("started", json!({ "white": white, "black": black }))
        }
        ChainEvent::Moved { fields, .. } => {
            let capture = fields.capture.map(|square| square.to_string());
            ("moved", json!({ "capture": capture, "draw_offered": fields.offer_draw }))
        }
        ChainEvent::Woken { until, .. } => ("woken", json!({ "contested_until": until })),
        ChainEvent::Closed { last } => ("closed", json!({ "last": last })),
        ChainEvent::SightDemanded { demanded, bond, .. } => {
            ("sight_demanded", json!({ "when": demanded.phase.to_string(), "bond_wei": bond.to_string() }))
        }
        ChainEvent::SightAnswered { paid, .. } => ("sight_answered", json!({ "paid_wei": paid.to_string() })),
        ChainEvent::FiftyClaimed { bond, .. } => ("fifty_claimed", json!({ "bond_wei": bond.to_string() })),
        ChainEvent::FiftyFailed { claims_from, paid, .. } => {
            ("fifty_failed", json!({ "claims_from": claims_from, "paid_wei": paid.to_string() }))
        }
        ChainEvent::Ended { winner, outcome } => {
            let color = table.ending()?.color.map(|color| color.to_string());
            ("over", json!({ "winner": winner, "color": color, "reason": outcome.to_string() }))
        }
        _ => return None,
    })
}

/// An event as a sentence, with the terms where a game is opened, and who has which color where it begins.
fn in_words(event: &ChainEvent, entry: &Entry, chronicle: &Chronicle) -> String {
    let number = entry.number().map_or_else(String::new, |ply| format!("{} ", words::number(ply)));
    let more = match (event, chronicle.table().begun(), entry.deadline) {
        (ChainEvent::Created(opening), ..) => format!(": {}", describe(&opening.terms)),
        (ChainEvent::Started { .. }, Some(play), _) => {
            let is_between = chronicle.table().terms().is_some_and(|terms| terms.mode == Mode::Channel);
            // Of such a game the chain has no clocks to be told.
            let place = if is_between { ". Moves and clocks are between the players' machines" } else { "" };
            format!("; {:#x} is White, {:#x} Black{place}", play.players[0], play.players[1])
        }
        (ChainEvent::Woken { .. }, _, Some(deadline)) => {
            format!(", which a later position could replace until {}", date(deadline))
        }
        (.., Some(deadline)) => format!("; the time to answer ends at {}", date(deadline)),
        _ => String::new(),
    };
    format!("{number}{}{more}.", chronicle.sentence(entry))
}
