/**
 * The files of a folder that say to managers of versions (asdf, mise, pyenv, proto, …) which version of a program runs. Some may
 * name a folder, so that a program of the workspace runs by the name of another.
 */
export const VERSION_FILES: readonly string[] = [
  ".tool-versions",
  ".python-version",
  ".ruby-version",
  ".node-version",
  ".nvmrc",
  ".go-version",
  ".java-version",
  ".perl-version",
  ".php-version",
  ".lua-version",
  ".terraform-version",
  ".opentofu-version",
  ".prototools",
  "mise.toml",
  ".mise.toml",
  "mise.local.toml",
  ".mise.local.toml",
  ".rtx.toml",
  "aqua.yaml",
  ".aqua.yaml",
  ".corepack.env",
  "rust-toolchain",
  "rust-toolchain.toml",
  ".swift-version",
  ".vfox.toml",
];
