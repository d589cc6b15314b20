import { baseName } from "../shell/programs.ts";
import type { Unit } from "../shell/unit.ts";

/** wget's options that give what is fetched a name of its own, so that the URL's counts no more. */
const NAMED = / (?:-[A-Za-z]*O|--output-document)/;
/** curl's options that name the file as the URL does. */
const BY_URL = / (?:-[A-Za-z]*O[A-Za-z]*|--remote-name(?:-all)?)(?: |$)/;

/** The name of the file that `wget URL` and `curl -O URL` write: the URL's last segment. Undefined where there is none. */
export function fetchedName({ text }: Unit, owner: Unit): string | undefined {
  const program = baseName(owner.name ?? "");
  const writes = program === "wget"
    ? !NAMED.test(owner.text)
    : program === "curl" && BY_URL.test(owner.text);
  if (!writes) return undefined;
  const name = /^[^?#]*\/([^/?#]+)(?:[?#]|$)/.exec(text.replace(/^[a-z]+:\/\/[^/]*/i, ""))?.[1];
  return name === "." || name === ".." ? undefined : name;
}
