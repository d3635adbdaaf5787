// The audit page in Chromium, on a real game: two players, every move proven, on a local chain. Honest, and with a node in between that lies.

import assert from "node:assert/strict";
import { spawn, execFile } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import readline from "node:readline";
import { promisify } from "node:util";

import { walk } from "./walk.mjs";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PROGRAM = path.join(ROOT, "target/release/fogmate");
const BROWSER = process.env.FOGMATE_BROWSER ?? "/usr/bin/chromium";
const FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(" ");
/** Plies of the game that is blocked at last, and in `make long` of one that is as long as hardly any. */
const [BLOCKED_GAME, LONG_GAME] = [58, 200];
const MOVES = ["e2e4", "f7f6", "d1h5", "a7a6", "h5e8"];
/** How long a machine with other things to do may take for the game, and for what the page does. */
const [GAME_PATIENCE, PAGE_PATIENCE] = [600_000, 120_000];
/** A folder for pictures of the page, for whoever wants to look at them. */
const PICTURES = process.env.FOGMATE_PICTURES;

const { chromium } = await import("playwright-core");
const { keccak_256 } = await import("@noble/hashes/sha3.js");
const { secp256k1 } = await import("@noble/curves/secp256k1.js");
const { RLP } = await import("@ethereumjs/rlp");

const folder = mkdtempSync(path.join(tmpdir(), "fogmate-explorer-"));
const processes = [];
const servers = [];

/** Starts a command of the program, or another program, and waits until one of its lines has what is asked for. */
function start(args, wanted, patience, program = PROGRAM) {
  const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, TMPDIR: folder }, stdio: ["ignore", "pipe", "inherit"] });
  processes.push(child);
  return new Promise((resolve, reject) => {
    const lines = [];
    const late = setTimeout(() => reject(new Error(`${args[0]} takes too long: ${lines.join("\n")}`)), patience);
    child.on("exit", (code) => reject(new Error(`${args[0]} ended with ${code}: ${lines.join("\n")}`)));
    readline.createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      if (wanted.test(line)) {
        clearTimeout(late);
        resolve({ child, lines });
      }
    });
  });
}

/** A node in between, which may change what the chain's node says to a method. */
async function between(rpc, change) {
  const server = http.createServer(async (question, answer) => {
    answer.setHeader("access-control-allow-origin", "*");
    answer.setHeader("access-control-allow-headers", "*");
    if (question.method !== "POST") return answer.end();
    const body = Buffer.concat(await question.toArray());
    const [asked, said] = [JSON.parse(body), await (await fetch(rpc, { method: "POST", headers: { "content-type": "application/json" }, body })).json()];
    const questions = new Map([asked].flat().map((one) => [one.id, one]));
    const changed = ({ method, params }, result) => change(method, result, params);
    for (const one of [said].flat()) if (one.result !== undefined) one.result = changed(questions.get(one.id), one.result);
    answer.setHeader("content-type", "application/json");
    answer.end(JSON.stringify(said));
  });
  return listening(server);
}

/** A transaction with other calldata, signed by nobody in particular, under its own hash. */
function signed({ maxFeePerGas, maxPriorityFeePerGas, accessList, yParity, chainId, ...sent }, input) {
  const number = (hex) => Buffer.from(BigInt(hex) === 0n ? "" : BigInt(hex).toString(16).replace(/^(.(..)*)$/, "0$1"), "hex");
  const fields = [sent.nonce, sent.gasPrice, sent.gas].map(number).concat([Buffer.from(sent.to.slice(2), "hex"), number(sent.value), Buffer.from(input.slice(2), "hex")]);
  const signature = secp256k1.sign(keccak_256(RLP.encode(fields)), new Uint8Array(32).fill(7), { prehash: false, format: "recovered" });
  const [v, r, s] = [`0x${(27 + signature[0]).toString(16)}`, ...[1, 33].map((at) => `0x${BigInt(`0x${Buffer.from(signature.slice(at, at + 32)).toString("hex")}`).toString(16)}`)];
  const hash = `0x${Buffer.from(keccak_256(RLP.encode([...fields, ...[v, r, s].map(number)]))).toString("hex")}`;
  return { ...sent, type: "0x0", input, v, r, s, hash };
}

/** A web server that knows nothing but files. */
async function plain(folder) {
  const kinds = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", svg: "image/svg+xml" };
  const server = http.createServer((question, answer) => {
    const name = path.basename(new URL(question.url, "http://localhost").pathname) || "index.html";
    answer.setHeader("content-type", kinds[name.split(".").at(-1)] ?? "text/plain");
    answer.end(existsSync(path.join(folder, name)) ? readFileSync(path.join(folder, name)) : "");
  });
  return `${await listening(server)}/`;
}

