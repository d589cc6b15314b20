import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { formatNamed } from "../support/agents.ts";
import { type Action, strictness } from "../../lib/model/call.ts";
import { isLooser } from "../../lib/model/problem.ts";
import { policyOf } from "../support/policy.ts";
import fc from "../support/seeded.ts";

/** One entry of a file: the words that a command begins with, or a wildcard text, and the action for it. */
interface Entry {
  readonly text: string;
  readonly action: Action;
  readonly priority: number;
}

/** A format as its documentation has it, written down here a second time. */
interface Reference {
  readonly name: string;
  /** Texts that entries are made of. */
  readonly texts: readonly string[];
  readonly actions: readonly Action[];
  readonly write: (entries: readonly Entry[]) => string;
  /** The file's action for a command; undefined if no entry matches. */
  readonly decide: (entries: readonly Entry[], command: string) => Action | undefined;
}

const WORDS = ["git", "git push", "git push origin", "rm", "rm -rf", "npm run", "ls"];
const COMMANDS = [
  ...WORDS,
  "git status",
  "git pushx",
  "git push origin main",
  "gitx",
  "rm -rf x",
  "rm -r",
  "npm run test",
  "npm runs",
  "lsof",
];

const isPrefix = (text: string, command: string) =>
  command === text || command.startsWith(`${text} `);

