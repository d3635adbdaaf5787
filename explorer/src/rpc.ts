// A node of a chain, asked by JSON-RPC over fetch: in batches, and so that it can be stopped.

import { Sentence } from "./sentence.js";

export interface Log {
  address: string;
  removed?: boolean;
  topics: string[];
  data: string;
  blockNumber: string;
  transactionHash: string;
  logIndex: string;
}

/** Questions in one request: common nodes take a hundred. */
const BATCH = 50;
/** More than the longest game with every demand has. */
const MOST_LOGS = 1 << 18;
/** How long a node may take for one answer, in milliseconds. */
const PATIENCE = 30_000;
/** What a node says of its own is cut there. */
const LONGEST_WORDS = 80;

export class Node {
  constructor(
    private readonly url: string,
    private readonly signal: AbortSignal,
  ) {}

  async ask<T>(method: string, params: unknown[]): Promise<T> {
    return (await this.askAll<T>(method, [params]))[0]!;
  }

  /** Asks the same of many things; `told` hears how many are answered. */
  async askAll<T>(method: string, all: unknown[][], told: (done: number) => void = () => {}): Promise<T[]> {
    const answers: T[] = [];
    for (let from = 0; from < all.length; from += BATCH) {
      const part = all.slice(from, from + BATCH);
      answers.push(...(await this.post<T>(part.map((params, id) => ({ jsonrpc: "2.0", id, method, params })))));
      told(answers.length);
    }
    return answers;
  }

  /** The block in which a contract that stands was created; 0 where the node has forgotten old states. */
  async created(contract: string, last: number): Promise<number> {
    let [first, stands] = [0, last];
    try {
      while (first < stands) {
        const middle = Math.floor((first + stands) / 2);
        const code = await this.ask<string>("eth_getCode", [contract, hex(middle)]);
        [first, stands] = code === "0x" ? [middle + 1, stands] : [first, middle];
      }
    } catch (error) {
      if (error instanceof Refused) return 0;
      throw error;
    }
    return stands;
  }

  /** The logs of a contract with a game's topic. A range that the node refuses is halved. */
  async logs(contract: string, game: string, first: number, last: number, told: (block: number) => void): Promise<Log[]> {
    const found: Log[] = [];
    let [from, size] = [first, last + 1 - first];
    while (from <= last) {
      const to = Math.min(from + size - 1, last);
      const [fromBlock, toBlock] = [hex(from), hex(to)];
      try {
        const given = await this.ask<Log[]>("eth_getLogs", [{ address: contract, topics: [null, game], fromBlock, toBlock }]);
        if (!Array.isArray(given) || !given.every(isLog)) throw new Sentence("The node gives logs that are none.");
        // A node may give more than it was asked for.
        for (const log of given) if (log.address.toLowerCase() === contract && log.topics[1] === game && log.removed !== true) found.push(log);
        if (found.length > MOST_LOGS) throw new Sentence(`The node gives more than ${MOST_LOGS} logs, which no game has.`);
        from = to + 1;
        told(from);
      } catch (error) {
        if (!(error instanceof Refused) || size < 2) throw error;
        size = Math.ceil(size / 2);
      }
    }
    const place = (log: Log) => [Number(log.blockNumber), Number(log.logIndex)] as const;
    return found.sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1]);
  }

  /** Says so where the user or the time has ended a question. */
  private giveUp(late: AbortSignal): void {
    if (this.signal.aborted) throw new Sentence("Stopped.");
    if (late.aborted) throw new Sentence(`The node ${host(this.url)} gives no answer within ${PATIENCE / 1000} seconds: ask another, or try again.`);
  }

  private async post<T>(questions: { id: number; method: string }[]): Promise<T[]> {
    const body = JSON.stringify(questions.length === 1 ? questions[0] : questions);
    const headers = { "content-type": "application/json" };
    const late = AbortSignal.timeout(PATIENCE);
    const signal = AbortSignal.any([this.signal, late]);
    let response: Response;
    try {
      response = await fetch(this.url, { method: "POST", headers, body, signal, credentials: "omit", referrerPolicy: "no-referrer", redirect: "error" });
    } catch {
      this.giveUp(late);
      throw new Sentence(`The node ${host(this.url)} can't be reached from this page: is it running, does it allow requests of other sites (CORS), and does it answer by itself?`);
    }
    let answer: unknown;
    try {
      answer = await response.json();
    } catch {
      this.giveUp(late);
      throw new Sentence(`The node ${host(this.url)} gives no JSON, but status ${response.status}: is this a node's address?`);
    }
    const all = (Array.isArray(answer) ? answer : [answer]) as { id: number; result?: T; error?: { message?: string } }[];
    return questions.map(({ id, method }) => {
      const own = all.find((one) => one?.id === id) ?? all.find((one) => one?.error);
      if (own?.error) throw new Refused(`The node refuses ${method}, in its own words “${words(own.error.message)}”.`);
      if (own === undefined || own.result === undefined) throw new Sentence(`The node leaves ${method} without an answer.`);
      return own.result;
    });
  }
}

/** The node has understood and doesn't want to. */
export class Refused extends Sentence {}

/** A node's own words, short and in one line. */
function words(given: unknown): string {
  return String(given).replace(/[^ -~]+/g, " ").slice(0, LONGEST_WORDS);
}

function isLog(given: Log | null): boolean {
  const isText = (text: unknown) => typeof text === "string";
  return given !== null && [given.address, given.data, given.blockNumber, given.transactionHash, given.logIndex].every(isText) && Array.isArray(given.topics);
}

function hex(block: number): string {
  return `0x${block.toString(16)}`;
}

/** The part of an address that has no key in it. */
function host(url: string): string {
  return new URL(url).host;
}
