// Which contract this is, by its address alone, and the worker that judges proofs by the code of its verifier.

import { keccak_256 } from "@noble/hashes/sha3.js";
import code from "../../test/data/golden/page-code.json";
import type { Answer, Code, Question } from "./evm.js";
import { type Node, Sentence } from "./rpc.js";

/** The keys that a contract is built on. */
export interface Keys {
  /** The ceremony of their parameters; with development parameters everybody can forge proofs. */
  ceremony: string;
  turn_key: string;
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

export function keccak(hex: string): string {
  return `0x${Array.from(keccak_256(bytes(hex)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Where the deterministic deployment proxy creates a contract, on every chain (EIP-1014). */
function address(creation: string): string {
  return `0x${keccak(`0xff${code.proxy.slice(2)}${"0".repeat(64)}${keccak(creation).slice(2)}`).slice(26)}`;
}

/** The keys of a contract, if its address is where this version's code stands with one of the sets and the prices that the node names. */
export async function keysOf(node: Node, contract: string): Promise<Keys | null> {
  const prices = await node.ask<string>("eth_call", [{ to: contract, data: code.prices_selector }, "latest"]).catch(() => "0x");
  return code.sets.find((set) => address(code.game + set.arguments.slice(2) + prices.slice(2)) === contract.toLowerCase()) ?? null;
}

/** The worker, once its contracts are created and the node's chain is seen to have the same code. */
export class Verifier {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private next = 0;

  private constructor(private readonly worker: Worker) {
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      this.waiting.get(data.id)?.(data);
      this.waiting.delete(data.id);
    };
  }

  static async start(node: Node, { turn_key }: Keys): Promise<Verifier> {
    const verifier = new Verifier(new Worker("evm.js"));
    const { created } = await verifier.ask({ code: { narrow: code.narrow, turn_key } });
    const found = await node.askAll<string>("eth_getCode", [code.narrow, turn_key].map((creation) => [address(creation), "latest"]));
    if (created === undefined || found.some((one, at) => one.toLowerCase() !== created[at])) {
      verifier.end();
      throw new Sentence("This contract's verifier is not one that this page knows: its proofs can't be judged here.");
    }
    return verifier;
  }

  async holds(evidence: string): Promise<boolean> {
    return (await this.ask({ evidence })).holds === true;
  }

  end(): void {
    this.worker.terminate();
  }

  private ask(question: { code: Code } | { evidence: string }): Promise<Answer> {
    const id = this.next++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.worker.postMessage({ id, ...question } satisfies Question);
    });
  }
}
