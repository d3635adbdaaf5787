//! `fogmate doctor`: whether this machine can play, one line a check. It changes nothing.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::chain::NodeError;
use alloy::eips::BlockNumberOrTag;
use alloy::primitives::Address;
use alloy::providers::Provider as _;
use circuits::TurnCircuit;
use clap::Args as ClapArgs;
use client::backup::Backup;
use client::chain::{Chain, Status, unix};
use client::link;
use client::lobby::{in_ether, reserve};
use client::wallet::Wallet;
use deploy::Deployment;
use eyre::{Result, bail};
use game::{Mode, Terms, moves_known};
use libp2p::Multiaddr;
use prover::{Inspected, Statement as _, inspect};
use serde_json::json;
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::time::timeout;
use tui::printable;

use crate::anvil::anvil;
use crate::cache;
use crate::hint::hint;
use crate::home::{Home, HomeArgs, SavedGame};
use crate::keys::arithmetic;
use crate::node::NodeArgs;
use crate::output::{say, tell};

/// How far a chain's latest block may be from this machine's clock, in seconds.
const MOST_AGE: u64 = 300;
/// How long an announced address may take to lead back here.
const DIAL: Duration = Duration::from_secs(5);
/// What is sent to an address of UDP to see whether it comes in here.
const PROBE: &[u8; 14] = b"fogmate doctor";

/// Look whether this machine can play: node, clock, deployment, keys, folders, wallet, money, ports
///
/// Prints one line a check: `ok` or `BAD`, what was found, and how to mend it. Nothing is changed or sent. Ends with exit code 1 if anything is BAD.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(flatten)]
    home: HomeArgs,
    #[command(flatten)]
    node: NodeArgs,
    /// An address that you announce to opponents: it is dialled, and must lead to the port of --listen here
    #[arg(long, value_name = "MULTIADDR", requires = "listen")]
    announce: Option<Multiaddr>,
    /// Where you listen for opponents: the port must be free
    #[arg(long, value_name = "MULTIADDR")]
    listen: Option<Multiaddr>,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
}

/// What was found, or what is wrong and how to mend it.
type Finding = Result<String, (String, String)>;

struct Doctor {
    json: bool,
    bad: usize,
}

impl Doctor {
    fn tell(&mut self, check: &str, finding: &Finding) -> Result<()> {
        self.bad += usize::from(finding.is_err());
        let line = line(check, finding, self.json);
        if self.json { say!("{line}") } else { tell!("{line}") }
    }
}

/// A finding for a terminal, on which nothing that a node says is carried out, or for a program.
fn line(check: &str, finding: &Finding, json: bool) -> String {
    match finding {
        Ok(found) if json => json!({ "check": check, "ok": true, "found": found }).to_string(),
        Ok(found) => format!("ok   {check}: {}", printable(found)),
        Err((found, mend)) if json => json!({ "check": check, "ok": false, "found": found, "mend": mend }).to_string(),
        Err((found, mend)) => format!("BAD  {check}: {}; {mend}", printable(found)),
    }
}

pub async fn run(args: &Args) -> Result<()> {
    let mut doctor = Doctor { json: args.json, bad: 0 };
    let home = args.home.home()?;
    doctor.tell("home folder", &folder(&home.root, "the home folder"))?;
    doctor.tell("wallets", &wallets(&home))?;
    doctor.tell("keys", &keys())?;
    doctor.tell("arithmetic", &arithmetic().map_err(|error| (error.to_string(), "unset it".to_owned())))?;
    doctor.tell("anvil", &local_chain())?;
    let rpc = args.node.rpc(None);
    let (node, block) = node(&rpc).await;
    doctor.tell("node", &node)?;
    if let Some(block) = block {
        doctor.tell("clock", &block)?;
        doctor.tell("deployment", &deployment(args, &rpc).await)?;
        if let Ok((chain, _)) = args.node.connect(None).await {
            let open = open_games(&chain, home.list()?).await;
            for wallet in Wallet::list(&home.wallets()).unwrap_or_default() {
                doctor.tell("money", &money(&chain, wallet.address, &open).await?)?;
            }
            for (game, _) in open.iter().filter(|(_, terms)| terms.mode == Mode::Channel) {
                doctor.tell("backup", &backup(game))?;
            }
        }
    }
    if let Some(listen) = &args.listen {
        doctor.tell("port", &port(listen, args.announce.as_ref()).await)?;
    }
    if doctor.bad > 0 {
        bail!(
            "{}",
            if doctor.bad == 1 { "one check is BAD".to_owned() } else { format!("{} checks are BAD", doctor.bad) }
        );
    }
    Ok(())
}

