import type { ToolCall } from "../../model/call.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { setParserLoader } from "../../shell/parse/parser_on_call.ts";
import { plainLine } from "../../shell/parse/plain_line.ts";

// Bundles have another module in the place of this one (`scripts/stage_source.ts`): their parser stands in their own files.

type ParserModule = typeof import("../../shell/parse/parse_with_parser.ts");

/** The address of this module in a clone or a copy of it. Elsewhere, as in somebody's own bundle, the parser may not stand beside it. */
const OWN_PLACE = /^file:.*\/lib\/cli\/input\/load_parser\.ts$/;

/**
 * Has the parser of command lines loaded at the moment when a line needs it. `require` takes Deno longer than the import of `loadParser`, but
 * works inside a decision, which cannot wait. Loads the parser now where this module was not started from a file of its own.
 */
export async function loadParserOnCall(): Promise<void> {
  if (!OWN_PLACE.test(import.meta.url)) return await loadParser();
  setParserLoader(() => requiredParser().parseWithParser);
}

/** The parser's module. Throws an Error with the code of a module that cannot be loaded. */
function requiredParser(): ParserModule {
  const { createRequire } = process.getBuiltinModule("node:module");
  const path = "../../shell/parse/parse_with_parser.ts";
  try {
    const module: Partial<ParserModule> = createRequire(import.meta.url)(path);
    if (typeof module.parseWithParser === "function") return module as ParserModule;
    throw new Error(`the file "${path.slice(6)}" has no parser`);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw Object.assign(new Error(message, { cause }), { code: "ERR_MODULE_NOT_FOUND" });
  }
}

/** Loads the parser of command lines, for a program that reads many. */
export async function loadParser(): Promise<void> {
  await import("../../shell/parse/loaded_parser.ts");
}

/**
 * Loads the parser of command lines if a call has a line that is not plain. Most calls do without. A plain line may have another one within,
 * for which `loadParserOnCall` is there.
 */
export async function loadParserFor(
  calls: readonly ToolCall[],
  profiles: ToolProfiles,
): Promise<void> {
  if (calls.some((call) => profiles.get(call.tool).kind === "command" && !isPlain(call))) {
    await loadParser();
  }
}

/** True if each text of a call is a plain line. */
function isPlain({ input }: ToolCall): boolean {
  const options = { shell: "posix", printedKind: () => undefined } as const;
  return Object.values(input).every((text) =>
    typeof text !== "string" || plainLine(text, options) !== undefined
  );
}
