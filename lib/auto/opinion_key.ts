import canonicalize from "canonicalize";
import type { ToolCall } from "../model/call.ts";

/** What an opinion depends on besides the call's tool and input. */
export interface KeyOptions {
  /** The folder that the call runs in. */
  readonly cwd: string;
  /** The lines that the model is told. */
  readonly environment: readonly string[];
  /** Hexadecimal SHA-256 of a text's UTF-8 bytes. */
  readonly digest: (text: string) => Promise<string>;
}

/**
 * What two questions must share for one answer to hold for both: the tool, and the hash of the canonical JSON (RFC 8785)
 * of input, folder and environment. Undefined for an input that has no such JSON: a lone surrogate, NaN, a circle.
 */
export async function opinionKey(call: ToolCall, options: KeyOptions): Promise<string | undefined> {
  const { cwd, environment, digest } = options;
  const text = canonicalText({ input: call.input, cwd, environment });
  return text === undefined ? undefined : `${await digest(text)} ${call.tool}`;
}

function canonicalText(value: object): string | undefined {
  try {
    return canonicalize(value);
  } catch (error) {
    // The package throws plain Errors for what RFC 8785 cannot say, and nothing else.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
