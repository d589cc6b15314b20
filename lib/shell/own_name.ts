/** The name of caliban's table. */
export const OWN_NAME = "caliban";

/** caliban itself, its bundle, and the file of a checkout that runs it. */
const OWN = /^(?:caliban(?:@.*|\.[cm]?[jt]s|\.exe|\.cmd)?|cli\.[cm]?[jt]s)$/i;

/** Its package, in any registry and of any version. */
const PACKAGE = /@caliban\/perms(?:@[^/]*)?(?:\/.*)?$/;

/** True if a word names caliban: the program, its bundle, its package, or the file of a checkout that runs it. */
export function isOwnName(word: string): boolean {
  return OWN.test(word.slice(word.lastIndexOf("/") + 1)) || PACKAGE.test(word);
}
