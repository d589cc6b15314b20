/** Runs forms of a program in a folder tree that holds a system, apart from the machine, without network. */
import { CALLS, HOME, WORK } from "./trace.ts";
import type { Ended } from "./forms.ts";

/** A run of one form. */
export interface Run extends Ended {
  readonly form: string;
  readonly trace: string;
}

/** `plain`: a user, whose input has ended. `hostile`: root on a terminal, with files and variables that would steer a program. */
export type Scene = "plain" | "hostile";

const ENV: Readonly<Record<string, string>> = {
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin:/usr/games",
  HOME,
  LC_ALL: "C.UTF-8",
  TERM: "xterm",
  USER: "user",
  DISPLAY: ":99",
  WAYLAND_DISPLAY: "/run/wayland",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
  SSH_AUTH_SOCK: "/run/agent",
  PYTHONDONTWRITEBYTECODE: "1",
};

/** Variables that name a program or a file of the folder. */
const STEERING: Readonly<Record<string, string>> = Object.fromEntries([
  ...["PAGER", "MANPAGER", "EDITOR", "VISUAL", "BROWSER", "LESSOPEN"].map((
    name,
  ) => [name, "/bin/true"]),
  ["XDG_CONFIG_HOME", `${WORK}/.config`],
]);

/** Files of a folder that many programs read. */
const FILES =
  "package.json .npmrc Makefile .env pyproject.toml setup.cfg tox.ini .editorconfig Cargo.toml go.mod Gemfile composer.json conftest.py sitecustomize.py .config/x"
    .split(" ");

const SECONDS = 4;

/** Runs forms of a program, one after another. Ends each after a few seconds. */
export async function runForms(
  program: string,
  forms: readonly string[],
  { root, scene }: { readonly root: string; readonly scene: Scene },
): Promise<readonly Run[]> {
  const out = await Deno.makeTempDir({ prefix: "caliban-about-" });
  try {
    await Deno.chmod(out, 0o777);
    await new Deno.Command("nice", {
      args: [
        "bwrap",
        ...sandbox(root, { out, scene }),
        "sh",
        "-c",
        scriptOf(program, forms, scene),
      ],
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    return await Promise.all(forms.map(async (form, at) => ({
      form,
      text: (await textOf(`${out}/${at}.txt`)).slice(0, 40_000),
      status: Number(await textOf(`${out}/${at}.status`) || 255),
      trace: await textOf(`${out}/${at}.trace`),
    })));
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

function sandbox(root: string, { out, scene }: { out: string; scene: Scene }): readonly string[] {
  const env = { ...ENV, ...(scene === "hostile" ? STEERING : {}) };
  const id = scene === "hostile" ? "0" : "1000";
  return [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--uid", id, "--gid", id],
    ...[
      "--ro-bind",
      root,
      "/",
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      "--tmpfs",
      "/tmp",
      "--tmpfs",
      "/run",
    ],
    ...["--tmpfs", "/srv", "--tmpfs", "/home", "--dir", WORK, "--dir", HOME, "--bind", out, "/out"],
    ...["--chdir", WORK, "--clearenv"],
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

function scriptOf(program: string, forms: readonly string[], scene: Scene): string {
  const files = `mkdir -p .config .git; for f in ${
    FILES.join(" ")
  }; do echo x > $f; done; mkfifo /tmp/in; exec 9<>/tmp/in`;
  const limits = "ulimit -t 8 -f 20000 -c 0";
  const runs = forms.map((form, at) => {
    const traced = `strace -f -q -y -s 300 --seccomp-bpf -e trace=${
      CALLS.join(",")
    } -o /out/${at}.trace ${program} ${form}`;
    const run = scene === "plain"
      ? `timeout -k 1 ${SECONDS} ${traced} > /out/${at}.txt 2>&1 < /dev/null`
      : `timeout -k 1 ${SECONDS} script -qec '${traced}' /dev/null > /out/${at}.txt 2>&1 <&9`;
    return `${run}; echo $? > /out/${at}.status`;
  });
  return [limits, ...(scene === "hostile" ? [files] : []), ...runs].join("\n");
}

async function textOf(path: string): Promise<string> {
  try {
    return new TextDecoder().decode(await Deno.readFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
