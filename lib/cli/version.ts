/** The version of caliban, as in package.json and deno.json. */
export const VERSION = "0.1.0";
