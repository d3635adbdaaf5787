//! A player comes back at another address, and the opponent finds it by the signed line that `fogmate address` prints, typed during play.

use fogmate_test::{Machine, TestChain, alone, open_game};

#[tokio::test(flavor = "multi_thread")]
async fn an_opponent_that_has_moved_is_found_by_its_record() {
    let _alone = alone().await;
    let test_chain = TestChain::new().await;
    let (alice, bob) = (Machine::new(&test_chain).await, Machine::new(&test_chain).await);
    let game = open_game(&alice, &bob).await;
    // Bob knows the address of Alice's invitation alone, and she isn't there.
    let mut bob_plays = bob.sit(&game, &[]);
    bob_plays.event("listening", None).await;
    let mut alice_plays = alice.sit(&game, &["--listen", "/ip4/127.0.0.1/tcp/0"]);
    let listening = alice_plays.event("listening", None).await;
    let address = listening["addresses"][0].as_str().expect("an address");
    let place = address.split("/p2p/").next().expect("a place");
    let record = alice.record(&game, place).await;
    bob_plays.type_line(&format!("at {record}")).await;
    for player in [&mut alice_plays, &mut bob_plays] {
        player.event("connected", None).await;
    }
}
