//! The demo in which Bob cheats (`fogmate demo --cheat`), on a chain of its own with the contracts and proofs of every game.
//!
//! Alice is the program that people play with, in a process of its own ([`alice`]). Bob is a [`hand`] without a seat: he signs and says what no seat would.
//! His transactions are mined and his messages arrive; what becomes of them is told ([`story`]), reported ([`report`]), and an error if it isn't what must
//! become of them. Each [`scene`] is a [`pairing`] of its own on one [`ground`]: [`moves`], [`sights`], [`claims`] and [`wakes`] play them.

mod alice;
mod claims;
mod ground;
mod hand;
mod moves;
mod pairing;
mod report;
mod scene;
mod sights;
mod story;
mod wakes;
mod who;

pub use report::CheatReport;
pub use scene::Scene;

use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use clap::ValueEnum as _;
use deploy::Repository;
use engines::EngineKind;
use eyre::{Result, eyre};

use super::run::prepare_keys;
use crate::output::{note, say};
use ground::Ground;
use report::SceneReport;

/// A scene that takes longer has failed.
const LONGEST: Duration = Duration::from_secs(900);

/// Plays one scene, or all of them, and shows them on standard output.
pub async fn play(only: Option<Scene>, repository: &Repository, cache: PathBuf) -> Result<CheatReport> {
    prepare_keys(EngineKind::default(), &cache).await?;
    note!("Starting a chain of our own (Anvil) and deploying the contracts …");
    let ground = Ground::new(repository, cache).await?;
    say!("Alice plays as everybody does. Bob signs and says whatever he likes. Each puts in 1 ETH.")?;
    let mut scenes = Vec::new();
    for scene in Scene::value_variants().iter().copied().filter(|scene| only.is_none_or(|only| only == *scene)) {
        let played = match scene {
            Scene::Illegal => on_heap(|| moves::illegal(&ground)),
            Scene::Replay => on_heap(|| moves::replay(&ground)),
            Scene::Lie => on_heap(|| sights::lie(&ground)),
            Scene::Withheld => on_heap(|| sights::withheld(&ground)),
            Scene::Silence => on_heap(|| claims::silence(&ground)),
            Scene::Fifty => on_heap(|| claims::fifty(&ground)),
            Scene::Wake => on_heap(|| wakes::takes_back(&ground)),
        };
        let played = tokio::time::timeout(LONGEST, played).await;
        scenes.push(played.map_err(|_| eyre!("the scene `{scene}` comes to no end"))??);
    }
    Ok(CheatReport { scenes })
}

/// A scene in a place of its own. Each takes hundreds of kilobytes, and without the optimiser the stack would hold all of them, several times.
fn on_heap<'a, F: Future<Output = Result<SceneReport>> + 'a>(
    scene: impl FnOnce() -> F,
) -> Pin<Box<dyn Future<Output = Result<SceneReport>> + 'a>> {
    Box::pin(scene())
}
