//! `fogmate disclose`: what a player's part of a game whose players trusted each other follows from, written into a file for
//! `fogmate audit` once the game is over.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use chain::private;
use clap::Args as ClapArgs;
use client::disclosure::{Account, Course, Disclosure, check};
use client::journal::Journal;
use client::runtime::Accountable;
use eyre::{Context, Result};
use game::audit::opening;
use serde_json::json;

use crate::engine::{accountable, engine_of};
use crate::failure::bad_input;
use crate::files::free;
use crate::home::game_id;
use crate::machine::CommandArgs;
use crate::output::{note, say};

/// Lay open your part of a game whose players trusted each other, once it is over
///
/// Writes a file with the branch of your seed that the engine drew from, your view key, and the opponent's messages as your machine
/// has them: whoever has it can see what your boards were and make all your messages of this game again. It says nothing of other games,
/// of your wallet or of money. The command looks at it first, as an audit would, and says what is missing. `fogmate audit GAME --disclosure FILE` looks at it. Nothing is sent anywhere.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// The game's id, or the start of one that this machine knows
    #[arg(long)]
    game: String,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    common: CommandArgs,
}

pub async fn run(args: &Args) -> Result<()> {
    free(&args.output)?;
    let home = args.common.machine.home.home()?;
    let saved = home.find(&args.game)?;
    let game_id = game_id(saved.as_ref(), &args.game)?;
    let (wallet, chain, _) = args.common.machine.connect(&home, saved.as_ref()).await?;
    let (me, game) = (wallet.address(), chain.game_ref(game_id));
    let state = chain.game(game_id).await?;
    let engine = accountable(engine_of(&state)?).map_err(bad_input)?;
    if !state.players.contains(&Some(me)) {
        return Err(bad_input(format!("{me:#x} is not a player of this game")));
    }
    let records = chain.final_records(game_id).await?;
    let course = Course::of(game, &records).ok().filter(Course::is_over);
    let course = course.ok_or_else(|| {
        bad_input("the game isn't over, as far as blocks are final: laying your part open now would show the opponent your board")
    })?;
    let opening = opening(&records).ok_or_else(|| bad_input("the chain doesn't say who opened the game"))?;
    let secrets = wallet.game_secrets(&game, opening.creator, opening.nonce);
    let mut journal = Vec::new();
    // Opening one that isn't there would make it, and hide the loss from the next try.
    if Journal::path(&home.journals(), me, &game).exists() {
        let (_, contents) = Journal::open(&home.journals(), me, &game, chain.genesis().await?)?;
        contents.notes.iter().for_each(|said| note!("note: {said}"));
        journal = contents.entries;
    } else {
        note!("note: this machine has no journal of the game, so the opponent's messages are missing");
    }
    let disclosure = Disclosure::of(game, me, &secrets, engine.about(), &journal);
    let path = std::path::absolute(&args.output).wrap_err_with(|| args.output.display().to_string())?;
    private::write(&path, disclosure.to_json().as_bytes())
        .wrap_err_with(|| format!("{} can't be written", args.output.display()))?;
    let account = look(course, engine, disclosure.clone()).await?;
    for found in &account.findings {
        note!("note: an audit will say: {found}");
    }
    for missing in &account.missing {
        note!("note: it is not complete: {missing}");
    }
    let missing: Vec<String> = account.missing.iter().map(ToString::to_string).collect();
    let messages: usize = disclosure.heard.values().map(BTreeMap::len).sum();
    let file = args.output.display();
    match args.common.json {
        true => say!("{}", json!({ "file": file.to_string(), "messages": messages, "missing": missing })),
        false => say!(
            "{file} has your branch, your view key and {messages} messages of the opponent: who gets it sees all your boards of this game"
        ),
    }
}

/// What an audit of this disclosure alone says: so its player sees what is missing before anybody else does.
async fn look(course: Course, engine: Arc<dyn Accountable>, disclosure: Disclosure) -> Result<Account> {
    let look = move || check(&course, &*engine, &[disclosure]);
    Ok(tokio::task::spawn_blocking(look).await??)
}
