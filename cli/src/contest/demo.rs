//! What the demos have in common: a report in a file, an end by Ctrl-C, and what the game's transactions cost.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use client::connection::Mined;
use client::lobby::about_in_ether;
use deploy::Repository;
use eyre::{Context, Result};
use serde_json::{Value, json};
use tokio::signal::unix::{SignalKind, signal};

use crate::failure::{Interrupted, bad_input};
use crate::output::say;

/// What each player of a demo has, in wei: ten ether.
pub const DEMO_FUNDS: u128 = 10_000_000_000_000_000_000;

/// Runs a demo, which owns all that it starts, and writes its report. Whichever way it is left, dropping it ends all processes.
pub async fn run_demo<D: Future<Output = Result<Value>>>(
    json: Option<&Path>,
    demo: impl FnOnce(Repository) -> D,
) -> Result<()> {
    // Found out now rather than after the game.
    let out = json.map(|path| {
        let file = std::fs::File::create(path);
        file.map_err(|error| bad_input(format!("{} can't be written: {error}", path.display())))
    });
    let out = out.transpose()?;
    let repository = Repository::find_here().map_err(bad_input)?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let report = tokio::select! {
        report = demo(repository) => report?,
        _ = interrupt.recv() => return Err(Interrupted.into()),
        _ = terminate.recv() => return Err(Interrupted.into()),
        _ = hangup.recv() => return Err(Interrupted.into()),
    };
    if let Some(mut file) = out {
        let text = serde_json::to_string_pretty(&report)? + "\n";
        file.write_all(text.as_bytes()).wrap_err("the report can't be written")?;
    }
    Ok(())
}

/// Prints what each action cost, and gives it as JSON.
pub fn costs_told(costs: &[Mined]) -> Result<Value> {
    let mut by_action: BTreeMap<&str, Vec<&Mined>> = BTreeMap::new();
    for mined in costs {
        by_action.entry(&mined.action).or_default().push(mined);
    }
    say!(
        "\n{:14} {:>5} {:>9} {:>9} {:>9} {:>9}  mean fee",
        "action",
        "times",
        "gas, mean",
        "least",
        "most",
        "calldata"
    )?;
    let mut report = Vec::new();
    for (action, all) in by_action {
        let gas = all.iter().map(|mined| mined.gas);
        let (least, most) = (gas.clone().min().unwrap_or_default(), gas.clone().max().unwrap_or_default());
        let mean = gas.sum::<u64>() / all.len() as u64;
        let bytes = all.iter().map(|mined| mined.calldata_bytes).max().unwrap_or_default();
        let fees: u128 = all.iter().map(|mined| mined.fee).sum();
        let fee = about_in_ether(fees / all.len() as u128);
        say!("{action:14} {:5} {mean:9} {least:9} {most:9} {bytes:9}  {fee} ETH", all.len())?;
        report.push(json!({
            "action": action, "times": all.len(), "gas": mean, "least": least, "most": most, "calldata_bytes": bytes,
        }));
    }
    let (gas, fee) = costs.iter().fold((0, 0), |(gas, fee), mined| (gas + mined.gas, fee + mined.fee));
    say!("whole game     {:5} {gas:9}  {} ETH", costs.len(), about_in_ether(fee))?;
    Ok(Value::Array(report))
}
