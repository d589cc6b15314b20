/** SHA-256 of the bundle's files, hexadecimal, by name; empty in source, whose files change. The bundle has its own list. */
export const CHECKSUMS: Readonly<Record<string, string>> = {};
