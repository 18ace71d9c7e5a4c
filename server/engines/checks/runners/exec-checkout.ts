import { access, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { ExecSpec } from "#app/contract/specs/checks/exec.ts";
import { fill, type RunContext } from "../runner.ts";
import { wordsOf, type Workplace } from "./script.ts";

type Checkout = NonNullable<z.output<typeof ExecSpec>["checkout"]>;

/** What git asks for is answered by a program of ours; the words are in its environment only, not the script's. */
const ASKPASS = `#!/bin/sh
case "$1" in Username*) printf %s "$CHECKOUT_USERNAME" ;; *) printf %s "$CHECKOUT_PASSWORD" ;; esac
`;

/**
 * Fetches the newest state of a repository, without its history, and does the work in its folder, which is gone
 * afterwards. Throws a sentence when git cannot, or is not here.
 */
export async function inCheckout<T>(
  given: Checkout,
  place: Workplace,
  context: RunContext,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const { folder } = place;
  const target = given.destination ?? join(folder, "checkout");
  const isThere = await access(target).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`checkout.destination: ${target} is there already`);
  const { url, ref, env } = await sourceOf(given, folder, context);
  try {
    const branch = ref ? ["--branch", ref] : [];
    const args = ["clone", "--quiet", "--depth", "1", "--single-branch", ...branch, "--", url, target];
    const ended = await place.program("git", args, { env });
    context.signal.throwIfAborted();
    if (ended.kind === "missing") throw new Error("checkout: git is needed and is not installed here");
    if (ended.code !== 0) throw new Error(`checkout: git ${wordsOf(ended)}`);
    return await work(target);
  } finally {
    await rm(target, { recursive: true, force: true, maxRetries: 2 });
  }
}

/** Where from, and the environment that git needs for it. */
async function sourceOf(given: Checkout, folder: string, context: RunContext) {
  const stored = given.connection ? await context.connection(given.connection) : undefined;
  const username = given.username ?? stored?.username;
  const password = given.password ?? stored?.password;
  const certificate = given.certificate ?? stored?.certificate;
  const whole = fill((given.url ?? stored?.url ?? "").replace(/^git::/, ""), { username, password });
  const [, url = whole, ref = stored?.properties?.["ref"]] = /^([^?]*)\?ref=([^&]+)$/.exec(whole) ?? [];
  if (!/^(https?|ssh|git|file):\/\/|^[\w.-]+@[\w.-]+:/.test(url))
    throw new Error("checkout.url must be https://…, ssh://… or git@host:name.git");
  const env: Record<string, string> = {
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "http:https:ssh:git:file",
  };
  if (password !== undefined) {
    env["GIT_ASKPASS"] = join(folder, "askpass");
    env["CHECKOUT_USERNAME"] = username ?? "git";
    env["CHECKOUT_PASSWORD"] = password;
    await writeFile(env["GIT_ASKPASS"], ASKPASS, { mode: 0o700 });
  }
  const ssh =
    "ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR";
  env["GIT_SSH_COMMAND"] = ssh;
  if (certificate) {
    const key = join(folder, "ssh-key");
    await writeFile(key, certificate.endsWith("\n") ? certificate : `${certificate}\n`, { mode: 0o600 });
    env["GIT_SSH_COMMAND"] = `${ssh} -o IdentitiesOnly=yes -i ${key}`;
  }
  return { url, ref, env };
}
