/** The helpers of a bench are processes of their own, so that what they cost is not counted as ours. */
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Starts a TypeScript file of this folder; it talks over its channel and ends when we do. */
export function forkTypeScript(file: string): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), [], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, NODE_ENV: "production" },
  });
}

/** Sends one message and waits for one; an exit before the answer is an error. */
export function ask<T>(child: ChildProcess, message: object): Promise<T> {
  const answer = heard<T>(child);
  child.send(message);
  return answer;
}

/** The next message of the child; an exit before it is an error. */
export function heard<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error("a process of the bench ended early"));
    child.once("exit", gone);
    child.once("message", (message) => {
      child.off("exit", gone);
      resolve(message as T);
    });
  });
}

export function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
