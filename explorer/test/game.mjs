// The audit page in Chromium, on a real game: two players, every move proven, on a local chain. Honest, and with a node in between that lies.

import assert from "node:assert/strict";
import { spawn, execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import readline from "node:readline";
import { promisify } from "node:util";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PROGRAM = path.join(ROOT, "target/release/fogmate");
const BROWSER = process.env.FOGMATE_BROWSER ?? "/usr/bin/chromium";
const FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(" ");
const MOVES = ["e2e4", "f7f6", "d1h5", "a7a6", "h5e8"];
/** How long a machine with other things to do may take for the game, and for what the page does. */
const [GAME_PATIENCE, PAGE_PATIENCE] = [600_000, 120_000];
/** A folder for pictures of the page, for whoever wants to look at them. */
const PICTURES = process.env.FOGMATE_PICTURES;

if (!existsSync(BROWSER)) {
  console.log("not run: the audit page, because there is no browser (FOGMATE_BROWSER, /usr/bin/chromium)");
  process.exit(0);
}
const { chromium } = await import("playwright-core");
const { keccak_256 } = await import("@noble/hashes/sha3.js");

const folder = mkdtempSync(path.join(tmpdir(), "fogmate-explorer-"));
const processes = [];
const servers = [];

/** Starts a command of the program, and waits until one of its lines has what is asked for. */
function start(args, wanted, patience) {
  const child = spawn(PROGRAM, args, { cwd: ROOT, env: { ...process.env, TMPDIR: folder }, stdio: ["ignore", "pipe", "inherit"] });
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
    const methods = new Map([asked].flat().map(({ id, method }) => [id, method]));
    for (const one of [said].flat()) if (one.result !== undefined) one.result = change(methods.get(one.id), one.result);
    answer.setHeader("content-type", "application/json");
    answer.end(JSON.stringify(said));
  });
  servers.push(server);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

