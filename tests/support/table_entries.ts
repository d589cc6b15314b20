/** The entries of a table of `defaults/shell.toml`, and the table without one of them. */

/** A JSON value of a table. */
type Value = string | number | boolean | readonly Value[] | Table;

/** A table, or one below it. */
export interface Table {
  readonly [key: string]: Value | undefined;
}

/** One entry. */
export interface Entry {
  /** Its sub-command and key: `run|code`. */
  readonly place: string;
  /** Its text, for an element of a list: `--foo`; else empty. */
  readonly text: string;
  /** The word of a line that it is about; undefined if it may be about any. */
  readonly word?: string;
  /** The whole table without it. */
  readonly without: () => Table;
}

/** Keys whose elements, or members, are no options. */
const OPERANDS = new Set(["operands", "operands_with", "shapes", "endings", "means"]);

/** Every entry of a table: each element of its lists, each member of its records, each flag, and each sub-command. */
export function entriesOf(table: Table): readonly Entry[] {
  return entriesIn(table, { path: "", rebuild: (changed) => changed });
}

interface Place {
  readonly path: string;
  readonly rebuild: (changed: Table) => Table;
}

function entriesIn(table: Table, { path, rebuild }: Place): readonly Entry[] {
  return Object.entries(table).flatMap(([key, value]): readonly Entry[] => {
    if (value === undefined) return [];
    const name = `${path}|${key}`;
    const replaced = (changed: Value | undefined) => rebuild({ ...table, [key]: changed });
    if (key === "sub") return subEntries(value as Table, { path, replaced });
    if (key === "also" && path === "") return [];
    if (Array.isArray(value)) return elementEntries(name, { list: value, key, replaced });
    if (typeof value === "object") {
      return memberEntries(name, { record: value as Table, key, replaced });
    }
    return [{ place: name, text: "", without: () => replaced(undefined) }];
  });
}

function subEntries(
  subs: Table,
  { path, replaced }: Pick<Place, "path"> & { readonly replaced: (changed: Table) => Table },
): readonly Entry[] {
  return Object.entries(subs).flatMap(([word, sub]): readonly Entry[] => {
    const inner = `${path}${path === "" ? "" : "."}${word}`;
    const { [word]: _, ...others } = subs;
    const own = {
      place: inner,
      text: "",
      ...((sub as Table)["also"] === undefined ? { word } : {}),
      without: () => replaced(others),
    };
    const rebuild = (changed: Table) => replaced({ ...subs, [word]: changed });
    return [own, ...entriesIn(sub as Table, { path: inner, rebuild })];
  });
}

interface Holder {
  readonly key: string;
  readonly replaced: (changed: Value | undefined) => Table;
}

function elementEntries(
  name: string,
  { list, key, replaced }: Holder & { readonly list: readonly Value[] },
): readonly Entry[] {
  return list.map((element, index) => {
    const text = typeof element === "string" ? element : JSON.stringify(element);
    const rest = list.toSpliced(index, 1);
    const isOption = !OPERANDS.has(key) && typeof element === "string";
    return {
      place: name,
      text: OPERANDS.has(key) ? `${index}:${text}` : text,
      ...(isOption ? { word: element.replace(/[=?]$/, "") } : {}),
      without: () => replaced(rest.length === 0 ? undefined : rest),
    };
  });
}

function memberEntries(
  name: string,
  { record, key, replaced }: Holder & { readonly record: Table },
): readonly Entry[] {
  return Object.entries(record).flatMap(([member, value]): readonly Entry[] => {
    const changed = (next: Value | undefined) => {
      const { [member]: _, ...others } = record;
      const all = next === undefined ? others : { ...record, [member]: next };
      return replaced(Object.keys(all).length === 0 ? undefined : all);
    };
    const place = `${name}.${member}`;
    if (Array.isArray(value)) return elementEntries(place, { list: value, key, replaced: changed });
    return [{ place, text: "", without: () => changed(undefined) }];
  });
}
