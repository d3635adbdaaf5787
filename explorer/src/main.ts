// The page: reads what is typed or stands after the #, checks that game, and shows it.

import { draw } from "./board.js";
import { Court } from "./court.js";
import { type Log, Node } from "./rpc.js";
import { Sentence } from "./sentence.js";
import { clock, element, ether, number, part, type Receipt, Timeline } from "./timeline.js";
import { senderOf, type Transaction } from "./transaction.js";
import { creation, isMistyped, type Keys, keysOf, stands } from "./verifier.js";
import type { Boards, Course, Game, Verdict } from "./wasm.js";

/** The most that a file with a view key may have, in bytes, and one with a transcript. */
const [LARGEST_KEY, LARGEST_TRANSCRIPT] = [1 << 12, 1 << 26];
/** Chains that are this machine's own. */
const LOCAL_CHAINS = [1337, 31337];
/** Blocks have times before this, in seconds since 1970: the year 36812. */
const LATEST = 2 ** 40;
/** A node on this machine or in a network of its own, whose address may be typed without http://. */
const NEAR = /^(localhost|127(\.\d+){3}|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|\[::1\])(:\d+)?(\/|$)/i;
/** How long a move stands while the game plays by itself. */
const PACE = 900;

const FIELDS = ["rpc", "contract", "game"] as const;
type Where = Record<(typeof FIELDS)[number], string>;

function find<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** What has been read of a game, and judged so far. */
interface Read {
  node: Node;
  court: Court;
  game: Game;
  logs: Log[];
  receipts: (Receipt | null)[];
  verdicts: Record<string, boolean>;
  known: Keys | null;
}

/** What it means. */
interface Found extends Read {
  course: Course;
  timeline: Timeline;
}

let found: Found | null = null;
let stop = new AbortController();
let keys: string[] = [];
let plies: Boards[] = [];
let playing: ReturnType<typeof setInterval> | undefined;

function say(text: string, isBad = false): void {
  const status = find("status");
  status.textContent = text;
  status.classList.toggle("bad", isBad);
}

function progress(done: number | null, of = 1): void {
  const bar = find<HTMLProgressElement>("progress");
  bar.hidden = done === null;
  bar.max = of;
  bar.value = done ?? 0;
}

