//! A game from its beginning to what it has brought each of the two.

use eyre::Result;
use game::{Ending, Notice};
use rules::Color;

use super::alice::Alice;
use super::ground::{Ground, Opened};
use super::hand::Hand;
use super::report::SceneReport;
use super::scene::Scene;
use super::story::Story;
use super::who::Who;
use crate::demo::process::Machine;

/// A game in play.
pub struct Pairing<'a> {
    pub ground: &'a Ground,
    pub machines: [Machine; 2],
    pub bob: Hand<'a>,
    pub story: Story,
    /// What both had when what they win or lose began to count, in wei.
    pub had: [i128; 2],
}

impl<'a> Pairing<'a> {
    /// A game in which Bob plays `color`, with Alice's machine sitting at it, and the address at which that listens.
    pub async fn begin(ground: &'a Ground, scene: Scene, color: Color) -> Result<(Self, Alice, String)> {
        let mut story = Story::begin(scene)?;
        let Opened { game, machines, reveals: [_, reveal] } = ground.open(scene, color).await?;
        let mut alice = Alice::sit(&machines[0], game)?;
        let listening = alice.until(&mut story, "its address", |notice| match notice {
            Notice::Listening { addresses } => addresses.first().cloned(),
            _ => None,
        });
        let address = listening.await?;
        let revealed = |notice: &Notice| matches!(notice, Notice::Mined { .. }).then_some(());
        alice.until(&mut story, "her share of the coin toss", revealed).await?;
        ground.connect(&machines[1]).await?.carry_out(game.game_id, &reveal).await?;
        alice.until(&mut story, "the game", |notice| matches!(notice, Notice::Playing { .. }).then_some(())).await?;
        let bob = Hand::sit(ground, &machines[1], game).await?;
        let mut pairing = Self { ground, machines, bob, story, had: [0; 2] };
        pairing.had = pairing.have().await?;
        Ok((pairing, alice, address))
    }

    /// A game in which Bob plays White and Alice's machine isn't there yet: her hand is given, too.
    pub async fn begin_by_hand(ground: &'a Ground, scene: Scene) -> Result<(Self, Hand<'a>)> {
        let story = Story::begin(scene)?;
        let Opened { game, machines, reveals } = ground.open(scene, Color::White).await?;
        for (machine, reveal) in machines.iter().zip(&reveals) {
            ground.connect(machine).await?.carry_out(game.game_id, reveal).await?;
        }
        let [alice, bob] = [&machines[0], &machines[1]].map(|machine| Hand::sit(ground, machine, game));
        let (alice, bob) = (alice.await?, bob.await?);
        Ok((Self { ground, machines, bob, story, had: [0; 2] }, alice))
    }

    /// What both have now, in wei.
    pub async fn have(&self) -> Result<[i128; 2]> {
        let game = self.bob.game.game_id;
        let [alice, bob] = self.machines.each_ref().map(|machine| self.ground.worth(machine, game));
        Ok([alice.await?, bob.await?])
    }

    /// The scene is over, and the game, if it has ended.
    pub async fn end(self, ending: Option<Ending>) -> Result<SceneReport> {
        let has = self.have().await?;
        let winner = ending.and_then(|ending| ending.winner);
        let winner =
            winner.map(|winner| if winner == self.machines[0].wallet.address() { Who::Alice } else { Who::Bob });
        self.story.end(ending, winner, [has[0] - self.had[0], has[1] - self.had[1]])
    }
}
