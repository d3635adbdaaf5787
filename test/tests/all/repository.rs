//! What the repository holds: at its root only what a list names, nowhere what programs leave behind, in the README's map every crate, in no manifest
//! what builds on one kind of machine alone, and in no file the marks of a merge that nobody finished.

use crate::layers::metadata;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// All that may stand at the root.
const ROOT: [&str; 40] = [
    ".ci",
    ".config",
    ".gitignore",
    ".npmrc",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "Makefile",
    "README.md",
    "bot",
    "chain",
    "circuits",
    "cli",
    "client",
    "clippy.toml",
    "contest",
    "contracts",
    "deny.toml",
    "deploy",
    "deployments",
    "docs",
    "engines",
    "events",
    "explorer",
    "fog",
    "game",
    "lanes",
    "package-lock.json",
    "package.json",
    "plonk",
    "prover",
    "rules",
    "rustfmt.toml",
    "service",
    "simulate",
    "test",
    "tui",
    "web",
];
/// The ends of names of files that editors, merges, tools and crashes leave behind.
const LEFTOVERS: [&str; 14] = [
    ".bak",
    ".diff",
    ".err",
    ".log",
    ".orig",
    ".out",
    ".patch",
    ".profraw",
    ".pyc",
    ".rej",
    ".swp",
    ".tmp",
    ".DS_Store",
    "~",
];

/// The paths of all tracked files; none where this is no clone.
pub fn tracked() -> Option<Vec<String>> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().ok()?;
    if !listed.status.success() {
        println!("not run: git knows no files here");
        return None;
    }
    let names = listed.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Some(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
}

pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// What doesn't belong where it stands: unlisted names at the root, and leftovers anywhere.
fn strays<'a>(paths: impl IntoIterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let stray = |path: &'a str| {
        let at_root = path.split('/').next().unwrap_or(path);
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_left = name == "core" || LEFTOVERS.iter().any(|end| name.ends_with(end));
        match ROOT.contains(&at_root) {
            false => Some(at_root),
            true => is_left.then_some(path),
        }
    };
    paths.into_iter().filter_map(stray).collect()
}

/// The folders that have no row in the map of the README.
fn unmapped<'a>(folders: &'a [String], readme: &str) -> Vec<&'a str> {
    let has_row = |folder: &str| readme.lines().any(|line| line.starts_with(&format!("| [{folder}]({folder}/")));
    folders.iter().map(String::as_str).filter(|folder| !has_row(folder)).collect()
}

#[test]
fn nothing_stray_is_in_the_repository() {
    let Some(paths) = tracked() else { return };
    assert_eq!(strays(paths.iter().map(String::as_str)), BTreeSet::new());
    let found: BTreeSet<&str> = paths.iter().filter_map(|path| path.split('/').next()).collect();
    assert_eq!(found, BTreeSet::from(ROOT), "the list names nothing that isn't there");
}

#[test]
fn what_is_stray_is_found() {
    let left =
        ["build.log", "notes/plan.md", "cli/src/main.rs.orig", "client/core", "docs/src/play.md~", "chain/.x.swp"];
    let whole = ["README.md", "cli/src/main.rs", "test/data/games.jsonl", "client/src/core.rs"];
    let found = strays(left.into_iter().chain(whole));
    let expected = ["build.log", "notes", "cli/src/main.rs.orig", "client/core", "docs/src/play.md~", "chain/.x.swp"];
    assert_eq!(found, BTreeSet::from(expected));
}

#[test]
fn the_map_of_the_readme_names_every_crate() {
    let metadata = metadata();
    let manifests = metadata["packages"].as_array().expect("packages").iter();
    let folder = |manifest: &str| Path::new(manifest).parent()?.file_name()?.to_str().map(str::to_owned);
    let folders: Vec<String> = manifests
        .map(|package| folder(package["manifest_path"].as_str().expect("a path")).expect("a folder"))
        .collect();
    assert!(folders.len() > 10, "{folders:?}");
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    assert_eq!(unmapped(&folders, &readme), Vec::<&str>::new());
    let shorter = readme.replace("| [contest](contest/", "| [contents](contest/");
    assert_eq!(unmapped(&folders, &shorter), ["contest"]);
}

