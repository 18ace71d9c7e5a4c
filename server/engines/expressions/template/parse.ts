/** From the tokens of a Go template to its tree. */
import { failAt, tokens, type Delimiters, type Token } from "./lex.ts";

export interface Operand {
  kind: "literal" | "nil" | "dot" | "variable" | "name" | "pipe";
  /** Of a literal. */
  value?: string | bigint | number | boolean;
  /** Of a variable, with its dollar, or of a function. */
  name?: string;
  pipe?: Pipe;
  /** The fields behind it: `.a.b`. */
  path: string[];
  at: number;
}
export interface Command {
  operands: [Operand, ...Operand[]];
}
export interface Pipe {
  /** Variables that take the value: one, in a range two. */
  variables: string[];
  /** They are new (`:=`) or there already (`=`). */
  declares: boolean;
  commands: Command[];
  at: number;
}
export interface Branch {
  pipe: Pipe;
  body: Node[];
  otherwise: Node[];
}
export type Node =
  | { kind: "text"; text: string }
  | { kind: "print"; pipe: Pipe }
  | ({ kind: "if" | "with" } & Branch)
  | ({ kind: "range" } & Branch)
  | { kind: "template"; name: string; pipe: Pipe | null; at: number }
  | { kind: "break" | "continue" };

export interface Template {
  source: string;
  body: Node[];
  /** What `define` and `block` name. */
  named: ReadonlyMap<string, Node[]>;
}

/** Blocks and parentheses inside of each other. Ours to choose: the stack must hold it. */
const DEPTH_LIMIT = 200;

