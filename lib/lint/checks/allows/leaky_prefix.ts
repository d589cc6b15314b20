import { callOf, type ToolCall } from "../../../model/call.ts";
import { type Glob, printGlob } from "../../../pattern/glob.ts";
import type { FieldTest, ValueTest } from "../../../pattern/parse_pattern.ts";
import { urlParts } from "../../../pattern/url/url_pattern.ts";
import type { CompiledRule } from "../../../policy/compile/compiled_policy.ts";
import { sampleCalls } from "../../../suggest/sample_calls.ts";
import { type Check, example, type LintContext, rule } from "../../check.ts";
import { foundAt, ruleName, shown, tried } from "../../place_finding.ts";
import { ruleSpecifier } from "../../rule_specifier.ts";

/** Allow rules whose wildcard also matches another program or host. */
export const leakyPrefix: Check = {
  id: "leaky-prefix",
  severity: "warning",
  docs: {
    what: "An allow whose wildcard also matches another program or host: Bash:git*, https://docs.*",
    why:
      "“Bash:git*” also matches “gitevil”, “Bash:* --version” any program, “https://docs.*” docs.evil.com, " +
      "“url=*x.org*” https://evil.com/?x.org, “CI=1 *” any program after the assignment, and " +
      "“curl https://x.org*” https://x.org.evil.com/.",
    avoid: example([rule("Bash:git*", "allow"), rule("WebFetch:https://docs.*", "allow")]),
    prefer: example([
      rule("Bash(git status:*)", "allow"),
      rule("WebFetch:domain:docs.example.com", "allow"),
    ]),
  },
  find(context) {
    return context.rules.flatMap((linted) => {
      const { rule } = linted;
      const leak = rule.action === "allow" ? leakOf(rule, context) : undefined;
      if (leak === undefined) return [];
      if (tried(context, leak.call).rule !== rule) return [];
      return [foundAt(linted, {
        message: `${ruleName(rule)} also matches another ${leak.what}: "${leak.text}"`,
        ...shown(context, leak.call),
        hint: leak.hint,
      })];
    });
  },
};

interface Leak {
  readonly what: "program" | "host";
  readonly text: string;
  readonly call: ToolCall;
  readonly hint: string;
}

function leakOf(rule: CompiledRule, { policy: { profiles } }: LintContext): Leak | undefined {
  const found = ruleSpecifier(rule, profiles);
  if (found === undefined) return undefined;
  const { profile, specifier } = found;
  if (specifier.kind === "argument") {
    const leak = leakOfTest(specifier.test);
    const call = leak && callOf(profile, leak.text);
    return leak && call && { ...leak, call };
  }
  if (specifier.kind === "any" || specifier.kind === "class") return undefined;
  const [sample] = sampleCalls(rule.pattern, profiles);
  return specifier.fields.map((field) => leakOfField(field, sample)).find((leak) =>
    leak !== undefined
  );
}

const PROGRAM_HINT = "Put a space after the program's name, or use the prefix form: Bash(git:*)";
const FETCH_HINT = "Allow WebFetch for the host instead: it takes one URL and only reads it";

const BLANK = { kind: "text", text: " " } as const;
const RUN = { kind: "star" } as const;

function leakOfTest(test: ValueTest): Omit<Leak, "call"> | undefined {
  switch (test.kind) {
    case "command": {
      if (test.anchor === "contains") return undefined;
      const glob = test.anchor === "prefix" ? [...test.glob, BLANK, RUN] : test.glob;
      const text = otherProgram(test.glob) ?? assignedProgram(glob);
      if (text !== undefined) return { what: "program", text, hint: PROGRAM_HINT };
      const host = longerHost(glob);
      return host === undefined ? undefined : { what: "host", text: host, hint: FETCH_HINT };
    }
    case "url": {
      const text = otherHost(test.glob);
      const hint = "Write the whole host, or domain:example.com to include its subdomains";
      return text === undefined ? undefined : { what: "host", text, hint };
    }
    case "text":
    case "path":
    case "domain":
      return undefined;
  }
}

/** A command of another program that a glob fits; undefined if it fixes the program's name. */
function otherProgram(glob: Glob): string | undefined {
  const [first, second] = glob;
  const last = glob.at(-1);
  if (first?.kind === "star" && second?.kind === "text") {
    const rest = glob.slice(1).map((token) => token.kind === "text" ? token.text : "x").join("");
    return /\s/.test(rest) ? `evil${rest}` : undefined;
  }
  const isLeaky = glob.length === 2 && first?.kind === "text" && last?.kind === "star" &&
    /^\S*[^\s/:=-]$/.test(first.text);
  return isLeaky ? `${first.text}evil` : undefined;
}

/** A program behind assignments, if the glob begins with these; undefined for any other glob. */
function assignedProgram(glob: Glob): string | undefined {
  const at = glob.findIndex(({ kind }) => kind !== "text");
  const head = textOf(glob.slice(0, at));
  return glob[at]?.kind === "star" && /^(?:\w+=\S*\s+)+$/.test(head)
    ? `${head}evil${textOf(glob.slice(at + 1))}`
    : undefined;
}

/** A command with a URL of another host, for a glob that ends in the host; undefined for any other glob. */
function longerHost(glob: Glob): string | undefined {
  const at = glob.findIndex(({ kind }) => kind !== "text");
  const head = textOf(glob.slice(0, at));
  return at === glob.length - 1 && glob[at]?.kind === "star" &&
      /^\S+\s(?:.*\s)?https?:\/\/[^\s/?#]*[\w-]$/.test(head)
    ? `${head}.evil.com/`
    : undefined;
}

/** A URL of another host that a glob fits; undefined if it fixes the end of the host. */
function otherHost(glob: Glob): string | undefined {
  const parts = urlParts(printGlob(glob));
  if (!parts.ok || parts.value === undefined) return undefined;
  const { labels, path } = parts.value;
  if (labels.length < 2 || labels.at(-1)?.kind !== "anyLabels") return undefined;
  const names = labels.map((label) => label.kind === "anyLabels" ? "x" : textOf(label.glob));
  const rest = path === undefined ? "/" : textOf(path);
  return `https://${[...names.slice(0, -1), "evil", "com"].join(".")}${rest}`;
}

/** A text field that was meant to hold a host and fits another one's URL. */
function leakOfField(
  { key, isArgument, test }: FieldTest,
  sample: ToolCall | undefined,
): Leak | undefined {
  if (isArgument || test.kind !== "text" || sample === undefined) return undefined;
  const [, host] = test.glob;
  if (host?.kind !== "text" || !/[a-z0-9-]\.[a-z]{2,}/i.test(host.text)) {
    return undefined;
  }
  const rest = test.glob.slice(1).map((token) => token.kind === "text" ? token.text : "").join("");
  const text = `https://evil.com/?${rest}`;
  const call = { ...sample, input: { ...sample.input, [key]: text } };
  return { what: "host", text, call, hint: "Write the whole beginning: url=https://x.org/*" };
}

function textOf(glob: Glob): string {
  return glob.map((token) => token.kind === "text" ? token.text : "x").join("");
}
