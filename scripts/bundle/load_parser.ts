// The module of the bundle and of the compiled program in the place of `lib/cli/input/load_parser.ts`. Their parser runs when it is first called, so
// that nothing is left to load.

/** Does nothing: a call runs the parser. */
export function loadParserOnCall(): void {}

/** Does nothing: a call runs the parser. */
export function loadParser(): void {}

/** Does nothing: a call runs the parser. */
export function loadParserFor(): void {}
