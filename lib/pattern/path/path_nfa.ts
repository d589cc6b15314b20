import type { Glob } from "../glob.ts";
import { type PathGlob, type PathNode, printPathNode, type Range } from "./path_glob.ts";

/** One step of an automaton: takes one code point, or none. */
export type NfaStep =
  | { readonly kind: "char"; readonly code: number }
  | { readonly kind: "set"; readonly negated: boolean; readonly ranges: readonly Range[] }
  /** Takes any code point but a slash. */
  | { readonly kind: "inner" }
  /** Takes any code point. */
  | { readonly kind: "any" }
  /** Continues at each of these steps. */
  | { readonly kind: "fork"; readonly to: readonly number[] }
  | { readonly kind: "accept" };

/** A non-deterministic automaton over code points: starts at step 0; a step without `to` continues at the next one. */
export type Nfa = readonly NfaStep[];

/** Builds an automaton. */
export class NfaBuilder {
  readonly #steps: NfaStep[] = [];

  /** The automaton: the steps that were added, then accept. */
  finish(): Nfa {
    return [...this.#steps, { kind: "accept" }];
  }

  /** Adds literal text. */
  text(text: string): void {
    for (const char of text) this.#steps.push({ kind: "char", code: char.codePointAt(0)! });
  }

  /** Adds one step that takes a code point. */
  take(step: NfaStep): void {
    this.#steps.push(step);
  }

  /** Adds `body` any number of times. */
  repeat(body: () => void): void {
    const fork = this.#hole();
    body();
    this.#steps.push({ kind: "fork", to: [fork] });
    this.#steps[fork] = { kind: "fork", to: [fork + 1, this.#steps.length] };
  }

  /** Adds `body` once or never. */
  maybe(body: () => void): void {
    const fork = this.#hole();
    body();
    this.#steps[fork] = { kind: "fork", to: [fork + 1, this.#steps.length] };
  }

  /** Adds exactly one of the bodies. */
  either(bodies: readonly (() => void)[]): void {
    const fork = this.#hole();
    const starts: number[] = [];
    const ends: number[] = [];
    for (const body of bodies) {
      starts.push(this.#steps.length);
      body();
      ends.push(this.#hole());
    }
    this.#steps[fork] = { kind: "fork", to: starts };
    for (const end of ends) this.#steps[end] = { kind: "fork", to: [this.#steps.length] };
  }

  #hole(): number {
    this.#steps.push({ kind: "fork", to: [] });
    return this.#steps.length - 1;
  }
}

/**
 * Adds a path glob over text without a leading slash: `**` + `/` is any number of folders or none, and `/` + `**` at the end
 * is the path before it and everything below.
 */
export function addPathGlob(builder: NfaBuilder, glob: PathGlob): void {
  let slashTaken = false;
  for (const [index, node] of glob.entries()) {
    const next = glob[index + 1];
    if (node.kind === "globstar") {
      slashTaken = next?.kind === "text" && next.text.startsWith("/");
      if (slashTaken) addAnyFolders(builder);
      else addNode(builder, node);
    } else if (node.kind === "text") {
      const text = slashTaken ? node.text.slice(1) : node.text;
      slashTaken = false;
      if (text.endsWith("/") && next?.kind === "globstar" && index + 2 === glob.length) {
        builder.text(text.slice(0, -1));
        return addBelow(builder);
      }
      builder.text(text);
    } else addNode(builder, node);
  }
}

/** Adds `(.*\/)?`: any number of folders or none. */
export function addAnyFolders(builder: NfaBuilder): void {
  builder.maybe(() => {
    builder.repeat(() => builder.take({ kind: "any" }));
    builder.text("/");
  });
}

/** Adds `(/.*)?`: the path itself and everything below it. */
export function addBelow(builder: NfaBuilder): void {
  builder.maybe(() => {
    builder.text("/");
    builder.repeat(() => builder.take({ kind: "any" }));
  });
}

/** Adds a string glob, whose `*` and `?` cross segments. */
export function addGlob(builder: NfaBuilder, glob: Glob): void {
  for (const token of glob) {
    if (token.kind === "text") builder.text(token.text);
    else if (token.kind === "anyChar") builder.take({ kind: "any" });
    else builder.repeat(() => builder.take({ kind: "any" }));
  }
}

function addNode(builder: NfaBuilder, node: PathNode): void {
  switch (node.kind) {
    case "text":
      return builder.text(node.text);
    case "star":
      return builder.repeat(() => builder.take({ kind: "inner" }));
    case "anyChar":
      return builder.take({ kind: "inner" });
    case "globstar":
      return builder.repeat(() => builder.take({ kind: "any" }));
    case "set":
      return builder.either([
        () => builder.take({ kind: "set", negated: node.negated, ranges: node.ranges }),
        () => builder.text(node.text),
      ]);
    case "either":
      return builder.either([
        ...node.options.map((option) => () => addPathGlob(builder, option)),
        () => builder.text(printPathNode(node)),
      ]);
  }
}
