/** How the name of every test file ends. */
export const TEST_FILE_END = ".perms.toml";
