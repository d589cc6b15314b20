import { createHash } from "node:crypto";

/** The state of a program's signature; macOS stops a program whose signature is invalid, and on arm64 one without. */
export type Signature = "valid" | "none" | "invalid";

const MAGIC = 0xfeedfacf;
const HEADER = 32;
const SEGMENT = 0x19;
const CODE_SIGNATURE = 0x1d;
const CODE_DIRECTORY = 0xfade0c02;
const SHA256 = 2;

interface Command {
  /** Its number: a segment, a signature, … */
  readonly kind: number;
  /** The offset of its first byte. */
  readonly at: number;
  /** Its length in bytes. */
  readonly size: number;
}

/** The state of the signature of a Mach-O program of 64 bits. Throws Error for a file of another kind. */
export function machSignature(bytes: Uint8Array): Signature {
  const view = viewOf(bytes);
  const command = commandsOf(view).find(({ kind }) => kind === CODE_SIGNATURE);
  if (command === undefined) return "none";
  const start = view.getUint32(command.at + 8, true);
  const directory = directoryAt(view, start);
  if (directory === undefined) return "invalid";
  // Offsets of a code directory, whose numbers are big-endian.
  const at = directory + view.getUint32(directory + 16);
  const pages = view.getUint32(directory + 28);
  const limit = view.getUint32(directory + 32);
  const length = bytes[directory + 36]!;
  const page = 2 ** bytes[directory + 39]!;
  if (bytes[directory + 37] !== SHA256 || limit !== start) return "invalid";
  for (let index = 0; index < pages; index++) {
    const part = bytes.subarray(index * page, Math.min((index + 1) * page, limit));
    const hash = createHash("sha256").update(part).digest().subarray(0, length);
    const told = bytes.subarray(at + index * length, at + (index + 1) * length);
    if (!hash.equals(told)) return "invalid";
  }
  return pages === Math.ceil(limit / page) ? "valid" : "invalid";
}

/** The program without its signature, as `codesign --remove-signature` leaves it. Throws Error where none is at its end. */
export function withoutSignature(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const commands = commandsOf(view);
  const last = commands.at(-1);
  const linked = commands.find((each) =>
    each.kind === SEGMENT && nameOf(view, each) === "__LINKEDIT"
  );
  if (last?.kind !== CODE_SIGNATURE || linked === undefined) {
    throw new Error("Cannot remove the signature: it is not at the end of the program");
  }
  const start = view.getUint32(last.at + 8, true);
  const cut = bytes.slice(0, start);
  const changed = viewOf(cut);
  changed.setUint32(16, commands.length - 1, true);
  changed.setUint32(20, view.getUint32(20, true) - last.size, true);
  cut.fill(0, last.at, last.at + last.size);
  const size = start - Number(view.getBigUint64(linked.at + 40, true));
  changed.setBigUint64(linked.at + 48, BigInt(size), true);
  return cut;
}

function viewOf(bytes: Uint8Array): DataView {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) {
    throw new Error("Cannot read the program: it is no Mach-O file of 64 bits");
  }
  return view;
}

function commandsOf(view: DataView): readonly Command[] {
  const commands: Command[] = [];
  let at = HEADER;
  for (let left = view.getUint32(16, true); left > 0; left--) {
    const size = view.getUint32(at + 4, true);
    commands.push({ kind: view.getUint32(at, true), at, size });
    at += size;
  }
  return commands;
}

/** The name of a segment, of at most 16 characters. */
function nameOf(view: DataView, { at }: Command): string {
  const codes = Array.from({ length: 16 }, (_, index) => view.getUint8(at + 8 + index));
  return String.fromCharCode(...codes.filter((code) => code !== 0));
}

/** The offset of the first code directory in a signature. */
function directoryAt(view: DataView, start: number): number | undefined {
  const count = view.getUint32(start + 8);
  for (let index = 0; index < count; index++) {
    const offset = start + view.getUint32(start + 16 + 8 * index);
    if (view.getUint32(offset) === CODE_DIRECTORY) return offset;
  }
  return undefined;
}
