//! Nothing imports upward: which crate may depend on which, by `cargo metadata`, and which room of `client` may
//! use which, by the paths in its sources. And none grows unnoticed: how many lines each may have, by `test/size.py`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each crate and all of this workspace that it may depend on. Only `test` may depend on everything.
const CRATES: [(&str, &[&str]); 18] = [
    ("rules", &[]),
    ("bot", &["rules"]),
    ("fog", &["rules"]),
    ("engines", &["fog", "rules"]),
    ("game", &["fog", "rules"]),
    ("events", &["game", "fog", "rules"]),
    ("web", &["events", "game", "rules"]),
    ("contest", &["fog"]),
    ("circuits", &["engines", "contest", "fog", "rules"]),
    ("lanes", &[]),
    ("plonk", &["lanes"]),
    ("prover", &["circuits", "engines", "plonk", "contest", "fog", "rules"]),
    ("chain", &[]),
    ("deploy", &["chain"]),
    ("client", &["game", "events", "contest", "engines", "prover", "circuits", "plonk", "chain", "fog", "rules"]),
    ("simulate", &["chain", "client", "deploy", "engines", "events", "game", "fog", "rules"]),
    ("tui", &["game", "rules"]),
    (
        "cli",
        &[
            "bot", "tui", "client", "deploy", "engines", "game", "contest", "prover", "circuits", "chain", "fog",
            "rules",
        ],
    ),
];

/// Each room of `client` and all other rooms that it may use.
const ROOMS: [(&str, &[&str]); 13] = [
    ("wallet", &[]),
    ("backup", &["journal"]),
    ("journal", &[]),
    ("chain", &["wallet"]),
    ("link", &["wallet"]),
    ("relay", &["link"]),
    ("seat", &["journal"]),
    ("channel", &["journal", "seat"]),
    ("disclosure", &["wallet", "journal"]),
    ("tower", &["backup", "chain"]),
    ("lobby", &["wallet", "chain", "link"]),
    ("contest", &["wallet", "chain"]),
    ("runtime", &["wallet", "journal", "chain", "link", "seat", "channel", "lobby"]),
];

/// Each crate, the contracts and the audit page, and how many lines of production they may have: more is decided here. `make size` prints what there are.
const CEILINGS: [(&str, usize); 21] = [
    ("rules", 1_366),
    ("bot", 1_095),
    ("fog", 3_526),
    ("engines", 7_258),
    ("game", 5_245),
    ("events", 625),
    ("web", 215),
    ("contest", 1_554),
    ("circuits", 6_245),
    ("lanes", 1_216),
    ("plonk", 2_015),
    ("prover", 2_875),
    ("chain", 3_110),
    ("deploy", 1_685),
    ("client", 14_210),
    ("simulate", 6_130),
    ("tui", 2_035),
    ("cli", 11_090),
    ("test", 0),
    ("contracts", 2_390),
    ("explorer", 922),
];

/// A dependency of a crate of this workspace on another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Dependency {
    from: String,
    to: String,
    dev: bool,
}

/// What is wrong with a dependency, if anything is.
fn fault(Dependency { from, to, dev }: &Dependency) -> Option<String> {
    let known = CRATES.iter().find(|(name, _)| name == from);
    let allowed = known.is_some_and(|(_, allowed)| allowed.contains(&to.as_str()));
    let fine = match (from.as_str(), to.as_str()) {
        (_, "cli") => false,
        ("test", _) => true,
        // Tests may use what is beside or above the tested crate.
        (_, _) if *dev => known.is_some(),
        _ => allowed,
    };
    (!fine).then(|| format!("{from} depends on {to}"))
}

/// The dependencies between the crates of this workspace, by the names of their folders.
fn dependencies(metadata: &serde_json::Value) -> BTreeSet<Dependency> {
    let folder = |name: &str| match name {
        "fogmate" => Some("cli".to_owned()),
        _ => name.strip_prefix("fogmate-").map(str::to_owned),
    };
    let mut found = BTreeSet::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let from = folder(package["name"].as_str().expect("a name")).expect("a crate of ours");
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let name = dependency["name"].as_str().expect("a name");
            // Crates of the registry have no path.
            let Some(to) = dependency["path"].as_str().and_then(|_| folder(name)) else {
                continue;
            };
            let (from, dev) = (from.clone(), dependency["kind"] == "dev");
            // A crate that depends on itself for its tests switches a feature on.
            if from != to {
                found.insert(Dependency { from, to, dev });
            }
        }
    }
    found
}

