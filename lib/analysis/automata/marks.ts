import { type CharSet, only } from "./char_set.ts";

/** Stands for a first argument, or a field, that cannot be compared: an object, null, a malformed text. */
export const UNCLEAR = -1;
/** Stands for a field that is not there. */
export const MISSING = -2;
/** Ends every argument of a call but the last. */
export const MARK: CharSet = only(-3);
