/**
 * The published API description of Ory Kratos, as the types of `@ory/client` carry it: every answer of ours is held
 * against it, field by field, enum by enum. A field the description does not know is a fault as well.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";

interface Field {
  type: ts.TypeNode;
  optional: boolean;
}

const path = join(dirname(createRequire(import.meta.url).resolve("@ory/client")), "api.d.ts");
const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
const interfaces = new Map<string, ts.InterfaceDeclaration>();
const aliases = new Map<string, ts.TypeAliasDeclaration>();
const enums = new Map<string, string[]>();
source.forEachChild((node) => {
  if (ts.isInterfaceDeclaration(node)) interfaces.set(node.name.text, node);
  if (ts.isTypeAliasDeclaration(node)) aliases.set(node.name.text, node);
  if (ts.isVariableStatement(node))
    for (const { name, type } of node.declarationList.declarations)
      if (type && ts.isTypeLiteralNode(type) && ts.isIdentifier(name)) enums.set(name.text, literals(type));
});

function literals(type: ts.TypeLiteralNode): string[] {
  return type.members.flatMap((member) =>
    ts.isPropertySignature(member) &&
    member.type &&
    ts.isLiteralTypeNode(member.type) &&
    ts.isStringLiteral(member.type.literal)
      ? [member.type.literal.text]
      : [],
  );
}

/** What is wrong with a value as an interface of the description; nothing is `[]`. */
export function misfits(name: string, value: unknown): string[] {
  const found = interfaces.get(name);
  if (!found) throw new Error(`the description has no ${name}`);
  return ofFields(fieldsOf(found.members), value, name);
}

function fieldsOf(members: ts.NodeArray<ts.TypeElement>): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const member of members)
    if (ts.isPropertySignature(member) && member.type) {
      const name = ts.isStringLiteral(member.name) ? member.name.text : member.name.getText(source);
      fields.set(name, { type: member.type, optional: member.questionToken !== undefined });
    }
  return fields;
}

function ofFields(fields: Map<string, Field>, value: unknown, at: string): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [`${at} is no object`];
  const given = value as Record<string, unknown>;
  const unknown = Object.keys(given).filter((key) => !fields.has(key));
  return [
    ...unknown.map((key) => `${at}.${key} is not in the description`),
    ...[...fields].flatMap(([key, { type, optional }]) => {
      if (given[key] !== undefined) return ofType(type, given[key], `${at}.${key}`);
      return optional || type.kind === ts.SyntaxKind.AnyKeyword ? [] : [`${at}.${key} is missing`];
    }),
  ];
}

function ofType(type: ts.TypeNode, value: unknown, at: string): string[] {
  switch (type.kind) {
    case ts.SyntaxKind.AnyKeyword:
    case ts.SyntaxKind.ObjectKeyword:
      return [];
    case ts.SyntaxKind.StringKeyword:
      return typeof value === "string" ? [] : [`${at} is no string`];
    case ts.SyntaxKind.NumberKeyword:
      return typeof value === "number" ? [] : [`${at} is no number`];
    case ts.SyntaxKind.BooleanKeyword:
      return typeof value === "boolean" ? [] : [`${at} is no boolean`];
  }
  if (ts.isUnionTypeNode(type)) return ofUnion(type, value, at);
  if (ts.isLiteralTypeNode(type)) return ofLiteral(type, value, at);
  if (ts.isTypeLiteralNode(type))
    return type.members.some(ts.isIndexSignatureDeclaration)
      ? []
      : ofFields(fieldsOf(type.members), value, at);
  if (ts.isIntersectionTypeNode(type)) return ofFields(allFields(type), value, at);
  if (ts.isArrayTypeNode(type)) return ofArray(type.elementType, value, at);
  if (ts.isTypeReferenceNode(type)) return ofReference(type, value, at);
  throw new Error(`${at}: ${type.getText(source)} is not understood`);
}

function ofUnion(type: ts.UnionTypeNode, value: unknown, at: string): string[] {
  const tries = type.types.map((each) => ofType(each, value, at));
  return tries.reduce((best, each) => (each.length < best.length ? each : best));
}

function ofLiteral(type: ts.LiteralTypeNode, value: unknown, at: string): string[] {
  const { literal } = type;
  if (literal.kind === ts.SyntaxKind.NullKeyword) return value === null ? [] : [`${at} is not null`];
  return ts.isStringLiteral(literal) && literal.text === value
    ? []
    : [`${at} is not ${type.getText(source)}`];
}

function ofArray(element: ts.TypeNode, value: unknown, at: string): string[] {
  if (!Array.isArray(value)) return [`${at} is no list`];
  return value.flatMap((each, index) => ofType(element, each, `${at}[${index}]`));
}

function ofReference(type: ts.TypeReferenceNode, value: unknown, at: string): string[] {
  const name = type.typeName.getText(source);
  const [argument] = type.typeArguments ?? [];
  if (name === "Array" && argument) return ofArray(argument, value, at);
  const values = enums.get(name);
  if (values)
    return values.includes(String(value))
      ? []
      : [`${at} is ${String(value)}, not one of ${values.join(", ")}`];
  const found = interfaces.get(name);
  if (found) return ofFields(fieldsOf(found.members), value, at);
  const alias = aliases.get(name);
  if (alias) return ofType(alias.type, value, at);
  throw new Error(`${at}: ${name} is not in the description`);
}

/** Of `{ node_type: "a" } & UiNodeAnchorAttributes`: the fields of all members, the first said counts. */
function allFields(type: ts.IntersectionTypeNode): Map<string, Field> {
  const parts = type.types.map((each) => {
    if (ts.isTypeLiteralNode(each)) return fieldsOf(each.members);
    const name = ts.isTypeReferenceNode(each) ? each.typeName.getText(source) : "";
    const found = interfaces.get(name);
    if (!found) throw new Error(`${each.getText(source)} is not understood`);
    return fieldsOf(found.members);
  });
  return new Map(parts.reverse().flatMap((fields) => [...fields]));
}
