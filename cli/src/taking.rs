//! Taking a seat in a game that somebody else has opened: its terms are shown, and agreed to.

use std::io::{IsTerminal as _, Write as _, stderr, stdin};

use alloy::primitives::Address;
use clap::Args;
use client::chain::{Chain, GameState, Status};
use client::lobby::{self, Invite, in_ether};
use client::wallet::Wallet;
use eyre::{Result, bail};
use game::{EXCHANGE_GAS, Mode};

use crate::engine::{engine_of, tell_caveat};
use crate::failure::bad_input;
use crate::hint::hint;
use crate::home::SavedGame;
use crate::machine::tell_advice;
use crate::output::note;
use crate::terms::{self, tell_cautions};

/// How the terms of somebody else's game are agreed to.
#[derive(Clone, Debug, Args)]
pub struct Agreement {
    /// Join the game on its terms without being asked; to a stake only --stake agrees
    #[arg(long, visible_alias = "accept-any")]
    yes: bool,
    /// Join the game for this stake, in ether, without being asked
    #[arg(long, value_name = "ETHER", value_parser = terms::ether, allow_hyphen_values = true)]
    stake: Option<u128>,
}

impl Agreement {
    /// The stake that the player agrees to; who isn't there agrees to nothing.
    fn to(&self, state: &GameState, me: Address) -> Result<u128> {
        let stake = state.terms.stake;
        if self.yes || self.stake.is_some() {
            return Ok(self.stake.unwrap_or_default());
        }
        if !stdin().is_terminal() {
            let flag = if stake == 0 { "--yes".to_owned() } else { format!("--stake {}", in_ether(stake)) };
            return Err(bad_input(format!(
                "the wallet {me:#x} has no seat in this game, and nobody can be asked whether to join it: say {flag}"
            )));
        }
        let agrees = match stake {
            0 => matches!(ask("Join it? [y/N] ")?.to_lowercase().as_str(), "y" | "yes"),
            _ => {
                let typed = ask(&format!("Join it for {} ETH? Type the amount: ", in_ether(stake)))?;
                terms::ether(&typed) == Ok(stake)
            }
        };
        match agrees {
            true => Ok(stake),
            false => bail!("the game was not joined"),
        }
    }
}

/// Asks the person at the terminal.
fn ask(question: &str) -> Result<String> {
    let mut answer = String::new();
    write!(stderr(), "{question}")?;
    stdin().read_line(&mut answer)?;
    Ok(answer.trim().to_owned())
}

/// Shows the terms of a game and joins it if they are agreed to. An invitation without addresses is the game's id alone.
pub async fn take(
    invite: Invite,
    state: &GameState,
    agreement: &Agreement,
    wallet: &Wallet,
    chain: &Chain,
) -> Result<SavedGame> {
    let game = invite.game.game_id;
    if state.status != Status::Open {
        let me = wallet.address();
        return Err(bad_input(format!("the wallet {me:#x} has no seat in game {game}, which is not open any more")));
    }
    let engine = engine_of(state)?;
    note!("game {game} of {:#x}: {}", state.creator, terms::describe(&state.terms));
    tell_caveat(engine);
    tell_cautions(chain, &state.terms).await?;
    if invite.addresses.is_empty() {
        tell_what_is_missing(state)?;
    }
    let stake = agreement.to(state, wallet.address())?;
    tell_advice(chain.advice());
    lobby::join(chain, wallet, &invite, engine.about(), state, stake).await?;
    note!("joined");
    Ok(SavedGame { dial: invite.addresses, ..SavedGame::new(invite.game, wallet.address(), Vec::new()) })
}

/// What an invitation says and the chain doesn't, and what it takes to play without.
fn tell_what_is_missing(state: &GameState) -> Result<()> {
    if !state.terms.mode.has_proofs() {
        return Err(bad_input(
            "the sights of this game go over the link alone, and the chain doesn't say where its creator's machine is: ask the creator for the invitation",
        ));
    }
    let without = match state.terms.mode {
        Mode::Channel => "no move reaches the other, and the game is soon woken, to go on on the chain".to_owned(),
        _ => {
            let gas = game::grouped(EXCHANGE_GAS.into());
            format!("sights go through the chain, and each costs both of you about {gas} gas")
        }
    };
    note!(
        "note: the chain doesn't say where the creator's machine is: until one of you gives the other the line that {} prints, {without}",
        hint("address")
    );
    Ok(())
}
