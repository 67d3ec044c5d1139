import { messageOf } from '../base/message-of.ts';
import type { ParseError } from 'jsonc-parser';
import { isObject, type Json, type JsonObject } from '../base/json.ts';

/** A part of a configuration file that has no effect, or not the intended one. */
export interface Problem {
  /** Set where something does not work at all, which is told outside the settings, too. */
  readonly failed?: true;
  /** As in `.opencode/config.toml`; the person's own files begin with `~/.config/opencode/`. */
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  readonly what: string;
  readonly next: string;
}

/** `line` may be `undefined` if it is not known. */
export function problemAt(file: string, line: number | undefined, what: string, next: string): Problem {
  return { file, ...(line !== undefined && { line }), what, next };
}

/** The contents of a configuration file. If a key appears twice, the last one counts. */
export interface ConfigDocument {
  readonly values: JsonObject;
  /** The keys of the object at `path` in the order they are written, because the order of rules matters. */
  keys(path: readonly string[]): readonly string[];
  /** The line of the entry at `path`, from 1. */
  line(path: readonly string[]): number | undefined;
}

export type ParsedConfig =
  | { readonly ok: true; readonly written: ConfigDocument; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly problem: Problem };

/** How many problems are reported per file. Finding their lines takes time, and nobody reads more. */
export const MAX_PROBLEMS = 100;

const NEXT_UNREADABLE = 'Until it can be read, everything in this workspace asks for permission.';

/**
 * Parses TOML if the file's name says so, else JSON with comments and trailing commas. The parsers are loaded with
 * the first file.
 */
export async function parseConfig(file: string, text: string): Promise<ParsedConfig> {
  return file.endsWith('.toml') ? parseToml(file, text) : parseJson(file, text);
}

async function parseJson(file: string, text: string): Promise<ParsedConfig> {
  const { parseTree, printParseErrorCode } = await import('jsonc-parser');
  const clean = text.replace(/^\uFEFF/, '');
  if (clean.trim() === '') return { ok: true, written: EMPTY, problems: [] };
  const errors: ParseError[] = [];
  const root = parseTree(clean, errors, { allowTrailingComma: true });
  const lineAt = lineFinder(clean);
  const [error] = errors;
  if (error || root?.type !== 'object')
    return unreadable(
      file,
      error ? `it is not JSON (${spaced(printParseErrorCode(error.error))})` : 'it contains no object',
      error ? lineAt(error.offset) : 1,
    );
  const problems: Problem[] = [];
  const known = new WeakMap<JsonNode, Map<string, JsonNode>>();
  const members = (node: JsonNode): Map<string, JsonNode> => {
    const before = known.get(node);
    if (before) return before;
    const found = new Map<string, JsonNode>();
    known.set(node, found);
    for (const { children: [key, value] = [] } of node.children ?? []) {
      if (typeof key?.value !== 'string' || !value) continue;
      // The later one counts, at its own position.
      found.delete(key.value);
      found.set(key.value, value);
    }
    return found;
  };
  const findDuplicates = (node: JsonNode): void => {
    const seen = new Set<string>();
    for (const property of node.children ?? []) {
      const [key, value] = node.type === 'object' ? (property.children ?? []) : [undefined, property];
      if (typeof key?.value === 'string') {
        if (seen.has(key.value) && problems.length < MAX_PROBLEMS)
          problems.push({
            file,
            line: lineAt(key.offset),
            what: `"${key.value}" appears twice.`,
            next: 'The last one counts. Remove the others.',
          });
        seen.add(key.value);
      }
      if (value) findDuplicates(value);
    }
  };
  findDuplicates(root);
  const at = (path: readonly string[]) =>
    path.reduce<JsonNode | undefined>(
      (node, key) => (node?.type === 'array' ? node.children?.[Number(key)] : node && members(node).get(key)),
      root,
    );
  const toValue = (node: JsonNode): Json => {
    if (node.type === 'array') return (node.children ?? []).map(toValue);
    if (node.type !== 'object') return node.value as Json;
    return record([...members(node)].map(([key, value]) => [key, toValue(value)]));
  };
  return {
    ok: true,
    problems,
    written: {
      values: toValue(root) as JsonObject,
      keys: (path) => {
        const node = at(path);
        return node?.type === 'object' ? [...members(node).keys()] : [];
      },
      line: (path) => {
        const node = at(path);
        return node && lineAt(node.offset);
      },
    },
  };
}