async function main() {
  const script = path.join(folder, "moves.json");
  writeFileSync(script, JSON.stringify({ moves: MOVES }));
  const { child: demo, lines } = await start(["demo", "--mode", "challengeable", "--script", script], /^Both view keys are published/, GAME_PATIENCE);
  // Its chain goes on as long as it doesn't end.
  demo.kill("SIGSTOP");
  const [, rpc, game] = lines.map((line) => /^Chain 31337 on (\S+), game (0x[0-9a-f]{64})/.exec(line)).find(Boolean);
  const ask = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return (await (await fetch(rpc, { method: "POST", headers: { "content-type": "application/json" }, body })).json()).result;
  };
  const logs = await ask("eth_getLogs", [{ fromBlock: "0x0", toBlock: "latest", topics: [null, game] }]);
  const contract = logs[0].address;
  const topic = (event) => `0x${Buffer.from(keccak_256(Buffer.from(event))).toString("hex")}`;
  const events = (event) => logs.filter((log) => log.topics[0] === topic(event));
  const proofs = events("MoveUnproven(bytes32,uint16,uint256[13],bytes)");
  const published = events("ViewKeyPublished(bytes32,address,bytes32)");
  assert.equal(proofs.length, MOVES.length - 1);
  const deployments = readdirSync(folder).filter((name) => name.startsWith("fogmate-demo-")).map((name) => path.join(folder, name, "deployments"))[0];

  /** What `fogmate audit` says by way of a node. */
  const audit = async (node) => {
    const args = ["audit", game, "--json", "--rpc", node, "--deployments", deployments, "--home", path.join(folder, "nobody")];
    const { stdout } = await promisify(execFile)(PROGRAM, args).catch((error) => error);
    return JSON.parse(stdout);
  };

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
  const open = async (where) => {
    const full = { rpc, contract, game, ...where };
    await page.goto("about:blank");
    await page.goto(`${served.at(-1)}#${new URLSearchParams(full)}`);
    await done();
  };
  const text = (selector) => page.locator(selector).innerText();
  const picture = (name) => PICTURES && page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });
  /** That the page's verdict has the numbers that `fogmate audit` has. */
  const agrees = async ({ ok, plies, proofs, by_chain, by_nobody, replay }) => {
    const summary = await text("#summary");
    assert.ok(summary.startsWith(`${plies} plies, ${proofs} proofs verified here, ${by_chain} by the chain when they were made, ${by_nobody} by nobody.`), summary);
    assert.equal(await text("#verdict-title"), ok && replay.ok !== false ? "In order" : "Not in order");
  };
  const has = async (selector, count) => assert.equal(await page.locator(selector).count(), count, selector);

  // The honest game.
  await open({});
  await agrees(await audit(rpc));
  await has("#course td.good", MOVES.length);
  await has("#course td.bad", 0);
  assert.equal((await page.locator("#pgn pre").textContent()).trim(), (await audit(rpc)).replay.pgn.trim());
  assert.equal(await text("#now"), "ply 4: Qxe8");
  await has("#truth .square", 64);
  await page.keyboard.press("Home");
  assert.equal(await text("#now"), "the start");
  await has("#black .fog", 32);
  await page.keyboard.press("ArrowRight");
  assert.equal(await text("#now"), "ply 0: e4");
  assert.equal(await page.locator("#truth .last").count(), 2);
  assert.equal(await page.locator('#truth [aria-label="e4, white pawn"]').count(), 1);
  assert.equal(await page.locator('#black [aria-label="e4, dark"]').count(), 1);
  await page.keyboard.press("End");
  await picture("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("dark");
  await page.setViewportSize({ width: 390, height: 844 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, "it scrolls sideways on a phone");
  await picture("phone");
  const axe = readFileSync(path.join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8");
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    const violations = await page.evaluate(`${axe}; axe.run().then((result) => result.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html + node.failureSummary).slice(0, 3)]))`);
    assert.deepEqual(violations, [], `axe finds something in the ${scheme} scheme`);
  }
  await page.setViewportSize({ width: 1200, height: 900 });
  assert.deepEqual(complaints, []);
  assert.deepEqual([...asked].sort(), [new URL(rpc).origin, new URL(served.at(-1)).origin].sort(), "nobody else is asked");

  // One byte of one proof is another.
  const flip = (log) => ({ ...log, data: log.data.slice(0, 1500) + (log.data[1500] === "0" ? "1" : "0") + log.data.slice(1501) });
  const isSame = (log, other) => log.blockNumber === other.blockNumber && log.logIndex === other.logIndex;
  const lying = await between(rpc, (method, result) => (method === "eth_getLogs" ? result.map((log) => (isSame(log, proofs[2]) ? flip(log) : log)) : result));
  await open({ rpc: lying });
  await has("#course td.bad", 1);
  assert.match(await page.locator("#course tr:has(td.bad)").innerText(), /^2[\s·]/);
  assert.match(await page.locator("#course td.bad").innerText(), /FALSE/);
  assert.match(await text("#findings"), /^ply 2: the turn proof is wrong/);
  await agrees(await audit(lying));
  await picture("false");

  // An event is left out in the middle.
  const gap = await between(rpc, (method, result) => (method === "eth_getLogs" ? result.filter((log) => !isSame(log, proofs[1])) : result));
  await open({ rpc: gap });
  assert.match(await text("#findings"), /ply 1: the event with its proof is missing/);
  await agrees(await audit(gap));

  // No key, no board; keys as files, boards.
  const keyless = await between(rpc, (method, result) => (method === "eth_getLogs" ? result.filter((log) => !published.some((key) => isSame(log, key))) : result));
  await open({ rpc: keyless });
  await agrees(await audit(keyless));
  assert.equal(await page.locator("#replay").isVisible(), false);
  const key = ({ topics, data }, more = {}) => {
    const file = { chain_id: 31337, contract, game, player: `0x${topics[2].slice(26)}`, view_key: data, ...more };
    return { name: "key.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(file)) };
  };
  const drop = async (file) => {
    await page.evaluate(() => delete document.body.dataset.done);
    await page.locator("#keys").setInputFiles(file);
    await done();
  };
  const refused = [
    [key(published[0], { game: `0x${"7".repeat(64)}` }), /key\.json: The key in this file is another game's/],
    [key(published[0], { player: contract }), /key\.json: The key in this file is of somebody who doesn't play/],
    [key(published[0], { view_key: published[1].data }), /key\.json: Ply [01]: (White|Black)'s view key doesn't lead to its commitment/i],
    [{ name: "key.json", mimeType: "application/json", buffer: Buffer.from("no key") }, /key\.json: This is no JSON/],
    [{ name: "key.json", mimeType: "application/json", buffer: Buffer.alloc(10 << 20, 32) }, /key\.json: .*too large/],
  ];
  for (const [file, sentence] of refused) {
    await drop(file);
    assert.match(await text("#status"), sentence);
    assert.equal(await page.locator("#replay").isVisible(), false);
  }
  await drop(key(published[0]));
  assert.equal(await page.locator("figure:visible").count(), 1, "one key shows one side");
  await drop(key(published[1]));
  assert.equal(await page.locator("figure:visible").count(), 3);

  // What can't be checked is said in a sentence.
  const nobody = `0x${"1".repeat(40)}`;
  const foreign = await between(rpc, (method, result) => (method === "eth_call" ? `${result.slice(0, -1)}7` : result));
  for (const [where, sentence] of [
    [{ game: `0x${"7".repeat(64)}` }, /knows no game 0x7777/],
    [{ contract: nobody }, /There is no contract at 0x1111/],
    [{ rpc: "http://127.0.0.1:9" }, /The node 127\.0\.0\.1:9 can't be reached/],
    [{ rpc: served.at(-1) }, /gives no JSON/],
    [{ rpc: "nowhere" }, /Type the node's address/],
    [{ game: "0x12" }, /64 hexadecimal digits/],
    [{ contract: "<b>" }, /40 hexadecimal digits/],
  ]) {
    await open(where);
    assert.match(await text("#status"), sentence);
    assert.equal(await page.locator("#verdict").isVisible(), false);
  }
  await open({ rpc: foreign });
  assert.equal(await text("#verdict-title"), "Not one of this page's contracts");
  await has("#course td.good", 0);

  // Written for any web server, it is the same.
  const out = path.join(folder, "out");
  await promisify(execFile)(PROGRAM, ["explorer", "--out", out]);
  for (const name of readdirSync(path.join(ROOT, "explorer/dist")).filter((name) => name !== "SOURCES.sha256")) {
    assert.deepEqual(readFileSync(path.join(out, name)), readFileSync(path.join(ROOT, "explorer/dist", name)), name);
  }
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