/** Starts a server on a free port; gives its address. */
async function listening(server) {
  servers.push(server);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

/** What the commands say that need no deployment's file. */
async function commands({ rpc, contract, game, deployments, run }) {
  const { code, said } = await run(["audit", game]);
  assert.equal(code, 0, said);
  assert.match(said, /^ +2\.  [-0-9]+ [0-9:]+ UTC  White moves; proven: by the chain, and here; .*  0x[0-9a-f]{64}$/m);
  assert.match(said, /^In order\. 5 moves of the two players, each verified here and by the chain\. White has won: king captured\.\nIts keys are development ones: everybody can forge proofs, so these bind nobody\.$/m);
  assert.match(said, /^ +3\.  .* White moves and captures on e8, and the king falls; proven: by the chain, and here; .* gas, .* ETH  0x[0-9a-f]{64}$/m);
  const by = async (contract) => promisify(execFile)(PROGRAM, ["audit", game, "--json", ...contract, "--rpc", rpc, "--home", path.join(folder, "nobody")]);
  assert.equal((await by(["--contract", contract])).stdout, (await by(["--deployments", deployments])).stdout);
  assert.equal((await run(["audit", `0x${"7".repeat(64)}`])).code, 4);
  const other = await promisify(execFile)(PROGRAM, ["audit", game, "--contract", `0x${"1".repeat(40)}`, "--rpc", rpc]).catch((error) => error);
  assert.equal(other.code, 2, other.stderr);
  assert.match(other.stderr, /^error: no game contract of this version stands at 0x1111.* on chain 31337: nothing does\. Is the address right, and the node one of the game's chain\?$/m);
  const verifier = JSON.parse((await run(["proof", game, "2"])).said).verifier;
  const stranger = await promisify(execFile)(PROGRAM, ["audit", game, "--contract", verifier, "--rpc", rpc]).catch((error) => error);
  assert.match(stranger.stderr, /^error: no game contract of this version stands at .* on chain 31337: another contract does\. Is the address/);

  const all = (await run(["games", "--chain", "--all", "--json"])).said.trim().split("\n").map(JSON.parse);
  assert.deepEqual(all.map((one) => one.game), [game]);
  assert.equal((await run(["games", "--chain", "--account", all[0].opponent])).said.match(/0x[0-9a-f]{64}/)[0], game);
  assert.equal((await run(["games", "--chain", "--account", contract])).said, "");
  assert.match((await run(["games", "--chain", "--all"])).said, /  White 0x[0-9a-f]{40}  Black 0x[0-9a-f]{40}  White has won/);

  // Foundry's own program has the proof verified, and the same with one bit flipped.
  const [proof, flipped] = (await run(["proof", game, "2", "--cast"])).said.trim().split("\n");
  const cast = async (line) => {
    const [program, ...args] = line.split(" ");
    assert.equal(program, "cast");
    return promisify(execFile)(path.join(ROOT, "node_modules/.bin/cast"), args).catch((error) => error);
  };
  assert.equal((await cast(proof)).stdout.trim(), `0x${"1".padStart(64, "0")}`);
  assert.notEqual((await cast(flipped)).stdout.trim(), `0x${"1".padStart(64, "0")}`);
  assert.equal((await run(["proof", game, "9"])).code, 4);
}

/** What stands on the chain is compiled again from what `fogmate deploy` writes beside a deployment, and by nothing where there is no compiler. */
async function verifiedSource({ rpc, contract, deployments }) {
  const password = path.join(folder, "password");
  writeFileSync(password, "of no importance");
  const place = ["deploy", "--rpc", rpc, "--deployments", deployments];
  const home = ["--home", path.join(folder, "deployer"), "--password-file", password];
  await promisify(execFile)(PROGRAM, ["wallet", "new", ...home]);
  const wallet = ["--development", ...home];
  const before = await ask(rpc, "eth_blockNumber", []);
  const { stdout: cost } = await promisify(execFile)(PROGRAM, [...place, ...wallet, "--dry-run", "--json"]);
  assert.deepEqual(JSON.parse(cost).missing, []);
  await promisify(execFile)(PROGRAM, [...place, ...wallet]);
  const { stdout: said } = await promisify(execFile)(PROGRAM, [...place, "--verify-bundle", "--json"]);
  const { verified } = JSON.parse(said);
  assert.equal(verified.length, 8);
  assert.equal(verified.find(({ address }) => address.toLowerCase() === contract).compiled, "src/Fogmate.sol");
  const nothing = await promisify(execFile)(PROGRAM, [...place, "--verify-bundle"], { env: { PATH: "" } }).catch((error) => error);
  assert.equal(nothing.code, 1);
  assert.match(nothing.stderr, /^error: there is no program `node` here: [^.\n]*\n$/);
  assert.equal(await ask(rpc, "eth_blockNumber", []), before, "nothing was paid for twice");
}

async function ask(rpc, method, params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return (await (await fetch(rpc, { method: "POST", headers: { "content-type": "application/json" }, body })).json()).result;
}

/** A game that was played on a chain which goes on here: where, which game, and the folder with the deployment's file. */
async function played(...how) {
  const script = path.join(folder, "moves.json");
  writeFileSync(script, JSON.stringify({ moves: MOVES }));
  const { child: demo, lines } = await start(["demo", "--script", script, ...how], /^Both view keys are published/, GAME_PATIENCE);
  // Its chain would end with it.
  demo.kill("SIGSTOP");
  const [, first, game] = lines.map((line) => /^Chain 31337 on (\S+), game (0x[0-9a-f]{64})/.exec(line)).find(Boolean);
  const state = await ask(first, "anvil_dumpState", [true]);
  const deployments = path.join(folder, "deployments");
  cpSync(path.join(folder, readdirSync(folder).find((name) => name.startsWith("fogmate-demo-")), "deployments"), deployments, { recursive: true });
  demo.kill("SIGCONT");
  demo.kill("SIGTERM");
  const { child, lines: told } = await start(["--port", "0", "--chain-id", "31337", "--no-request-size-limit"], /^Listening on /, PAGE_PATIENCE, path.join(ROOT, "node_modules/.bin/anvil"));
  const rpc = `http://${told.at(-1).split(" ")[2]}`;
  assert.equal(await ask(rpc, "anvil_loadState", [state]), true);
  return { rpc, game, deployments };
}

async function main() {
  const { rpc, game, deployments } = await played();
  const logs = await ask(rpc, "eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest", topics: [null, game] }]);
  const contract = logs[0].address;
  const topic = (event) => `0x${Buffer.from(keccak_256(Buffer.from(event))).toString("hex")}`;
  const events = (event) => logs.filter((log) => log.topics[0] === topic(event));
  const moves = events("Moved(bytes32,address,uint16,uint8,bool,bool,uint256,uint256,uint256)");
  const published = events("ViewKeyPublished(bytes32,address,bytes32)");
  assert.equal(moves.length, MOVES.length);

  const nobody = path.join(folder, "nobody");
  /** What a command of the program says, which knows of nothing but the node and the contract's address. */
  const run = async (args, node = rpc) => {
    const found = await promisify(execFile)(PROGRAM, [...args, "--contract", contract, "--rpc", node, "--home", nobody], { maxBuffer: 1 << 26 }).catch((error) => error);
    return { code: found.code ?? 0, said: found.stdout, complaint: found.stderr };
  };
  /** What `fogmate audit` says by way of a node. */
  const audit = async (node) => JSON.parse((await run(["audit", game, "--json"], node)).said);
  await commands({ rpc, contract, game, deployments, run });
  await walk(folder, { NODE: rpc, CONTRACT: contract, GAME: game, TX: moves.at(-1).transactionHash });
  await verifiedSource({ rpc, contract, deployments });
  if (!existsSync(BROWSER)) {
    console.log("not run: the audit page, because there is no browser (FOGMATE_BROWSER, /usr/bin/chromium)");
    return;
  }

  const { lines: served } = await start(["explorer", "--port", "0"], /^http/, PAGE_PATIENCE);
  const browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
  processes.push(browser.process?.() ?? { kill() {} });
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  const asked = new Set();
  page.on("request", (request) => asked.add(new URL(request.url()).origin));

  const done = () => page.waitForFunction(() => document.body.dataset.done !== undefined, null, { timeout: PAGE_PATIENCE });
  const open = async (where, site = served.at(-1)) => {
    const full = { rpc, contract, game, ...where };
    await page.goto("about:blank");
    await page.goto(`${site}#${new URLSearchParams(full)}`);
    await done();
  };
  const text = (selector) => page.locator(selector).innerText();
  const picture = (name) => PICTURES && page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });
  // Why a proof is false each verifier says in its own words, and the contract's says nothing.
  const inShort = ({ findings, ...report }) => ({ ...report, findings: findings.map((finding) => finding.replace(/(proof is wrong): .*/, "$1")) });
  /** That the page says what `fogmate audit` says. */
  const agrees = async ({ account, course, ...said }) => {
    assert.deepEqual(inShort(JSON.parse(await page.locator("#report").textContent())), inShort(said));
    const inOrder = said.unknown === null ? "In order" : "In order, as far as can be known";
    const title = await text("#verdict-title");
    assert.equal(title.replace(" with this transcript", ""), said.ok && said.replay.ok !== false ? inOrder : "Not in order");
    // What can't be known is said once.
    const isTold = (line) => line.startsWith("not known: ");
    assert.equal((await text("main")).split("\n").filter(isTold).length, said.unknown === null ? 0 : 1);
  };
  const has = async (selector, count) => assert.equal(await page.locator(selector).count(), count, selector);

  // The honest game.
  await open({});
  await agrees(await audit(rpc));
  await has("#course td.good", MOVES.length);
  await has("#course td.bad", 0);
  assert.equal((await page.locator("#pgn pre").textContent()).trim(), (await audit(rpc)).replay.pgn.trim());
  assert.equal(await text("#now"), "3. Qxe8");
  assert.equal(await text("#summary"), "5 moves of the two players, each verified here and by the chain. White has won: king captured.");
  assert.match(await page.locator("#course tr", { hasText: "White has won" }).innerText(), /^\s*[-0-9]+ [0-9:]+\s+White\s+White has won/);
  await has("#truth .square", 64);
  await page.keyboard.press("Home");
  assert.equal(await text("#now"), "the start");
  await has("#black .fog", 32);
  await page.keyboard.press("ArrowRight");
  assert.equal(await text("#now"), "1. e4");
  assert.equal(await page.locator("#truth .last").count(), 2);
  assert.equal(await page.locator('#truth [aria-label="e4, white pawn"]').count(), 1);
  assert.equal(await page.locator('#black [aria-label="e4, dark"]').count(), 1);
  await page.keyboard.press("End");
  // Whoever has pressed the button goes through the boards with the same keys.
  await page.evaluate(() => delete document.body.dataset.done);
  await page.locator("#where button").first().click();
  await done();
  await page.keyboard.press("Home");
  assert.equal(await text("#now"), "the start");
  await page.keyboard.press("End");
  assert.match(await text("#findings"), /^Its keys are development ones: everybody can forge proofs/);
  assert.equal(await page.locator("#verdict").getAttribute("class"), "warn");
  assert.equal(await page.locator("#course td.id").last().innerText(), logs.at(-1).transactionHash);
  await picture("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("dark");
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, "it scrolls sideways on a phone");
  await open({});
  const box = async (selector) => page.locator(selector).first().boundingBox();
  assert.ok((await box("#truth .board")).y < 844 * 0.75, "the boards are far below the verdict");
  for (const label of await page.locator("#truth small").all()) {
    const [own, square] = [await label.boundingBox(), await label.locator("..").boundingBox()];
    assert.ok(own.x + own.width <= square.x || own.y >= square.y + square.height, "a label stands on a square");
  }
  await picture("phone");
  const touched = await browser.newPage({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await touched.goto(served.at(-1));
  assert.equal(await touched.locator(".hint").evaluate((hint) => getComputedStyle(hint).display), "none", "a phone has no keys");
  await touched.close();
  const axe = readFileSync(path.join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8");
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    const violations = await page.evaluate(`${axe}; axe.run().then((result) => result.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html + node.failureSummary).slice(0, 3)]))`);
    assert.deepEqual(violations, [], `axe finds something in the ${scheme} scheme`);
  }
  await page.setViewportSize({ width: 1200, height: 900 });
  assert.deepEqual(complaints, []);
  assert.deepEqual([...asked].sort(), [new URL(rpc).origin, new URL(served.at(-1)).origin].sort(), "nobody else is asked");

  // Logs are asked for from the block on in which the contract was created.
  const from = [];
  const watched = await between(rpc, (method, result, params) => (method === "eth_getLogs" && from.push(params[0].fromBlock), result));
  await open({ rpc: watched });
  const code = (block) => ask(rpc, "eth_getCode", [contract, `0x${block.toString(16)}`]);
  assert.equal(from.length, 1);
  assert.deepEqual([await code(Number(from[0]) - 1), (await code(Number(from[0]))) === "0x"], ["0x", false]);

  // One byte of one proof is another.
  const flip = (sent) => ({ ...sent, input: sent.input.slice(0, 1500) + (sent.input[1500] === "0" ? "1" : "0") + sent.input.slice(1501) });
  const isOf = (sent, log) => sent?.hash === log.transactionHash;
  const flipEnd = (sent) => ({ ...sent, input: sent.input.slice(0, -100) + (sent.input.at(-100) === "0" ? "1" : "0") + sent.input.slice(-99) });
  /** A node that has other proofs in transactions, which it shows under their own hashes. */
  const forging = async (rpc, hashes, change = flipEnd) => {
    const [sent, receipts, renamed] = [new Map(), new Map(), new Map()];
    for (const hash of hashes) {
      const honest = await ask(rpc, "eth_getTransactionByHash", [hash]);
      const forged = signed(honest, change(honest).input);
      renamed.set(hash, forged.hash);
      sent.set(forged.hash, forged);
      receipts.set(forged.hash, { ...(await ask(rpc, "eth_getTransactionReceipt", [hash])), transactionHash: forged.hash });
    }
    return between(rpc, (method, result, [first] = []) => {
      if (method === "eth_getLogs") return result.map((log) => ({ ...log, transactionHash: renamed.get(log.transactionHash) ?? log.transactionHash }));
      return ({ eth_getTransactionByHash: sent, eth_getTransactionReceipt: receipts })[method]?.get(first) ?? result;
    });
  };
  const forger = async (rpc, rows) => forging(rpc, await Promise.all((await rows.all()).map((row) => row.locator("td.id").getAttribute("title"))));
  const isSame = (log, other) => log.blockNumber === other.blockNumber && log.logIndex === other.logIndex;
  const lying = await between(rpc, (method, result) => (method === "eth_getTransactionByHash" && isOf(result, moves[2]) ? flip(result) : result));
  await open({ rpc: lying });
  assert.match(await text("#status"), /^The node shows another transaction under the hash 0x/);
  assert.equal(await page.locator("#verdict").isVisible(), false);
  const forged = await forging(rpc, [moves[2].transactionHash], flip);
  await open({ rpc: forged });
  await agrees(await audit(forged));
  await has("#course td.bad", 1);
  assert.match(await page.locator("#course tr:has(td.bad)").innerText(), /^2\.\s/);
  assert.match(await page.locator("#course td.bad").innerText(), /FALSE/);
  assert.match(await text("#findings"), /^White's move 2: 0x[0-9a-f]{40} has sent a move, which only 0x[0-9a-f]{40} can\nWhite's move 2: the turn proof is wrong/);
  assert.equal(await text("#verdict-title"), "Not in order");
  // The command holds a transaction against its hash, and takes nothing of such a node.
  const refusal = await run(["audit", game], lying);
  assert.equal(refusal.code, 1);
  assert.match(refusal.complaint, /another transaction under the hash/);
  await picture("false");

  // What a node says that can't be is refused in a sentence, and what it gives too much is left out.
  const lies = (change) => between(rpc, (method, result) => change[method]?.(result) ?? result);
  for (const [change, sentence] of [
    [{ eth_getTransactionReceipt: (receipt) => ({ ...receipt, status: "0x0" }) }, /gives events of the transaction 0x[0-9a-f]{64}, which by its own receipt has failed/],
    [{ eth_getBlockByNumber: (block) => ({ ...block, timestamp: "0x10000000000000000" }) }, /gives a block a time that no block has/],
    [{ eth_getLogs: () => [null] }, /gives logs that are none/],
    [{ eth_getLogs: () => false }, /gives logs that are none/],
    [{ eth_getTransactionByHash: (sent) => ({ ...sent, r: "nothing" }) }, /shows what is no transaction under the hash/],
    // Without 0x it would be another number to whoever reads it than to whoever hashes it.
    [{ eth_getTransactionByHash: (sent) => ({ ...sent, value: `10${sent.value.slice(2)}` }) }, /shows what is no transaction under the hash/],
    [{ eth_getTransactionByHash: (sent) => ({ ...sent, nonce: "0x77" }) }, /shows another transaction under the hash/],
    [{ eth_chainId: () => "0x1" }, /shows a transaction of the chain 31337 under the hash/],
  ]) {
    await open({ rpc: await lies(change) });
    assert.match(await text("#status"), sentence);
    assert.doesNotMatch(await text("#status"), /This page has failed/);
  }
  // Transactions of a kind that only some chains have, or that nobody has signed, are read by the node's word.
  for (const change of [(sent) => ({ ...sent, type: "0x7e", sourceHash: sent.hash }), (sent) => ({ ...sent, r: "0x0", s: "0x0", v: "0x0", yParity: null })]) {
    const own = await lies({ eth_getTransactionByHash: change, eth_getTransactionReceipt: (receipt) => ({ ...receipt, type: "0x7e" }) });
    await open({ rpc: own });
    const said = await audit(own);
    await agrees(said);
    assert.deepEqual([said.ok, said.proofs, said.unshown, said.replay.ok], [true, MOVES.length, logs.length, true]);
    assert.match(said.unknown, /moves and other acts whose transactions/);
    assert.match(await text("#summary"), new RegExp(`\\b${said.unshown} events stand by the node's word alone`));
  }
  const without = await lies({ eth_getTransactionByHash: (sent) => ({ ...sent, accessList: sent.accessList?.length === 0 ? null : sent.accessList, yParity: null }) });
  await open({ rpc: without });
  await agrees(await audit(rpc));
  const timeless = await between(rpc, (method, result) => (method === "eth_getBlockByNumber" ? null : result));
  await open({ rpc: timeless });
  assert.match(await text("#summary"), new RegExp(`\\b${logs.length} have no time`));
  const foreign_logs = await lies({ eth_getLogs: (logs) => logs.flatMap((log) => [log, { ...log, address: `0x${"1".repeat(40)}` }]) });
  await open({ rpc: foreign_logs });
  await agrees(await audit(rpc));
  const elsewhere = await listening(http.createServer((_, answer) => answer.writeHead(307, { location: rpc, "access-control-allow-origin": "*", "access-control-allow-headers": "*" }).end()));
  await open({ rpc: elsewhere });
  assert.match(await text("#status"), /can't be reached from this page/);
  const talkative = await listening(http.createServer((_, answer) => {
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*", "content-type": "application/json" };
    answer.writeHead(200, headers).end(JSON.stringify({ id: 0, error: { message: "Send\nyour\u202ekey ".repeat(50) } }));
  }));
  await open({ rpc: talkative });
  assert.match(await text("#status"), /^The node refuses eth_[A-Za-z]+, in its own words “[ -~]{80}”\.$/);
  // Keys for which everybody can forge proofs are for local chains.
  const renamed = { eth_chainId: () => "0x2a", eth_getTransactionByHash: (sent) => ({ ...sent, type: "0x7e", sourceHash: sent.hash }) };
  await open({ rpc: await lies(renamed) });
  assert.equal(await text("#verdict-title"), "Everybody can forge its proofs");
  assert.match(await text("#findings"), /^This contract's verifier is built on development parameters/);
  // The verdict names what it is of; another game in the address takes it away, and of two checks the later counts.
  await open({});
  for (const name of [game, contract, "chain 31337", new URL(rpc).host, "A node can invent a whole game"]) assert.ok((await text("#ground")).includes(name), name);
  assert.match(await text("#facts"), /Bonds\s+as whoever deployed the contract has chosen: [0-9,]+ gas, at [0-9,]+ wei or more, and [0-9,]+ wei a byte/);
  await page.evaluate((game) => {
    delete document.body.dataset.done;
    location.hash = `game=${game}`;
  }, `0x${"7".repeat(64)}`);
  await done();
  assert.match(await text("#status"), /knows no game 0x7777/);
  assert.equal(await page.locator("#verdict").isVisible(), false);
  await page.evaluate((game) => {
    for (const id of ["7".repeat(64), "8".repeat(64), game.slice(2)]) {
      document.querySelector("#game").value = `0x${id}`;
      document.querySelector("#where").requestSubmit();
    }
  }, game);
  await page.waitForFunction(() => document.querySelector("#verdict-title").textContent === "In order" && !document.querySelector("#verdict").hidden, null, { timeout: PAGE_PATIENCE });
  await agrees(await audit(rpc));

  // A transaction is left out in the middle.
  const gap = await between(rpc, (method, result) => (method === "eth_getTransactionByHash" && isOf(result, moves[1]) ? null : result));
  await open({ rpc: gap });
  assert.match(await text("#findings"), /not known: moves and other acts whose transactions aren't shown/);
  await agrees(await audit(gap));

  // No key, no board; keys as files, boards.
  const keyless = await between(rpc, (method, result) => (method === "eth_getLogs" ? result.filter((log) => !published.some((key) => isSame(log, key))) : result));
  await open({ rpc: keyless });
  await agrees(await audit(keyless));
  assert.equal(await page.locator("#replay").isVisible(), false);
  assert.match(await text("#findings"), /Not all boards can be shown: neither White nor Black has published a view key\./);
  const key = ({ topics, data }, more = {}) => {
    const file = { fogmate: "view key 1", chain_id: 31337, contract, game, player: `0x${topics[2].slice(26)}`, view_key: data, ...more };
    return { name: "key.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(file)) };
  };
  const drop = async (file) => {
    await page.evaluate(() => delete document.body.dataset.done);
    await page.locator("#keys").setInputFiles(file);
    await done();
  };
  const refused = [
    [key(published[0], { game: `0x${"7".repeat(64)}` }), /key\.json: It is a key of the game 0x7777/],
    [key(published[0], { player: contract }), /key\.json: It is the key of .*, who doesn't play in this game/],
    [key(published[0], { view_key: published[1].data }), /key\.json: The key is not the one that .* has played with/],
    [{ name: "key.json", mimeType: "application/json", buffer: Buffer.from("no key") }, /key\.json: It is no key file/],
    [{ name: "key.json", mimeType: "application/json", buffer: Buffer.alloc(10 << 20, 32) }, /key\.json: It is too large/],
  ];
  for (const [file, sentence] of refused) {
    await drop(file);
    assert.match(await text("#status"), sentence);
    assert.equal(await page.locator("#replay").isVisible(), false);
  }
  await drop(key(published[0]));
  assert.equal(await page.locator("figure:visible").count(), 1, "one key shows one side");
  assert.match(await text("#findings"), /(White|Black) has published no view key/);
  assert.match(await text("#now"), /^3\. h5e8$|^3\. captures on e8$/);
  await drop(key(published[1]));
  assert.equal(await page.locator("figure:visible").count(), 3);

  // A game that went from machine to machine: without its transcript it is said what nobody can know, and with it all is as in any game.
  const transcript = path.join(folder, "transcript.json");
  const example = path.join(ROOT, "target/release/examples/channel_game");
  const channel = JSON.parse((await start([transcript], /^{/, GAME_PATIENCE, example)).lines.at(-1));
  assert.equal(channel.contract.toLowerCase(), contract.toLowerCase());
  const auditChannel = async (args = []) => JSON.parse((await run(["audit", channel.game, "--json", ...args], channel.rpc)).said);
  await open(channel);
  await agrees(await auditChannel());
  assert.match(await text("#findings"), /^not known: its moves went from machine to machine/);
  const dropped = async (words) => {
    await page.evaluate(() => delete document.body.dataset.done);
    const transfer = await page.evaluateHandle((words) => {
      const made = new DataTransfer();
      made.items.add(new File([words], "transcript.json", { type: "application/json" }));
      return made;
    }, words);
    await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
    await done();
  };
  const words = readFileSync(transcript, "utf8");
  for (const [changed, sentence] of [
    [words.replace('"plies"', '"moves"'), /transcript\.json: It is no transcript: unknown field `moves`/],
    [words.replace(channel.game, `0x${"7".repeat(64)}`), /transcript\.json: It is a transcript of game 0x7777/],
    [words.replace('"capture":null', '"capture":"z9"'), /transcript\.json: It is no transcript: "z9" is not a square/],
  ]) {
    await dropped(changed);
    assert.match(await text("#status"), sentence);
    await agrees(await auditChannel());
  }
  await page.evaluate(() => {
    window.hidden = 0;
    const verdict = document.querySelector("#verdict");
    new MutationObserver(() => (window.hidden += verdict.hidden ? 1 : 0)).observe(verdict, { attributeFilter: ["hidden"] });
  });
  await dropped(words);
  assert.equal(await page.evaluate(() => window.hidden), 1, "what was found without the transcript is hidden meanwhile");
  const whole = await auditChannel(["--transcript", transcript]);
  await agrees(whole);
  assert.deepEqual([whole.signed, whole.proofs, whole.unknown, whole.replay.moves], [MOVES.length, MOVES.length, null, MOVES]);
  await has("#course td.good", MOVES.length);
  assert.match(await page.locator("#course tr:has(td.good)").nth(2).innerText(), /^2\.\s+between the machines\s+White\s+moves: Qh5\+?\s+holds: here\s+59:58 – 59:59/);
  assert.equal(await text("#now"), "3. Qxe8");
  await picture("transcript");
  writeFileSync(transcript, words.replace('"clock_s":3599', '"clock_s":3600'));
  await dropped(readFileSync(transcript, "utf8"));
  await agrees(await auditChannel(["--transcript", transcript]));
  assert.match(await text("#findings"), /doesn't lead to the position that the result is of/);

  // A game whose link was cut: sights are demanded and given through the chain, with proofs that are verified like the moves'.
  const cut = await played("--cut-link", "2");
  const auditCut = async (node = cut.rpc) => JSON.parse((await run(["audit", cut.game, "--json"], node)).said);
  await open({ rpc: cut.rpc, game: cut.game });
  const disputed = await auditCut();
  await agrees(disputed);
  assert.deepEqual([disputed.ok, disputed.proofs, disputed.claims_by_chain], [true, MOVES.length, 0]);
  const given = page.locator("#course tr", { hasText: "gives the demanded sight" });
  const demanded = page.locator("#course tr", { hasText: "demands the sight" });
  assert.ok((await given.count()) >= 2 && disputed.claims === (await given.count()) + (await demanded.count()), `${disputed.claims} proofs of demands and sights`);
  await has("#course td.good", MOVES.length + disputed.claims);
  assert.match(await given.first().innerText(), /holds: by the chain, and here/);
  await picture("demanded");
  for (const row of [demanded, given]) {
    await open({ rpc: cut.rpc, game: cut.game });
    await open({ rpc: await forger(cut.rpc, row.first()), game: cut.game });
    assert.match(await row.first().innerText(), /FALSE/);
    await has("#course td.bad", 1);
    assert.match(await text("#findings"), /the (request-data|chain-answer) proof is wrong/);
  }

  // Long games of proven plies, one that ends with a claim of no move, in `make long` one with a claim of fifty moves that fails and one that is granted:
  // the page can be used, and stopped, while it verifies.
  const plies = process.env.FOGMATE_LONG ? [`${LONG_GAME}`] : [];
  const games = JSON.parse((await start(plies, /^{/, 2 * GAME_PATIENCE, path.join(ROOT, "target/release/examples/page_games"))).lines.at(-1));
  const blocked = { game: games.blocked, plies: BLOCKED_GAME, last: "h3", claimed: 1, statement: "no-move", ending: /Drawn: no move\.$/ };
  const long = { game: games.long, plies: LONG_GAME, last: "Nf6", claimed: 4, statement: "fifty", ending: /Drawn: fifty moves\.$/ };
  const ended = [long, blocked].filter(({ game }) => game).map(({ game, ...about }) => ({ ...about, where: { rpc: games.rpc, game } }));
  const [longest] = ended;
  const auditOf = async ({ rpc, game }) => JSON.parse((await run(["audit", game, "--json"], rpc)).said);
  const verifying = /^Verifying proofs: (\d+) of (\d+) …$/;
  const begin = async (where) => {
    await page.goto("about:blank");
    await page.goto(`${served.at(-1)}#${new URLSearchParams({ contract, ...where })}`);
    await page.waitForFunction((line) => new RegExp(line).test(document.querySelector("#status").textContent), verifying.source, { timeout: PAGE_PATIENCE });
  };
  await begin(longest.where);
  const proofs = longest.plies + longest.claimed;
  await has("#course tbody tr", proofs + 6);
  await page.locator("#stop").click();
  await done();
  assert.equal(await text("#status"), "Stopped.");
  await drop(key(published[0]));
  assert.match(await text("#status"), /^key\.json|^Check a game first/);
  await page.addInitScript(() => {
    window.told = [];
    addEventListener("DOMContentLoaded", () => new MutationObserver(() => told.push([performance.now(), document.querySelector("#status").textContent])).observe(document.querySelector("#status"), { childList: true }));
  });
  await begin(longest.where);
  await done();
  const told = await page.evaluate(() => window.told);
  const counted = told.map(([, line]) => verifying.exec(line)).filter(Boolean).map(([, count, of]) => [Number(count), Number(of)]);
  assert.deepEqual(counted, Array.from({ length: proofs }, (_, at) => [at + 1, proofs]), "each proof is told");
  const when = (line) => told.find(([, found]) => line.test(found))[0];
  const seconds = (from, to) => ((to - from) / 1000).toFixed(1);
  const [first, all, end] = [when(verifying), when(/^Following/), when(/verified in this page/)];
  console.log(`a game of ${longest.plies} plies in the page: read in ${seconds(0, first)} s, its ${proofs} proofs verified in ${seconds(first, all)} s, followed in ${seconds(all, end)} s`);
  const ofLong = await auditOf(longest.where);
  await agrees(ofLong);
  assert.deepEqual([ofLong.ok, ofLong.proofs, ofLong.claims, ofLong.claims_by_chain], [true, longest.plies, longest.claimed, 0]);
  await has("#course td.good", proofs);
  assert.equal(await text("#now"), `${longest.plies / 2}… ${longest.last}`);
  await picture("long");
  /** The rows of what is proven besides moves. */
  const claims = page.locator("#course tbody tr:has(td.good, td.bad)").filter({ hasNot: page.locator("td:nth-child(4)", { hasText: /^moves/ }) });
  for (const { where, claimed, statement, ending } of ended) {
    await open(where);
    const said = await auditOf(where);
    await agrees(said);
    assert.deepEqual([said.ok, said.claims, said.claims_by_chain, said.replay.ok], [true, claimed, 0, true]);
    await has("#course td.bad", 0);
    assert.equal(await claims.count(), claimed);
    assert.match(await text("#summary"), ending);
    await open({ ...where, rpc: await forger(where.rpc, claims) });
    await has("#course td.bad", claimed);
    assert.equal((await text("#findings")).match(new RegExp(`the ${statement} proof is wrong`, "g"))?.length, claimed);
  }

  // What can't be checked is said in a sentence.
  const { verifier } = JSON.parse((await run(["proof", game, "2"])).said);
  const foreign = await between(rpc, (method, result) => (method === "eth_call" ? `${result.slice(0, -1)}7` : result));
  for (const [where, sentence] of [
    [{ game: `0x${"7".repeat(64)}` }, /knows no game 0x7777/],
    [{ contract: `0x${"1".repeat(40)}` }, /^No game contract of this version stands at 0x1111.* on chain 31337: nothing does/],
    [{ contract: verifier }, /^No game contract of this version stands at .* on chain 31337: another contract does/],
    [{ rpc: "http://127.0.0.1:9" }, /The node 127\.0\.0\.1:9 can't be reached/],
    [{ rpc: served.at(-1) }, /gives no JSON/],
    [{ rpc: "nowhere" }, /The node's address begins with http:\/\/ or https:\/\//],
    [{ rpc: "node.example:8545" }, /The node's address begins with http:\/\/ or https:\/\//],
    [{ game: "0x12" }, /64 hexadecimal digits/],
    [{ contract: "<b>" }, /40 hexadecimal digits/],
    [{ contract: `0x${"a".repeat(39)}B` }, /its capital letters don't fit its digits/],
  ]) {
    await open(where);
    assert.match(await text("#status"), sentence);
    assert.equal(await page.locator("#verdict").isVisible(), false);
  }
  // A node that says nothing holds nobody up; here for less long than elsewhere.
  const silent = await listening(http.createServer((question, answer) => question.method === "POST" || answer.writeHead(200, { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }).end()));
  const waiting = await browser.newPage();
  await waiting.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = () => timeout(500);
  });
  await waiting.goto(`${served.at(-1)}#${new URLSearchParams({ rpc: silent, contract, game })}`);
  await waiting.waitForFunction(() => /gives no answer within 30 seconds/.test(document.querySelector("#status").textContent), null, { timeout: PAGE_PATIENCE });
  await waiting.close();
  // A node near by may be typed without http://.
  await open({ rpc: rpc.replace("http://", "") });
  assert.equal(await text("#verdict-title"), "In order");
  await open({ rpc: foreign });
  assert.equal(await text("#verdict-title"), "Not one of this page's contracts");
  await has("#course td.good", 0);

  // Written for any web server it is the same; here with the WebAssembly that was built on this machine, if any was.
  const out = path.join(folder, "out");
  await promisify(execFile)(PROGRAM, ["explorer", "--out", out]);
  for (const name of readdirSync(path.join(ROOT, "explorer/dist")).filter((name) => name !== "SOURCES.sha256")) {
    assert.deepEqual(readFileSync(path.join(out, name)), readFileSync(path.join(ROOT, "explorer/dist", name)), name);
  }
  const built = path.join(ROOT, "target/explorer/dist/web.wasm");
  if (existsSync(built)) copyFileSync(built, path.join(out, "web.wasm"));
  await open({}, await plain(out));
  await agrees(await audit(rpc));
  await browser.close();
  console.log(`the page and the audit agree on ${MOVES.length} plies, honest and with a node that lies`);
}

try {
  await main();
} finally {
  for (const server of servers) server.close();
  for (const child of processes) {
    child.kill("SIGCONT");
    child.kill("SIGTERM");
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
