//! A game of the simulator as a page fetches it.

use game::Table;
use game::audit::audit;
use game::replay::replay;
use game::report::report;
use game::statement::Statement;
use serde_json::{Value, json};
use simulate::contract::Logged;
use simulate::world::World;

/// What the page has of each log: topics, data, time and transaction.
pub fn fetched(world: &World) -> Value {
    let game = world.chain.game;
    let log = |logged: &Logged| {
        json!({
            "topics": logged.log.topics(), "data": logged.log.data.data, "time": logged.time,
            "transaction": { "from": logged.call.from, "to": game.contract, "value": logged.call.value, "input": logged.call.input },
        })
    };
    let logs: Vec<_> = world.chain.log.iter().map(|logged| log(logged)).collect();
    json!({ "chain_id": game.chain_id, "contract": game.contract, "game": game.game_id, "logs": logs, "transcript": null })
}

/// What the page reads.
pub fn read(question: &Value) -> Result<Value, String> {
    web::read(question.to_string().as_bytes())
}

/// What the page finds, with the oracle's verdict on each proof.
pub fn judged(world: &World, question: &Value) -> Value {
    let mut question = question.clone();
    question["verdicts"] = verdicts(world);
    question["keys"] = json!([]);
    web::audit(question.to_string().as_bytes()).expect("the page judges it")
}

/// The oracle's verdicts on a game's proofs.
pub fn verdicts(world: &World) -> Value {
    let mut verdicts = serde_json::Map::new();
    let mut table = Table::new(world.chain.game);
    for record in world.records() {
        if let Some((statement, proof)) = record.proven(&table) {
            verdicts.insert(statement.key(proof), json!(statement.verify(&world.oracle, proof).is_ok()));
        }
        table.apply(&record.event).expect("events of the contract");
    }
    Value::Object(verdicts)
}

/// What an audit on this machine says.
pub fn audited(world: &World) -> Value {
    let (game, records) = (world.chain.game, world.records());
    let found = audit(game, &records, |statement: &Statement, proof: &[u8]| statement.verify(&world.oracle, proof));
    report(&found, replay(game, &records).as_ref())
}
