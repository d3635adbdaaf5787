// The table of what happened, an event a row. All text goes through textContent: what a chain says is never markup.

import type { Log } from "./rpc.js";
import type { Course, Game, Row } from "./wasm.js";

export interface Receipt {
  status: string;
  gasUsed: string;
  effectiveGasPrice: string;
  from: string;
}

export function element<K extends keyof HTMLElementTagNameMap>(name: K, text = "", className = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

/** An account's part in the game. */
export function part(course: Course, account: string | null): string {
  if (account === null) return "";
  const same = (other: string | null) => other?.toLowerCase() === account.toLowerCase();
  if (course.players !== null && course.players.some(same)) return same(course.players[0]) ? "White" : "Black";
  return same(course.creator) ? "creator" : same(course.joiner) ? "joiner" : `${account.slice(0, 10)}…`;
}

/** The number of a ply's move, as players write it before White's and Black's. */
export function number(ply: number): string {
  return `${(ply >> 1) + 1}${ply % 2 === 0 ? "." : "…"}`;
}

export function date(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? "beyond all dates" : date.toISOString().slice(0, 19).replace("T", " ");
}

export function clock(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** An amount of wei as ether, without needless zeros. */
export function ether(wei: bigint): string {
  const text = wei.toString().padStart(19, "0");
  return `${text.slice(0, -18)}.${text.slice(-18)}`.replace(/\.?0+$/, "");
}

export class Timeline {
  /** The cells of the proofs, by row. */
  private readonly proofs: HTMLElement[] = [];
  private readonly rows: HTMLElement[] = [];
  private readonly isOnChain: boolean[] = [];

  constructor(at: HTMLElement, course: Course, logs: Log[], read: Game["logs"], receipts: (Receipt | null)[]) {
    const told = new Set<string>();
    course.rows.forEach((row) => {
      const isOnChain = row.log !== null;
      const [log, time, receipt] = isOnChain ? [logs[row.log!]!, read[row.log!]!.time, receipts[row.log!] ?? null] : [null, null, null];
      // What says itself who has won, or that a game was woken, was sent by somebody.
      const by = row.by ?? (isOnChain ? (read[row.log!]!.transaction?.from ?? null) : null);
      const line = element("tr");
      const proof = element("td", proofWords(row, course));
      this.proofs.push(proof);
      this.isOnChain.push(isOnChain);
      this.rows.push(line);
      // Two events of one transaction have one fee.
      const hash = log?.transactionHash ?? "";
      const gas = told.has(hash) || receipt === null ? "" : `${Number(receipt.gasUsed).toLocaleString("en")}`;
      told.add(hash);
      // All of it is there to be copied; the style sheet shows as much as there is room for.
      const transaction = element("td", hash, "id");
      transaction.title = hash;
      line.append(
        element("td", row.ply === null || row.by === null ? "" : number(row.ply)),
        element("td", !isOnChain ? "between the machines" : time === null ? "" : date(time), "time"),
        element("td", part(course, by)),
        element("td", [row.what, ...row.paid.map(({ to, wei }) => `${part(course, to)} gets ${ether(BigInt(wei))} ETH`)].join("; ")),
        proof,
        element("td", row.clocks === null ? "" : row.clocks.map(clock).join(" – "), "clocks"),
        element("td", gas, "number"),
        transaction,
      );
      if (by !== null) line.title = by;
      if (row.deadline !== null) line.cells[5]!.title = `next by ${date(row.deadline)} UTC`;
    });
    at.replaceChildren(...this.rows);
  }

  /** Says whether a proof holds. */
  judge(index: number, holds: boolean): void {
    const cell = this.proofs[index]!;
    cell.textContent = !holds ? "FALSE" : this.isOnChain[index] ? "holds: by the chain, and here" : "holds: here";
    cell.className = holds ? "good" : "bad";
  }

  /** Names the moves that view keys have opened, by ply. */
  name(course: Course, moves: (string | null)[]): void {
    course.rows.forEach(({ what, ply }, index) => {
      const san = ply === null ? null : moves[ply];
      if (san && what.startsWith("moves")) this.rows[index]!.children[3]!.textContent = `${what}: ${san}`;
    });
  }

  /** Marks the events of a ply. */
  mark(course: Course, ply: number | null): void {
    this.rows.forEach((row, index) => row.classList.toggle("here", ply !== null && course.rows[index]!.ply === ply && course.rows[index]!.what.startsWith("moves")));
  }
}

function proofWords(row: Row, course: Course): string {
  if (row.evidence !== null) return "…";
  if (!row.what.startsWith("moves")) return "";
  return row.log === null ? "none in the transcript" : course.terms?.mode === "unproven" ? "none in this mode" : "";
}
