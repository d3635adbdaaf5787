//! `fogmate audit`: a game checked from the chain alone, and replayed once both view keys are published (protocol, section
//! 9), and the players' parts run again from what they have laid open. No wallet is needed.

use alloy::primitives::B256;
use clap::Args as ClapArgs;
use client::chain::Chain;
use client::disclosure::{Account, Course, Disclosure, check};
use client::runtime::{Accountable, EngineKind};
use eyre::Result;
use game::audit::{Audit, Record};
use game::replay::{Replay, ReplayError, replay};
use game::report::{Said, report, unknown};
use prover::ChessVerifiers;
use serde_json::json;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::course;
use crate::engine::{accountable, engine_of};
use crate::failure::{Found, bad_input};
use crate::keys::{chess_verifiers, warn_of_development};
use crate::node::GameArgs;
use crate::output::{note, say, tell};
use crate::transcripts::{self, TranscriptArgs, audited};

/// Check a game from the chain alone
///
/// Verifies every proof with its verifying key, of moves, demanded sights and claims, and that turns, commitments and contexts follow on. If both players
/// have published their view keys the whole game is replayed by the rules and its PGN printed. Of a game whose players trusted each other
/// the parts of its players are run again from the files that `fogmate disclose` wrote. Of a game that went from machine to machine the plies come from
/// its transcript, which this machine has itself if the game was played here. Ends with exit code 3 if anything is wrong, 4 if there is no such game, and 5
/// if something is missing.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// What a player has laid open with `fogmate disclose`; your own too, to name each message that differs
    #[arg(long, value_name = "FILE")]
    disclosure: Vec<PathBuf>,
    #[command(flatten)]
    transcript: TranscriptArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found of a game.
pub struct Findings {
    pub audit: Audit,
    /// The replay, or why there is none.
    pub replay: Result<Replay, ReplayError>,
    /// What the disclosures have shown, if there are any.
    pub account: Option<Account>,
    /// The game's events and plies in their order.
    records: Vec<Record>,
    /// The transactions of those that the chain has.
    transactions: Vec<B256>,
    /// Whether everybody can forge its proofs.
    is_forgeable: bool,
    /// Whether each proof holds, by what [`Statement::key`](game::statement::Statement::key) says.
    verdicts: HashMap<String, bool>,
}

pub async fn run(args: &Args) -> Result<()> {
    let (home, known, id) = args.game.known()?;
    let transcript = args.transcript.read()?;
    let disclosures = args.disclosure.iter().map(|path| Opened::read(path)).collect::<Result<Vec<_>>>()?;
    let (chain, deployment, state) = args.game.look.find(known.as_ref(), id).await?;
    let transcript = match transcript {
        None => transcripts::Opened::of_journal(&home, known.as_ref(), &chain, &state).await,
        named => named,
    };
    // Without disclosures nothing depends on the engine, which may be one that this program doesn't know.
    let engine = if disclosures.is_empty() { None } else { Some(engine_of(&state)?) };
    engine.map(accountable).transpose().map_err(bad_input)?;
    let mut verifier = None;
    if state.terms.mode.has_proofs() {
        if deployment.development_only {
            warn_of_development(deployment.chain_id);
        }
        verifier = Some(chess_verifiers(&deployment)?);
    }
    let verifier = verifier.as_ref();
    let mut findings = examine(&chain, id, verifier, engine, disclosures, transcript.as_ref()).await?;
    findings.is_forgeable = verifier.is_some() && deployment.development_only;
    let Findings { records, transactions, verdicts, .. } = &findings;
    let course = course::Course::read(&chain, id, records, transactions, verdicts).await?;
    if args.json {
        let mut report = as_json(&findings);
        report["course"] = course.json();
        say!("{report}")?;
    } else {
        tell!("{}", course.text())?;
        print(&findings)?;
    }
    let is_told = findings.account.as_ref().is_some_and(|account| !account.ok());
    if !findings.audit.ok || is_told || findings.replay.as_ref().is_ok_and(|replay| !replay.ok()) {
        return Err(Found::not_in_order(&findings.audit).into());
    }
    if findings.account.as_ref().is_some_and(|account| !account.is_complete()) {
        return Err(Found::Incomplete("what is disclosed is in order, but not complete".to_owned()).into());
    }
    match unknown(&findings.audit, findings.replay.as_ref()) {
        // Whoever reads the report has read it there.
        Some(unknown) if args.json => Err(Found::Incomplete(unknown.to_string()).into()),
        Some(_) => Err(Found::Incomplete("the game is in order as far as can be known".to_owned()).into()),
        None => Ok(()),
    }
}

/// What a player has laid open, and the file that it stands in, for sentences.
pub struct Opened {
    path: PathBuf,
    disclosure: Disclosure,
}

impl Opened {
    /// Reads a file that `fogmate disclose` wrote.
    pub fn read(path: &Path) -> Result<Self> {
        let named = |error: &dyn fmt::Display| bad_input(format!("{}: {error}", path.display()));
        let text = std::fs::read(path).map_err(|error| named(&error))?;
        let disclosure = Disclosure::from_json(&text).map_err(|error| named(&error))?;
        Ok(Self { path: path.to_owned(), disclosure })
    }

