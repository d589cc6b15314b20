/** A platform that a release has a program for. */
export interface Target {
  /** Its name in that of the file: `linux-x64`. */
  readonly name: string;
  /** Bun's name of it. */
  readonly bun: string;
  /** The npm package with Bun for it. */
  readonly runtime: string;
  /** The SHA-512 of that package's tarball, in base64. */
  readonly sha512: string;
  /** The ending of a program's name there. */
  readonly ending: "" | ".exe";
  /** True if nothing starts there without a valid signature. */
  readonly needsSignature?: true;
}

/** The version of Bun that becomes the program; with another one the hashes below are other ones. */
export const RUNTIME_VERSION = "1.4.5";

/** The platforms, in the order of the release. */
export const TARGETS: readonly Target[] = [
  {
    name: "linux-x64",
    bun: "bun-linux-x64",
    runtime: "@oven/bun-linux-x64",
    sha512:
      "IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==",
    ending: "",
  },
  {
    name: "linux-arm64",
    bun: "bun-linux-arm64",
    runtime: "@oven/bun-linux-aarch64",
    sha512:
      "4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==",
    ending: "",
  },
  {
    name: "macos-x64",
    bun: "bun-darwin-x64",
    runtime: "@oven/bun-darwin-x64",
    sha512:
      "qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==",
    ending: "",
  },
  {
    name: "macos-arm64",
    bun: "bun-darwin-arm64",
    runtime: "@oven/bun-darwin-aarch64",
    sha512:
      "4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==",
    ending: "",
    needsSignature: true,
  },
  {
    name: "windows-x64",
    bun: "bun-windows-x64",
    runtime: "@oven/bun-windows-x64",
    sha512:
      "FNvply651vcE/GHgNWz6mZvhmkwBuu8Hw54oNzA+CQog+HW+542rXQmZqNHRkFxazD9L3xi+iTtvO3engAgJfw==",
    ending: ".exe",
  },
];
