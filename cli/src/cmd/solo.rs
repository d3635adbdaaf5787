//! `fogmate solo`: a game against the bot, on a chain of its own that ends with it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use alloy::primitives::B256;
use bot::Level;
use clap::Args as ClapArgs;
use client::chain::Chain;
use deploy::anvil::{Anvil, Hardfork};
use deploy::{Contracts, Game};
use engines::EngineKind;
use eyre::{Result, bail, ensure, eyre};
use game::audit::opening;
use game::toss::creator_is_white;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use rules::Color;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::process::Child;
use tokio::signal::unix::{SignalKind, signal};

use crate::anvil::anvil;
use crate::demo::{LocalChain, MINING, Machine, prepare_keys};
use crate::engine::UNPROVEN;
use crate::failure::{Interrupted, bad_input};
use crate::files::free;
use crate::keys::KeyArgs;
use crate::node::config;
use crate::output::note;
use crate::process::{Signals, Told};
use crate::screen::ScreenArgs;
use crate::{terminal, terms};

/// Games that are opened until the coin falls as it is wanted.
const TOSSES: usize = 64;

/// Play against the bot: starts a chain, two wallets and a game, all on this machine
///
/// Chain and wallets are worth nothing and end with this command, and so does the bot, which is a process of its own with a wallet of its own and knows what its
/// seat knows. Moves and sights are proven and exchanged as in any game, unless it is played with --no-prove. Both sides' secrets are on this machine.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// How well the bot plays: `easy`, `medium` or `hard`
    #[arg(long, value_name = "LEVEL", default_value_t)]
    level: Level,
    /// Your colour: `white`, `black` or `random`
    #[arg(long, value_name = "COLOR", default_value = "random", value_parser = color)]
    color: Wish,
    /// Each side's time for the whole game
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = terms::seconds, allow_hyphen_values = true)]
    base: u32,
    /// Prove every move and every sight, as games with others do; so it is where --no-prove isn't given
    #[arg(long, overrides_with = "no_prove")]
    prove: bool,
    /// Play without proofs, which takes no time: for learning
    #[arg(long)]
    no_prove: bool,
    /// Draw all that is drawn by this number: the same colour, and the same moves of the bot where yours are the same
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Keep both sides' files in a folder, which must be new or empty; the chain ends all the same
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Write the game to a file as PGN, once it is over
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// The program of the local chain [default: `anvil` as the shell finds it, else the clone's]
    #[arg(long, env = "FOGMATE_ANVIL", value_name = "FILE")]
    anvil: Option<PathBuf>,
    #[command(flatten)]
    keys: KeyArgs,
    /// Print what happens as a JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// The colour that is wanted, if any is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wish(Option<Color>);

fn color(text: &str) -> Result<Wish, String> {
    match text {
        "random" => Ok(Wish(None)),
        _ => text
            .parse()
            .map(|color| Wish(Some(color)))
            .map_err(|_| "the colours are white, black and random".to_owned()),
    }
}

pub async fn run(args: &Args) -> Result<()> {
    args.pgn.as_deref().map(free).transpose()?;
    let mut signals = Signals::new()?;
    // Whichever way the game is left, dropping it ends all processes and removes the folder.
    let solo = signals.during(Solo::open(args)).await?;
    solo.play(args, &mut signals).await
}

/// A game against the bot, with all that ends with it.
struct Solo {
    game: String,
    person: Machine,
    bot: Machine,
    anvil: Anvil,
    _folder: TempDir,
}

impl Solo {
    async fn open(args: &Args) -> Result<Self> {
        let program = anvil(args.anvil.as_deref())?;
        let has_proofs = args.prove || !args.no_prove;
        let temporary = tempfile::Builder::new()
            .prefix("fogmate-solo-")
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir()?;
        let folder = match &args.keep {
            Some(folder) => kept(folder)?,
            None => temporary.path().to_owned(),
        };
        // Without proofs there are no keys that would outlive the game.
        let cache = if has_proofs { args.keys.cache()? } else { folder.join("keys") };
        if has_proofs {
            prepare_keys(EngineKind::default(), &cache).await?;
        }
        let (rules, contracts) = (Hardfork::default(), Contracts::shipped(Game::Chess, true));
        let local = LocalChain::start(program, MINING, rules, &contracts, &folder, cache).await?;
        let chain = Chain::connect(config(&local.environment.rpc, &local.deployment), None).await?;
        let [person, bot] = local.machines(["you", "bot"], None, &folder).await?;
        let game = toss(args, has_proofs, &chain, [&person, &bot]).await?.to_string();
        note!("The chain, both wallets and the bot are on this machine, worth nothing, and end with this game.");
        note!(
            "{}",
            match has_proofs {
                true => "Moves, proofs and the link between the two sides are those of any game.",
                false => "Nothing is proven in this game; the link between the two sides is that of any game.",
            }
        );
        Ok(Self { game, person, bot, anvil: local.anvil, _folder: temporary })
    }

