//! A node as one meets it: Anvil behind a proxy that is behind, forgets, limits or fails, as it is told.

use alloy::consensus::{Transaction as _, TxEnvelope};
use alloy::eips::eip2718::Decodable2718 as _;
use alloy::primitives::{Address, B256, Bytes};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What is wrong with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    None,
    /// It breaks off every connection without a word.
    Dead,
    /// Logs come from a machine that is so many blocks behind: it answers ranges with what it has, and knows no later block.
    LateLogs(u64),
    /// Blocks asked for by number or hash come from such a machine.
    LateBlocks(u64),
    /// Calls are run and estimated by such a machine, which counts nothing that is in no block.
    LateState(u64),
    /// The latest block comes from such a machine.
    LateHead(u64),
    /// More blocks than that are refused.
    Range(u64),
    /// Such a method answers with HTTP status 429, so many times.
    Busy(&'static str, u32),
    /// It has thrown away all blocks before this one, which it calls the earliest: so geth and reth do with pruned histories.
    Pruned(u64),
    /// No transaction has a receipt: its index of them is behind.
    NoReceipts,
    /// The last byte of a transaction's calldata comes as another one.
    Calldata,
    /// Transactions and receipts are of a type that only some chains have.
    OwnKind,
    /// Transactions have no signature, as those that a chain makes itself.
    Unsigned,
    /// It has no logs yet of a block that it has, asked for by its hash, and says so many times that nothing happened there.
    EmptyLogs(u32),
    /// It doesn't know that logs may be asked for by a block's hash, and gives those of its latest block.
    LatestLogs,
    /// It looks at the address of a filter of logs alone.
    NoTopics,
    /// It says that its mempool has one transaction more of the account, a call of the contract with this calldata, which nobody has signed.
    Forges(Forged),
    /// It refuses what may cost more than so much, in wei, as geth does by its own choice.
    FeeCap(u128),
    /// Calls that name no gas price are run with a base fee of 0, because they pay none. Most nodes do so; Anvil doesn't.
    FreeCalls,
    /// It names this chain as its own, so many times.
    NamesChain(u64, u32),
    /// Code comes from a machine that is so many blocks behind.
    LateCode(u64),
    /// It has thrown away the state of all blocks but the last so many, as most nodes do.
    ForgetsState(u64),
    /// It calls no block final.
    NothingFinal,
    /// It gives its latest block this number, and has no logs of blocks that it doesn't have.
    FalseHead(u64),
    /// It tells a false time of blocks that it is asked for by their hashes.
    FalseTimes,
    /// Every number in the answer to such a method is the highest of so many bytes.
    Highest(&'static str, usize),
}

/// What a node says that an account has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forged {
    pub account: Address,
    pub contract: Address,
    /// The account's next nonce.
    pub nonce: u64,
    /// The calldata: a selector and a word.
    pub input: [u8; 36],
}

impl Forged {
    fn transaction(&self) -> Value {
        let Self { account, contract, nonce, input } = self;
        json!({
            "type": "0x2", "chainId": "0x7a69", "nonce": format!("{nonce:#x}"), "gas": "0x7a120",
            "maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x1", "gasPrice": "0x1", "to": contract, "value": "0x0",
            "accessList": [], "input": Bytes::copy_from_slice(input), "r": "0x1", "s": "0x1", "yParity": "0x0", "v": "0x0",
            "hash": B256::repeat_byte(1), "from": account,
            "blockHash": null, "blockNumber": null, "transactionIndex": null,
        })
    }
}

/// The proxy; ends with the test's process.
pub struct Proxy {
    pub url: String,
    state: Arc<Mutex<State>>,
}

struct State {
    trouble: Trouble,
    /// The first blocks of the ranges of logs that were asked for.
    ranges: Vec<u64>,
    /// How often logs were asked for by a block's hash.
    logs_of_blocks: usize,
    /// The transactions that were sent, signed, oldest first.
    sent: Vec<String>,
}

impl Proxy {
    /// A proxy for the node at a URL `http://127.0.0.1:…`, with nothing wrong so far.
    pub fn start(node: &str) -> Self {
        let node = node.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State {
            trouble: Trouble::None,
            ranges: Vec::new(),
            logs_of_blocks: 0,
            sent: Vec::new(),
        }));
        let shared = state.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (node, state) = (node.clone(), shared.clone());
                std::thread::spawn(move || serve(stream.unwrap(), &node, &state));
            }
        });
        Self { url, state }
    }

    /// From now on that is wrong.
    pub fn set(&self, trouble: Trouble) {
        self.state.lock().unwrap().trouble = trouble;
    }

    /// The first blocks of the ranges of logs that were asked for since the last call.
    pub fn ranges(&self) -> Vec<u64> {
        std::mem::take(&mut self.state.lock().unwrap().ranges)
    }

    /// How often logs were asked for by a block's hash.
    pub fn logs_of_blocks(&self) -> usize {
        self.state.lock().unwrap().logs_of_blocks
    }

    /// The transactions that were sent, signed, oldest first: those that were turned away, too.
    pub fn sent(&self) -> Vec<String> {
        self.state.lock().unwrap().sent.clone()
    }
}