/// The rooms that a source uses: what comes after `crate::`, alone or in braces, or after as many `super::` as lead to the
/// crate's root. `depth` is the number of modules above the source's own.
fn rooms_used(source: &str, depth: usize) -> BTreeSet<String> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let root = "super::".repeat(depth);
    let mut found = BTreeSet::new();
    for path in ["crate::", &root] {
        for (at, _) in code.match_indices(path) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                continue;
            }
            found.extend(first_names(&code[at + path.len()..]));
        }
    }
    let known = |name: &String| ROOMS.iter().any(|(room, _)| room == name);
    found.into_iter().filter(known).collect()
}

/// The first name of a path, or those of each path in braces.
fn first_names(text: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        let text = text.trim_start();
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let Some(group) = text.strip_prefix('{') else {
        return vec![name(text)];
    };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(name(&group[start..at]));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

/// What is wrong with a source of a room: the rooms that it uses and may not.
fn forbidden_rooms(room: &str, source: &str, depth: usize) -> Vec<String> {
    let known = ROOMS.iter().find(|(name, _)| *name == room);
    let allowed = known.map_or(&[][..], |(_, allowed)| allowed);
    rooms_used(source, depth)
        .into_iter()
        .filter(|used| used != room && !allowed.contains(&used.as_str()))
        .map(|used| format!("client's {room} uses {used}"))
        .collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// What cargo knows of the crates of this workspace.
pub fn metadata() -> serde_json::Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn no_crate_imports_upward() {
    let found = dependencies(&metadata());
    for (name, _) in CRATES.iter().filter(|(_, allowed)| !allowed.is_empty()) {
        assert!(found.iter().any(|d| d.from == *name), "{name} has no dependencies");
    }
    let faults: Vec<String> = found.iter().filter_map(fault).collect();
    assert_eq!(faults, Vec::<String>::new());
}

/// The simulator's engine and its tickets are no part of the program.
#[test]
fn the_program_has_nothing_of_the_simulator() {
    let found = dependencies(&metadata());
    let mut linked = BTreeSet::from(["cli".to_owned()]);
    loop {
        let reached = found.iter().filter(|dependency| !dependency.dev && linked.contains(&dependency.from));
        let more: BTreeSet<String> = reached.map(|dependency| dependency.to.clone()).collect();
        if more.is_subset(&linked) {
            break;
        }
        linked.extend(more);
    }
    assert!(linked.contains("client") && linked.contains("fog"), "{linked:?}");
    assert!(!linked.contains("simulate") && !linked.contains("test"), "{linked:?}");
    let is_for_tests = |dependency: &Dependency| dependency.from == "test" || dependency.dev;
    assert!(found.iter().filter(|dependency| dependency.to == "simulate").all(is_for_tests));
}

#[test]
fn no_room_of_the_client_imports_upward() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../client/src");
    let mut faults = Vec::new();
    for path in sources(&root) {
        let inside = path.strip_prefix(&root).expect("below it");
        let parts: Vec<&str> = inside.iter().map(|part| part.to_str().expect("UTF-8")).collect();
        let [room, .., file] = parts[..] else {
            assert_eq!(parts, ["lib.rs"], "every other file belongs to a room");
            continue;
        };
        assert!(ROOMS.iter().any(|(name, _)| *name == room), "{room} has no rule");
        let depth = if file == "mod.rs" { parts.len() - 1 } else { parts.len() };
        let source = std::fs::read_to_string(&path).expect("a source");
        let found = forbidden_rooms(room, &source, depth);
        faults.extend(found.into_iter().map(|fault| format!("{fault}: {}", inside.display())));
    }
    assert_eq!(faults, Vec::<String>::new());
}

/// What a seat may name besides the crate's own rooms, and games for two: nothing with I/O, time, threads or randomness, and no prover.
const OF_THE_SEAT: [&str; 17] = [
    "alloy::primitives",
    "ff",
    "fog",
    "game",
    "halo2curves",
    "rules",
    "std::collections",
    "std::fmt",
    "std::array",
    "std::panic",
    "std::error",
    "std::iter",
    "std::mem",
    "std::ops",
    "std::str",
    "std::sync::Arc",
    "std::sync::LazyLock",
];

/// What the machine that decides for a link may use: besides, names of peers and connections, and times that it is given.
const OF_THE_LINK: [&str; 9] = [
    "alloy::primitives",
    "fog",
    "game",
    "libp2p::Multiaddr",
    "libp2p::PeerId",
    "libp2p::swarm::ConnectionId",
    "std::collections",
    "std::mem",
    "std::time",
];

/// The paths of other crates that a source names and that aren't allowed.
fn impure(source: &str, allowed: &[&str]) -> Vec<String> {
    let crates = ["alloy", "chain", "circuits", "libp2p", "prover", "rand", "redb", "reqwest", "std", "tokio"];
    let code = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut found = Vec::new();
    for line in code {
        for name in crates {
            for (at, _) in line.match_indices(&format!("{name}::")) {
                let before = line[..at].chars().next_back();
                let path: String =
                    line[at..].chars().take_while(|c| c.is_alphanumeric() || "_:".contains(*c)).collect();
                let is_allowed = allowed.iter().any(|allowed| path.starts_with(allowed));
                if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') && !is_allowed {
                    found.push(path);
                }
            }
        }
    }
    found
}

