import { openPolicy } from "../io/load_policy.ts";
import type { Runtime } from "../io/runtime.ts";
import { indented } from "../report/layout.ts";
import { nameNotes } from "./name_notes.ts";
import { JOINED, patternNotes } from "./pattern_notes.ts";
import { type Added, placeNotes } from "./place_notes.ts";
import { policyOptions } from "./policy_flags.ts";
import type { Invocation } from "./verb.ts";

/** Says on stderr what a person may not expect of a rule that was added: what still shadows it, and what it misses. */
export async function addNotes(
  added: Added,
  { invocation, runtime }: { invocation: Invocation; runtime: Runtime },
): Promise<void> {
  const policy = await openPolicy(runtime, policyOptions(invocation));
  const { profiles } = policy.policy;
  const notes = [
    ...nameNotes(added.pattern, profiles),
    ...placeNotes(added, policy),
    ...patternNotes(added, profiles),
  ];
  for (const note of notes) {
    const lines = indented(note, " ".repeat("note: ".length)).join("\n").replaceAll(JOINED, " ");
    await runtime.write("stderr", `note: ${lines.trimStart()}\n`);
  }
}