/// A private folder that can be written, or one that can be made.
fn folder(path: &Path, name: &str) -> Finding {
    let Ok(metadata) = fs::metadata(path) else {
        return Ok(format!("{} isn't there yet; the first command that needs it makes it", path.display()));
    };
    let shown = path.display();
    let mode = metadata.permissions().mode();
    if rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_err() {
        return Err((
            format!("{shown} can't be written"),
            format!("make it yours, or name another as {name} with --home"),
        ));
    }
    if mode & 0o077 != 0 {
        return Err((format!("{shown} is open to others ({:o})", mode & 0o777), format!("`chmod 700 {shown}`")));
    }
    Ok(format!("{shown} is writable and private"))
}

fn wallets(home: &Home) -> Finding {
    let mend =
        |error: &dyn std::fmt::Display| (error.to_string(), "put the file back from where you keep a copy".to_owned());
    let files = Wallet::list(&home.wallets()).map_err(|error| mend(&error))?;
    for file in &files {
        let text = fs::read(&file.path).map_err(|error| mend(&format!("{}: {error}", file.path.display())))?;
        let keystore = serde_json::from_slice::<serde_json::Value>(&text);
        if keystore.is_ok_and(|keystore| keystore["crypto"].is_object() || keystore["Crypto"].is_object()) {
            continue;
        }
        return Err(mend(&format!("{} is no keystore", file.path.display())));
    }
    match files.len() {
        0 => Ok(format!("there is none yet; make one: {}", hint("wallet new"))),
        1 => Ok(format!("{:#x} is readable", files[0].address)),
        count => Ok(format!("{count} are readable")),
    }
}

/// What has been made of parameters and keys: each file against the hash in it, and each key against those that the program carries.
fn keys() -> Finding {
    let folder = cache::of_user().map_err(|error| (error.to_string(), "say where with --cache".to_owned()))?;
    let shown = folder.display();
    let found = match inspect(&folder, TurnCircuit::KNOWN_KEYS) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Inspected::default(),
        found => found.map_err(|error| (format!("{shown}: {error}"), "make the folder yours".to_owned()))?,
    };
    let Inspected { known, foreign, others, damaged } = found;
    if let Some(path) = damaged.first() {
        let mend = "remove it, and it is made again when it is needed".to_owned();
        return Err((format!("{} isn't what its hash says", path.display()), mend));
    }
    let old = if foreign > 0 { format!(", {foreign} of another version that are never used") } else { String::new() };
    Ok(match known {
        0 => "none are made yet; the first proven game makes them, in about a minute".to_owned(),
        _ => format!(
            "{known} in {shown} have the hashes that this program knows{old}; {others} files beside them are whole"
        ),
    })
}

fn local_chain() -> Finding {
    let given = std::env::var_os("FOGMATE_ANVIL").map(PathBuf::from);
    match (anvil(given.as_deref()), given) {
        (Ok(found), _) => Ok(found.display().to_string()),
        (Err(_), None) => Ok("there is none here; only `solo` and `demo` need it".to_owned()),
        (Err(error), Some(_)) => Err((error.to_string(), "only `solo` and `demo` need it".to_owned())),
    }
}

/// The node, and how its latest block stands to this machine's clock.
async fn node(rpc: &str) -> (Finding, Option<Finding>) {
    let host = ::chain::host(rpc);
    let asked = async {
        let node = ::chain::connect(rpc, None)?;
        let chain_id = node.get_chain_id().await?;
        let block = node.get_block_by_number(BlockNumberOrTag::Latest).await?;
        let block = block.ok_or(NodeError::Nonsense("it has no block"))?;
        Ok::<_, NodeError>((chain_id, block.header.timestamp))
    };
    let (chain_id, time) = match asked.await {
        Ok(answered) => answered,
        Err(error) => {
            let mend = "start it, or name another with --rpc".to_owned();
            return (Err((error.to_string(), mend)), None);
        }
    };
    let apart = unix().abs_diff(time);
    let clock = match apart > MOST_AGE && !::chain::is_local(chain_id) {
        true => Err((
            format!("the latest block is {apart} s from this machine's clock"),
            "set the clock, or ask a node that keeps up".to_owned(),
        )),
        false => Ok(format!("the latest block is {apart} s from this machine's clock")),
    };
    (Ok(format!("{host} answers for chain {chain_id}")), Some(clock))
}