interface JsonNode {
  readonly type: string;
  readonly offset: number;
  readonly value?: unknown;
  readonly children?: JsonNode[] | undefined;
}

async function parseToml(file: string, text: string): Promise<ParsedConfig> {
  const { parse, TomlError } = await import('smol-toml');
  let values: JsonObject;
  try {
    values = plain(parse(text.replace(/^\uFEFF/, ''))) as JsonObject;
  } catch (error) {
    const [what = ''] = messageOf(error).split('\n');
    const why = `it is not TOML (${what.replace(/^Invalid TOML document: /, '')})`;
    return unreadable(file, why, error instanceof TomlError ? error.line : 1);
  }
  const lines = text.split('\n');
  let lineLookups = 0;
  return {
    ok: true,
    problems: [],
    written: {
      values,
      keys: (path) => {
        const value = valueAt(values, path);
        return isObject(value) ? asWritten(Object.keys(value), path, lines) : [];
      },
      line: (path) => (++lineLookups > MAX_PROBLEMS ? undefined : tomlLine(lines, path)),
    },
  };
}

/** Restores the order in which keys are written: objects put keys that look like numbers first. */
function asWritten(keys: readonly string[], path: readonly string[], lines: readonly string[]): string[] {
  if (!keys.some((key) => /^\d+$/.test(key)) || keys.length > MAX_NUMBERED) return [...keys];
  const from = (path.length === 0 ? 1 : (tomlLine(lines, path) ?? 1)) - 1;
  const text = lines.slice(from).join('\n');
  const offsetOf = (key: string) => text.search(tomlKey(key));
  const offsets = new Map(keys.map((key) => [key, offsetOf(key)]));
  return keys.toSorted((a, b) => (offsets.get(a) ?? 0) - (offsets.get(b) ?? 0));
}

/** In a longer table, numeric keys stay first. */
const MAX_NUMBERED = 1_000;

function tomlKey(key: string): RegExp {
  return new RegExp(String.raw`(?:^|[\n{,])\s*(["']?)${escaped(key)}\1\s*[.=]`);
}

function escaped(key: string): string {
  return key.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The line of the last key in `path` that is written out. The TOML parser gives no positions. */
function tomlLine(lines: readonly string[], path: readonly string[]): number | undefined {
  let line: number | undefined;
  let from = 0;
  for (const key of path) {
    const named = new RegExp(String.raw`(?:^|[\s.{,["'])(["']?)${escaped(key)}\1(?=["'\]\s.=])`);
    const index = lines.findIndex((text, at) => at >= from && named.test(text.replace(/(?:^|\s)#.*$/, '')));
    if (index < 0) break;
    line = index + 1;
    from = index;
  }
  return line;
}

/** Returns a function that turns an offset in `text` into a line, from 1. */
function lineFinder(text: string): (offset: number) => number {
  const breaks = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let [low, high] = [0, breaks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((breaks[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

function unreadable(file: string, why: string, line: number): ParsedConfig {
  return {
    ok: false,
    problem: { file, line, what: `The file cannot be read: ${why}.`, next: NEXT_UNREADABLE },
  };
}

const EMPTY: ConfigDocument = { values: {}, keys: () => [], line: () => undefined };

/** Turns `PropertyNameExpected` into words. */
function spaced(code: string): string {
  return code.replace(/(?<=[a-z])([A-Z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`).toLowerCase();
}

/** Turns TOML's dates and large integers into text. */
function plain(value: unknown): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'object' && value !== null)
    return record(Object.entries(value).map(([key, each]) => [key, plain(each)]));
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? value : null;
}

/** `Object.fromEntries` treats `__proto__` like any other key. */
function record(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}

export function valueAt(values: JsonObject, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(own, values);
}

export function own(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
