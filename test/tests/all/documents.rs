//! Pages are read by people: no sentence of their text has more than thirty words. Names of tests stand in tables alone, most of them in the evidence at
//! a page's end, and what stands in a column of tests is the name of a test that there is.

use crate::repository::{root, tracked};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The most words of a sentence.
const WORDS: usize = 30;
/// The heading of what shows that a page's text is true.
const EVIDENCE: &str = "## Evidence";
/// Pages that a program writes, and the list of all pages.
const GENERATED: [&str; 6] = [
    "docs/src/SUMMARY.md",
    "docs/src/bot-data.md",
    "docs/src/engine-games.md",
    "docs/src/engines-data.md",
    "docs/src/leaks.md",
    "docs/src/performance-data.md",
];
/// Pages that only lead to others.
const WITHOUT_EVIDENCE: [&str; 2] = ["README.md", "docs/src/introduction.md"];
/// What may follow the stop at the end of a sentence.
const CLOSERS: [char; 6] = [')', '"', '”', '*', '_', '\''];

/// The paragraphs and the items of lists of a page, each with its line. Code blocks, tables, headings and pictures are no prose.
fn passages(page: &str) -> Vec<(usize, String)> {
    let (mut found, mut open, mut in_code) = (Vec::<(usize, String)>::new(), false, false);
    for (number, line) in (1..).zip(page.lines().map(str::trim)) {
        let is_fence = line.starts_with("```");
        in_code ^= is_fence;
        if is_fence || in_code || line.is_empty() || ["#", "|", "!["].iter().any(|mark| line.starts_with(mark)) {
            open = false;
            continue;
        }
        let item = item(line);
        match found.last_mut().filter(|_| open && item.is_none()) {
            Some((_, text)) => *text += &format!(" {line}"),
            None => found.push((number, item.unwrap_or(line).to_owned())),
        }
        open = true;
    }
    found
}

/// What an item of a list or a quotation says, if a line begins one.
fn item(line: &str) -> Option<&str> {
    let numbered = || line.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(". ");
    let marked = ["- ", "* ", "> "].iter().find_map(|mark| line.strip_prefix(mark));
    marked.or_else(|| numbered().filter(|_| line.starts_with(|c: char| c.is_ascii_digit())))
}

/// A passage as it is read: a span of code is one word, and of a link its text is left.
fn plain(text: &str) -> String {
    let code = |(i, piece)| if i % 2 == 1 { "code" } else { piece };
    let text: String = text.split('`').enumerate().map(code).collect();
    let mut pieces = text.split("](");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |read, piece| read + piece.split_once(')').map_or("", |(_, after)| after))
}

/// The sentences of a passage, with their numbers of words. A sentence ends where a word ends with a stop.
fn sentences(text: &str) -> Vec<(usize, String)> {
    let text = plain(text);
    let ends = |word: &&str| word.trim_end_matches(CLOSERS).ends_with(['.', '!', '?']);
    let words: Vec<&str> = text.split_whitespace().collect();
    let count = |words: &[&str]| words.iter().filter(|word| word.contains(char::is_alphanumeric)).count();
    words.split_inclusive(ends).map(|sentence| (count(sentence), sentence.join(" "))).collect()
}

/// The spans of code in a text.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The last part of a path: what `module::name` and `name()` name.
fn last(code: &str) -> &str {
    let code = code.strip_suffix("()").unwrap_or(code);
    code.rsplit("::").next().unwrap_or(code)
}

/// Whether a span of code could be the name of a test.
fn is_like_a_test(code: &str) -> bool {
    let is_name = code.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name && code.contains('_') && code.starts_with(|c: char| c.is_ascii_lowercase())
}

/// The names of the tests of a source in Rust or Solidity.
fn tests(source: &str) -> BTreeSet<String> {
    let (mut found, mut marked) = (BTreeSet::new(), false);
    for line in source.lines().map(str::trim) {
        marked |= line.starts_with("#[test]") || (line.starts_with("#[") && line.contains("::test"));
        let name = |after: &str| after.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_owned);
        if let Some((_, after)) = line.split_once("fn ").filter(|_| marked && !line.starts_with("//")) {
            found.extend(name(after));
            marked = false;
        }
        let called = line.strip_prefix("function ").and_then(name);
        found.extend(called.filter(|name| name.starts_with("test") || name.starts_with("invariant")));
    }
    found
}

/// What stands in a page's columns of tests: those whose heading says so.
fn columns_of_tests(page: &str) -> Vec<&str> {
    let (mut found, mut column) = (Vec::new(), None);
    let mut is_table = false;
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if !is_table {
            column = cells.iter().position(|heading| heading.starts_with("test"));
        }
        is_table = line.starts_with('|');
        found.extend(column.filter(|_| is_table).and_then(|column| cells.get(column).copied()));
    }
    found
}