async fn deployment(args: &Args, rpc: &str) -> Finding {
    let read =
        async { Ok::<_, eyre::Report>(Deployment::read(&args.node.deployments(), deploy::Game::Chess, rpc).await?) };
    let found = read.await.map_err(|error| {
        (format!("{error:#}"), format!("{} deploys, --deployments names another folder", hint("deploy")))
    })?;
    Ok(format!("Fogmate at {:#x}, all its contracts are there", found.address()))
}

/// The games of this chain that aren't over. A local chain that was begun anew knows no old ones.
async fn open_games(chain: &Chain, games: Vec<SavedGame>) -> Vec<(SavedGame, Terms)> {
    let mut open = Vec::new();
    for saved in games.into_iter().filter(|saved| saved.game == chain.game_ref(saved.game.game_id)) {
        let state = chain.game(saved.game.game_id).await.ok().filter(|state| state.status != Status::Over);
        open.extend(state.map(|state| (saved, state.terms)));
    }
    open
}

/// Where else than on this disk a game between the machines is kept.
fn backup(saved: &SavedGame) -> Finding {
    let id = saved.game.game_id;
    let Some(folder) = &saved.backup else {
        let mend = hint(&format!("play {id} --backup DIR"));
        return Ok(format!("the game {id} stands on this disk alone; {mend} keeps it on another, too"));
    };
    let shown = folder.display();
    let again = || "bring that disk back, or name another folder with `--backup` as you play".to_owned();
    let found = Backup::list(folder).map_err(|error| (format!("{shown}: {error}"), again()))?;
    let is_of_this = |path: &Path| path.to_string_lossy().contains(&format!("{id:x}"));
    match found.into_iter().find(|(path, _)| is_of_this(path)) {
        Some((_, Ok(kept))) => Ok(format!("{shown} has {} of the game {id}", moves_known(kept.plies()))),
        Some((_, Err(error))) => Err((error.to_string(), again())),
        None => Err((format!("{shown} has nothing of the game {id}"), again())),
    }
}

/// What a wallet has, and what its games that aren't over may still cost it.
async fn money(chain: &Chain, wallet: Address, games: &[(SavedGame, Terms)]) -> Result<Finding> {
    let proven = games.iter().filter(|(saved, terms)| saved.wallet == wallet && terms.mode.has_proofs());
    let open = proven.count() as u128;
    let (has, needs) = (chain.balance(wallet).await?.saturating_to::<u128>(), open * reserve(chain).await?);
    let found = match open {
        0 => format!("the wallet {wallet:#x} has {} ETH", in_ether(has)),
        _ => format!("the wallet {wallet:#x} has {} ETH, and disputes may need {}", in_ether(has), in_ether(needs)),
    };
    Ok(if has >= needs { Ok(found) } else { Err((found, "send it some ether".to_owned())) })
}

/// Whether a port is free, and an announced address leads to it.
async fn port(listen: &Multiaddr, announced: Option<&Multiaddr>) -> Finding {
    let mend = |error: &dyn std::fmt::Display| (error.to_string(), "choose another port, or end who has it".to_owned());
    link::free(listen).await.map_err(|error| mend(&error))?;
    let Some(announced) = announced else { return Ok(format!("{listen} is free")) };
    let (own, others) = (link::sockets(listen).await, link::sockets(announced).await);
    let (own, others) = (own.map_err(|error| mend(&error))?, others.map_err(|error| mend(&error))?);
    let mut why = String::new();
    for (own, other) in own.iter().flat_map(|own| others.iter().map(move |other| (*own, *other))) {
        let dialled = match link::is_relayed(announced) {
            true if other.1 => return Ok(format!("{listen} is free; a relay that is reached by UDP isn't asked")),
            true => timeout(DIAL, TcpStream::connect(other.0)).await.map(|dialled| dialled.map(drop)),
            false => timeout(DIAL, leads_here(own, other)).await,
        };
        match dialled {
            Ok(Ok(())) if link::is_relayed(announced) => {
                return Ok(format!(
                    "{listen} is free, and the relay of {announced} is there; it leads here while a game is played"
                ));
            }
            Ok(Ok(())) => return Ok(format!("{announced} leads to {listen}")),
            Ok(Err(error)) => why = format!(": {error}"),
            Err(_) => {}
        }
    }
    let mend = match link::is_relayed(announced) {
        true => "use another relay".to_owned(),
        false => "forward the port at your router, or use a relay".to_owned(),
    };
    Err((format!("{announced} doesn't lead here{why}"), mend))
}

