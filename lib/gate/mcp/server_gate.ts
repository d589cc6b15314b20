import { compiledOf, type Policy } from "../../decide/policy.ts";
import type { JsonObject } from "../../model/call.ts";
import type { AskHandler } from "../../model/verdict.ts";
import type { AutoMode } from "../auto/opinion.ts";
import { createGate } from "../create_gate.ts";
import type { Gate } from "../gate.ts";
import type { AuditLine, GateMode, GateModeName } from "../gate_parts.ts";
import type { HookRunner } from "../hooks/hook_outcome.ts";
import { isAlwaysDenied } from "./always_denied.ts";
import { argumentFault } from "./argument_names.ts";
import { elicitationOf, elicitedAnswer } from "./elicited.ts";
import type { Relay } from "./relay.ts";
import type { CallAnswer, ServerCall, ToolPage } from "./relay_parts.ts";
import type { SessionPins } from "./session_pins.ts";

/** The policy that holds now, with its mode. */
export interface Ruling {
  readonly policy: Policy;
  readonly mode: GateModeName;
  /** Denials of the mode `auto`; absent in any other. */
  readonly auto?: Pick<AutoMode, "hardDenial">;
}

/** The parts of the gate of a server. */
export interface ServerGateParts {
  /** The server's name in rules. */
  readonly server: string;
  readonly pins: SessionPins;
  /** The way to the person. */
  readonly client: () => Pick<Relay, "canAsk" | "elicit">;
  /** The policy that holds now, the same object as long as it is the same. Rejects if it is broken. */
  ruling(): Promise<Ruling>;
  /** One sentence about an error, for the model. */
  sentence(error: unknown): string;
  now(): number;
  readonly machineAudit: AuditLine;
  /** Tells the person at the server's log, one sentence without a final full stop. */
  note(text: string): void;
}

/** Decides the calls of a server's tools as those of `mcp__SERVER__TOOL`, and looks at its list of tools. */
export class ServerGate {
  readonly #parts: ServerGateParts;
  #ruling: Ruling | undefined;
  #gate: Gate | undefined;

  constructor(parts: ServerGateParts) {
    this.#parts = parts;
  }

  /** Decides a call. Rejects when the signal is aborted. */
  async decide(
    { name, input }: ServerCall,
    options: { readonly signal: AbortSignal },
  ): Promise<CallAnswer> {
    const denied = (reason: string): CallAnswer => ({ action: "deny", reason });
    const fault = argumentFault(input, this.#parts.pins.seenTool(name));
    if (fault !== undefined) return denied(`the call is not passed on: ${fault}`);
    let gate: Gate;
    try {
      gate = await this.#current();
    } catch (error) {
      return denied(`the call is stopped without a decision: ${this.#parts.sentence(error)}`);
    }
    const { decision, decidedBy, reason, warnings } = await gate.decide(
      { tool: this.#toolOf(name), input },
      options,
    );
    for (const warning of warnings) this.#parts.note(warning);
    if (decision === "allow") return { action: "allow" };
    if (decidedBy !== "headless") return denied(reason);
    const definition = this.#parts.pins.whyAsks(name);
    return denied(definition === undefined ? `${reason}; ${NOBODY}` : `${definition}; ${UNASKED}`);
  }

  /** The tools of a page that stay in it: those that some call may use. */
  async listed(page: ToolPage): Promise<readonly JsonObject[]> {
    const { pins, now } = this.#parts;
    await pins.see(page);
    try {
      await this.#current();
    } catch {
      // Each call says why it is denied.
      return page.tools;
    }
    const { policy, mode } = this.#ruling!;
    // These modes lift denials.
    if (mode === "disabled" || mode === "bypassPermissions") return page.tools;
    const compiled = compiledOf(policy);
    return page.tools.filter(({ name }) =>
      !isAlwaysDenied(compiled, this.#toolOf(String(name)), { now: now() })
    );
  }

  #toolOf(name: string): string {
    return `${this.#prefix}${name}`;
  }

  get #prefix(): string {
    return `mcp__${this.#parts.server}__`;
  }

  /** The gate with the policy that holds now. */
  async #current(): Promise<Gate> {
    const ruling = await this.#parts.ruling();
    if (this.#gate === undefined) {
      this.#ruling = ruling;
      return this.#gate = this.#newGate(ruling);
    }
    if (ruling !== this.#ruling) {
      this.#gate.setPolicy(ruling.policy);
      this.#ruling = ruling;
    }
    return this.#gate;
  }

  #newGate({ policy }: Ruling): Gate {
    const { server, now, machineAudit, client } = this.#parts;
    const current = () => this.#ruling!.mode;
    const mode: GateMode = {
      get current() {
        return current();
      },
      subscribe: () => () => {},
    };
    return createGate({
      policy,
      mode,
      now,
      machineAudit,
      agent: `mcp ${server}`,
      hooks: this.#definitions(),
      classifier: this.#lists(),
      ...(client().canAsk ? { ask: this.#person() } : { headless: true }),
    });
  }

  /** Asks about tools whose definition is not accepted, in every mode. */
  #definitions(): HookRunner {
    return {
      run: (event) => {
        const why = event.event === "PreToolUse"
          ? this.#parts.pins.whyAsks(event.call.tool.slice(this.#prefix.length))
          : undefined;
        const nothing = { warnings: [], results: [] };
        return Promise.resolve(
          why === undefined
            ? { decision: "proceed", ...nothing }
            : { decision: "ask", reason: why, ...nothing },
        );
      },
    };
  }

  /** Auto mode without a model: its denials, and a question about all else. */
  #lists(): AutoMode {
    const hardDenial: AutoMode["hardDenial"] = (call) => this.#ruling?.auto?.hardDenial?.(call);
    const reason = "no model is asked about the tools of a server";
    return {
      hardDenial,
      classify: ({ call }) =>
        Promise.resolve(
          hardDenial!(call) ?? { decision: "soft_deny", source: "disabled", reason },
        ),
      clear() {},
      edited() {},
      approved() {},
    };
  }

  #person(): AskHandler {
    const { server, pins, client } = this.#parts;
    return {
      ask: async (question, options) => {
        const name = question.call.tool.slice(this.#prefix.length);
        const isAsked = question.decision.units.some(({ decidedBy }) => decidedBy === "hook");
        const definition = isAsked ? pins.seenTool(name) : undefined;
        const asked = {
          question,
          server,
          name,
          ...(definition === undefined ? {} : { definition }),
        };
        const response = await client().elicit(elicitationOf(asked), options);
        const { answer, acceptsDefinition } = elicitedAnswer(response, asked);
        if (acceptsDefinition && pins.seenTool(name) === definition) await pins.accept(name);
        // The policy may have changed while the person thought.
        await this.#current();
        return answer;
      },
    };
  }
}

const NOBODY = "the client has no elicitation";

/** The end of the denial of a call that no rule, but the tool's definition, asks about. */
const UNASKED = "the call is denied: the client cannot ask its person (it has no elicitation)";
