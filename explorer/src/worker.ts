// A worker: here is computed what would hold the page up.

import { type Code, type Evidence, Machine } from "./evm.js";
import { Sentence } from "./sentence.js";
import { type Game, type Judged, load } from "./wasm.js";

/** One of the things that a worker does, with what it takes. */
export interface Questions {
  read: Game;
  audit: Judged;
  create: Code;
  holds: Evidence;
}
export type Question = { [Name in keyof Questions]: { id: number; name: Name; given: Questions[Name] } }[keyof Questions];
/** A sentence is for whoever reads the page; a failure is the page's own. */
export type Answer = { id: number; answer: unknown } | { id: number; sentence: string } | { id: number; failure: string };

let machine: Machine | undefined;
let web: ReturnType<typeof load> | undefined;

async function answer(question: Question): Promise<unknown> {
  switch (question.name) {
    case "read":
    case "audit":
      return (await (web ??= load()))(question.name, question.given);
    case "create":
      machine = await Machine.start(question.given);
      return machine.codes;
    case "holds":
      return machine?.holds(question.given);
  }
}

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  const { id } = data;
  const say = (said: Answer) => self.postMessage(said);
  try {
    say({ id, answer: await answer(data) });
  } catch (error) {
    say(error instanceof Sentence ? { id, sentence: error.message } : { id, failure: String(error) });
  }
};
