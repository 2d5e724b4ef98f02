/** Which texts the sources of the page have, and which of them escaped the catalogue. For tests. */

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import ts from "typescript";

/** The functions whose first argument is a text of the catalogue. */
const SPEAKERS = new Set(["t", "count", "plural", "phrase", "rich"]);
/** What people read or hear of an element. */
const READ = new Set(["aria-label", "title", "label", "placeholder", "legend", "alt", "unit", "caption", "detail"]);
/** Attributes and properties whose values are for the browser. */
const FOR_BROWSER = /^(class|style|d|viewBox|transform|id|key|points|type|role|href|name|value|keys|board|cells)$/;
const CALLS_FOR_BROWSER = /querySelector|closest|EventListener|remembered|getElement|RegExp|setAttribute|matchMedia|Error$/;
/** Names, and what only looks like a text: addresses, keys of the keyboard, styles. */
const NO_TEXT =
  /^(Montego\.?|RAVE|Arrow\w+|Enter|Escape|Home|End|Delete|Backspace|Tab|POST|Content-Type|Files|SGF)$|^montego |^[#/.[\w-]*[#/.[=][^ ]*$/;

export interface Texts {
  /** Every text that is looked up in a catalogue. */
  used: Set<string>;
  /** `"file:line: text"` for what people would read in English whatever their language. */
  stray: string[];
}

/** Read all sources below a folder but tests and what only tests use. */
export function textsIn(folder: string): Texts {
  const found: Texts = { used: new Set(), stray: [] };
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(name) || /\.test\.|samples|messages\.ts$|^languages/.test(name)) continue;
    const path = join(folder, name);
    const kind = name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true, kind);
    visit(source, (node, text) => {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.stray.push(`${relative(folder, path)}:${line}: ${text}`);
    }, found.used);
  }
  return found;
}

function visit(node: ts.Node, stray: (node: ts.Node, text: string) => void, used: Set<string>): void {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node)) return;
  if (ts.isCallExpression(node)) {
    const speaker = node.expression.getText();
    const text = node.arguments[0];
    if (SPEAKERS.has(speaker) && text !== undefined && ts.isStringLiteralLike(text)) {
      used.add(text.text);
      node.arguments.slice(1).forEach((rest) => visit(rest, stray, used));
      return;
    }
    if (CALLS_FOR_BROWSER.test(speaker)) return;
  }
  if (ts.isNewExpression(node) || ts.isCaseClause(node)) {
    ts.forEachChild(node, (child) => {
      if (!ts.isStringLiteralLike(child)) visit(child, stray, used);
    });
    return;
  }
  if (ts.isBinaryExpression(node) && /^[!=]==$/.test(node.operatorToken.getText())) return;
  if ((ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) && FOR_BROWSER.test(node.name.getText())) {
    ts.forEachChild(node, (child) => {
      if (ts.isArrowFunction(child) || ts.isJsxExpression(child)) visitCalls(child, stray, used);
    });
    return;
  }
  if (ts.isJsxText(node) && /[A-Za-z]{2}/.test(node.text) && !NO_TEXT.test(node.text.trim())) {
    stray(node, node.text.trim());
  }
  if (ts.isStringLiteralLike(node) && isText(node, node.text)) stray(node, node.text);
  if (ts.isTemplateExpression(node)) {
    const literal = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
    if (literal.some((part) => isWords(part))) stray(node, node.getText());
  }
  ts.forEachChild(node, (child) => visit(child, stray, used));
}

/** In what is for the browser only the texts of calls count: `onClick={() => say(t("…"))}`. */
function visitCalls(node: ts.Node, stray: (node: ts.Node, text: string) => void, used: Set<string>): void {
  if (ts.isCallExpression(node)) visit(node, stray, used);
  else ts.forEachChild(node, (child) => visitCalls(child, stray, used));
}

function isText(node: ts.StringLiteralLike, text: string): boolean {
  if (NO_TEXT.test(text)) return false;
  const parent = node.parent;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  if (ts.isJsxAttribute(parent) && READ.has(parent.name.getText())) return /[A-Za-z]{2}/.test(text);
  return isWords(text) || /^[A-Z][a-z]/.test(text);
}

/** Whether it has two words, or one between spaces. Styles have hyphens and colons. */
function isWords(text: string): boolean {
  return /[A-Za-z]+[,.:;]? [A-Za-z]|^ [a-z]{2,}\b(?!-)|[a-z]{2,} $/.test(text) && !/--|is-|px|url\(|translate|sans-serif/.test(text);
}