/** What is typed, if it can be asked for. */
function typed(): Where {
  const [given, contract, game] = FIELDS.map((id) => find<HTMLInputElement>(id).value.trim()) as [string, string, string];
  const rpc = NEAR.test(given) ? `http://${given}` : given;
  if (!/^https?:\/\//i.test(rpc) || !URL.canParse(rpc)) throw new Sentence("The node's address begins with http:// or https://, like http://127.0.0.1:8545.");
  if (!/^0x[0-9a-fA-F]{40}$/.test(contract)) throw new Sentence("A contract's address is 0x and 40 hexadecimal digits.");
  if (isMistyped(contract)) throw new Sentence("The contract's address has a typing error: its capital letters don't fit its digits.");
  if (!/^0x[0-9a-fA-F]{64}$/.test(game)) throw new Sentence("A game's id is 0x and 64 hexadecimal digits, all of them.");
  return { rpc, contract: contract.toLowerCase(), game: game.toLowerCase() };
}

async function check(where: Where): Promise<void> {
  const node = new Node(where.rpc, stop.signal);
  say("Reading the chain …");
  progress(0);
  const [chain, head] = (await Promise.all([node.ask<string>("eth_chainId", []), node.ask<string>("eth_blockNumber", [])])).map(Number) as [number, number];
  const code = await node.ask<string>("eth_getCode", [where.contract, "latest"]);
  const none = `No game contract of this version stands at ${where.contract} on chain ${chain}`;
  if (code === "0x") throw new Sentence(`${none}: nothing does. Is the address right, and the node one of the game's chain?`);
  const known = await keysOf(node, where.contract);
  const first = await node.created(where.contract, head);
  const logs = await node.logs(where.contract, where.game, first, head, (block) => progress(block - first, head + 1 - first));
  if (logs.length === 0 && known === null) throw new Sentence(`${none}: another contract does. Is the address right?`);
  if (logs.length === 0) throw new Sentence(`The contract at ${where.contract} knows no game ${where.game} on chain ${chain}.`);
  const { game, receipts } = await fetchRest(node, { chain_id: chain, contract: where.contract, game: where.game, transcript: null }, logs);
  find("ground").textContent = `Game ${where.game} of the contract ${where.contract} on chain ${chain}, as the node ${new URL(where.rpc).host} tells it. A node can invent a whole game that is in order here: ask another, or your own, to compare.`;
  await follow({ node, court: new Court(stop.signal), game, logs, receipts, verdicts: {}, known });
}

/** Tells what happened in a game, has its proofs judged, and concludes. */
async function follow(read: Read): Promise<void> {
  const { court, game, logs, receipts, known } = read;
  const course = await court.read(game);
  // What was found of another transcript is said no more.
  for (const id of ["verdict", "replay"]) find(id).hidden = true;
  const timeline = new Timeline(find("course").querySelector("tbody")!, course, logs, game.logs, receipts);
  for (const id of ["course", "terms"]) find(id).hidden = false;
  facts(course, game.chain_id, receipts, logs, known);
  found = { ...read, course, timeline };
  if (known !== null) await verify(found, known);
  await conclude(keys);
}

/** Blocks' times, the transactions of moves, and receipts. */
async function fetchRest(node: Node, game: Omit<Game, "logs">, logs: Log[]): Promise<{ game: Game; receipts: (Receipt | null)[] }> {
  const unique = (all: string[]) => [...new Set(all)];
  const [blocks, hashes] = [unique(logs.map((log) => log.blockNumber)), unique(logs.map((log) => log.transactionHash))];
  const total = blocks.length + 2 * hashes.length;
  const told = (before: number) => (done: number) => progress(before + done, total);
  const times = await node.askAll<{ timestamp: string } | null>("eth_getBlockByNumber", blocks.map((block) => [block, false]), told(0));
  const ofHash = hashes.map((hash) => [hash]);
  const transactions = await node.askAll<Transaction | null>("eth_getTransactionByHash", ofHash, told(blocks.length));
  const receipts = await node.askAll<Receipt | null>("eth_getTransactionReceipt", ofHash, told(blocks.length + hashes.length));
  const failed = hashes.find((_, at) => receipts[at] && receipts[at].status !== "0x1");
  if (failed !== undefined) throw new Sentence(`The node gives events of the transaction ${failed}, which by its own receipt has failed.`);
  const senders = hashes.map((hash, at) => (transactions[at] ? senderOf(hash, transactions[at], game.chain_id) : null));
  const time = new Map(blocks.map((block, at) => [block, times[at]]));
  if (times.some((block) => block && !(Number(block.timestamp) < LATEST))) throw new Sentence("The node gives a block a time that no block has.");
  const place = new Map(hashes.map((hash, at) => [hash, at]));
  const read = logs.map((log) => {
    const block = time.get(log.blockNumber);
    const at = place.get(log.transactionHash)!;
    const [transaction, from] = [transactions[at], senders[at]];
    return {
      topics: log.topics,
      data: log.data,
      time: block ? Number(block.timestamp) : null,
      transaction: transaction ? { from: from ?? null, to: transaction.to, value: transaction.value, input: transaction.input } : null,
    };
  });
  return { game: { ...game, logs: read }, receipts: logs.map((log) => receipts[place.get(log.transactionHash)!] ?? null) };
}

/** Has each proof judged. */
async function verify({ node, court, course, timeline, verdicts }: Found, known: Keys): Promise<void> {
  const all = course.rows.flatMap(({ statement, evidence, verdict }, index) =>
    statement === null || evidence === null || verdict === null ? [] : [{ index, statement, evidence, verdict }],
  );
  for (const { index, verdict } of all) if (verdict in verdicts) timeline.judge(index, verdicts[verdict]!);
  const proofs = all.filter(({ verdict }) => !(verdict in verdicts));
  if (proofs.length === 0) return;
  const codes = await court.create(creation(known), proofs.length);
  if (!(await stands(node, known, codes))) throw new Sentence("A verifier that this contract's address follows from doesn't stand on this node's chain.");
  let done = 0;
  const tell = (at: number, holds: boolean) => {
    const { index, verdict } = proofs[at]!;
    verdicts[verdict] = holds;
    timeline.judge(index, holds);
    say(`Verifying proofs: ${++done} of ${proofs.length} …`);
    progress(done, proofs.length);
  };
  await court.judge(proofs, tell);
}

/** What the page finds with these view keys, which are kept if they are the game's, and the boards that are open. */
async function conclude(withKeys: string[]): Promise<void> {
  if (found === null) return;
  const { court, game, verdicts, known } = found;
  say("Following the game …");
  const verdict = await court.audit({ ...game, verdicts, keys: withKeys });
  [keys, plies] = [withKeys, verdict.boards];
  found.timeline.name(found.course, plies.slice(1).map(({ san }) => san));
  progress(null);
  say(`${found.course.rows.length} events read, ${Object.keys(verdicts).length} proofs verified in this page.`);
  judge(verdict, game.chain_id, known);
  show(verdict);
  // While a button has the keys, the boards don't.
  if (document.activeElement?.closest("#asked button, #asked [type=file]")) find(plies.length > 0 ? "replay" : "verdict").focus();
  // On a phone the boards come first.
  find<HTMLDetailsElement>("asked").open = !matchMedia("(max-width: 52rem)").matches;
}

function judge({ report, said }: Verdict, chain: number, known: Keys | null): void {
  const isUnproven = report.mode === "unproven";
  const isGood = report.ok && report.replay.ok !== false;
  const isWhole = said.unknown === null;
  const isLoose = known !== null && !isUnproven && isDevelopment(known);
  const isForgeable = isLoose && !LOCAL_CHAINS.includes(chain);
  const box = find("verdict");
  box.hidden = false;
  box.className = isForgeable ? "bad" : known === null || (isGood && (!isWhole || isLoose)) ? "warn" : isGood ? "good" : "bad";
  find("verdict-title").textContent = known === null ? "Not one of this page's contracts" : isForgeable ? "Everybody can forge its proofs" : said.verdict;
  find("summary").textContent = said.summary;
  const foreign = "This contract's verifier is not one that this page knows: its address doesn't follow from this version's code, so no proof is judged here.";
  find("report").textContent = JSON.stringify(report, null, 2);
  const forgeable = "This contract's verifier is built on development parameters, which are for local chains: everybody can forge proofs that hold by it.";
  const found = [...(known === null ? [foreign] : []), ...(isForgeable ? [forgeable] : []), ...said.findings, ...(isWhole ? [] : [`not known: ${said.unknown}`])];
  if (isLoose && !isForgeable) found.push("Its keys are development ones: everybody can forge proofs, so these bind nobody.");
  if (said.no_boards !== null) found.push(`Not all boards can be shown: ${said.no_boards}. Whoever has such a key as a file can add it above.`);
  find("findings").replaceChildren(...found.map((text) => element("li", text)));
}

function isDevelopment({ ceremony }: Keys): boolean {
  return ceremony === "development";
}

function facts(course: Course, chain: number, receipts: (Receipt | null)[], logs: Log[], known: Keys | null): void {
  const list = find("facts");
  list.replaceChildren();
  const fact = (name: string, value: string, className = "") => list.append(element("dt", name), element("dd", value, className));
  const { terms, players } = course;
  if (players !== null) {
    fact("White", players[0], "id");
    fact("Black", players[1], "id");
  } else {
    if (course.creator !== null) fact("Creator", course.creator, "id");
    if (course.joiner !== null) fact("Joiner", course.joiner, "id");
  }
  if (terms !== null) {
    const stake = BigInt(terms.stake_wei);
    fact("Stake", stake === 0n ? "none" : `${ether(stake)} ETH each`);
    fact("Time", `${clock(terms.base_s)} each, ${terms.increment_s} s a move, ${terms.delay_s} s before a clock runs`);
    const modes = { verified: "verified by the chain with each move", unproven: "none", channel: "sent between the players' machines" };
    fact("Proofs", modes[terms.mode]);
  }
  if (known !== null) {
    const isWeak = isDevelopment(known);
    fact("Keys", isWeak ? "development parameters, for which everybody can forge proofs" : `of the ceremony ${known.ceremony}`, isWeak ? "warn" : "");
    const [gas, least, data] = known.prices.map((price) => price.toLocaleString("en"));
    fact("Bonds", `as whoever deployed the contract has chosen: ${gas} gas, at ${least} wei or more, and ${data} wei a byte`);
  }
  const fees = new Map<string, bigint>();
  const counted = new Set<string>();
  receipts.forEach((receipt, index) => {
    const hash = logs[index]!.transactionHash;
    if (receipt === null || counted.has(hash)) return;
    counted.add(hash);
    const who = part(course, receipt.from);
    fees.set(who, (fees.get(who) ?? 0n) + BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice));
  });
  const paid = new Map<string, bigint>();
  for (const { to, wei } of course.rows.flatMap((row) => row.paid)) paid.set(part(course, to), (paid.get(part(course, to)) ?? 0n) + BigInt(wei));
  for (const [who, wei] of paid) fact(`Paid to ${who}`, `${ether(wei)} ETH, to be fetched`);
  for (const [who, wei] of fees) fact(`Fees of ${who}`, `${(Number(wei) / 1e18).toPrecision(4)} ETH`);
  fact("Chain", `${chain}${LOCAL_CHAINS.includes(chain) ? ", a local one" : ""}`);
}