/// What is wrong with a page, by its line where that says more.
fn faults(page: &str, tests: &BTreeSet<String>) -> Vec<String> {
    let (text, evidence) = page.split_once(EVIDENCE).unwrap_or((page, ""));
    let mut found = Vec::new();
    for (line, passage) in passages(text) {
        let long = sentences(&passage).into_iter().filter(|(words, _)| *words > WORDS);
        found.extend(long.map(|(words, sentence)| format!("{line}: {words} words: {sentence}")));
        let named = code(&passage).filter(|code| tests.contains(last(code)));
        found.extend(named.map(|name| format!("{line}: `{name}` is a test, and belongs to the evidence")));
    }
    let later = passages(evidence).into_iter().flat_map(|(_, passage)| sentences(&passage));
    let long = later.filter(|(words, _)| *words > WORDS);
    found.extend(long.map(|(words, sentence)| format!("{words} words: {sentence}")));
    let shown = columns_of_tests(page).into_iter().flat_map(code);
    let unknown = shown.filter(|code| is_like_a_test(code) && !tests.contains(*code));
    found.extend(unknown.map(|name| format!("`{name}` stands among the tests, and is none")));
    let headings = evidence.lines().filter(|line| line.starts_with('#'));
    found.extend(headings.map(|line| format!("{line} follows the evidence")));
    found
}

/// The tracked files whose paths are wanted, with what they hold.
fn files(wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let paths = tracked().into_iter().flatten().filter(|path| wanted(path));
    paths.filter_map(|path| Some((path.clone(), fs::read_to_string(Path::new(root()).join(path)).ok()?))).collect()
}

#[test]
fn pages_have_short_sentences_and_name_tests_as_evidence() {
    let sources = files(|path| path.ends_with(".rs") || path.ends_with(".sol"));
    let tests: BTreeSet<String> = sources.iter().flat_map(|(_, source)| tests(source)).collect();
    let is_page = |path: &str| path == "README.md" || (path.starts_with("docs/src/") && path.ends_with(".md"));
    let pages = files(|path| is_page(path) && !GENERATED.contains(&path));
    assert!(pages.len() > 10 || tracked().is_none(), "{} pages", pages.len());
    let wrong = pages.iter().flat_map(|(path, page)| faults(page, &tests).into_iter().map(move |fault| (path, fault)));
    assert_eq!(wrong.collect::<Vec<_>>(), []);
    for (path, page) in pages {
        let has_evidence = page.lines().any(|line| line == EVIDENCE);
        assert_ne!(has_evidence, WITHOUT_EVIDENCE.contains(&path.as_str()), "{path}: a page ends with its evidence");
    }
}

#[test]
fn a_long_sentence_is_found_wherever_it_stands_in_prose() {
    let none = BTreeSet::new();
    let long = format!("{}end.", "word ".repeat(WORDS));
    let fits = format!("{}end.", "word ".repeat(WORDS - 1));
    for before in ["", "- ", "1. ", "> ", "Short.\n", "# A heading\n(So.) ", "## Evidence\n"] {
        assert_eq!(faults(&format!("{before}{fits} Short.\n"), &none), [""; 0], "{before}");
        assert_eq!(faults(&format!("{before}{long} Short.\n"), &none).len(), 1, "{before}");
    }
    assert!(faults(&format!("One.\n\nTwo.\n{long}\n"), &none)[0].starts_with("3: 31 words: word word"));
    for page in [format!("| {long} |\n"), format!("```\n{long}\n```\n"), format!("# {long}\n")] {
        assert_eq!(faults(&page, &none), [""; 0], "{page}");
    }
    let linked = format!("{} [`a b`](c d e f) [g](h i j) – k.", "word ".repeat(WORDS - 3));
    assert_eq!(sentences(&linked).iter().map(|(words, _)| *words).collect::<Vec<_>>(), [WORDS]);
}

#[test]
fn a_test_is_named_as_evidence_alone_and_exists() {
    let rust = "#[test]\nfn a_stone_falls() {}\nfn helper_of_it() {}\n#[tokio::test]\nasync fn rain_is_wet() {}\n";
    let solidity = "function test_a() public {}\nfunction invariant_b() external {}\nfunction played() internal {}\n";
    let known = tests(rust);
    assert_eq!(known, ["a_stone_falls", "rain_is_wet"].map(str::to_owned).into());
    assert_eq!(tests(solidity), ["invariant_b", "test_a"].map(str::to_owned).into());
    let named = faults("Stones fall (`a_stone_falls`), see [`m::rain_is_wet`](m.rs) and `helper_of_it`.\n", &known);
    let misplaced = |name: &str| format!("1: `{name}` is a test, and belongs to the evidence");
    assert_eq!(named, ["a_stone_falls", "m::rain_is_wet"].map(misplaced));
    let table = "| claim | tests |\n| --- | --- |\n| by `no_test` | `a_stone_falls`, `make test` |\n";
    let page = format!("Stones fall.\n\n{table}\n## Evidence\n\n{table}");
    assert_eq!(faults(&page, &known), [""; 0]);
    let unknown = page.replace("falls`,", "flies`,");
    assert_eq!(faults(&unknown, &known), ["`a_stone_flies` stands among the tests, and is none"; 2]);
    assert_eq!(faults(&format!("{page}\n## More\n"), &known), ["## More follows the evidence"]);
}
