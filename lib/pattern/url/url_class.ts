import type { CommandClass } from "../../model/call.ts";

/**
 * The class of fetching a URL: `fetch` from a host of the internet, `service` from one of this machine or of its own network and
 * with credentials, `secret` where a cloud tells a machine its credentials; undefined if it cannot be known. A URL without a
 * scheme is one of HTTP.
 */
export function urlClass(text: string): CommandClass | undefined {
  const url = parsed(text);
  if (url === undefined) return undefined;
  const host = url.hostname.replace(/\.$/, "");
  if (METADATA.test(host)) return "secret";
  const isOwn = !host.includes(".") || host.startsWith("[") || OWN_NAMES.test(host) ||
    OWN_ADDRESSES.test(host);
  return isOwn || url.username !== "" || url.password !== "" ? "service" : "fetch";
}

/** The URL of a text that every program reads in one way. */
function parsed(text: string): URL | undefined {
  // Blanks, backslashes, quotes and control characters are read in different ways, and so is a second "@".
  // deno-lint-ignore no-control-regex
  if (/[\u0000-\u0020\u007f-\uffff\\"'`<>^|{}]/.test(text)) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/(?!\/)/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined && (/:\/\/|^[/.]/.test(text) || OTHER_SCHEMES.test(text))) {
    return undefined;
  }
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") return undefined;
  const whole = scheme === undefined ? `http://${text}` : text;
  const [, authority = ""] = /^[^/]*\/\/([^/?#]*)/.exec(whole)!;
  if (authority.split("@").length > 2 || /%/.test(authority) || !URL.canParse(whole)) {
    return undefined;
  }
  return new URL(whole);
}

/** Hosts by whose name curl chooses another scheme. */
const OTHER_SCHEMES = /^(?:ftp|dict|ldap|imap|smtp|pop3)\./i;

/** Hosts that tell a machine its credentials. */
const METADATA =
  /^(?:169\.254\.(?:169\.25[34]|170\.2|170\.23)|100\.100\.100\.200|192\.0\.0\.192|metadata(?:\.google\.internal|\.internal)?|\[fd00:ec2::(?:254|23)\]|\[::ffff:(?:a9fe:a9f[de]|a9fe:aa02|a9fe:aa17|6464:64c8)\]|.*\.metadata\.google\.internal)$/;

/** Names of this machine, and of networks of one's own. */
const OWN_NAMES =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|test|arpa|onion)$/;

/** Addresses of this machine, of its links and of private networks. The parser writes each IPv4 address in four parts. */
const OWN_ADDRESSES =
  /^(?:0|10|127|22[4-9]|2[3-5]\d)\.|^169\.254\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
