/** The scanner's own file, which jsonc-parser publishes without a declaration of its own. */
declare module "jsonc-parser/lib/esm/impl/scanner.js" {
  export { createScanner } from "jsonc-parser";
}
