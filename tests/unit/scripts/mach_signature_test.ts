import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { machSignature, withoutSignature } from "../../../scripts/release/mach_signature.ts";

const PAGE = 4096;

/** A Mach-O program of a segment with `pages` pages of code and text of links, and the signature of all before it. */
function program({ pages = 3, limit }: { pages?: number; limit?: number } = {}): Buffer {
  const code = Buffer.alloc(pages * PAGE - 100, "code");
  code.writeUInt32LE(0xfeedfacf, 0);
  code.writeUInt32LE(2, 16);
  code.writeUInt32LE(72 + 16, 20);
  code.writeUInt32LE(0x19, 32);
  code.writeUInt32LE(72, 36);
  code.write("__LINKEDIT\0\0\0\0\0\0", 40, "latin1");
  code.writeBigUInt64LE(BigInt(PAGE), 32 + 32);
  code.writeBigUInt64LE(BigInt(PAGE), 32 + 40);
  code.writeBigUInt64LE(BigInt(2 * PAGE + 500), 32 + 48);
  code.writeUInt32LE(0x1d, 104);
  code.writeUInt32LE(16, 108);
  code.writeUInt32LE(code.length, 112);
  code.writeUInt32LE(500, 116);
  const directory = Buffer.alloc(44);
  directory.writeUInt32BE(0xfade0c02, 0);
  directory.writeUInt32BE(44, 16);
  directory.writeUInt32BE(pages, 28);
  directory.writeUInt32BE(limit ?? code.length, 32);
  directory.set([32, 2, 0, 12], 36);
  const hashes = Array.from(
    { length: pages },
    (_, at) => createHash("sha256").update(code.subarray(at * PAGE, (at + 1) * PAGE)).digest(),
  );
  const index = Buffer.alloc(20);
  index.writeUInt32BE(0xfade0cc0, 0);
  index.writeUInt32BE(1, 8);
  index.writeUInt32BE(20, 16);
  return Buffer.concat([code, index, directory, ...hashes]);
}

test("a signature is valid when it has the hash of each page", () => {
  assert.equal(machSignature(program()), "valid");
  for (const at of [200, PAGE + 1, 3 * PAGE - 101]) {
    const changed = program();
    changed[at]! ^= 1;
    assert.equal(machSignature(changed), "invalid", `${at}`);
  }
});

test("a signature of another part of the program is invalid", () => {
  assert.equal(machSignature(program({ limit: PAGE })), "invalid");
  const hash = program();
  hash[hash.length - 1]! ^= 1;
  assert.equal(machSignature(hash), "invalid");
});

test("a program without its signature ends where that began, and has no other change", () => {
  const signed = program();
  const bare = Buffer.from(withoutSignature(signed));
  assert.equal(machSignature(bare), "none");
  assert.equal(bare.length, 3 * PAGE - 100);
  assert.equal(bare.readUInt32LE(16), 1);
  assert.equal(bare.readUInt32LE(20), 72);
  assert.deepEqual(bare.subarray(104, 120), Buffer.alloc(16));
  assert.equal(bare.readBigUInt64LE(32 + 48), BigInt(2 * PAGE - 100));
  assert.deepEqual(bare.subarray(120), signed.subarray(120, bare.length));
  assert.throws(() => withoutSignature(bare), /not at the end/);
});

test("another file is refused", () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from("\x7fELF".padEnd(64, "\0"), "latin1")]) {
    assert.throws(() => machSignature(bytes), /no Mach-O file/);
  }
});
