import { readLine } from "../shell/read_line.ts";
import type { Request } from "../policy/compile/facts.ts";
import { exactPattern } from "./exact_pattern.ts";

/** Programs whose arguments are programs or code: only the whole command says what runs. */
const RUNNERS = new Set(
  ("sudo doas su env nice nohup time timeout stdbuf setsid chroot xargs watch command builtin exec eval sh bash dash zsh " +
    "ksh fish ssh docker podman kubectl python python3 node deno bun npx bunx ruby perl php find make npm pnpm yarn tee dd")
    .split(" "),
);

/**
 * A pattern for “always”: as narrow as the program and its sub-command (`Bash(git push:*)`), never broader; the call to
 * the letter for anything else. It always fits the call. Undefined where no pattern can say it.
 */
export function narrowPattern(request: Request): string | undefined {
  const { first, profile } = request;
  if (first.state !== "text" || profile.kind !== "command" || profile.shell === "other") {
    return exactPattern(request);
  }
  const { units: effects } = request.part?.line ?? readLine(first.text);
  const [effect] = effects;
  const text = effect?.allowTexts[0]?.text;
  if (effects.length !== 1 || effect?.kind !== "command" || text === undefined) {
    return exactPattern(request);
  }
  const [program, sub] = text.split(" ");
  if (program === undefined || program !== effect.name || RUNNERS.has(program)) {
    return exactPattern(request);
  }
  if (!/^[a-z][a-z0-9._+-]*$/i.test(program)) return exactPattern(request);
  const named = sub !== undefined && /^[a-z][a-z0-9-]*$/.test(sub)
    ? `${program} ${sub}`
    : undefined;
  if (sub !== undefined && named === undefined) return exactPattern(request);
  return `${request.call.tool}(${named ?? program}:*)`;
}
