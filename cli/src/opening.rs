//! Opening a game: its terms as they are given on the command line, and what this machine remembers of it.

use alloy::primitives::Address;
use clap::Args;
use client::chain::{Chain, ChainError};
use client::lobby::{self, Addresses, Created, Invite, about_in_ether};
use client::runtime::EngineKind;
use client::wallet::Wallet;
use eyre::Result;
use game::{Mode, Terms, clock_time};
use libp2p::Multiaddr;

use crate::engine::{EngineArgs, tell_caveat};
use crate::home::{Home, Opened, SavedGame};
use crate::machine::tell_advice;
use crate::node::NodeArgs;
use crate::output::note;
use crate::terms::{self, tell_cautions};

/// Gas of a game of 30 moves from its opening to the winner's withdrawal, in mode *verified* and in mode *channel* (docs/src/performance-data.md).
const GAS_OF_30_MOVES: [u128; 2] = [29_500_000, 500_000];

/// What is offered to an opponent.
#[derive(Debug, Args)]
pub struct TermsArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    /// What each player puts in, in ether
    #[arg(long, value_name = "ETHER", default_value = "0", value_parser = terms::ether, allow_hyphen_values = true)]
    stake: u128,
    /// Each player's time for the whole game
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = terms::seconds, allow_hyphen_values = true)]
    base: u32,
    /// Time added after each own move
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = terms::seconds, allow_hyphen_values = true)]
    increment: u32,
    /// Time at the start of each turn in which no clock runs: for proofs and delivery
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = terms::seconds, allow_hyphen_values = true)]
    delay: u32,
    /// Who verifies the proofs of moves: `verified`, the chain with each move; `channel`, the opponent's machine, and the chain only if it must
    /// judge. In a channel game there is next to no gas or waiting, and the game stands on this machine and its backup [default: verified; an
    /// engine without proofs has none]
    #[arg(long, value_name = "MODE", value_parser = terms::mode)]
    mode: Option<Mode>,
    /// Time to answer a demand or a claim; who lets it pass loses. At least as long as you may be offline
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = terms::seconds, allow_hyphen_values = true)]
    window: u32,
    /// Time to reveal the coin toss, for each player; White's clock starts with the second reveal
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = terms::seconds, allow_hyphen_values = true)]
    reveal: u32,
    /// How long the game can be joined
    #[arg(long, value_name = "TIME", default_value = "7d", value_parser = terms::seconds, allow_hyphen_values = true)]
    open_for: u32,
    /// Who may join [default: anyone]
    #[arg(long, value_name = "ADDRESS", value_parser = terms::address)]
    opponent: Option<Address>,
    /// Open another game, although an earlier command has opened one with the same terms
    #[arg(long)]
    pub another: bool,
}

impl TermsArgs {
    /// The terms, from now on, if a game can be opened on them: asked of a node before anybody is asked for a password.
    pub async fn checked(&self, node: &NodeArgs) -> Result<Terms> {
        let (chain, _) = node.connect(None).await?;
        let terms = self.terms(&chain).await?;
        lobby::check(&chain, &terms, self.engine.kind().about()).await?;
        Ok(terms)
    }

    async fn terms(&self, chain: &Chain) -> Result<Terms, ChainError> {
        let by_engine = if self.engine.kind().about().is_some() { Mode::Unproven } else { Mode::Verified };
        Ok(Terms {
            mode: self.mode.unwrap_or(by_engine),
            stake: self.stake,
            base: self.base,
            increment: self.increment,
            delay: self.delay,
            window: self.window,
            reveal: self.reveal,
            expiry: chain.now().await?.saturating_add(self.open_for.into()),
            opponent: self.opponent,
        })
    }
}

/// What this machine opens games with.
pub struct Opener<'a> {
    pub home: &'a Home,
    pub wallet: &'a Wallet,
    pub chain: &'a Chain,
    pub nodes: Vec<String>,
}

