/** The thread that reads one big file: its text comes with it, what was read goes back, then it ends. */
import { parentPort, workerData } from "node:worker_threads";
import { readImport } from "./read.ts";

parentPort?.postMessage(readImport(String(workerData)));