/** Shows the boards, from the end. */
function show({ report }: Verdict): void {
  const section = find("replay");
  section.hidden = plies.length === 0;
  if (plies.length === 0) return;
  const slider = find<HTMLInputElement>("at");
  slider.max = String(plies.length - 1);
  go(plies.length - 1);
  const pgn = find("pgn");
  pgn.hidden = report.replay.ok !== true;
  pgn.querySelector("pre")!.textContent = report.replay.ok === true ? report.replay.pgn : "";
}

/** Shows the boards after so many moves of both players; 0 is the start. */
function go(to: number): void {
  const at = Math.max(0, Math.min(to, plies.length - 1));
  const now = plies[at];
  if (now === undefined || found === null) return;
  const slider = find<HTMLInputElement>("at");
  slider.value = String(at);
  const name = at === 0 ? "the start" : `${number(at - 1)} ${now.san ?? now.mv ?? (now.capture === null ? "in the dark" : `captures on ${now.capture}`)}`;
  slider.setAttribute("aria-valuetext", name);
  find("now").textContent = name;
  const last = now.mv === null ? [] : [now.mv.slice(0, 2), now.mv.slice(2, 4)];
  for (const [id, label] of [["white", "what White sees"], ["truth", "the truth"], ["black", "what Black sees"]] as const) {
    const [figure, line] = [find(id), now[id]];
    figure.hidden = line === null;
    // Whoever doesn't see a move isn't shown where it began.
    const marks = { last: id === "truth" || id === (at % 2 === 1 ? "white" : "black") ? last : [], taken: now.capture };
    if (line !== null) draw(figure.querySelector(".board")!, line, label, id === "black", marks);
  }
  found.timeline.mark(found.course, at === 0 ? null : at - 1);
  if (at === plies.length - 1) pause();
}