/** Throws a TemplateError that says where. */
export function parseTemplate(source: string, delimiters: Delimiters): Template {
  const all = tokens(source, delimiters);
  const named = new Map<string, Node[]>();
  let position = 0;
  let depth = 0;
  let loops = 0;

  const peek = () => all[position];
  const fail = (token: Token | undefined, message: string) =>
    failAt(source, token?.at ?? source.length, message);
  function take(type: Token["type"], what: string): Token {
    const token = all[position];
    if (token?.type !== type) return fail(token, `expected ${what}`);
    position += 1;
    return token;
  }
  const close = () => take("close", `${delimiters.right}`);
  const isWord = (token: Token | undefined, word: string) => token?.type === "name" && token.value === word;

  function deeper<T>(work: () => T): T {
    if (++depth > DEPTH_LIMIT) fail(peek(), "the template is nested too deeply");
    const result = work();
    depth -= 1;
    return result;
  }

  /** Nodes up to `end`, `else` or the end of the text; the word that ended them is left, its action open. */
  function nodes(): { list: Node[]; ended: "end" | "else" | null } {
    const list: Node[] = [];
    for (let token = peek(); token; token = peek()) {
      position += 1;
      if (token.type === "text") {
        list.push({ kind: "text", text: String(token.value) });
        continue;
      }
      const word = peek();
      if (isWord(word, "end") || isWord(word, "else")) {
        position += 1;
        return { list, ended: word!.value as "end" | "else" };
      }
      const node = action(word);
      if (node) list.push(node);
    }
    return { list, ended: null };
  }

  function action(word: Token | undefined): Node | null {
    const keyword = word?.type === "name" ? String(word.value) : "";
    if (keyword === "if" || keyword === "with" || keyword === "range") {
      position += 1;
      return deeper(() => branch(keyword, word!));
    }
    if (keyword === "break" || keyword === "continue") {
      position += 1;
      if (loops === 0) fail(word, `${keyword} outside of range`);
      close();
      return { kind: keyword };
    }
    if (keyword === "define") {
      position += 1;
      define(word!, nameOf());
      return null;
    }
    if (keyword === "template" || keyword === "block") {
      position += 1;
      const name = nameOf();
      const given = peek()?.type === "close" ? null : pipe();
      if (keyword === "block") define(word!, name);
      else close();
      return { kind: "template", name, pipe: given, at: word!.at };
    }
    const shown: Node = { kind: "print", pipe: pipe() };
    close();
    return shown;
  }

  function define(word: Token, name: string): void {
    close();
    const outer = loops;
    loops = 0;
    const { list, ended } = deeper(nodes);
    loops = outer;
    if (ended !== "end") fail(word, `${String(word.value)} has no end`);
    close();
    named.set(name, list);
  }

  function nameOf(): string {
    const token = take("literal", "a name in quotes");
    if (typeof token.value !== "string") return fail(token, "expected a name in quotes");
    return token.value.slice(1);
  }

  function branch(kind: "if" | "with" | "range", word: Token): Node {
    const condition = pipe(kind === "range" ? 2 : 1);
    close();
    if (kind === "range") loops += 1;
    const { list: body, ended } = nodes();
    if (kind === "range") loops -= 1;
    if (ended === null) fail(word, `${kind} has no end`);
    let otherwise: Node[] = [];
    if (ended === "else") {
      const next = peek();
      if ((isWord(next, "if") && kind === "if") || (isWord(next, "with") && kind === "with")) {
        position += 1;
        return { kind, pipe: condition, body, otherwise: [deeper(() => branch(kind, next!))] };
      }
      close();
      const rest = nodes();
      if (rest.ended !== "end") fail(word, `${kind} has no end`);
      otherwise = rest.list;
    }
    close();
    return { kind, pipe: condition, body, otherwise };
  }

  function pipe(variables = 1): Pipe {
    const at = peek()?.at ?? source.length;
    const declared = declaration(variables);
    const commands: Command[] = [command()];
    while (peek()?.type === "|") {
      position += 1;
      const next = command();
      if (next.operands[0].kind === "literal") fail(peek(), "only functions can stand behind |");
      commands.push(next);
    }
    return { ...declared, commands, at };
  }

  /** `$x :=`, `$x =`, and in a range `$i, $x :=`. */
  function declaration(most: number): Pick<Pipe, "variables" | "declares"> {
    const start = position;
    const variables: string[] = [];
    while (peek()?.type === "variable" && variables.length < most) {
      variables.push(String(take("variable", "a variable").value));
      if (peek()?.type !== ",") break;
      position += 1;
    }
    const sign = peek()?.type;
    if (variables.length > 0 && (sign === ":=" || sign === "=")) {
      position += 1;
      return { variables, declares: sign === ":=" };
    }
    position = start;
    return { variables: [], declares: false };
  }

  function command(): Command {
    const operands: Operand[] = [];
    for (let token = peek(); token; token = peek()) {
      if (["close", "|", ")"].includes(token.type)) break;
      if (operands.length > 0 && !token.spaced) fail(token, "expected a space between arguments");
      operands.push(operand(token));
    }
    const [first, ...rest] = operands;
    if (!first) return fail(peek(), "expected a value");
    return { operands: [first, ...rest] };
  }

  function operand(token: Token): Operand {
    position += 1;
    const { at, value } = token;
    const base = { at, path: [] as string[] };
    let made: Operand;
    if (token.type === "literal")
      made = { ...base, kind: "literal", value: typeof value === "string" ? value.slice(1) : value };
    else if (token.type === "dot") made = { ...base, kind: "dot" };
    else if (token.type === "field") made = { ...base, kind: "dot", path: [String(value)] };
    else if (token.type === "variable") made = { ...base, kind: "variable", name: String(value) };
    else if (token.type === "name") made = word(String(value), at);
    else if (token.type === "(") {
      const inner = deeper(() => pipe());
      take(")", ")");
      made = { ...base, kind: "pipe", pipe: inner };
    } else return fail(token, `unexpected ${String(value)}`);
    for (let field = peek(); field?.type === "field" && !field.spaced; field = peek()) {
      position += 1;
      made.path.push(String(field.value));
    }
    return made;
  }

  function word(name: string, at: number): Operand {
    if (name === "true" || name === "false") return { kind: "literal", value: name === "true", path: [], at };
    if (name === "nil") return { kind: "nil", path: [], at };
    return { kind: "name", name, path: [], at };
  }

  const { list, ended } = nodes();
  if (ended !== null) fail(all[position - 1], `unexpected ${ended}`);
  return { source, body: list, named };
}