/// Answers the requests of one connection.
fn serve(stream: TcpStream, node: &str, state: &Mutex<State>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    while let Some(request) = read(&mut reader) {
        let request: Value = serde_json::from_slice(&request).unwrap();
        if state.lock().unwrap().trouble == Trouble::Dead {
            return;
        }
        let answer = answer(&request, node, state);
        let status = if answer.is_some() { "200 OK" } else { "429 Too Many Requests" };
        let body = answer.unwrap_or(Value::Null).to_string();
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
        if writer.write_all((head + &body).as_bytes()).is_err() {
            return;
        }
    }
}

/// The answer to a request; none for status 429.
fn answer(request: &Value, node: &str, state: &Mutex<State>) -> Option<Value> {
    let (method, id) = (request["method"].as_str().unwrap(), &request["id"]);
    let result = |result: Value| json!({ "jsonrpc": "2.0", "id": id, "result": result });
    let refusal = |words: &str| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32000, "message": words } });
    let head =
        || number(&ask(node, &json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_blockNumber" }))["result"]).unwrap();
    let what = &request["params"][0];
    let (from, to) = (number(&what["fromBlock"]), number(&what["toBlock"]));
    let mut state = state.lock().unwrap();
    if method == "eth_getLogs" {
        state.ranges.extend(from);
        state.logs_of_blocks += usize::from(from.is_none());
    }
    if method == "eth_sendRawTransaction" {
        state.sent.extend(what.as_str().map(str::to_owned));
    }
    match (state.trouble, method) {
        (Trouble::Busy(busy, times), method) if busy == method && times > 0 => {
            state.trouble = Trouble::Busy(busy, times - 1);
            return None;
        }
        (Trouble::FreeCalls, "eth_call" | "eth_estimateGas")
            if ["gasPrice", "maxFeePerGas"].iter().all(|price| what.get(price).is_none()) =>
        {
            let block = request["params"].get(1).cloned().unwrap_or_else(|| json!("latest"));
            let mut request = request.clone();
            request["params"] = json!([what, block, {}, { "baseFee": "0x0" }]);
            return Some(ask(node, &request));
        }
        (Trouble::FeeCap(most), "eth_sendRawTransaction") if most_of(what) > most => {
            return Some(refusal("tx fee (1.46 ether) exceeds the configured cap (1.00 ether)"));
        }
        (Trouble::Range(most), "eth_getLogs") if from.zip(to).is_some_and(|(from, to)| to - from >= most) => {
            return Some(refusal("query returned too much; reduce the range"));
        }
        (Trouble::LateLogs(late), "eth_getLogs") => {
            let known = head() - late;
            if let Some(from) = from {
                let mut request = request.clone();
                request["params"][0]["toBlock"] = json!(format!("{:#x}", to.unwrap().min(known)));
                return Some(if from > known { result(json!([])) } else { ask(node, &request) });
            }
            let block = json!([what["blockHash"], false]);
            let block =
                ask(node, &json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_getBlockByHash", "params": block }));
            if number(&block["result"]["number"]).is_none_or(|block| block > known) {
                return Some(refusal("unknown block"));
            }
        }
        (Trouble::LateBlocks(late), "eth_getBlockByNumber")
            if number(what).is_some_and(|block| block > head() - late) =>
        {
            return Some(result(Value::Null));
        }
        (Trouble::LateBlocks(late), "eth_getBlockByHash") => {
            let answer = ask(node, request);
            let block = number(&answer["result"]["number"]);
            return Some(if block.is_some_and(|block| block > head() - late) { result(Value::Null) } else { answer });
        }
        (Trouble::Pruned(first), "eth_getBlockByNumber") if what == "earliest" => {
            let mut request = request.clone();
            request["params"][0] = json!(format!("{first:#x}"));
            return Some(ask(node, &request));
        }
        (Trouble::NoReceipts, "eth_getTransactionReceipt") => return Some(result(Value::Null)),
        (Trouble::Calldata, "eth_getTransactionByHash") => {
            let mut answer = ask(node, request);
            if let Some(input) = answer["result"]["input"].as_str().map(str::to_owned) {
                let (rest, last) = input.split_at(input.len() - 2);
                answer["result"]["input"] = json!(rest.to_owned() + if last == "00" { "01" } else { "00" });
            }
            return Some(answer);
        }
        (Trouble::OwnKind, "eth_getTransactionByHash" | "eth_getTransactionReceipt") => {
            let mut answer = ask(node, request);
            answer["result"]["type"] = json!("0x71");
            return Some(answer);
        }
        (Trouble::Unsigned, "eth_getTransactionByHash") => {
            let mut answer = ask(node, request);
            (answer["result"]["r"], answer["result"]["s"]) = (json!("0x0"), json!("0x0"));
            return Some(answer);
        }
        (Trouble::EmptyLogs(times), "eth_getLogs") if from.is_none() && times > 0 => {
            state.trouble = Trouble::EmptyLogs(times - 1);
            return Some(result(json!([])));
        }
        (Trouble::LatestLogs, "eth_getLogs") if from.is_none() => {
            let mut request = request.clone();
            let latest = json!({ "address": what["address"], "fromBlock": "latest", "toBlock": "latest" });
            request["params"][0] = latest;
            return Some(ask(node, &request));
        }
        (Trouble::NoTopics, "eth_getLogs") => {
            let mut request = request.clone();
            request["params"][0]["topics"] = json!([]);
            return Some(ask(node, &request));
        }
        (Trouble::Forges(forged), "eth_getTransactionCount") if request["params"][1] == "pending" => {
            return Some(result(json!(format!("{:#x}", forged.nonce + 1))));
        }
        (Trouble::Forges(forged), "eth_getTransactionBySenderAndNonce") => return Some(result(forged.transaction())),
        (Trouble::NamesChain(named, times), "eth_chainId") if times > 0 => {
            state.trouble = Trouble::NamesChain(named, times - 1);
            return Some(result(json!(format!("{named:#x}"))));
        }
        (Trouble::LateCode(late), "eth_getCode") => {
            let mut request = request.clone();
            request["params"][1] = json!(format!("{:#x}", head().saturating_sub(late)));
            return Some(ask(node, &request));
        }
        (Trouble::ForgetsState(known), "eth_getCode") => {
            let at = &request["params"][1];
            let block = match at["blockHash"].as_str() {
                Some(hash) => {
                    json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_getBlockByHash", "params": [hash, false] })
                }
                None => json!({ "jsonrpc": "2.0", "id": 1, "method": "eth_getBlockByNumber", "params": [at, false] }),
            };
            let number = number(&ask(node, &block)["result"]["number"]).unwrap_or_default();
            if number + known <= head() {
                return Some(refusal("missing trie node"));
            }
        }
        (Trouble::NothingFinal, "eth_getBlockByNumber") if what == "finalized" => {
            return Some(refusal("finalized block not found"));
        }
        (Trouble::FalseHead(number), "eth_getBlockByNumber") if what == "latest" => {
            let mut answer = ask(node, request);
            answer["result"]["number"] = json!(format!("{number:#x}"));
            return Some(answer);
        }
        (Trouble::FalseHead(_), "eth_getLogs") if to.is_some_and(|to| to > head()) => return Some(result(json!([]))),
        (Trouble::FalseTimes, "eth_getBlockByHash") => {
            let mut answer = ask(node, request);
            answer["result"]["timestamp"] = json!("0xffffffffff");
            return Some(answer);
        }
        (Trouble::Highest(raised, bytes), method) if raised == method => {
            let mut answer = ask(node, request);
            raise(&mut answer["result"], &format!("0x{}", "ff".repeat(bytes)));
            return Some(answer);
        }
        (Trouble::LateState(late), "eth_call" | "eth_estimateGas") => {
            let mut request = request.clone();
            request["params"][1] = json!(format!("{:#x}", head() - late));
            return Some(ask(node, &request));
        }
        (Trouble::LateHead(late), "eth_getBlockByNumber") if what == "latest" => {
            let mut request = request.clone();
            request["params"][0] = json!(format!("{:#x}", head() - late));
            return Some(ask(node, &request));
        }
        _ => {}
    }
    Some(ask(node, request))
}

/// Puts one number in the place of all; what is longer than one of them is a hash, an address or data.
fn raise(value: &mut Value, highest: &str) {
    match value {
        Value::String(text) if text.starts_with("0x") && text.len() <= "0x".len() + 16 => *text = highest.to_owned(),
        Value::Array(values) => values.iter_mut().for_each(|value| raise(value, highest)),
        Value::Object(fields) => fields.values_mut().for_each(|value| raise(value, highest)),
        _ => {}
    }
}

/// What a signed transaction may cost.
fn most_of(raw: &Value) -> u128 {
    let raw: Bytes = serde_json::from_value(raw.clone()).unwrap();
    let transaction = TxEnvelope::decode_2718(&mut raw.as_ref()).unwrap();
    transaction.max_fee_per_gas() * u128::from(transaction.gas_limit())
}

fn number(value: &Value) -> Option<u64> {
    u64::from_str_radix(value.as_str()?.strip_prefix("0x")?, 16).ok()
}

/// What the node itself answers.
fn ask(node: &str, request: &Value) -> Value {
    let mut stream = TcpStream::connect(node).unwrap();
    let body = request.to_string();
    let length = body.len();
    let head = format!(
        "POST / HTTP/1.1\r\nhost: {node}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all((head + &body).as_bytes()).unwrap();
    serde_json::from_slice(&read(&mut BufReader::new(stream)).unwrap()).unwrap()
}

/// The body of an HTTP message; none at the connection's end.
fn read(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(body)
}