function pause(): void {
  clearInterval(playing);
  playing = undefined;
  find("play").textContent = "▶";
  find("play").setAttribute("aria-label", "play");
}

function play(): void {
  if (playing !== undefined) return pause();
  const at = () => Number(find<HTMLInputElement>("at").value);
  if (at() === plies.length - 1) go(0);
  find("play").textContent = "❚❚";
  find("play").setAttribute("aria-label", "pause");
  playing = setInterval(() => go(at() + 1), PACE);
}

/** Takes view keys and a transcript from files, if they are the game's. */
async function take(files: FileList): Promise<void> {
  for (const file of files) {
    if (found === null || stop.signal.aborted) throw new Sentence("Check a game first: keys and transcripts are held against it.");
    try {
      if (file.size > LARGEST_TRANSCRIPT) throw new Sentence("It is too large for a key or a transcript.");
      const text = await file.text();
      // Every file of Fogmate begins with what it is.
      if (/^\s*\{\s*"fogmate"\s*:\s*"transcript/.test(text.slice(0, LARGEST_KEY))) {
        await follow({ ...found, game: { ...found.game, transcript: text } });
      } else {
        if (file.size > LARGEST_KEY) throw new Sentence("It is too large for a key, and doesn't begin like a transcript.");
        await conclude([...keys, text]);
      }
    } catch (error) {
      throw new Sentence(`${file.name}: ${error instanceof Sentence ? error.message : "It can't be read."}`);
    }
  }
}

/** What the page does, one after the other. */
let queue = Promise.resolve();

/** Carries out what may fail once all before it is done, and says how it failed. */
function attempt(what: () => Promise<void>): Promise<void> {
  return (queue = queue.then(() => carryOut(what)));
}

async function carryOut(what: () => Promise<void>): Promise<void> {
  delete document.body.dataset.done;
  find("stop").hidden = false;
  try {
    await what();
    document.body.dataset.done = "yes";
  } catch (error) {
    progress(null);
    say(error instanceof Sentence ? error.message : `This page has failed: ${error}`, true);
    document.body.dataset.done = "failed";
  } finally {
    find("stop").hidden = true;
  }
}

function begin(): void {
  stop.abort();
  const own = (stop = new AbortController());
  void attempt(async () => {
    [found, keys, plies] = [null, [], []];
    pause();
    for (const id of ["verdict", "replay", "course", "terms"]) find(id).hidden = true;
    find<HTMLDetailsElement>("asked").open = true;
    // Another has been started since.
    if (own !== stop) return;
    const where = typed();
    history.replaceState(null, "", `#${new URLSearchParams(where)}`);
    document.title = `Fogmate: game ${where.game.slice(0, 10)}`;
    await check(where);
  });
}

/** Takes what stands after the #, and checks it if it is whole. */
function fromAddress(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const id of FIELDS) if (given.has(id)) find<HTMLInputElement>(id).value = given.get(id)!;
  // What is shown must be of what stands there.
  if (found !== null || FIELDS.every((id) => find<HTMLInputElement>(id).value !== "")) begin();
}

