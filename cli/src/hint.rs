//! Commands as sentences name them: with the flags that were given, without which they would look in another folder or on another chain.

use std::sync::OnceLock;

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _};

use crate::Cli;

/// The flags that say where everything is. A hint repeats them where the command that it names takes them.
const REPEATED: [&str; 7] = ["home", "wallet", "password_file", "rpc", "deployments", "srs", "cache"];

/// Flags by their ids, with a value each, as they were given on the command line.
type Flags = Vec<(&'static str, String)>;

static GIVEN: OnceLock<Flags> = OnceLock::new();

/// Remembers which flags were given to the command that runs. Variables hold for the next command by themselves.
pub fn remember(mut matches: &ArgMatches) {
    while let Some((_, inner)) = matches.subcommand() {
        matches = inner;
    }
    let is_given = |id: &str| {
        matches.try_contains_id(id).unwrap_or(false) && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let values = |id: &'static str| {
        let values = matches.get_raw(id).into_iter().flatten();
        values.map(move |value| (id, value.to_string_lossy().into_owned()))
    };
    let given = REPEATED.into_iter().filter(|id| is_given(id)).flat_map(values).collect();
    // A process has one command line.
    let _ = GIVEN.set(given);
}

/// A command of this program, such as `play 0x1234`, in backquotes and with the flags that were given.
pub fn hint(command: &str) -> String {
    with(command, GIVEN.get().map_or(&[][..], Vec::as_slice))
}

fn with(command: &str, given: &[(&str, String)]) -> String {
    let mut named = &Cli::command();
    for word in command.split(' ') {
        named = named.find_subcommand(word).unwrap_or(named);
    }
    let mut text = format!("`fogmate {command}");
    for (id, value) in given {
        let taken = named.get_arguments().find(|argument| argument.get_id().as_str() == *id);
        if let Some(flag) = taken.and_then(|argument| argument.get_long()) {
            let value: &str = if *id == "rpc" { without_key(value) } else { value };
            text += &format!(" --{flag} {}", quoted(value));
        }
    }
    text + "`"
}

/// A node's URL, unless more is in it than scheme, host and port: that often is a key, which no sentence shows.
fn without_key(url: &str) -> &str {
    let bare = url.split_once("://").map(|(scheme, _)| format!("{scheme}://{}", chain::host(url)));
    if bare.as_deref() == Some(url.trim_end_matches('/')) { url } else { "URL" }
}

/// A value as a shell takes it for one word.
fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-+=.,:/@%".contains(c);
    match !value.is_empty() && value.chars().all(is_plain) {
        true => value.to_owned(),
        false => format!("'{}'", value.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_has_the_flags_that_its_command_takes() {
        let given = [("home", "my games"), ("rpc", "http://127.0.0.1:8546"), ("srs", "file")];
        let given = given.map(|(id, value)| (id, value.to_owned()));
        let (home, rpc) = ("--home 'my games'", "--rpc http://127.0.0.1:8546");
        assert_eq!(with("wallet new", &given), format!("`fogmate wallet new {home}`"));
        assert_eq!(with("withdraw", &given), format!("`fogmate withdraw {home} {rpc}`"));
        assert_eq!(with("tag play 0x12", &given), format!("`fogmate tag play 0x12 {home} {rpc} --srs file`"));
        assert_eq!(with("play", &[]), "`fogmate play`");
    }

    #[test]
    fn of_a_node_s_url_no_more_than_the_host_is_shown() {
        for shown in ["http://127.0.0.1:8545", "https://node.example/", "http://[::1]:8545"] {
            assert_eq!(without_key(shown), shown);
        }
        for keyed in
            ["https://node.example/v2/key", "https://user:key@node.example", "https://node.example/?key=1", "key"]
        {
            assert_eq!(without_key(keyed), "URL", "{keyed}");
        }
    }

    #[test]
    fn a_value_is_one_word_to_a_shell() {
        assert_eq!(["a/b-1.c", "", "a b", "it's"].map(quoted), ["a/b-1.c", "''", "'a b'", r"'it'\''s'"]);
    }
}
