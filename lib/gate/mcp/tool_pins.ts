/** A definition of a tool, as a server listed it. */
export interface Definition {
  /** Hexadecimal SHA-256 of its canonical JSON. */
  readonly hash: string;
  /** The time when it was first seen or accepted, as RFC 3339. */
  readonly at: string;
  /** Its canonical JSON; absent where that is too long to keep. */
  readonly text?: string;
}

/** The definitions of one tool; one of them is there. */
export interface ToolPin {
  /** The one that was accepted, by a person or at first sight. */
  readonly accepted?: Definition;
  /** Another one, which waits for a person. */
  readonly waiting?: Definition;
}

/** The tools of one server in one workspace. */
export interface ServerPins {
  /** The server's name. */
  readonly server: string;
  /** The program that starts it. */
  readonly program: string;
  /** The workspace's real path. */
  readonly workspace: string;
  /** By the tool's name at the server. */
  readonly tools: ReadonlyMap<string, ToolPin>;
}

/** The servers by the SHA-256 of name, whole command and workspace. */
export type PinRecord = ReadonlyMap<string, ServerPins>;

/** A tool as it was just listed. */
export interface SeenTool {
  readonly name: string;
  readonly definition: Definition;
}

/** The most tools of a server, and UTF-16 code units of their names and definitions, that are kept: a server can list any number. */
const MOST_TOOLS = 5_000;
const LONGEST_NAME = 1_000;
const LONGEST_TEXTS = 1024 * 1024;

/** The most servers in a record; those that were first seen go. */
const MOST_SERVERS = 500;

/** The tools of a server after a look at some of them: those of the first sight are accepted, others wait. */
export function withSeen(
  pins: ServerPins,
  seen: readonly SeenTool[],
  { isFirstSight }: { readonly isFirstSight: boolean },
): ServerPins {
  const tools = new Map(pins.tools);
  let length = textsOf(pins);
  for (const { name, definition } of seen) {
    const known = tools.get(name);
    if (known === undefined && tools.size >= MOST_TOOLS || name.length > LONGEST_NAME) continue;
    const { accepted, waiting } = known ?? {};
    const same = [accepted, waiting].find((each) => each?.hash === definition.hash);
    const own = same ?? withinBound(definition, length);
    if (same === undefined) length += own.text?.length ?? 0;
    if (accepted === undefined) {
      tools.set(name, isFirstSight ? { accepted: own } : { waiting: own });
    } else tools.set(name, own === accepted ? { accepted } : { accepted, waiting: own });
  }
  return { ...pins, tools };
}

function textsOf({ tools }: ServerPins): number {
  const texts = [...tools.values()].flatMap(({ accepted, waiting }) => [accepted, waiting]);
  return texts.reduce((length, each) => length + (each?.text?.length ?? 0), 0);
}

/** The definition, without its text where the texts before it are too long together. */
function withinBound({ text, ...rest }: Definition, length: number): Definition {
  const isKept = text !== undefined && length + text.length <= LONGEST_TEXTS;
  return isKept ? { ...rest, text } : rest;
}

/** The record with a server. */
export function withServer(
  record: PinRecord,
  { key, pins }: { readonly key: string; readonly pins: ServerPins },
): PinRecord {
  const servers = [...new Map([...record, [key, pins] as const])];
  const surplus = servers.length - MOST_SERVERS;
  return new Map(
    surplus > 0 ? servers.filter(([each], at) => at >= surplus || each === key) : servers,
  );
}

/** The tools of a server after a person accepted what waits, by the tools' names and the hashes that the person has seen. */
export function withAccepted(
  pins: ServerPins,
  shown: ReadonlyMap<string, string>,
): ServerPins {
  const tools = [...pins.tools].map(([name, pin]) =>
    pin.waiting !== undefined && shown.get(name) === pin.waiting.hash
      ? [name, { accepted: pin.waiting }] as const
      : [name, pin] as const
  );
  return { ...pins, tools: new Map(tools) };
}

/** The tools whose definition waits for a person. */
export function waitingTools(
  { tools }: ServerPins,
): readonly {
  readonly name: string;
  readonly accepted?: Definition;
  readonly waiting: Definition;
}[] {
  return [...tools].flatMap(([name, { accepted, waiting }]) =>
    waiting === undefined
      ? []
      : [{ name, waiting, ...(accepted === undefined ? {} : { accepted }) }]
  );
}
