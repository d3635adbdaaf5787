//! A node as most are: it runs a call that names no gas price with a base fee of 0, because such a call pays none. What depends on
//! the base fee, as the least bond of a demand does, can't be read from such a call; and a demand with too small a bond fails,
//! so that its player waits for its sight until its time is up.

use alloy::primitives::U256;
use alloy::providers::{DynProvider, Provider as _};
use alloy::transports::RpcError;
use client::chain::{Chain, IFogmate};
use client::wallet::Wallet;
use game::{ChainEvent, Phase, Transaction};
use halo2curves::bn256::Fr;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::test_chain::{PROOF_BYTES, TestChain, config_of, expected_context, fields, make_move};

/// Such a node in front of Anvil, which tells calls the true base fee; its URL.
async fn free_calls(anvil: DynProvider) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, anvil.clone()));
        }
    });
    url
}

/// Answers the requests of one connection, until it ends.
async fn serve(mut stream: TcpStream, anvil: DynProvider) -> Option<()> {
    loop {
        let request = read(&mut stream).await?;
        let body = answer(&anvil, &request).await.to_string();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
        stream.write_all(format!("{head}{body}").as_bytes()).await.ok()?;
    }
}

/// The body of the next request.
async fn read(stream: &mut TcpStream) -> Option<Value> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(head).ok()?.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"))?;
    let mut body = vec![0; length.trim().parse().ok()?];
    stream.read_exact(&mut body).await.ok()?;
    serde_json::from_slice(&body).ok()
}

async fn answer(anvil: &DynProvider, request: &Value) -> Value {
    let method = request["method"].as_str().unwrap().to_owned();
    let mut arguments = request["params"].clone();
    let is_call = method == "eth_call" || method == "eth_estimateGas";
    if is_call && ["gasPrice", "maxFeePerGas"].iter().all(|price| arguments[0].get(price).is_none()) {
        let block = arguments.get(1).cloned().unwrap_or_else(|| json!("latest"));
        arguments = json!([arguments[0], block, {}, { "baseFee": "0x0" }]);
    }
    let (id, result) = (&request["id"], anvil.raw_request::<_, Value>(method.into(), arguments).await);
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(RpcError::ErrorResp(error)) => json!({ "jsonrpc": "2.0", "id": id, "error": error }),
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_demand_has_its_bond_though_calls_are_free() {
    let test_chain = TestChain::new().await;
    let (game, white, black) = test_chain.playing().await;
    make_move(white, game, &fields(0, None, false), &Fr::from(0)).await.unwrap();
    let made = fields(1, None, false);
    let ctx = expected_context(make_move(black, game, &made, &Fr::from(9)).await);
    make_move(black, game, &made, &ctx).await.unwrap();

    let provider = test_chain.anvil.provider().unwrap();
    let mut config = config_of(&test_chain.anvil, &test_chain.deployment);
    config.rpc = free_calls(provider.clone()).await;
    let wallet = [1, 2].map(|seed| Wallet::from_secret(&[seed; 32]).unwrap());
    let wallet = wallet.into_iter().find(|wallet| Some(wallet.address()) == white.account()).unwrap();
    let white = Chain::connect(config.clone(), Some(&wallet)).await.unwrap();
    let reader = rpc::connect(&config.rpc, None).unwrap();
    let free = IFogmate::new(config.contract, reader).leastBond(false).call().await.unwrap();
    assert_eq!(free, U256::ZERO, "this node is one of those");

    let (points, proof) = (vec![0; 64 * 64], vec![0xab; PROOF_BYTES as usize]);
    let demand = Transaction::DemandSight { phase: Phase::Pre, ply: 2, points, proof };
    white.carry_out(game, &demand).await.unwrap();
    let events = test_chain.events(game).await;
    let is_demand = |event: &ChainEvent| matches!(event, ChainEvent::SightDemanded { .. });
    assert!(events.iter().any(|logged| is_demand(&logged.event)));
}
