import type { Facts } from "../tools/facts.ts";
import { lookAtCommand } from "../shell/plain_command.ts";
import { exactPattern } from "./exact_pattern.ts";

/** Programs whose arguments are programs: only the whole command says what runs. */
const RUNNERS = new Set(
  ("sudo doas su env nice nohup time timeout stdbuf setsid chroot xargs watch command builtin exec eval sh bash dash zsh " +
    "ksh fish ssh docker podman kubectl python python3 node deno bun npx bunx ruby perl php find make npm pnpm yarn tee dd")
    .split(" "),
);

/**
 * A pattern for “always”: as narrow as the program and its sub-command (`Bash(git push:*)`), never broader; the call to
 * the letter for anything else. It always fits the call. Undefined where no pattern can say it.
 */
export function narrowPattern(facts: Facts): string | undefined {
  const { first, profile } = facts;
  if (first.state !== "text" || profile.kind !== "command") return exactPattern(facts);
  const words = first.text.split(" ");
  const [program, sub] = words;
  const plain = lookAtCommand(first.text).kind === "plain" && !words.includes("");
  if (!plain || !program || RUNNERS.has(program) || !/^[a-z][a-z0-9._+-]*$/i.test(program)) {
    return exactPattern(facts);
  }
  const named = sub !== undefined && /^[a-z][a-z0-9-]*$/.test(sub)
    ? `${program} ${sub}`
    : undefined;
  if (sub !== undefined && named === undefined) return exactPattern(facts);
  return `${facts.call.tool}(${named ?? program}:*)`;
}
