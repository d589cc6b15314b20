import { openPolicyOf } from "../../../lib/decide/policy.ts";
import type { AutoMode, Opinion } from "../../../lib/gate/auto/opinion.ts";
import type { Gate, GateDecision } from "../../../lib/gate/gate.ts";
import type { GateMode, GateModeName, MachineParts } from "../../../lib/gate/gate_parts.ts";
import { createGate } from "../../../lib/gate/create_gate.ts";
import type { HookAnswer, HookRunner } from "../../../lib/gate/hooks/hook_outcome.ts";
import type { HookEvent } from "../../../lib/gate/hooks/hook_event.ts";
import type { AskAnswer, AskHandler, AskQuestion } from "../../../lib/model/verdict.ts";
import type { Action, Json, JsonObject, ToolCall } from "../../../lib/model/call.ts";
import type { CompiledPolicy } from "../../../lib/policy/compile/compiled_policy.ts";
import { oneRepository } from "../../support/policy.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";

/** A project's policy of these rules, `allow Bash:git *` one a line, above the built-in ones. */
export function policyWith(...rules: readonly string[]): CompiledPolicy {
  const blocks = rules.map((rule) => {
    const [action, ...pattern] = rule.split(" ");
    return `[[permissions.rules]]\npattern = ${
      JSON.stringify(pattern.join(" "))
    }\naction = "${action}"\n`;
  });
  return policyFromToml(blocks.join("\n"), {
    home: "/home/u",
    gitRepository: oneRepository("/workspace"),
  });
}

/** A call of Bash. */
export function bash(command: string): ToolCall {
  return { tool: "Bash", input: { command } };
}

/** A call of Write. */
export function write(path: string): ToolCall {
  return { tool: "Write", input: { path, content: "" } };
}

/** A gate, with bypass and every other mode at hand. */
export function gateOf(policy: CompiledPolicy, parts: Partial<MachineParts> = {}): Gate {
  return createGate({ policy: openPolicyOf(policy), ...parts });
}

/** A mode that a test changes. */
export interface TestMode extends GateMode {
  /** Changes it. */
  set(name: GateModeName): void;
  /** The listeners that are subscribed. */
  readonly listeners: Set<() => void>;
}

/** A handle in that mode. */
export function modeOf(name: GateModeName): TestMode {
  let current = name;
  const listeners = new Set<() => void>();
  return {
    get current() {
      return current;
    },
    listeners,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    set(next) {
      current = next;
      for (const listener of listeners) listener();
    },
  };
}

/** A person of a test: what they were asked, and how they answer. */
export interface TestPerson extends AskHandler {
  /** Every question so far. */
  readonly questions: AskQuestion[];
}

/** A person who gives these answers, the last one again and again. */
export function person(
  ...answers: readonly (AskAnswer | AskAnswer["kind"])[]
): TestPerson {
  const questions: AskQuestion[] = [];
  return {
    questions,
    ask(question) {
      const answer = answers[Math.min(questions.length, answers.length - 1)] ?? "deny-once";
      questions.push(question);
      return Promise.resolve(typeof answer === "string" ? { kind: answer } : answer);
    },
  };
}

/** Hooks of a test: every event, and what they answer. */
export interface TestHooks extends HookRunner {
  /** Every event so far. */
  readonly events: HookEvent[];
}

/** Hooks that answer so; by what is left out, nothing. */
export function hooks(
  answer: Partial<HookAnswer> | ((input: JsonObject) => Partial<HookAnswer>),
): TestHooks {
  const events: HookEvent[] = [];
  return {
    events,
    run(event) {
      events.push(event);
      const input = "call" in event ? event.call.input : {};
      const said = typeof answer === "function" ? answer(input) : answer;
      return Promise.resolve({ decision: "proceed", warnings: [], results: [], ...said });
    },
  };
}

/** Auto mode of a test: what it was asked, and what it was told. */
export interface TestAuto extends AutoMode {
  /** Every question so far. */
  readonly questions: { readonly call: ToolCall; readonly onlyDeny?: boolean }[];
  /** The notes besides the questions. */
  readonly told: string[];
}

/** Auto mode that says so. */
export function auto(
  decision: Opinion["decision"] | (() => Promise<Opinion>),
): TestAuto {
  const questions: TestAuto["questions"] = [];
  const told: string[] = [];
  return {
    questions,
    told,
    classify(question) {
      questions.push(question);
      return typeof decision === "string"
        ? Promise.resolve({ decision, source: "classifier", reason: "the model says so" })
        : decision();
    },
    clear: () => void told.push("clear"),
    edited: () => void told.push("edited"),
    approved: () => void told.push("approved"),
  };
}

/** The stages of a decision's trace with what stood after each, as `rules:ask`. */
export function stages({ trace }: GateDecision): readonly string[] {
  return trace.map(({ stage, result }) => `${stage}:${result}`);
}

/** The decision, and the part that decided. */
export function ended({ decision, decidedBy }: GateDecision): `${Action} ${string}` {
  return `${decision} ${decidedBy}`;
}

/** A promise, and how it is settled. */
export function later<T>(): { readonly promise: Promise<T>; readonly settle: (value: T) => void } {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => settle = resolve);
  return { promise, settle };
}

/** A value as JSON has it, of a type that the compiler does not know. */
export function odd<T>(value: unknown): T {
  return value as T & Json;
}
