//! Bob takes back a move of a game between the players' machines.

use client::link::Frames;
use eyre::{OptionExt as _, Result, eyre};
use game::{Action, Message, Notice, Position, SignedPly, Transaction};
use rules::Color;

use super::alice::Line;
use super::ground::Ground;
use super::pairing::Pairing;
use super::report::SceneReport;
use super::scene::Scene;
use super::who::Who;
use crate::demo::run::AFTERWARDS;

const FIRST: &str = "e2e4";
const REGRETTED: &str = "d2d4";
const ANSWER: &str = "e7e5";

/// Bob has signed his move and seen the answer to it come. He wakes the game at its beginning, as if nothing had been played; Alice's machine shows his
/// signature.
pub async fn takes_back(ground: &Ground) -> Result<SceneReport> {
    let (mut pairing, mut alice, address) = Pairing::begin(ground, Scene::Wake, Color::White).await?;
    let game = pairing.bob.game;
    let terms = ground.chain.game(game.game_id).await?.terms;
    let line = Line::dial(&pairing.machines, game, &address, Frames::Channel).await?;
    let (bob, story) = (&mut pairing.bob, &mut pairing.story);
    let declared = bob.declare(FIRST, None)?;
    let (fields, clock, points) = (declared.fields, terms.base, declared.request.clone().into_boxed_slice());
    let start = Position::start(terms.base);
    let digest = start.after(&game, &fields, clock).digest(&game);
    let signature = pairing.machines[1].wallet.sign(&digest).ok_or_eyre("Bob's wallet can't sign")?;
    let points = points.try_into().map_err(|_| eyre!("a request of another size"))?;
    let proof = bob.prove(declared).await?;
    story.tell("Bob", "moves from e2 to e4, which he signs: between the machines the chain hears nothing of it.")?;
    line.say(Message::Ply(Box::new(SignedPly { fields, clock, signature, points, proof }))).await?;
    alice.may_move(story, 1).await?;
    story.tell("Alice", "answers from e7 to e5.")?;
    alice.types(ANSWER).await?;
    alice.until(story, "her move", |notice| matches!(notice, Notice::Moved { ply: 1, .. }).then_some(())).await?;

    let at_start = Transaction::Wake { position: Box::new(start), signatures: [None; 2] };
    story.tell("Bob", "wishes that he had moved otherwise. He tells the chain that nothing was played yet.")?;
    story.taken("a wake at the beginning", &bob.send(&at_start).await?)?;
    let shown = |notice: &Notice| matches!(notice, Notice::Mined { action: Action::Wake, .. }).then_some(());
    alice.until(story, "his signature", shown).await?;
    story.tell("Bob", "tells it the same once more.")?;
    story.refused(Who::Bob, "a second wake", &bob.send(&at_start).await?, "NotLater")?;
    let other = bob.declare(REGRETTED, None)?;
    let (others, proof) = (other.fields, bob.prove(other).await?);
    story.tell("Bob", "moves from d2 to d4 instead.")?;
    story.refused(Who::Bob, REGRETTED, &bob.send_move(others, proof).await?, "OnHold")?;
    ground.local.anvil.pass_time(u64::from(terms.window) + AFTERWARDS).await?;
    story.tell("Chain", "waits for the hour in which a later position can be shown.")?;
    let moved = |notice: &Notice| matches!(notice, Notice::Mined { ply: Some(1), action: Action::Move, .. });
    alice.until(story, "her move", |notice| moved(notice).then_some(())).await?;
    alice.leave().await;
    pairing.end(None).await
}