    /// What it says, if it can be held against the game.
    fn of(self, course: &Course, engine: &dyn Accountable) -> Result<Disclosure> {
        let named = |error| bad_input(format!("{}: {error}", self.path.display()));
        self.disclosure.player_of(course, engine).map_err(named)?;
        Ok(self.disclosure)
    }
}

/// Reads a game from the chain and checks it, with what its players have laid open, and with the plies that went from machine to machine. A game without
/// proofs needs no verifier.
pub async fn examine(
    chain: &Chain,
    id: B256,
    verifier: Option<&ChessVerifiers>,
    engine: Option<EngineKind>,
    opened: Vec<Opened>,
    transcript: Option<&transcripts::Opened>,
) -> Result<Findings> {
    let told = chain.told(id).await?.into_iter();
    let (records, transactions) = told.map(|told| (told.record, told.transaction)).unzip();
    let game = chain.game_ref(id);
    let mut verdicts = HashMap::new();
    // Verifying takes milliseconds a move.
    let (whole, audit) = audited(game, records, transcript, |statement, proof| {
        let verifier = verifier.ok_or("there is no verifying key")?;
        let verified = statement.verify(verifier, proof).map_err(|error| error.to_string());
        verdicts.insert(statement.key(proof), verified.is_ok());
        verified
    })?;
    let records = whole.records;
    let mut with_keys = records.clone();
    let mut account = None;
    if let Some(engine) = engine.and_then(|engine| engine.accountable()) {
        let course = Course::of(game, &records).map_err(bad_input)?;
        let disclosures = opened.into_iter().map(|file| file.of(&course, &*engine)).collect::<Result<Vec<_>>>()?;
        // A disclosed view key is as good as a published one, where there is none.
        with_keys.extend(course.opened(&disclosures));
        let look = move || check(&course, &*engine, &disclosures);
        account = Some(tokio::task::spawn_blocking(look).await?.map_err(bad_input)?);
    }
    let replay = replay(game, &with_keys);
    Ok(Findings { audit, replay, account, records, transactions, is_forgeable: false, verdicts })
}

impl Findings {
    /// What is said of the game.
    pub fn said(&self) -> Said {
        Said::of(&self.audit, self.replay.as_ref())
    }
}

/// What disclosures have shown, in a line.
pub fn account_summary(account: &Account) -> String {
    let Account { players, sessions, unfinished, transcripts, .. } = account;
    let names: Vec<String> = players.iter().map(ToString::to_string).collect();
    let verdict = match (account.ok(), account.is_complete()) {
        (true, true) => "as the protocol wants",
        (true, false) => "as the protocol wants as far as it goes, but NOT complete",
        (false, _) => "NOT as the protocol wants",
    };
    let (parts, are) = if names.len() == 1 { ("part", "is") } else { ("parts", "are") };
    format!(
        "The {parts} of {}, run again, {are} {verdict}: {sessions} sessions to their end, {unfinished} not; {transcripts} transcripts on chain fit",
        names.join(" and ")
    )
}

fn as_json(findings: &Findings) -> serde_json::Value {
    let Findings { audit, replay, account, .. } = findings;
    let account = account.as_ref().map(|account| {
        let found: Vec<String> = account.findings.iter().map(ToString::to_string).collect();
        let missing: Vec<String> = account.missing.iter().map(ToString::to_string).collect();
        let players: Vec<String> = account.players.iter().map(ToString::to_string).collect();
        json!({
            "ok": account.ok(), "players": players, "sessions": account.sessions, "unfinished": account.unfinished,
            "transcripts": account.transcripts, "findings": found, "complete": account.is_complete(), "missing": missing,
        })
    });
    let mut report = report(audit, replay.as_ref());
    report["account"] = json!(account);
    report
}

fn print(findings: &Findings) -> Result<()> {
    let Said { verdict, summary, findings: found, unknown, no_boards } = findings.said();
    tell!("{verdict}. {summary}")?;
    if findings.is_forgeable {
        tell!("Its keys are development ones: everybody can forge proofs, so these bind nobody.")?;
    }
    for finding in found {
        tell!("  {finding}")?;
    }
    if let Some(account) = &findings.account {
        tell!("{}", account_summary(account))?;
        for finding in &account.findings {
            tell!("  {finding}")?;
        }
        for missing in &account.missing {
            tell!("  missing: {missing}")?;
        }
    }
    if let Some(unknown) = unknown {
        tell!("not known: {unknown}")?;
    }
    match (&findings.replay, no_boards) {
        (Ok(replay), _) => say!("\n{}", replay.pgn())?,
        (_, Some(why)) => {
            note!("no replay: {why}. The audit needs none; `fogmate replay` takes keys from files (--key).")
        }
        // That these are missing stands above.
        (Err(ReplayError::NoTranscript | ReplayError::WrongViewKey(_)), _) => {}
        (Err(error), _) => note!("no replay: {error}"),
    }
    Ok(())
}
