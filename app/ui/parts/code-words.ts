/** Colours for a line of YAML or JSON, nothing more: what is not understood is left plain. */
export type Language = "yaml" | "json" | "text";
type Voice = "key" | "string" | "number" | "comment" | "plain";
/** How each is drawn. */
export const VOICES: Record<Voice, string | undefined> = {
  key: "text-code-key",
  string: "text-code-string",
  number: "text-code-number",
  comment: "text-code-comment",
  plain: undefined,
};
export interface CodeWord {
  voice: Voice;
  text: string;
}

const QUOTED = `"(?:[^"\\\\]|\\\\.)*"|'(?:[^']|'')*'`;
const NUMBER = String.raw`-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|~`;
/** Indentation and list dashes, a key with its colon, the rest. */
const YAML_LINE = new RegExp(
  `^(\\s*(?:-\\s+)*)(?:(${QUOTED}|[^\\s#"'{}\\[\\]&*!|>%@\`,-][^#]*?)(\\s*:)(?=\\s|$))?(.*)$`,
  "s",
);
const YAML_VALUE = new RegExp(`^(\\s*)(${QUOTED}|(?:(?!\\s#).)*)(.*)$`, "s");
const JSON_WORD = new RegExp(`(${QUOTED})(\\s*:)?|(?<![\\w.])(${NUMBER})(?![\\w.])`, "g");
const WHOLE_NUMBER = new RegExp(`^(?:${NUMBER})$`);
/** Anchors, tags, block signs and the marks between documents: grammar, not a value. */
const YAML_SIGN = /^(?:[&*!|>%@`].*|---|\.\.\.|-|)$/;

/** The line in pieces; joined they are the line. Pure, for the server and the editor alike. */
export function wordsOfLine(line: string, language: Language): CodeWord[] {
  const words = language === "yaml" ? ofYaml(line) : language === "json" ? ofJson(line) : [plain(line)];
  return words.filter(({ text }) => text !== "");
}

const plain = (text = ""): CodeWord => ({ voice: "plain", text });

function ofYaml(line: string): CodeWord[] {
  if (/^\s*#/.test(line)) return [{ voice: "comment", text: line }];
  const [, indent, key = "", colon, rest = ""] = YAML_LINE.exec(line) ?? [];
  const [, space, value = "", comment = ""] = YAML_VALUE.exec(rest) ?? [];
  return [
    plain(indent),
    { voice: "key", text: key },
    plain(colon),
    plain(space),
    ...ofValue(value),
    { voice: /^\s+#/.test(comment) ? "comment" : "plain", text: comment },
  ];
}

function ofValue(value: string): CodeWord[] {
  const trimmed = value.trimEnd();
  if (/^[[{]/.test(value)) return ofJson(value);
  if (YAML_SIGN.test(trimmed)) return [plain(value)];
  return [{ voice: WHOLE_NUMBER.test(trimmed) ? "number" : "string", text: value }];
}

function ofJson(text: string): CodeWord[] {
  const words: CodeWord[] = [];
  let end = 0;
  for (const match of text.matchAll(JSON_WORD)) {
    const [whole, quoted, colon, number] = match;
    words.push(plain(text.slice(end, match.index)));
    if (number !== undefined) words.push({ voice: "number", text: number });
    else words.push({ voice: colon ? "key" : "string", text: quoted ?? "" }, plain(colon));
    end = match.index + whole.length;
  }
  return [...words, plain(text.slice(end))];
}
