import assert from "node:assert/strict";
import { test } from "node:test";
import {
  steeringPattern,
  variableObjection,
} from "../../../../lib/policy/compile/own_variables.ts";

const HOST = "it decides which host programs connect to";
const PROGRAM = "programs run what it names";
const FILES = "it decides which files programs read, run or write";

const REFUSED = {
  [HOST]: [
    "OPENAI_BASE_URL",
    "DATABASE_URL",
    "API_HOST",
    "OTLP_ENDPOINT",
    "SENTRY_DSN",
    "FOO_PROXY",
  ],
  [PROGRAM]: ["CYPRESS_RUN_BINARY", "CHROME_BIN", "FOO_EXE", "FOO_CMD"],
  [FILES]: [
    "HTTPIE_CONFIG_DIR",
    "ACKRC",
    "MAILCAPS",
    "TEXMFCNF",
    "openout_any",
    "PACKER_PLUGIN_PATH",
    "PRETTIER_CONFIG",
    "FOO_HOME",
  ],
};

test("no policy calls a variable harmless that names a host, a program or a file", () => {
  const pattern = new RegExp(steeringPattern());
  for (const [why, names] of Object.entries(REFUSED)) {
    for (const name of names) {
      assert.equal(variableObjection(name), why, name);
      assert.match(name, pattern);
    }
  }
});

test("other names can be listed", () => {
  for (const name of ["STAGE", "DATABASE_NAME", "BINARY_SIZE", "URL_COUNT", "HOSTING", "SOURCE"]) {
    assert.equal(variableObjection(name), undefined, name);
    assert.doesNotMatch(name, new RegExp(steeringPattern()));
  }
});
