// The workers of the page, and what they are asked.

import type { Code, Evidence } from "./evm.js";
import { Sentence } from "./sentence.js";
import type { Course, Game, Judged, Verdict } from "./wasm.js";
import type { Answer, Question, Questions } from "./worker.js";

/** More of them would take memory without being sooner done. */
const MOST = 4;

class Judge {
  private readonly worker = new Worker("worker.js");
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private next = 0;

  constructor(private readonly stop: AbortSignal) {
    stop.addEventListener("abort", () => this.end());
    this.worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      this.waiting.get(data.id)?.(data);
      this.waiting.delete(data.id);
    };
    this.worker.onerror = ({ message }) => {
      for (const [id, tell] of this.waiting) tell({ id, failure: message || "its worker doesn't start" });
    };
  }

  async ask<Name extends keyof Questions>(name: Name, given: Questions[Name]): Promise<unknown> {
    if (this.stop.aborted) throw new Sentence("That check was stopped: start it again.");
    const id = this.next++;
    const answer = await new Promise<Answer>((resolve) => {
      this.waiting.set(id, resolve);
      this.worker.postMessage({ id, name, given } as Question);
    });
    if ("sentence" in answer) throw new Sentence(answer.sentence);
    if ("failure" in answer) throw new Error(answer.failure);
    return answer.answer;
  }

  private end(): void {
    this.worker.terminate();
    for (const [id, tell] of this.waiting) tell({ id, sentence: "Stopped." });
  }
}

export class Court {
  private readonly judges: Judge[];

  constructor(private readonly stop: AbortSignal) {
    this.judges = [new Judge(stop)];
  }

  async read(game: Game): Promise<Course> {
    return (await this.judges[0]!.ask("read", game)) as Course;
  }

  async audit(judged: Judged): Promise<Verdict> {
    return (await this.judges[0]!.ask("audit", judged)) as Verdict;
  }

  /** Creates the contracts with every judge that so many proofs are worth; gives their codes. */
  async create(code: Code, proofs: number): Promise<string[]> {
    const count = Math.min(MOST, navigator.hardwareConcurrency || 1, proofs);
    while (this.judges.length < count) this.judges.push(new Judge(this.stop));
    const created = await Promise.all(this.judges.map((judge) => judge.ask("create", code)));
    return created[0] as string[];
  }

  /** Judges proofs, and tells of each; one after the other, or as many at a time as there are judges. */
  async judge(evidence: Evidence[], tell: (index: number, holds: boolean) => void): Promise<void> {
    const queue = evidence.entries();
    const work = async (judge: Judge) => {
      for (const [index, one] of queue) tell(index, (await judge.ask("holds", one)) === true);
    };
    await Promise.all(this.judges.map(work));
  }
}
