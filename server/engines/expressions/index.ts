/** Expressions in four languages and the reading of big texts, in threads of their own (decisions 0041, 0065, 0066). */
export { evaluate, isJson } from "./ask.ts";
export { createPool, type Pool } from "./pool.ts";
export { renderStrings, TemplateError, type Rendering } from "./render.ts";
export type { Answer, Answers, Environment, Question, Script } from "./protocol.ts";