#[test]
fn a_seat_and_games_for_two_have_no_io_no_clock_and_no_randomness() {
    for folder in ["../client/src/seat", "../client/src/channel", "../contest/src"] {
        let found = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        // Statements for tests are drawn.
        for path in found.iter().filter(|path| !path.components().any(|part| part.as_os_str() == "testing")) {
            let source = std::fs::read_to_string(path).expect("a source");
            assert_eq!(impure(&source, &OF_THE_SEAT), Vec::<String>::new(), "{}", path.display());
        }
    }
    let source = "use std::fmt;\nuse std::time::Instant;\nlet x = rand::random();\nuse std::{fs, net};";
    assert_eq!(impure(source, &OF_THE_SEAT), ["std::time::Instant", "rand::random", "std::"]);
}

#[test]
fn a_links_machine_has_no_io_and_no_clock() {
    let reads_clock = |source: &str| source.contains("now()");
    for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../client/src/link/machine")) {
        if path.ends_with("tests.rs") {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a source");
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        assert_eq!(impure(code, &OF_THE_LINK), Vec::<String>::new(), "{}", path.display());
        assert!(!reads_clock(code), "{}", path.display());
    }
    assert_eq!(impure("use libp2p::swarm::Swarm;\nuse tokio::sync::mpsc;", &OF_THE_LINK).len(), 2);
    assert!(reads_clock("let now = Instant::now();"));
}

/// What the bot may use: the clock for its deadline, and randomness that is seeded.
const OF_THE_BOT: [&str; 6] = ["rand::", "std::collections", "std::fmt", "std::mem", "std::str", "std::time"];

/// The bot has what a seat has, and decides by that alone: a lint knows the type that has the whole truth, and here its name is looked for as well.
#[test]
fn the_bot_never_has_the_whole_truth_and_no_io() {
    let names_truth = |code: &str| code.contains("Position");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bot");
    for path in sources(&root.join("src")) {
        let source = std::fs::read_to_string(&path).expect("a source");
        assert_eq!(impure(&source, &OF_THE_BOT), Vec::<String>::new(), "{}", path.display());
        assert!(!names_truth(&source), "{}", path.display());
    }
    assert!(names_truth("use rules::{Color, Position};"));
    let lints = std::fs::read_to_string(root.join("clippy.toml")).expect("the bot's lints");
    assert!(lints.contains("path = \"rules::Position\""));
    let library = std::fs::read_to_string(root.join("src/lib.rs")).expect("the library");
    assert!(library.contains("#![deny(clippy::disallowed_types)]"));
}

/// What `test/size.py` says to a table of ceilings: nothing, if no crate is above its own.
fn above(table: &Path) -> String {
    let folder = env!("CARGO_MANIFEST_DIR");
    let output = Command::new("python3").arg("size.py").arg(table).current_dir(folder).output().expect("Python runs");
    let complaint = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.success(), complaint.is_empty(), "{complaint}");
    complaint
}

