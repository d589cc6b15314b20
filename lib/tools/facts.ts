import type { Json, ToolCall } from "../model/call.ts";
import type { ToolProfile } from "../model/tool_profile.ts";
import { type PathContext, type PathFacts, pathFacts } from "../pattern/path_facts.ts";
import { type UrlFacts, urlFacts } from "../pattern/url_facts.ts";
import type { CommandLine, Unit } from "../shell/unit.ts";
import { readField } from "./read_field.ts";

/** What a field of a call holds, as patterns see it. */
export type FieldText =
  | { readonly state: "text"; readonly text: string }
  /** The field is not there. */
  | { readonly state: "missing" }
  /** The tool is known to have no such argument. */
  | { readonly state: "none" }
  /** The field cannot be compared; `detail` says why. */
  | { readonly state: "unknown"; readonly detail: string };

/** One thing that a command line does, as rules see it. */
export interface LineUnit {
  /** The unit. */
  readonly unit: Unit;
  /** The line that it is of. */
  readonly line: CommandLine;
}

/** A call together with everything that rules ask about it; each fact is found once, when first asked for. */
export class Facts {
  /** The call. */
  readonly call: ToolCall;
  /** What is known about its tool. */
  readonly profile: ToolProfile;
  /** The folder the call runs in. */
  readonly cwd: string;
  /** What of the call's command line these facts are about; absent for the call as a whole. */
  readonly part: LineUnit | undefined;
  readonly #context: PathContext;
  readonly #paths = new Map<string, PathFacts>();
  readonly #urls = new Map<string, UrlFacts>();
  #first: FieldText | undefined;

  /** `cwd` is the call's own, else the policy's. */
  constructor(
    call: ToolCall,
    options: { profile: ToolProfile; cwd: string; context: PathContext; part?: LineUnit },
  ) {
    this.call = call;
    this.profile = options.profile;
    this.cwd = options.cwd;
    this.part = options.part;
    this.#context = options.context;
  }

  /** The same call, as far as one unit of its command line goes. */
  of(part: LineUnit): Facts {
    const { profile, cwd } = this;
    const facts = new Facts(this.call, { profile, cwd, context: this.#context, part });
    facts.#first = this.first;
    return facts;
  }

  /** The first argument, in whichever spelling the call has it. */
  get first(): FieldText {
    return this.#first ??= this.#readFirst();
  }

  /** A field by its dotted path; numbers and booleans as their JSON text. */
  field(key: string): FieldText {
    const field = readField(this.call.input, key);
    switch (field.state) {
      case "missing":
        return { state: "missing" };
      case "unclear":
        return { state: "unknown", detail: field.detail };
      case "value":
        return textOf(field.value, key);
    }
  }

  /** The text read as a path. */
  path(raw: string): PathFacts {
    let facts = this.#paths.get(raw);
    if (!facts) {
      this.#paths.set(raw, facts = pathFacts(raw, { cwd: this.cwd, context: this.#context }));
    }
    return facts;
  }

  /** The text read as a URL. */
  url(raw: string): UrlFacts {
    let facts = this.#urls.get(raw);
    if (!facts) this.#urls.set(raw, facts = urlFacts(raw));
    return facts;
  }

  #readFirst(): FieldText {
    const { firstArg, name } = this.profile;
    if (firstArg === undefined) {
      return { state: "unknown", detail: `the first argument of ${name} is not known` };
    }
    if (firstArg.length === 0) return { state: "none" };
    const fields = firstArg.map((key) => ({ key, field: readField(this.call.input, key) }));
    const unclear = fields.find(({ field }) => field.state === "unclear")?.field;
    if (unclear?.state === "unclear") return { state: "unknown", detail: unclear.detail };
    const found = fields.flatMap(({ key, field }) =>
      field.state === "value" ? [{ key, value: field.value }] : []
    );
    const [one, ...others] = found;
    if (one === undefined) return { state: "unknown", detail: `the call has no "${firstArg[0]}"` };
    const other = others.find(({ value }) => value !== one.value);
    if (other) return { state: "unknown", detail: `"${one.key}" and "${other.key}" differ` };
    if (typeof one.value !== "string") {
      return { state: "unknown", detail: `"${one.key}" is not a string` };
    }
    return { state: "text", text: one.value };
  }
}

function textOf(value: Json, key: string): FieldText {
  if (typeof value === "string") return { state: "text", text: value };
  if (typeof value === "number" || typeof value === "boolean") {
    return { state: "text", text: JSON.stringify(value) };
  }
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
  return { state: "unknown", detail: `"${key}" is ${kind}` };
}
