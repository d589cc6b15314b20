import { fromBoolean, type Match } from "../../model/match.ts";
import type { Glob } from "../glob.ts";
import { matchGlob } from "../match_glob.ts";
import { type CallUrl, OWN_PORTS } from "./url_facts.ts";
import { fitsLabels, type UrlParts } from "./url_pattern.ts";

/** Whether a URL pattern fits a call's URL. */
export type UrlMatcher = (url: CallUrl) => Match;

type Known = Extract<CallUrl, { ok: true }>;

/** The matcher of an allow rule. A pattern without `://` fits nothing: its wildcards would stand for the host. */
export function strictUrlMatcher(parts: UrlParts | undefined): UrlMatcher {
  return (url) => {
    if (!url.ok) return "indeterminate";
    return fromBoolean(parts !== undefined && strictlyFits(parts, url));
  };
}

function strictlyFits(parts: UrlParts, facts: Known): boolean {
  const own = OWN_PORTS[facts.scheme] ?? "";
  const port = parts.port ?? own;
  return matchGlob(parts.scheme, facts.scheme) &&
    fitsLabels(parts.labels, facts.host, matchGlob) &&
    (port === "*" || port === facts.port) &&
    (parts.path === undefined || matchGlob(parts.path, facts.path));
}

/**
 * The matcher of a deny or ask rule: part by part with any port and the path also percent-decoded, or as a string glob
 * over the URL as written, as the platform writes it, or decoded.
 */
export function wideUrlMatcher(parts: UrlParts | undefined, glob: Glob): UrlMatcher {
  return (url) => {
    if (!url.ok) return "indeterminate";
    const portless = `${url.scheme}://${url.host}`;
    const texts = [
      url.raw,
      url.href,
      originOf(url) + url.decoded,
      portless + url.path,
      portless + url.decoded,
    ];
    return fromBoolean(
      texts.some((text) => matchGlob(glob, text)) ||
        parts !== undefined && widelyFits(parts, url),
    );
  };
}

function widelyFits(parts: UrlParts, facts: Known): boolean {
  const { path } = parts;
  return matchGlob(parts.scheme, facts.scheme) &&
    (matchGlob(parts.host, facts.host) || fitsLabels(parts.labels, facts.host, matchGlob)) &&
    (parts.port === undefined || parts.port === "*" || parts.port === facts.port) &&
    (path === undefined ||
      [facts.path, facts.decoded, ...withoutQuery(facts)].some((text) => matchGlob(path, text)));
}

/** The path alone: a query or fragment behind a denied page does not make it another page. */
function withoutQuery(facts: Known): readonly string[] {
  return [facts.path, facts.decoded].map((text) => text.replace(/[?#].*$/su, ""));
}

function originOf(facts: Known): string {
  const port = facts.port === (OWN_PORTS[facts.scheme] ?? "") ? "" : `:${facts.port}`;
  return `${facts.scheme}://${facts.host}${port}`;
}

/** Whether `domain:host` fits: that host or a subdomain of it; an allow rule's only over http and https. */
export function domainMatcher(host: string, options: { strict: boolean }): UrlMatcher {
  return (url) => {
    if (!url.ok) return "indeterminate";
    if (options.strict && url.scheme !== "http" && url.scheme !== "https") return "no";
    return fromBoolean(url.host === host || url.host.endsWith(`.${host}`));
  };
}