/// The fuzz targets stand apart from the workspace: their lock file follows a changed dependency of its crates only if somebody sees to it.
#[test]
fn the_lock_file_of_the_fuzz_targets_is_not_stale() {
    let lock = std::fs::read_to_string(root().join("test/fuzz/Cargo.lock")).expect("a lock file");
    let locked = |name: &str| {
        let package = lock.split("[[package]]").find(|package| package.contains(&format!("\nname = \"{name}\"\n")))?;
        let listed = package.split_once("dependencies = [").map_or("", |(_, listed)| listed);
        let names = listed.split('"').skip(1).step_by(2).filter_map(|dependency| dependency.split(' ').next());
        Some(names.map(str::to_owned).collect::<BTreeSet<String>>())
    };
    let (metadata, mut compared) = (metadata(), 0);
    for package in metadata["packages"].as_array().expect("packages") {
        let name = package["name"].as_str().expect("a name");
        let Some(found) = locked(name) else { continue };
        let all = package["dependencies"].as_array().expect("dependencies").iter();
        let ours = all.filter(|dependency| dependency["kind"] != "dev");
        let names = |dependency: &serde_json::Value| dependency["name"].as_str().expect("a name").to_owned();
        let (may, must): (Vec<_>, Vec<_>) = ours.partition(|dependency| dependency["optional"] == true);
        let must: BTreeSet<String> = must.into_iter().map(names).collect();
        let most: BTreeSet<String> = must.iter().cloned().chain(may.into_iter().map(names)).collect();
        let hint = "`cargo metadata --manifest-path test/fuzz/Cargo.toml` writes test/fuzz/Cargo.lock anew";
        assert!(must.is_subset(&found) && found.is_subset(&most), "{name}: {hint}");
        compared += 1;
    }
    assert!(compared > 8, "{compared}");
}

/// The first words of the rows of a page's tables.
fn in_tables(page: &str) -> BTreeSet<&str> {
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    rows.flat_map(|cell| cell.split(", ")).collect()
}

#[test]
fn every_dependency_has_its_reason() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).expect(name);
    let (page, cargo, npm, python) =
        (read("docs/src/dependencies.md"), read("Cargo.toml"), read("package.json"), read("test/requirements.txt"));
    let section = |text: &str, from: &str, to: &str| -> Vec<String> {
        let (_, after) = text.split_once(from).expect(from);
        after.split(to).next().unwrap_or_default().lines().map(|line| line.trim().to_owned()).collect()
    };
    let fuzzed = section(&read("test/fuzz/Cargo.toml"), "[dependencies]", "\n[");
    let crates = [section(&cargo, "[workspace.dependencies]", "\n["), fuzzed];
    let crates = crates.iter().flatten().filter(|line| !line.contains("path =") && !line.starts_with('#'));
    let crates = crates.filter_map(|line| line.split_once(" = ").map(|(name, _)| name));
    let tools = ["devDependencies", "optionalDependencies"].map(|name| section(&npm, &format!("\"{name}\": {{"), "}"));
    let tools = tools.iter().flatten().filter_map(|line| line.split('"').nth(1));
    let read_by_pip = format!("{python}\n{}", read("contracts/findings.txt"));
    let pip = read_by_pip.lines().filter_map(|line| line.split_once("==").map(|(name, _)| name));
    let taken: BTreeSet<&str> = crates.chain(tools).chain(pip).collect();
    assert!(taken.len() > 60, "{taken:?}");
    let (headings, tables) =
        (["---", "crate", "package", "claim"], in_tables(page.split("## Evidence").next().unwrap_or_default()));
    let explained: BTreeSet<&str> = tables.into_iter().filter(|name| !headings.contains(name)).collect();
    assert_eq!(explained, taken);
}

/// The curve's arithmetic in assembly doesn't compile elsewhere.
#[test]
fn assembly_is_asked_for_on_its_own_machine_only() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let dependencies = packages.iter().flat_map(|package| package["dependencies"].as_array().expect("dependencies"));
    let asks = |dependency: &&serde_json::Value| {
        dependency["features"].as_array().expect("features").iter().any(|feature| feature == "asm")
    };
    let targets: Vec<&serde_json::Value> = dependencies.filter(asks).map(|dependency| &dependency["target"]).collect();
    assert_eq!(targets, [r#"cfg(target_arch = "x86_64")"#], "asked for once, and there");
}

/// The lines of a text that git wrote where two sides of a merge differ. A line of equal signs alone may be a heading.
fn marks_of_a_merge(text: &str) -> Vec<&str> {
    let is_mark = |line: &&str| ["<<<<<<< ", ">>>>>>> ", "||||||| "].iter().any(|mark| line.starts_with(mark));
    text.lines().filter(is_mark).collect()
}

#[test]
fn no_merge_is_left_unfinished() {
    let Some(paths) = tracked() else { return };
    for path in paths {
        let Ok(text) = std::fs::read_to_string(root().join(&path)) else { continue };
        assert_eq!(marks_of_a_merge(&text), Vec::<&str>::new(), "{path}");
    }
    let one_side = format!("{} HEAD\nall:\n=======\nall: test\n{} theirs\n", "<".repeat(7), ">".repeat(7));
    assert_eq!(marks_of_a_merge(&one_side).len(), 2);
}
