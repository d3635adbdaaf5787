// The crate `web`: what logs mean, the audit, and the boards, in the code that the program has, too.

import { Sentence } from "./sentence.js";

interface Exports {
  memory: WebAssembly.Memory;
  room(bytes: number): number;
  answer(): number;
  read(): number;
  audit(): number;
}

export interface Row {
  /** Which of the logs tells it; none of a ply that is not on the chain. */
  log: number | null;
  what: string;
  ply: number | null;
  by: string | null;
  clocks: [number, number] | null;
  deadline: number | null;
  /** What the contract owes to whom by it. */
  paid: { to: string; wei: string }[];
  /** What its proof shows, the proof with its public inputs, and what the verdict on it is kept under. */
  statement: string | null;
  evidence: string | null;
  verdict: string | null;
}

export interface Terms {
  mode: "verified" | "unproven" | "channel";
  stake_wei: string;
  base_s: number;
  increment_s: number;
  delay_s: number;
  window_s: number;
}

export interface Course {
  rows: Row[];
  terms: Terms | null;
  creator: string | null;
  joiner: string | null;
  players: [string, string] | null;
}

/** What `fogmate audit --json` prints, too: here is named what the page asks of it. */
export interface Report {
  ok: boolean;
  mode: string | null;
  replay: { ok: true | false; pgn: string } | { ok: null };
}

/** The same in sentences. */
export interface Said {
  verdict: string;
  summary: string;
  findings: string[];
  unknown: string | null;
  no_boards: string | null;
}

/** A report, what it says, and the boards at the start and after each move, as far as view keys open them. */
export interface Verdict {
  report: Report;
  said: Said;
  boards: Boards[];
}

export interface Boards {
  mv: string | null;
  san: string | null;
  capture: string | null;
  white: string | null;
  truth: string | null;
  black: string | null;
}

export interface Game {
  chain_id: number;
  contract: string;
  game: string;
  /** The file of a transcript of plies that the chain hasn't seen. */
  transcript: string | null;
  logs: { topics: string[]; data: string; time: number | null; transaction: { from: string | null; to: string | null; value: string; input: string } | null }[];
}

export interface Judged extends Game {
  /** Whether each proof holds, by what its row names. */
  verdicts: Record<string, boolean>;
  /** The files of view keys. */
  keys: string[];
}

/** Loads the module; gives a function that calls one of its exports with a question and returns the answer. */
export async function load(): Promise<(name: "read" | "audit", question: unknown) => unknown> {
  const { instance } = await WebAssembly.instantiate(await (await fetch("web.wasm")).arrayBuffer(), {});
  const exports = instance.exports as unknown as Exports;
  return (name, question) => {
    const text = new TextEncoder().encode(JSON.stringify(question));
    const at = exports.room(text.length);
    new Uint8Array(exports.memory.buffer).set(text, at);
    const length = exports[name]();
    const bytes = new Uint8Array(exports.memory.buffer, exports.answer(), length);
    const answer = JSON.parse(new TextDecoder().decode(bytes)) as { error?: string };
    if (answer.error !== undefined) throw new Sentence(`${answer.error[0]!.toUpperCase()}${answer.error.slice(1)}.`);
    return answer;
  };
}