impl Opener<'_> {
    /// Opens a game, or finds the one that an earlier command has opened without saying so, and remembers it. Also gives what commands know it by.
    pub async fn open(
        &self,
        terms: &Terms,
        engine: EngineKind,
        addresses: Addresses,
        relays: &[Multiaddr],
        another: bool,
    ) -> Result<(Created, SavedGame, String)> {
        let Self { home, wallet, chain, nodes } = self;
        if !chain::is_local(chain.config().chain_id) && addresses.announce.iter().all(leads_here_only) {
            note!(
                "note: this machine can be dialled from itself only: for an opponent elsewhere say --listen and --announce, or --relay"
            );
        }
        tell_caveat(engine);
        tell_advice(chain.advice());
        let created = lobby::create(chain, wallet, terms, engine.about(), &addresses.announce, another).await?;
        tell_cautions(chain, &created.terms).await?;
        if created.terms.mode.has_proofs() {
            note!("{}", costs(chain.price().await?, chain.finality_time().await?));
        }
        let Invite { game, addresses: places } = created.invite.clone();
        let saved = SavedGame {
            listen: addresses.listen,
            relays: relays.to_vec(),
            opened: Some(Opened { addresses: places, terms: created.terms }),
            ..SavedGame::new(game, wallet.address(), nodes.clone())
        };
        let name = home.remember(&saved);
        if created.earlier {
            note!("note: {}", found_again(created.terms.expiry, chain.block_time().await?));
        }
        Ok((created, saved, name))
    }
}

/// What a game costs in the modes that prove moves, at a price of gas in wei, where a block is final after so many seconds.
fn costs(price: u128, finality: u64) -> String {
    let [verified, channel] = GAS_OF_30_MOVES.map(|gas| about_in_ether(price.saturating_mul(gas)));
    let time = if finality < 60 { "some seconds".to_owned() } else { format!("{} minutes", clock_time(finality)) };
    format!(
        "A game of 30 moves costs both players together about {verified} ETH here now with --mode verified, and each move takes {time} until its \
         block is final, besides its proofs; with --mode channel about {channel} ETH, and each move takes 2 s."
    )
}

/// Whether an address is of use on this machine alone.
fn leads_here_only(address: &Multiaddr) -> bool {
    client::link::ip(address).is_some_and(|ip| ip.is_loopback())
}

/// What is said of a game that an earlier command has opened, and that can be joined until `expiry`: `--open-for` is the one of its terms that may have
/// been given otherwise this time.
fn found_again(expiry: u64, now: u64) -> String {
    let how_long = match expiry.saturating_sub(now) {
        0 => "can't be joined any more".to_owned(),
        left => format!("can be joined for {} from now, whatever --open-for says here", clock_time(left)),
    };
    format!(
        "this game was opened by an earlier command that could not say so, and {how_long}; --another opens one more"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_loopback_address_leads_nowhere_else() {
        let leads = |text: &str| leads_here_only(&text.parse().expect("an address"));
        assert!(leads("/ip4/127.0.0.1/tcp/4040") && leads("/ip6/::1/tcp/4040"));
        assert!(!leads("/ip4/192.0.2.1/tcp/4040") && !leads("/dns4/alice.example/tcp/4040"));
    }

    #[test]
    fn what_a_game_costs_is_told_of_both_modes() {
        let said = costs(2_000_000_000, 150);
        assert!(
            said.contains("about 0.059 ETH here now") && said.contains("takes 2:30 minutes until its block"),
            "{said}"
        );
        assert!(said.contains("about 0.001 ETH, and each move takes 2 s"), "{said}");
    }

    #[test]
    fn of_a_game_that_is_found_again_its_own_expiry_is_told() {
        let said = found_again(1_000 + 7_322, 1_000);
        assert!(
            said.contains("can be joined for 2:02:02 from now, whatever --open-for says here; --another"),
            "{said}"
        );
        for expiry in [999, 1_000] {
            assert!(found_again(expiry, 1_000).contains("can't be joined any more; --another"), "{expiry}");
        }
    }
}
