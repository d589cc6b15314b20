import type { Json, JsonObject, ToolCall } from "../../model/call.ts";
import type { ToolProfile } from "../../model/tool_profile.ts";
import { type CallPath, callPath, type PathContext } from "../../pattern/path/path_facts.ts";
import { type CallUrl, callUrl } from "../../pattern/url/url_facts.ts";
import type { CommandLine, Effect } from "../../shell/unit.ts";

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
export interface LineEffect {
  /** The unit. */
  readonly effect: Effect;
  /** The line that it is of. */
  readonly line: CommandLine;
}

/** A call together with everything that rules ask about it; each fact is found once, when first asked for. */
export class Request {
  /** The call. */
  readonly call: ToolCall;
  /** What is known about its tool. */
  readonly profile: ToolProfile;
  /** The folder the call runs in. */
  readonly cwd: string;
  /** What of the call's command line these facts are about; absent for the call as a whole. */
  readonly part: LineEffect | undefined;
  readonly #context: PathContext;
  readonly #paths = new Map<string, CallPath>();
  readonly #urls = new Map<string, CallUrl>();
  #first: FieldText | undefined;

  /** `cwd` is the call's own, else the policy's. */
  constructor(
    call: ToolCall,
    options: { profile: ToolProfile; cwd: string; context: PathContext; part?: LineEffect },
  ) {
    this.call = call;
    this.profile = options.profile;
    this.cwd = options.cwd;
    this.part = options.part;
    this.#context = options.context;
  }

  /** The same call, as far as one unit of its command line goes. */
  of(part: LineEffect): Request {
    const { profile, cwd } = this;
    const request = new Request(this.call, { profile, cwd, context: this.#context, part });
    request.#first = this.first;
    return request;
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
        return requestText(field.value, key);
    }
  }

  /** The text read as a path. */
  path(raw: string): CallPath {
    let facts = this.#paths.get(raw);
    if (!facts) {
      this.#paths.set(raw, facts = callPath(raw, { cwd: this.cwd, context: this.#context }));
    }
    return facts;
  }

  /** The text read as a URL. */
  url(raw: string): CallUrl {
    let facts = this.#urls.get(raw);
    if (!facts) this.#urls.set(raw, facts = callUrl(raw));
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

function requestText(value: Json, key: string): FieldText {
  if (typeof value === "string") return { state: "text", text: value };
  if (typeof value === "number" || typeof value === "boolean") {
    return { state: "text", text: JSON.stringify(value) };
  }
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
  return { state: "unknown", detail: `"${key}" is ${kind}` };
}

/** What stands at a dotted path; `unclear` when that cannot be said: an array on the way, or two values for it. */
type FieldValue =
  | { readonly state: "value"; readonly value: Json }
  | { readonly state: "missing" }
  | { readonly state: "unclear"; readonly detail: string };

/**
 * The value at a dotted path, own members only. A member whose name has the dots in it counts too; where both are there
 * they must agree.
 */
export function readField(input: JsonObject, key: string): FieldValue {
  let value: Json | undefined = input;
  for (const name of key.split(".")) {
    if (Array.isArray(value)) {
      return { state: "unclear", detail: `"${key}" leads through an array` };
    }
    value = isObject(value) ? own(value, name) : undefined;
  }
  const direct = key.includes(".") ? own(input, key) : undefined;
  if (value !== undefined && direct !== undefined && value !== direct) {
    return { state: "unclear", detail: `"${key}" is there twice` };
  }
  const found = value === undefined ? direct : value;
  return found === undefined ? { state: "missing" } : { state: "value", value: found };
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
