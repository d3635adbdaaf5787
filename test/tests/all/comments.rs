//! Comments are sentences that a stranger understands alone: none has three words or fewer, because a name says so much. And in the crates that others
//! build on each public item says what it is; their fields and variants may speak for themselves.

use crate::repository::{root, tracked};
use std::fs;
use std::path::Path;

/// The least number of words of a comment.
const WORDS: usize = 4;
/// Crates whose public items have comments.
const DOCUMENTED: [&str; 3] = ["rules/src", "fog/src", "game/src"];
const ITEMS: [&str; 8] = ["fn ", "const fn ", "async fn ", "struct ", "enum ", "trait ", "const ", "type "];

/// A comment of whole lines, and the line of code that follows it and its attributes.
struct Comment<'a> {
    line: usize,
    text: String,
    attributes: String,
    code: &'a str,
}

/// All comments of a file but those at its head.
fn comments(source: &str) -> Vec<Comment<'_>> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let marker = |line: &str| {
        ["///", "//"].into_iter().find(|marker| line.starts_with(marker)).filter(|_| !line.starts_with("//!"))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(start) = marker(lines[at]) else {
            at += 1;
            continue;
        };
        let end = (at..lines.len()).find(|i| marker(lines[*i]) != Some(start)).unwrap_or(lines.len());
        let text: Vec<&str> = lines[at..end].iter().map(|line| line[start.len()..].trim()).collect();
        let (attributes, code) = item(&lines[end..]);
        found.push(Comment { line: at + 1, text: text.join(" "), attributes, code });
        at = end;
    }
    found
}

/// The attributes that lines begin with, and the line after them.
fn item<'a>(lines: &[&'a str]) -> (String, &'a str) {
    let (mut attributes, mut depth) = (String::new(), 0);
    for line in lines {
        if depth == 0 && !line.starts_with("#[") {
            return (attributes, line);
        }
        attributes += line;
        depth += line.matches('[').count() as i32 - line.matches(']').count() as i32;
    }
    (attributes, "")
}

fn is_item(code: &str) -> bool {
    let code = code.strip_prefix("pub ").or_else(|| code.strip_prefix("pub(crate) ")).unwrap_or(code);
    ITEMS.iter().any(|item| code.starts_with(item))
}

/// Whether a comment is what the program says of an option, or of an argument in a type that clap derives: there a word or two is enough.
fn is_help(source: &str, comment: &Comment<'_>) -> bool {
    let is_option = ["#[arg", "#[command", "#[value"].iter().any(|attribute| comment.attributes.contains(attribute));
    let derives = source.lines().take(comment.line - 1).filter(|line| line.trim().starts_with("#[derive("));
    let is_of_clap = |derive: &str| ["Args", "Parser", "Subcommand", "ValueEnum"].iter().any(|of| derive.contains(of));
    is_option || (!is_item(comment.code) && derives.last().is_some_and(is_of_clap))
}

fn sources() -> Vec<(String, String)> {
    let rust = tracked().into_iter().flatten().filter(|path| path.ends_with(".rs"));
    rust.filter_map(|path| Some((path.clone(), fs::read_to_string(Path::new(root()).join(path)).ok()?))).collect()
}

#[test]
fn no_comment_has_three_words_or_fewer() {
    for (path, source) in sources() {
        for comment in comments(&source).iter().filter(|comment| !is_help(&source, comment)) {
            let is_short = (1..WORDS).contains(&comment.text.split_whitespace().count());
            assert!(!is_short, "{path}:{}: {:?} says nothing that the name doesn't", comment.line, comment.text);
        }
    }
}

#[test]
fn public_items_of_the_core_say_what_they_are() {
    for (path, source) in sources().iter().filter(|(path, _)| DOCUMENTED.iter().any(|folder| path.starts_with(folder)))
    {
        let documented: Vec<&str> = comments(source).iter().map(|comment| comment.code).collect();
        let is_test = path.contains("test");
        let public = source.lines().map(str::trim).filter(|line| line.starts_with("pub ") && is_item(line));
        for line in public.filter(|_| !is_test) {
            assert!(documented.contains(&line), "{path}: `{line}` has no comment");
        }
    }
}

#[test]
fn comments_are_found() {
    let source =
        "//! A head.\n/// One\n/// and two.\n#[a(\n[b])]\npub fn f() {}\n// Short.\nlet x = 1; // beside code\n";
    let found: Vec<_> = comments(source).iter().map(|c| (c.line, c.text.clone(), c.code.to_owned())).collect();
    let one = (2, "One and two.".to_owned(), "pub fn f() {}".to_owned());
    assert_eq!(found, [one, (7, "Short.".to_owned(), "let x = 1; // beside code".to_owned())]);
    let options = "use clap::Args;\n#[derive(Args)]\nstruct A {\n/// Print JSON\n#[arg(long)]\njson: bool,\n/// The game\ngame: String,\n}\n";
    let others = "/// Runs.\npub fn run() {}\n#[derive(Debug)]\nstruct B {\n/// Who looks.\nwho: Color,\n}\n";
    let source = options.to_owned() + others;
    let are_help: Vec<bool> = comments(&source).iter().map(|comment| is_help(&source, comment)).collect();
    assert_eq!(are_help, [true, true, false, false]);
}
