/**
 * True if the glob matches the text, by its definition alone: `*` takes nothing or one more code point, `?` one, `\` the
 * next character. Slow on purpose; each pair of places is judged once.
 */
export function referenceMatch(glob: string, text: string): boolean {
  const [pattern, chars] = [[...glob], [...text]];
  const known = new Map<number, boolean>();
  const fits = (at: number, place: number): boolean => {
    const key = at * (chars.length + 1) + place;
    const before = known.get(key);
    if (before !== undefined) return before;
    const answer = step(at, place);
    known.set(key, answer);
    return answer;
  };
  const step = (at: number, place: number): boolean => {
    if (at === pattern.length) return place === chars.length;
    if (pattern[at] === "*") {
      return fits(at + 1, place) || place < chars.length && fits(at, place + 1);
    }
    const literal = pattern[at] === "\\";
    const wanted = literal ? pattern[at + 1] : pattern[at];
    if (place === chars.length) return false;
    const takes = !literal && wanted === "?" || wanted === chars[place];
    return takes && fits(at + (literal ? 2 : 1), place + 1);
  };
  return fits(0, 0);
}