    async fn play(self, args: &Args, signals: &mut Signals) -> Result<()> {
        let Self { game, person, bot, anvil, _folder } = self;
        let mut opponent = bot.seat(&["bot", &game, "--stay", "--publish", "--level", &args.level.to_string()])?;
        opponent.args(args.seed.iter().flat_map(|seed| ["--seed".to_owned(), seed.to_string()]));
        let mut opponent = bot.start(opponent, Stdio::null())?;
        let mut seat = person.seat(&["play", &game, "--publish", "--solo"])?;
        seat.args(args.screen.flags());
        if args.json {
            seat.arg("--json");
        }
        let kept = terminal::Kept::now();
        let mut seat = Board(seat.spawn()?);
        let mut go_on = signal(SignalKind::from_raw(Signal::CONT.as_raw()))?;
        let mut second = tokio::time::interval(Duration::from_secs(1));
        let status = loop {
            tokio::select! {
                status = seat.0.wait() => break status?,
                ended = opponent.ended() => {
                    ended?;
                    bail!(opponent.complaint());
                }
                _ = second.tick() => ensure!(!anvil.has_ended(), "the local chain has ended, and the game with it"),
                told = signals.next() => match told {
                    // Whoever has the terminal gives it back, and stops this process with its own.
                    Told::Stop => seat.tell(Signal::TSTP),
                    // The player's side has the same from the terminal, and asks first.
                    Told::Interrupt if !args.json && terminal::is_typewriter() => {}
                    Told::Interrupt | Told::End => return Err(Interrupted.into()),
                },
                _ = go_on.recv() => seat.tell(Signal::CONT),
            }
        };
        let left = match status.code() {
            Some(0) => Ok(()),
            Some(130) => Err(Interrupted.into()),
            Some(_) => bail!("your side of the game has failed"),
            None => {
                kept.restore(args.screen.is_full());
                bail!("your side of the game was killed");
            }
        };
        if let Some(pgn) = &args.pgn {
            keep_pgn(&person, &game, pgn).await?;
        }
        opponent.end().await;
        left
    }
}

/// How long the player's side has to give the terminal back.
const GRACE: Duration = Duration::from_secs(3);

/// The process that plays the player's side, and has the terminal. When this is dropped it is told to end, and gives the terminal back first.
struct Board(Child);

impl Board {
    fn tell(&self, signal: Signal) {
        let pid = self.0.id().and_then(|pid| Pid::from_raw(pid.cast_signed()));
        // One that is gone needs to be told nothing.
        let _ = pid.map(|pid| kill_process(pid, signal));
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.tell(Signal::TERM);
        self.tell(Signal::CONT);
        let start = Instant::now();
        while matches!(self.0.try_wait(), Ok(None)) && start.elapsed() < GRACE {
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Writes the game to a file, by both sides' keys, which are published at its end.
async fn keep_pgn(person: &Machine, game: &str, file: &Path) -> Result<()> {
    let path = file.to_str().ok_or_else(|| bad_input(format!("{} is no UTF-8", file.display())))?;
    let replayed = person.ask(&["replay", game, "--pgn", path]).await;
    replayed
        .map(|_| note!("{path} has the game."))
        .map_err(|_| eyre!("{path} wasn't written: a game has no PGN before it is over and both sides are published"))
}

/// A folder to keep, as a whole path; nothing in it is overwritten.
fn kept(folder: &Path) -> Result<PathBuf> {
    let unusable = |error: &dyn std::fmt::Display| bad_input(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(|error| unusable(&error))?;
    let mut entries = std::fs::read_dir(folder).map_err(|error| unusable(&error))?;
    match entries.next() {
        Some(_) => Err(unusable(&"the folder isn't empty")),
        None => folder.canonicalize().map_err(|error| unusable(&error)),
    }
}

/// The colour that a seed gives.
fn drawn(seed: u64) -> Color {
    Color::ALL[StdRng::seed_from_u64(seed).gen_range(0..2)]
}

/// Opens games until the coin gives the colour that is wanted, and has the bot join that one.
async fn toss(args: &Args, has_proofs: bool, chain: &Chain, [person, bot]: [&Machine; 2]) -> Result<B256> {
    let (base, opponent) = (format!("{}s", args.base), bot.wallet.address().to_string());
    let mut create = vec!["create", "--another", "--base", &base, "--opponent", &opponent];
    let engine = if has_proofs { "sight-lines" } else { UNPROVEN };
    create.extend(["--engine", engine]);
    let color = args.color.0.or_else(|| args.seed.map(drawn));
    for _ in 0..TOSSES {
        let created = person.ask(&create).await?;
        let told =
            |name: &str| created[name].as_str().ok_or_else(|| eyre!("`fogmate create` says nothing of the {name}"));
        let game: B256 = told("game")?.parse()?;
        if color.is_none() || color == Some(color_of_creator(chain, game, [person, bot]).await?) {
            bot.ask(&["join", told("invite")?, "--engine", engine]).await?;
            return Ok(game);
        }
    }
    bail!("the coin fell the other way {TOSSES} times")
}

/// The colour that the toss of a game will give its creator: whoever has both sides' secrets knows it.
async fn color_of_creator(chain: &Chain, game: B256, machines: [&Machine; 2]) -> Result<Color> {
    let records = chain.records(game).await?;
    let opening = opening(&records).ok_or_else(|| eyre!("the chain doesn't say who opened the game"))?;
    let reference = chain.game_ref(game);
    let share =
        |machine: &Machine| machine.wallet.game_secrets(&reference, opening.creator, opening.nonce).toss_secret();
    let [own, other] = machines.map(share);
    Ok(if creator_is_white(&own, &other, &game.0) { Color::White } else { Color::Black })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_named() {
        for (text, wish) in [("white", Some(Color::White)), ("black", Some(Color::Black)), ("random", None)] {
            assert_eq!(color(text), Ok(Wish(wish)));
        }
        assert!(color("red").is_err());
    }
}
