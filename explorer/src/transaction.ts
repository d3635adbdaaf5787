// A transaction as a node shows it, held to the hash that names it and to its signature.

import { RLP } from "@ethereumjs/rlp";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { Sentence } from "./sentence.js";
import { bytes, hex } from "./verifier.js";

export type Transaction = { to: string | null; value: string; input: string } & Record<string, unknown>;

/** What is signed of each kind of transaction, in its order; what comes after it is the signature. */
const UP_TO = { gas: "nonce gasPrice gas to value input", fees: "chainId nonce maxPriorityFeePerGas maxFeePerGas gas to value input accessList" };
const FIELDS = [
  UP_TO.gas,
  `chainId ${UP_TO.gas} accessList`,
  UP_TO.fees,
  `${UP_TO.fees} maxFeePerBlobGas blobVersionedHashes`,
  `${UP_TO.fees} authorizationList`,
].map((fields) => fields.split(" "));
/** What is no number: all its bytes count. */
const WHOLE = ["to", "input", "address", "storageKeys", "blobVersionedHashes"];
const LISTS = ["accessList", "storageKeys", "blobVersionedHashes", "authorizationList"];

type Nested = Uint8Array | Nested[];

function nested(value: unknown, name: string): Nested {
  if (Array.isArray(value)) return value.map((one) => nested(one, name));
  if (value === null || value === undefined) return LISTS.includes(name) ? [] : new Uint8Array();
  if (typeof value === "object") {
    const order = "storageKeys" in value ? ["address", "storageKeys"] : ["chainId", "address", "nonce", "yParity", "r", "s"];
    const part = value as Record<string, unknown>;
    return order.map((field) => nested(field === "yParity" ? (part.yParity ?? part.v) : part[field], field));
  }
  if (!/^0x[0-9a-f]*$/i.test(String(value))) throw new Error("a number is no hexadecimal text");
  const digits = String(value).slice(2);
  const shortest = WHOLE.includes(name) ? digits : digits.replace(/^0+/, "");
  return bytes(`0x${shortest.length % 2 === 0 ? "" : "0"}${shortest}`);
}

/** Who has sent the transaction of a hash on a chain; none if it is of a kind that only some chains have, or has no signature, as what a chain itself does. */
export function senderOf(hash: string, sent: Transaction, chain: number): string | null {
  try {
    return recovered(hash.toLowerCase(), sent, chain);
  } catch (error) {
    throw error instanceof Sentence ? error : new Sentence(`The node shows what is no transaction under the hash ${hash}.`);
  }
}

function recovered(hash: string, sent: Transaction, chain: number): string | null {
  const kind = Number(sent.type ?? 0);
  const names = FIELDS[kind];
  const isSigned = [sent.r, sent.s].every((part) => typeof part === "string" && !/^0x0*$/.test(part));
  if (names === undefined || !isSigned) return null;
  const fields = names.map((name) => nested(sent[name], name));
  const packed = (all: Nested[]) => Uint8Array.from([...(kind === 0 ? [] : [kind]), ...RLP.encode(all)]);
  const v = Number(sent.v ?? sent.yParity);
  // Some nodes write the parity of every kind as the old kind has it.
  const parity = kind > 0 && sent.yParity != null ? Number(sent.yParity) : v >= 35 ? (v - 35) % 2 : v >= 27 ? v - 27 : v;
  // A signature of the old kind binds the chain by its `v` (EIP-155).
  const bound = kind === 0 && v >= 35 ? [nested(`0x${((v - 35 - parity) / 2).toString(16)}`, "chainId"), new Uint8Array(), new Uint8Array()] : [];
  const signature = [kind === 0 ? `0x${v.toString(16)}` : `0x${parity.toString(16)}`, sent.r, sent.s].map((part) => nested(part, "r"));
  if (hex(keccak_256(packed([...fields, ...signature]))) !== hash) throw new Sentence(`The node shows another transaction under the hash ${hash}.`);
  // A creation names no game, and the contract may have this address on another chain, too. A signature of the oldest kind names no chain.
  const of = kind > 0 ? Number(sent.chainId) : v >= 35 ? (v - 35 - parity) / 2 : chain;
  if (of !== chain) throw new Sentence(`The node shows a transaction of the chain ${of} under the hash ${hash}.`);
  const [r, s] = [sent.r, sent.s].map((part) => BigInt(part as string)) as [bigint, bigint];
  const key = new secp256k1.Signature(r, s, parity).recoverPublicKey(keccak_256(packed([...fields, ...bound])));
  return `0x${hex(keccak_256(key.toBytes(false).slice(1))).slice(26)}`;
}