/** True if a text with `*` matches the whole command; `optional` says that a final " *" may be left out. */
function isWild(text: string, { command, optional }: { command: string; optional: boolean }) {
  const source = text.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${optional ? source.replace(/ \.\*$/, "(?: .*)?") : source}$`).test(command);
}

function strictest(actions: readonly Action[]): Action | undefined {
  return actions.toSorted((a, b) => strictness(b) - strictness(a))[0];
}

/** The actions of all entries that match. */
function said(entries: readonly Entry[], fits: (text: string) => boolean): readonly Action[] {
  return entries.filter(({ text }) => fits(text)).map(({ action }) => action);
}

const stars = WORDS.flatMap((word) => [word, `${word} *`, `${word}*`]);

function lists(entries: readonly Entry[], quoted: (text: string) => string) {
  const of = (action: Action) =>
    entries.filter((entry) => entry.action === action).map(({ text }) => quoted(text));
  return { deny: of("deny"), ask: of("ask"), allow: of("allow") };
}

const toml = (entries: readonly Entry[], table: (entry: Entry) => string) =>
  entries.map(table).join("\n") + "\n";

const REFERENCES: readonly Reference[] = [{
  name: "claude",
  texts: [...stars, ...WORDS.map((word) => `${word}:*`)],
  actions: ["allow", "ask", "deny"],
  write: (entries) => JSON.stringify({ permissions: lists(entries, (text) => `Bash(${text})`) }),
  decide: (entries, command) =>
    strictest(
      said(entries, (text) =>
        text.endsWith(":*")
          ? isPrefix(text.slice(0, -2), command)
          : isWild(text, { command, optional: true })),
    ),
}, {
  name: "codex",
  texts: WORDS,
  actions: ["allow", "ask", "deny"],
  write: (entries) =>
    toml(entries, ({ text, action }) => {
      const decision = { allow: "allow", ask: "prompt", deny: "forbidden" }[action];
      return `prefix_rule(pattern = ${JSON.stringify(text.split(" "))}, decision = "${decision}")`;
    }),
  decide: (entries, command) => strictest(said(entries, (text) => isPrefix(text, command))),
}, {
  name: "gemini",
  texts: WORDS,
  actions: ["allow", "ask", "deny"],
  write: (entries) =>
    toml(entries, ({ text, action, priority }) =>
      [
        "[[rule]]",
        'toolName = "run_shell_command"',
        `commandPrefix = ${JSON.stringify(text)}`,
        `decision = "${action === "ask" ? "ask_user" : action}"`,
        `priority = ${priority}`,
      ].join("\n")),
  decide: (entries, command) =>
    said(entries.toSorted((a, b) => b.priority - a.priority), (text) => isPrefix(text, command))[0],
}, {
  name: "opencode",
  texts: [...stars, "*"],
  actions: ["allow", "ask", "deny"],
  write: (entries) =>
    JSON.stringify({
      permission: { bash: Object.fromEntries(entries.map(({ text, action }) => [text, action])) },
    }),
  decide: (entries, command) => {
    // An object has a key once: its first place, its last value.
    const object = Object.entries(
      Object.fromEntries(entries.map(({ text, action }) => [text, action])),
    );
    return object.findLast(([text]) => isWild(text, { command, optional: true }))?.[1];
  },
}, {
  name: "kimi",
  texts: stars,
  actions: ["allow", "ask", "deny"],
  write: (entries) =>
    toml(
      entries,
      ({ text, action }) =>
        `[[permission.rules]]\ndecision = "${action}"\npattern = "Bash(${text})"`,
    ),
  decide: (entries, command) =>
    said(entries, (text) => isWild(text, { command, optional: false }))[0],
}, {
  name: "robota",
  texts: stars,
  actions: ["allow", "deny"],
  write: (entries) => {
    const { allow, deny } = lists(entries, (text) => `Bash(${text})`);
    return JSON.stringify({ permissions: { allow, deny } });
  },
  decide: (entries, command) =>
    strictest(said(entries, (text) => isWild(text, { command, optional: false }))),
}, {
  name: "cursor",
  texts: ["git", "rm", "ls", "git:push*", "rm:-rf*", "npm:run *"],
  actions: ["allow", "deny"],
  write: (entries) => {
    const { allow, deny } = lists(entries, (text) => `Shell(${text})`);
    return JSON.stringify({ permissions: { allow, deny } });
  },
  decide: (entries, command) =>
    strictest(
      said(entries, (text) => {
        const [name = "", args] = text.split(":");
        return args === undefined
          ? isPrefix(name, command)
          : isWild(`${name} ${args}`, { command, optional: false });
      }),
    ),
}, {
  name: "copilot",
  texts: [...WORDS, "/^git (status|push)/", "/^rm/", "/^ls$/"],
  actions: ["allow", "ask"],
  write: (entries) =>
    JSON.stringify({
      "chat.tools.terminal.autoApprove": Object.fromEntries(
        entries.map(({ text, action }) => [text, action === "allow"]),
      ),
    }),
  decide: (entries, command) => {
    const object = Object.entries(
      Object.fromEntries(entries.map(({ text, action }) => [text, action])),
    );
    return strictest(
      object.filter(([text]) => {
        const regex = /^\/(.*)\/$/.exec(text)?.[1];
        return regex === undefined
          ? new RegExp(`^${text}\\b`).test(command)
          : new RegExp(regex).test(command);
      }).map(([, action]) => action),
    );
  },
}, {
  name: "zed",
  texts: ["^git", "^git push$", "^git (status|push)", "rm", "^rm|ls", "npm run", "^ls(?:$| )"],
  actions: ["allow", "ask", "deny"],
  write: (entries) => {
    const of = (action: Action) =>
      entries.filter((entry) => entry.action === action)
        .map(({ text }) => ({ pattern: text, case_sensitive: true }));
    const terminal = {
      always_deny: of("deny"),
      always_confirm: of("ask"),
      always_allow: of("allow"),
    };
    return JSON.stringify({ agent: { tool_permissions: { tools: { terminal } } } });
  },
  decide: (entries, command) => strictest(said(entries, (text) => new RegExp(text).test(command))),
}, {
  name: "copilot-cli",
  texts: WORDS.flatMap((word) => [word, `${word}:*`]),
  actions: ["allow"],
  write: (entries) => {
    const approvals = entries.map(({ text }) => ({ kind: "commands", commandIdentifiers: [text] }));
    return JSON.stringify({ locations: { "/p": { tool_approvals: approvals } } });
  },
  decide: (entries, command) =>
    strictest(
      said(entries, (text) =>
        text.endsWith(":*") ? isPrefix(text.slice(0, -2), command) : text === command),
    ),
}];

for (const { name, texts, actions, write, decide } of REFERENCES) {
  const entry: fc.Arbitrary<Entry> = fc.record({
    text: fc.constantFrom(...texts),
    action: fc.constantFrom(...actions),
    priority: fc.integer({ min: 0, max: 3 }),
  });
  test(`${name}: what is imported decides as the file does there, or says so`, () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
        const text = write(entries);
        const { rules, losses, problems } = formatNamed(name)!.read!(text, "x");
        assert.deepEqual(problems, []);
        const policy = policyOf(rules);
        const isExact = losses.every(({ action }) => action === undefined);
        for (const command of COMMANDS) {
          const there = decide(entries, command);
          if (there === undefined) continue;
          const here = evaluate(policy, { tool: "Bash", input: { command } }).action;
          const shown = `${command}: there ${there}, here ${here}\n${text}`;
          if (!losses.some(isLooser)) assert.ok(strictness(here) >= strictness(there), shown);
          // A deny or ask on `git push *` stops a bare `git push` here.
          if (isExact && strictness(here) > strictness(there)) {
            assert.ok(EXTRA.includes(name) && WORDS.includes(command), shown);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
}

/** Formats in which a final " *" asks for an argument, in a deny too. */
const EXTRA = ["kimi", "robota", "cursor"];
