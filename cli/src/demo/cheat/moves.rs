//! Bob's illegal moves, and Alice's old one.

use eyre::Result;
use rules::Color;

use super::alice::Alice;
use super::ground::Ground;
use super::pairing::Pairing;
use super::report::SceneReport;
use super::scene::Scene;
use super::who::Who;

/// An illegal move, and the legal one whose proof it comes with.
const ILLEGAL: &str = "e2e5";
const LEGAL: &str = "e2e4";

/// The chain verifies each move: the illegal one is refused, the legal one taken.
pub async fn illegal(ground: &Ground) -> Result<SceneReport> {
    let (mut pairing, alice, _) = Pairing::begin(ground, Scene::Illegal, Color::White).await?;
    let (bob, story) = (&pairing.bob, &mut pairing.story);
    let (wanted, legal) = (bob.declare(ILLEGAL, None)?.fields, bob.declare(LEGAL, None)?);
    let fields = legal.fields;
    let proof = bob.prove(legal).await?;
    story.tell(
        "Bob",
        "moves his pawn from e2 to e5. No such move can be proven; he sends the proof of e2 to e4 with it.",
    )?;
    story.refused(Who::Bob, "e2e5", &bob.send_move(wanted, proof.clone()).await?, "InvalidProof")?;
    story.tell("Bob", "moves from e2 to e4, with the same proof.")?;
    story.taken("e2e4", &bob.send_move(fields, proof).await?)?;
    alice.leave().await;
    pairing.end(None).await
}

/// The chain is taken back, Bob plays another move, and sends what Alice had signed against his first one. The basis in every move
/// says in which position it was made.
pub async fn replay(ground: &Ground) -> Result<SceneReport> {
    let (mut pairing, mut alice, _) = Pairing::begin(ground, Scene::Replay, Color::White).await?;
    let (bob, story) = (&pairing.bob, &mut pairing.story);
    let [first, second] = [LEGAL, "d2d4"].map(|mv| bob.declare(mv, None));
    let [first, second] = [first?, second?];
    let (fields, others) = (first.fields, second.fields);
    story.tell("Bob", "moves from e2 to e4.")?;
    story.taken(LEGAL, &bob.send_move(fields, bob.prove(first).await?).await?)?;
    story.tell("Alice", "answers from e7 to e5.")?;
    let hers = alice.moves(story, 1, "e7e5").await?;
    let hers = ground.signed(hers).await?;
    alice.leave().await;
    ground.local.anvil.reorganise(2).await?;
    story.tell("Chain", "is taken back by two blocks, while Alice's machine is off: neither move was made.")?;
    story.tell("Bob", "moves from d2 to d4 instead.")?;
    story.taken("d2d4", &bob.send_move(others, bob.prove(second).await?).await?)?;
    story
        .tell("Bob", "sends what Alice had signed: e7 to e5, as the answer to e4. She made it in another position.")?;
    story.refused(Who::Alice, "Alice's e7e5", &ground.send_again(&hers).await?, "WrongBasis")?;

    let game = bob.game;
    let id = game.game_id.to_string();
    pairing.machines[0].ask(&["recover", "--game", &id, "--taken-back"]).await?;
    let mut alice = Alice::sit(&pairing.machines[0], game)?;
    alice.may_move(story, 1).await?;
    story
        .tell("Alice", "goes on by the chain as it is (`fogmate recover --taken-back`): it is her move, against d4.")?;
    alice.leave().await;
    pairing.end(None).await
}