/// Dials one socket and waits until it comes in at the other; each with whether it is of UDP.
async fn leads_here((own, of_udp): (SocketAddr, bool), (other, by_udp): (SocketAddr, bool)) -> io::Result<()> {
    match (of_udp, by_udp) {
        (false, false) => {
            let listener = TcpListener::bind(own).await?;
            let (dialled, accepted) = tokio::join!(TcpStream::connect(other), listener.accept());
            dialled.and(accepted.map(drop))
        }
        (true, true) => {
            let any = if other.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
            let (here, there) = (UdpSocket::bind(own).await?, UdpSocket::bind(any).await?);
            there.send_to(PROBE, other).await?;
            let mut got = [0; PROBE.len()];
            while here.recv_from(&mut got).await?.0 != PROBE.len() || got != *PROBE {}
            Ok(())
        }
        _ => Err(io::Error::other("one of the two is of TCP and the other of UDP")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy::primitives::B256;
    use client::backup::Owner;
    use game::GameRef;

    fn port_of(address: &Multiaddr) -> String {
        link::socket(address).expect("a socket").0.port().to_string()
    }

    #[tokio::test]
    async fn an_announced_address_is_dialled_back() {
        let place = |port: u16| format!("/ip4/127.0.0.1/tcp/{port}").parse::<Multiaddr>().expect("an address");
        let taken = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let busy = place(taken.local_addr().expect("an address").port());
        assert!(port(&busy, None).await.is_err());
        drop(taken);
        assert!(port(&busy, None).await.is_ok());
        assert!(port(&busy, Some(&busy)).await.expect("free").contains("leads to"));
        assert!(port(&busy, Some(&place(1))).await.is_err());
        let of = |text: &str| text.replace("PORT", &port_of(&busy)).parse::<Multiaddr>().expect("an address");
        assert!(port(&busy, Some(&of("/dns4/localhost/tcp/PORT"))).await.expect("free").contains("leads to"));
        let (quic, other) = (of("/ip4/127.0.0.1/udp/PORT/quic-v1"), of("/ip4/127.0.0.1/udp/1/quic-v1"));
        assert!(port(&quic, Some(&quic)).await.expect("free").contains("leads to"));
        assert!(port(&busy, Some(&quic)).await.is_err() && port(&quic, Some(&other)).await.is_err());
        let relay = of("/ip4/127.0.0.1/tcp/1/p2p/12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp/p2p-circuit");
        assert!(port(&busy, Some(&relay)).await.is_err_and(|(_, mend)| mend == "use another relay"));
    }

    #[test]
    fn a_backup_that_is_away_is_bad() {
        let dir = tempfile::tempdir().expect("a folder");
        let game = GameRef { chain_id: 1, contract: Address::ZERO, game_id: B256::repeat_byte(7) };
        let mut saved = SavedGame::new(game, Address::ZERO, Vec::new());
        assert!(backup(&saved).is_ok_and(|found| found.contains("stands on this disk alone")));
        let folder = dir.path().join("disk");
        saved.backup = Some(folder.clone());
        assert!(backup(&saved).is_err_and(|(found, _)| found.contains("No such file")));
        fs::create_dir(&folder).expect("a folder");
        assert!(backup(&saved).is_err_and(|(found, _)| found.contains("has nothing of the game")));
        let owner = Owner { account: Address::ZERO, game, genesis: B256::ZERO };
        drop(Backup::open(&folder, owner).expect("a backup"));
        assert!(backup(&saved).is_ok_and(|found| found.contains("has no move of the game")));
        let file = fs::read_dir(&folder).expect("a folder").next().expect("a file").expect("a file").path();
        fs::write(file, "something else").expect("written");
        assert!(backup(&saved).is_err_and(|(found, _)| found.contains("belongs to another")));
    }

    #[test]
    fn nothing_that_a_node_says_is_carried_out_by_a_terminal() {
        let said = "\u{1b}[2Jwell";
        let found: [Finding; 2] = [Ok(said.to_owned()), Err((said.to_owned(), "ask another".to_owned()))];
        assert_eq!(
            found.each_ref().map(|found| line("node", found, false)),
            ["ok   node: ?[2Jwell", "BAD  node: ?[2Jwell; ask another"]
        );
        assert!(found.iter().all(|found| line("node", found, true).contains(r#""found":"\u001b[2Jwell""#)));
    }

    #[test]
    fn a_folder_that_others_can_read_is_told() {
        let made = tempfile::tempdir().expect("a folder");
        let allow = |mode| fs::set_permissions(made.path(), fs::Permissions::from_mode(mode)).expect("set");
        allow(0o700);
        assert!(folder(made.path(), "home").is_ok());
        allow(0o755);
        let (found, mend) = folder(made.path(), "home").expect_err("it is open");
        assert!(found.contains("open to others (755)") && mend.contains("chmod 700"), "{found} {mend}");
    }
}
