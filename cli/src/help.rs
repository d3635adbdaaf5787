//! The help of the whole program: its commands by what they are for, and an example of each.

use clap::Command;

/// Commands by what they are for. One that isn't here is among the others.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Play", &["solo", "host", "create", "join", "play", "bot"]),
    (
        "Game",
        &[
            "games", "lobby", "invite", "rematch", "resign", "draw", "claim", "publish", "withdraw", "cancel",
            "recover", "address", "disclose",
        ],
    ),
    ("Look", &["watch", "replay", "audit", "proof", "transcript", "sight", "explorer"]),
    ("Machine", &["wallet", "deploy", "relay", "tower", "doctor", "rules", "schema", "completions", "man", "demo"]),
];

/// What is said under a command's options: a line for each command, which its first word names, of examples with `; ` between them. `rules` says more than
/// that, and says it itself.
const EXAMPLES: &str = "\
solo --no-prove --level easy; solo --color white --base 10m; solo --no-prove --seed 7 --json < moves
demo; demo --script game.json --json report.json
wallet new; wallet import keystore.json; wallet show --balance
deploy --rpc http://127.0.0.1:8545 --deployments deployments; deploy --development
create --base 30m --increment 10s; create --stake 0.01 --announce /ip4/192.0.2.7/tcp/4040 --listen /ip4/0.0.0.0/tcp/4040
host --base 30m; host --opponent 0x35ec630aed657bA8dE88368D982afa70123f4619 --qr
invite 0x1f2e3d4c --qr
lobby; lobby --back 1d --json
rematch 0x1f2e3d4c
cancel 0x1f2e3d4c
join INVITATION; join INVITATION --stake 0.01
games; games --chain --json; games --chain --account 0x35ec630aed657bA8dE88368D982afa70123f4619
play INVITATION; play 0x1f2e3d4c; play 0x1f2e3d4c --plain; play 0x1f2e3d4c --json < commands > events
bot INVITATION --accept-any; bot 0x1f2e3d4c --level hard
resign 0x1f2e3d4c; resign 0x1f2e3d4c --yes --json
draw 0x1f2e3d4c accept
claim 0x1f2e3d4c
publish 0x1f2e3d4c; publish 0x1f2e3d4c --file mine.json
recover --game 0x1f2e3d4c; recover --game 0x1f2e3d4c --backup /mnt/backup
address --game 0x1f2e3d4c --announce /ip4/192.0.2.7/tcp/4040
relay --listen /ip4/0.0.0.0/tcp/4041 --announce /ip4/192.0.2.7/tcp/4041
tower --backup /mnt/backup --wallet 0x35ec630aed657bA8dE88368D982afa70123f4619
withdraw; withdraw --chain
watch 0x1f2e3d4c; watch 0x1f2e3d4c --json
replay 0x1f2e3d4c; replay 0x1f2e3d4c --pgn game.pgn; replay 0x1f2e3d4c --plain --key mine.json
audit 0x1f2e3d4c; audit 0x1f2e3d4c --transcript game.json --json
proof 0x1f2e3d4c 7; proof 0x1f2e3d4c 7 --cast | sh
transcript 0x1f2e3d4c --output game.json; transcript 0x1f2e3d4c --backup /mnt/backup --output game.json
explorer --open; explorer --out page
disclose --game 0x1f2e3d4c --output mine.json
schema > json-lines.json
sight --engine emanant --fen 'r1b1k3/pp6/8/4p1q1/Pp1Q4/7N/1BPP1P2/R3K3 w - - 0 1'; sight --engine bfv --fen '3k4/8/8/8/8/5K2/8/8 w - - 0 1' --json
dice --demo; dice create --stake 0.01 --opponent 0x70997970C51812dc3A010C7d01b50e0d17dc79C8; dice play 0x1f2e3d4c
tag --demo; tag create; tag play 0x1f2e3d4c
completions bash > fogmate.bash; completions zsh > _fogmate
man | man -l -; man pages
doctor; doctor --json";

/// The program with its help, from the bare tree of its commands.
pub fn complete(mut program: Command) -> Command {
    for line in EXAMPLES.lines() {
        let name = line.split([' ', ';']).next().unwrap_or_default();
        let examples: String = line.split("; ").map(|example| format!("\n  fogmate {example}")).collect();
        program = program.mut_subcommand(name, |command| command.after_long_help(format!("Examples:{examples}")));
    }
    let listed = listed(&program);
    program.help_template("{about}\n\n{usage-heading} {usage}\n{after-help}\n\nOptions:\n{options}").after_help(listed)
}

fn listed(program: &Command) -> String {
    let is_grouped = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let others = program.get_subcommands().map(Command::get_name).filter(|name| !is_grouped(name)).collect::<Vec<_>>();
    let groups = GROUPS.into_iter().chain([("Others", others.as_slice())]);
    let mut text = String::new();
    for (title, names) in groups {
        text += &format!("\n{title}:\n");
        for command in names.iter().filter_map(|name| program.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            text += &format!("  {:<12} {about}\n", command.get_name());
        }
    }
    text.trim_end().to_owned() + "\n\n`fogmate help COMMAND` tells all options, with examples."
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;
    use clap::CommandFactory as _;

    /// An invitation to nowhere, with a right check sum.
    const INVITATION: &str = "fogmate1111111o9qxe6d1TobSpt75kjFf7W5WPUrL9GUsyYxp7kCkVPNwwMgta8i6kdEHBdeJVXb3oNV7oR34p6WFv4wo9357WTdaszApcaetGGRdUkFeJU6SGCH7L2E8u8mFNnqdEdrjF7x5BsnBpTEdd7CHJp";

    /// The words of an example before the shell's own signs.
    fn words(line: &str) -> Vec<String> {
        let own = line.split(['<', '>', '|']).next().unwrap_or_default();
        let mut words = Vec::new();
        for (quoted, part) in own.split('\'').enumerate().map(|(i, part)| (i % 2 == 1, part)) {
            match quoted {
                true => words.push(part.to_owned()),
                false => words.extend(part.split_whitespace().map(|word| word.replace("INVITATION", INVITATION))),
            }
        }
        words
    }

    #[test]
    fn every_command_has_an_example_and_every_example_is_one() {
        let program = complete(Cli::command());
        for command in
            program.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help")
        {
            let name = command.get_name();
            let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("fogmate ")).collect();
            assert!(text.starts_with("Examples:") && !examples.is_empty(), "{name}: {text}");
            for example in examples {
                let words = words(example);
                assert_eq!(words[1], name, "{example}");
                program.clone().try_get_matches_from(&words).unwrap_or_else(|error| panic!("{example}: {error}"));
            }
        }
    }

    #[test]
    fn every_command_is_listed_once() {
        let program = complete(Cli::command());
        let text = listed(&program);
        for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
            let line = format!("\n  {:<12} ", command.get_name());
            assert_eq!(text.matches(&line).count(), 1, "{line}{text}");
        }
    }
}
