/** The pieces of a JSON text that say where its keys are: strings with the colon behind them, and brackets. */
const PIECE = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/gs;

/**
 * Whether an object in a valid JSON text has a key twice, however it is spelled. Readers differ in which of them counts: a
 * script that puts a call's text between quotes itself can be made to say another decision behind its own. Linear.
 */
export function repeatsKey(json: string): boolean {
  const open: Set<string>[] = [];
  for (const [piece, colon] of json.matchAll(PIECE)) {
    if (piece === "{") open.push(new Set());
    else if (piece === "}") open.pop();
    else if (colon !== undefined) {
      const key: string = JSON.parse(piece.slice(0, -colon.length));
      const keys = open.at(-1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
  }
  return false;
}
