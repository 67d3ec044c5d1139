/**
 * Prints figures about the code: long functions, casts, circles of imports, long files, and comments that
 * begin with a word that often leaves the subject out. Counts production code of src/ and guest/, not tests,
 * contracts or fixtures. `node scripts/style.mjs`; with `--list NAME` (a name of a column) also where each
 * one is.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A comment that begins with one of these is often no whole clause. */
const OPENINGS = /^(What|Of|By|So much|As it|Those|Who|Whom|Where it|In which)\b/;
const NOT_COUNTED = /\.test\.ts$|contract|\/fixtures\/|\/files\/|\.d\.ts$/;
const LONG_FILE = 400;
const LONG_FUNCTIONS = [80, 150];

const root = path.resolve(import.meta.dirname, '..');
const listed = process.argv[process.argv.indexOf('--list') + 1];
const withList = process.argv.includes('--list');

/** Returns a file's TypeScript with its line numbers unchanged. For a component, that is its scripts. */
function scriptOf(file, text) {
  if (!file.endsWith('.svelte')) return text;
  let script = '';
  let end = 0;
  for (const { index, 0: element, 1: code } of text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) {
    const start = index + element.indexOf('>') + 1;
    script += text.slice(end, start).replace(/[^\n]/g, ' ') + code;
    end = start + code.length;
  }
  return script + text.slice(end).replace(/[^\n]/g, ' ');
}

function linesOf(source, node) {
  const line = (position) => source.getLineAndCharacterOfPosition(position).line;
  return line(node.end) - line(node.getStart(source)) + 1;
}

/** `const` assertions are no casts: they widen nothing and claim nothing. */
function isCast(node) {
  if (ts.isTypeAssertionExpression(node)) return true;
  return ts.isAsExpression(node) && !(node.type.getText() === 'const');
}

function commentsOf(source) {
  const found = new Map();
  const scan = (position) => {
    for (const range of ts.getLeadingCommentRanges(source.text, position) ?? []) found.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(source.text, position) ?? []) found.set(range.pos, range);
  };
  const visit = (node) => {
    scan(node.getFullStart());
    scan(node.end);
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  const ranges = [...found.values()].sort((a, b) => a.pos - b.pos);
  // Consecutive line comments count as one.
  return ranges.filter((range, index) => {
    const before = ranges[index - 1];
    if (!before || range.kind === ts.SyntaxKind.MultiLineCommentTrivia) return true;
    const between = source.text.slice(before.end, range.pos);
    return before.kind === ts.SyntaxKind.MultiLineCommentTrivia || !/^\n[ \t]*$/.test(between);
  });
}

function textOf(source, range) {
  return source.text
    .slice(range.pos, range.end)
    .replace(/^\/\*\*?|^\/\/|\*\/$/g, '')
    .replace(/^[\s*]+/, '');
}

/** Every row is `[column, file, line]`. */
function measure(file) {
  const full = path.join(root, file);
  const source = ts.createSourceFile(
    full,
    scriptOf(file, readFileSync(full, 'utf8')),
    ts.ScriptTarget.ESNext,
    true,
  );
  const rows = [];
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const add = (column, position) => rows.push([column, file, lineOf(position)]);
  const visit = (node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const lines = linesOf(source, node);
      for (const limit of LONG_FUNCTIONS)
        if (lines > limit) add(`functions over ${limit} lines`, node.getStart(source));
    }
    if (isCast(node)) add('casts', node.getStart(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const range of commentsOf(source))
    if (OPENINGS.test(textOf(source, range))) add('comments that begin so', range.pos);
  const lines = source.getLineStarts().length;
  if (lines > LONG_FILE) add(`files over ${LONG_FILE} lines`, 0);
  return { file, rows, lines, imports: importsOf(source, file) };
}

function importsOf(source, file) {
  return source.statements
    .filter((node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
    .map((node) => node.moduleSpecifier?.text)
    .filter((specifier) => specifier?.startsWith('.'))
    .map((specifier) => path.join(path.dirname(file), specifier.split('?')[0]));
}

/** Groups of files that import each other in a ring, types included (Tarjan's strongly connected components). */
function circles(graph) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file), low.get(next)));
    }
    if (low.get(file) !== index.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) found.push(circle);
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return found;
}

function report(folder) {
  const files = readdirSync(path.join(root, folder), { recursive: true })
    .map((file) => path.posix.join(folder, file))
    .filter((file) => /\.(ts|svelte)$/.test(file) && !NOT_COUNTED.test(file));
  const measured = files.map(measure);
  const rows = measured.flatMap((each) => each.rows);
  const rings = circles(new Map(measured.map(({ file, imports }) => [file, imports])));
  const count = (column) => rows.filter(([name]) => name === column).length;
  const table = {
    files: files.length,
    lines: measured.reduce((sum, { lines }) => sum + lines, 0),
    ...Object.fromEntries(
      LONG_FUNCTIONS.map((limit) => [
        `functions over ${limit} lines`,
        count(`functions over ${limit} lines`),
      ]),
    ),
    casts: count('casts'),
    [`files over ${LONG_FILE} lines`]: count(`files over ${LONG_FILE} lines`),
    'circles of imports': rings.length,
    'files in circles': rings.flat().length,
    'comments that begin so': count('comments that begin so'),
  };
  if (withList) {
    for (const [column, file, line] of rows) if (column === listed) console.log(`${file}:${line}`);
    if (listed === 'circles of imports') for (const ring of rings) console.log(ring.join(' '));
  }
  return table;
}

const folders = ['src', 'guest', 'guest/node', 'guest/shell'];
console.table(Object.fromEntries(folders.map((folder) => [folder, report(folder)])));
