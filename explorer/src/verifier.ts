// Which contract this is, by its address alone.

import { keccak_256 } from "@noble/hashes/sha3.js";
import code from "../../test/data/golden/page-code.json";
import type { Code } from "./evm.js";
import type { Node } from "./rpc.js";

/** The keys that a contract is built on. */
export interface Keys {
  /** The ceremony of their parameters; with development parameters everybody can forge proofs. */
  ceremony: string;
  /** What creates each, by its statement. */
  keys: Record<string, string>;
  /** What bonds are counted by, which whoever deployed it has chosen: half an answer's gas, the least price of gas and that of a byte of calldata, in wei. */
  prices: bigint[];
}

export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

export function hex(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function keccak(given: string): string {
  return hex(keccak_256(bytes(given)));
}

/** Whether the capitals of an address are not those of its checksum (EIP-55), where some letters are capitals and some aren't. */
export function isMistyped(address: string): boolean {
  const digits = address.slice(2);
  const lower = digits.toLowerCase();
  if (digits === lower || digits === digits.toUpperCase()) return false;
  const hash = hex(keccak_256(new TextEncoder().encode(lower))).slice(2);
  return digits !== Array.from(lower, (digit, at) => (parseInt(hash[at]!, 16) > 7 ? digit.toUpperCase() : digit)).join("");
}

/** Where the deterministic deployment proxy creates a contract, on every chain (EIP-1014). */
function address(creation: string): string {
  return `0x${keccak(`0xff${code.proxy.slice(2)}${"0".repeat(64)}${keccak(creation).slice(2)}`).slice(26)}`;
}

/** The keys of a contract, if its address is where this version's code stands with one of the sets and the prices that the node names. */
export async function keysOf(node: Node, contract: string): Promise<Keys | null> {
  const prices = await node.ask<string>("eth_call", [{ to: contract, data: code.prices_selector }, "latest"]).catch(() => "0x");
  const set = code.sets.find((set) => address(code.game + set.arguments.slice(2) + prices.slice(2)) === contract);
  return set === undefined ? null : { ...set, prices: [2, 66, 130].map((at) => BigInt(`0x${prices.slice(at, at + 64)}`)) };
}

/** What creates the verifiers and the keys that the contract's address follows from. */
export function creation({ keys }: Keys): Code {
  return { narrow: code.narrow, wide: code.wide, keys };
}

/** Whether the node's chain has these codes where the verifiers and the keys are created. */
export async function stands(node: Node, keys: Keys, codes: string[]): Promise<boolean> {
  const created = creation(keys);
  const found = await node.askAll<string>("eth_getCode", [created.narrow, created.wide, ...Object.values(created.keys)].map((code) => [address(code), "latest"]));
  return found.every((one, at) => one.toLowerCase() === codes[at]);
}