find<HTMLFormElement>("where").onsubmit = (event) => {
  event.preventDefault();
  begin();
};
find("stop").onclick = () => stop.abort();
find<HTMLInputElement>("keys").onchange = (event) => {
  const input = event.target as HTMLInputElement;
  if (input.files !== null) void attempt(() => take(input.files!)).then(() => (input.value = ""));
};
document.ondragover = (event) => event.preventDefault();
document.ondrop = (event) => {
  event.preventDefault();
  const files = event.dataTransfer?.files;
  if (files !== undefined && files.length > 0) void attempt(() => take(files));
};
const step = (by: number) => go(Number(find<HTMLInputElement>("at").value) + by);
find<HTMLInputElement>("at").oninput = () => step(0);
find("first").onclick = () => go(0);
find("back").onclick = () => step(-1);
find("on").onclick = () => step(1);
find("last").onclick = () => go(plies.length);
find("play").onclick = play;
document.onkeydown = (event) => {
  const target = event.target as HTMLElement;
  if (plies.length === 0 || target.closest("input, button, summary, pre, a") || event.ctrlKey || event.altKey || event.metaKey) return;
  const keys: Record<string, () => void> = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(plies.length), " ": play };
  const action = keys[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
};
window.onhashchange = fromAddress;
fromAddress();
