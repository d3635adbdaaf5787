// A worker: creates the verifier and the key of the statement *turn* in an EVM of its own, from the code that this page carries, and asks it about proofs.

import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM, type EVM } from "@ethereumjs/evm";
import { type Address, hexToBytes, type PrefixedHexString } from "@ethereumjs/util";

export interface Code {
  narrow: string;
  turn_key: string;
}
export type Question = { id: number; code: Code } | { id: number; evidence: string };
/** The codes of both contracts as they stand once created; or whether a proof holds. */
export type Answer = { id: number; created?: string[]; holds?: boolean; error?: string };

const GAS = 30_000_000n;
let evm: EVM;
let verifier: Address;
let key: Uint8Array;

async function create(code: string): Promise<{ address: Address; runtime: string }> {
  const { createdAddress, execResult } = await evm.runCall({ data: hexToBytes(code as PrefixedHexString), gasLimit: GAS });
  if (createdAddress === undefined || execResult.exceptionError !== undefined) throw new Error("a contract can't be created in this page");
  return { address: createdAddress, runtime: hex(execResult.returnValue) };
}

async function start({ narrow, turn_key }: Code): Promise<string[]> {
  evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Prague }) });
  const [ofVerifier, ofKey] = [await create(narrow), await create(turn_key)];
  verifier = ofVerifier.address;
  key = ofKey.address.toBytes();
  return [ofVerifier.runtime, ofKey.runtime];
}

/** What the contract does: the key's address as a word, then inputs and proof; it holds if the verifier returns one. */
async function holds(evidence: string): Promise<boolean> {
  const given = hexToBytes(evidence as PrefixedHexString);
  const data = new Uint8Array(32 + given.length);
  data.set(key, 12);
  data.set(given, 32);
  const { execResult } = await evm.runCall({ to: verifier, data, gasLimit: GAS });
  const { exceptionError, returnValue } = execResult;
  return exceptionError === undefined && returnValue.length === 32 && returnValue.every((byte, at) => byte === Number(at === 31));
}

function hex(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  const { id } = data;
  let answer: Answer;
  try {
    answer = "code" in data ? { id, created: await start(data.code) } : { id, holds: await holds(data.evidence) };
  } catch (error) {
    answer = { id, error: String(error) };
  }
  self.postMessage(answer);
};
