/** Source of a regular expression for what `crypto.randomUUID` gives. */
export const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