#[test]
fn no_crate_is_above_its_ceiling() {
    let with_ceiling = CEILINGS.iter().map(|(name, _)| *name);
    let with_layer = CRATES.iter().map(|(name, _)| *name);
    assert!(with_ceiling.eq(with_layer.chain(["test", "contracts", "explorer"])));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/layers.rs");
    assert_eq!(above(&source), "");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lower = folder.path().join("lower.rs");
    let table = std::fs::read_to_string(&source).expect("a source").replacen("(\"fog\", 3_", "(\"fog\", 1_", 1);
    std::fs::write(&lower, table).expect("written");
    assert_eq!(above(&lower), "above the ceiling in test/tests/all/layers.rs: fog\n");
}

/// The crates in which `test/circles.py` finds a circle of files, below a folder.
fn with_circles(folder: &Path) -> BTreeSet<String> {
    let here = env!("CARGO_MANIFEST_DIR");
    let output = Command::new("python3").arg("circles.py").arg(folder).current_dir(here).output().expect("Python runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let found = String::from_utf8(output.stdout).expect("UTF-8");
    let first = |line: &str| {
        line.strip_prefix("a circle of files: ").and_then(|files| files.split('/').next()).map(str::to_owned)
    };
    found.lines().map(|line| first(line).expect("a circle")).collect()
}

#[test]
fn no_files_take_names_from_one_another_in_a_circle() {
    let found = with_circles(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    assert_eq!(found, BTreeSet::new());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sources = folder.path().join("one/src");
    std::fs::create_dir_all(&sources).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(sources.join(name), text).expect("a source");
    write("lib.rs", "mod a;\nmod b;\npub use b::B;\n");
    write("a.rs", "use crate::B;\npub struct A(B);\n");
    write("b.rs", "pub struct B;\n");
    assert_eq!(with_circles(folder.path()), BTreeSet::new());
    // By way of the module that both are in.
    write("b.rs", "pub struct B;\nfn make(_: super::a::A) {}\n");
    assert_eq!(with_circles(folder.path()), ["one".to_owned()].into());
}

#[test]
fn a_forbidden_dependency_is_found() {
    let dependency = |from: &str, to: &str, dev| {
        let (from, to) = (from.to_owned(), to.to_owned());
        fault(&Dependency { from, to, dev })
    };
    assert_eq!(dependency("client", "game", false), None);
    assert_eq!(dependency("client", "test", true), None);
    assert_eq!(dependency("test", "client", false), None);
    for (from, to, dev) in [
        ("game", "client", false),
        ("fog", "game", false),
        ("circuits", "prover", false),
        ("client", "deploy", false),
        ("client", "test", false),
        ("client", "bot", false),
        ("client", "tui", false),
        ("bot", "game", false),
        ("client", "cli", false),
        ("client", "simulate", false),
        ("cli", "simulate", false),
        ("test", "cli", true),
        ("unknown", "rules", false),
        ("rules", "unknown", false),
    ] {
        let expected = format!("{from} depends on {to}");
        assert_eq!(dependency(from, to, dev), Some(expected));
    }
    let metadata = serde_json::json!({ "packages": [
        { "name": "fogmate-fog", "dependencies": [
            { "name": "serde", "kind": null },
            { "name": "fogmate-fog", "kind": "dev", "path": "/fog" },
            { "name": "fogmate", "kind": null, "path": "/cli" },
        ] },
    ] });
    let faults: Vec<String> = dependencies(&metadata).iter().filter_map(fault).collect();
    assert_eq!(faults, ["fog depends on cli"]);
}

#[test]
fn a_forbidden_room_is_found() {
    let source = "use crate::journal::Entry;\n// use crate::wallet::Wallet;\nuse crate::link::{self};\n";
    assert_eq!(forbidden_rooms("seat", source, 2), ["client's seat uses link"]);
    let source = "use crate::{\n    journal::{Entry, chain},\n    runtime,\n    wallet::Wallet,\n};\n";
    assert_eq!(forbidden_rooms("seat", source, 2), ["client's seat uses runtime", "client's seat uses wallet"]);
    let source = "use super::chain::Event;\nuse super::super::chain::Chain;\nlet x = crate::wallet::make();";
    assert_eq!(forbidden_rooms("seat", source, 1), ["client's seat uses chain", "client's seat uses wallet"]);
    // In a file of the seat `super` is the seat, which has a module `chain` of its own.
    assert_eq!(forbidden_rooms("seat", "use super::chain::Event;", 2), Vec::<String>::new());
    assert_eq!(forbidden_rooms("chain", "use crate::wallet::Wallet;", 2), Vec::<String>::new());
}
