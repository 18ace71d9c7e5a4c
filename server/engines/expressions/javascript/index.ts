/**
 * JavaScript in an engine of its own (QuickJS as WebAssembly, decision 0066): it has the language, the keys of the
 * environment and the helpers, and nothing of ours: no modules, no I/O, nothing to wait on. Each script starts afresh.
 */
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule, Scope } from "quickjs-emscripten";
import { LAST_RESULT } from "../prepare.ts";
import { HELPERS } from "./helpers.ts";
import { UNDERSCORE } from "./underscore.ts";

// Ours to choose: the longest script in characters, memory and stack in bytes, time in milliseconds.
const SCRIPT_LIMIT = 64_000;
const MEMORY = 48 * 1024 * 1024;
const STACK = 256 * 1024;
/** Below the limit of a thread, so that a loop costs its script and not the thread. */
const TIME_MS = 1500;
/** An engine that grew past this is given back: the memory of WebAssembly never shrinks. */
const KEPT_MEMORY = 32 * 1024 * 1024;

/** Takes the environment; gives the function that writes a value down, made before the script can change JSON. */
const START = `(function (text) {
  var given = JSON.parse(text), stringify = JSON.stringify;
  Object.keys(given.globals).forEach(function (key) { globalThis[key] = given.globals[key]; });
  if (given.last !== undefined) globalThis.last_result = function () { return given.last; };
  return function (value) {
    var written = stringify(value);
    if (written === undefined) return "null";
    if (written.length > 5000000) throw new Error("the value is longer than 5000000 characters");
    return written;
  };
})`;
/** Only what the script could mean: reading the helpers takes longer than most scripts. The helpers use underscore. */
function preludeOf(script: string): string {
  const helpers = /\b(k8s|fromMillicores|fromSI|startsWith|endsWith|globalThis|eval|Function)\b/.test(script);
  const underscore = helpers || /(^|[^\w$])_(?![\w$])/.test(script);
  return `${underscore ? UNDERSCORE : ""}\n${helpers ? HELPERS : ""}\n${START}`;
}

/** A mistake of the script, as opposed to one of the engine. */
class ScriptError extends Error {}

let engine: Promise<QuickJSWASMModule> | undefined;

/** The value of the script's last expression, as JSON has it; throws one sentence, with the line where there is one. */
export async function runJavaScript(script: string, values: Record<string, unknown>): Promise<unknown> {
  if (script.length > SCRIPT_LIMIT) throw new Error(`the script is longer than ${SCRIPT_LIMIT} characters`);
  const library = await import("quickjs-emscripten"); // only threads that need it carry it
  const quickjs = await (engine ??= library.newQuickJSWASMModuleFromVariant(library.RELEASE_SYNC));
  let words: string | undefined;
  try {
    const written = library.Scope.withScope((scope) => {
      try {
        return evaluate(quickjs, scope, script, values);
      } catch (error) {
        if (!(error instanceof ScriptError)) throw error;
        words = error.message;
        return "null";
      }
    });
    if (words !== undefined) throw new ScriptError(words);
    if (quickjs.getWasmMemory().buffer.byteLength > KEPT_MEMORY) engine = undefined;
    return JSON.parse(written) as unknown;
  } catch (error) {
    if (error instanceof ScriptError) {
      if (quickjs.getWasmMemory().buffer.byteLength > KEPT_MEMORY) engine = undefined;
      throw error;
    }
    engine = undefined; // it gave up, and what is left of it is not to be trusted
    throw new Error(words ?? "the script used too much memory", { cause: error });
  }
}

function evaluate(
  quickjs: QuickJSWASMModule,
  scope: Scope,
  script: string,
  { [LAST_RESULT]: last, ...globals }: Record<string, unknown>,
): string {
  const runtime = scope.manage(quickjs.newRuntime({ memoryLimitBytes: MEMORY, maxStackSizeBytes: STACK }));
  const deadline = Date.now() + TIME_MS;
  runtime.setInterruptHandler(() => Date.now() > deadline);
  const context = scope.manage(runtime.newContext());
  const value = (result: { value: QuickJSHandle; error?: undefined } | { error: QuickJSHandle }) => {
    if (!result.error) return scope.manage(result.value);
    throw new ScriptError(reason(context, scope.manage(result.error), deadline));
  };
  const given = scope.manage(context.newString(JSON.stringify({ globals, last })));
  const start = value(context.evalCode(preludeOf(script), "helpers"));
  const write = value(context.callFunction(start, context.undefined, given));
  const found = value(context.evalCode(script, "script"));
  return context.getString(value(context.callFunction(write, context.undefined, found)));
}

function reason(context: QuickJSContext, thrown: QuickJSHandle, deadline: number): string {
  if (Date.now() >= deadline) return `the script took more than ${TIME_MS} ms`;
  const error: unknown = context.dump(thrown);
  if (typeof error !== "object" || error === null || !("message" in error)) return `thrown: ${String(error)}`;
  const { name, message, stack } = error as { name?: string; message: unknown; stack?: string };
  if (message === "out of memory") return "the script used too much memory";
  if (/stack overflow/.test(String(message))) return "the script is nested too deeply";
  const [, line, column] = /script:(\d+)(?::(\d+))?/.exec(stack ?? "") ?? [];
  const place = line ? `line ${line}${column ? `, column ${column}` : ""}: ` : "";
  return `${place}${name && name !== "Error" ? `${name}: ` : ""}${String(message).slice(0, 500)}`;
}
