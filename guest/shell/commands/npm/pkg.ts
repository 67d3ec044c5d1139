import type { ProgramCall } from '../../program.ts';
import { NpmFailure, print } from './failure.ts';
import type { NpmOptions } from './options.ts';
import type { Project } from './project.ts';

/**
 * Runs `npm pkg get|set|delete` on fields of package.json, named by paths such as `scripts.test` or
 * `keywords[0]`.
 */
export async function pkg(
  call: ProgramCall,
  projects: readonly Project[],
  options: NpmOptions,
  { named }: { named: boolean },
): Promise<number> {
  const [what = '', ...keys] = options.words.slice(1);
  const got: Record<string, unknown> = {};
  for (const {
    folder,
    manifest: { name = folder },
  } of projects) {
    const path = `${folder}/package.json`;
    const text = await call.files.readFile(path);
    const manifest: unknown = JSON.parse(text);
    if (what === 'get') {
      const answer = fields(manifest, keys);
      if (named) got[name] = answer;
      else if (answer !== undefined) await print(call, JSON.stringify(answer, null, 2));
      continue;
    }
    change(manifest, what, keys, options.flags.has('json'));
    const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? 2;
    await call.files.writeFile(path, `${JSON.stringify(manifest, null, indent)}\n`);
  }
  if (what === 'get' && named) await print(call, JSON.stringify(got, null, 2));
  return 0;
}

function fields(manifest: unknown, keys: readonly string[]): unknown {
  if (keys.length === 0) return manifest;
  const found = keys.flatMap((key) => {
    const value = partsOf(key).reduce(inside, manifest);
    return value === undefined ? [] : [[key, value] as const];
  });
  // npm looks a single result up under all of the keys as one name, so several keys then give nothing.
  const [only] = found;
  return found.length === 1 && only ? (keys.length === 1 ? only[1] : undefined) : Object.fromEntries(found);
}

function change(manifest: unknown, what: string, keys: readonly string[], asJson: boolean): void {
  if (what !== 'set' && what !== 'delete') throw usage();
  if (keys.length === 0)
    throw usage(
      what === 'set' ? 'npm pkg set expects a key=value pair of args.' : 'npm pkg delete expects key args.',
    );
  for (const each of keys) {
    if (what === 'delete') {
      put(manifest, partsOf(each), undefined);
      continue;
    }
    const [, key, value] = /^([^=]+)=([^]+)$/.exec(each) ?? [];
    if (key === undefined || value === undefined)
      throw usage('npm pkg set expects a key=value pair of args.');
    put(manifest, partsOf(key), asJson ? json(value) : value);
  }
}

function usage(...why: readonly string[]): NpmFailure {
  return new NpmFailure([
    'code EUSAGE',
    '',
    ...why.flatMap((line) => [line, '']),
    'Manages your package.json',
    '',
    'Usage:',
    'npm pkg set <key>=<value> [<key>=<value> ...]',
    'npm pkg get [<key> [<key> ...]]',
    'npm pkg delete <key> [<key> ...]',
    'npm pkg set [<array>[<index>].<key>=<value> ...]',
    'npm pkg set [<array>[].<key>=<value> ...]',
    'npm pkg fix',
    '',
    'Options:',
    '[-f|--force] [--json]',
    '[-w|--workspace <workspace-name> [-w|--workspace <workspace-name> ...]]',
    '[-ws|--workspaces]',
    '',
    'Run "npm help pkg" for more info',
  ]);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NpmFailure([error instanceof Error ? error.message : String(error)]);
  }
}

function partsOf(key: string): (string | number)[] {
  return [...key.matchAll(/\[(\d*)\]|\[([^\]]+)\]|([^.[\]]+)/g)].map(([, index, name, plain]) =>
    index === undefined ? (name ?? plain ?? '') : index === '' ? Infinity : Number(index),
  );
}

function inside(value: unknown, part: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
  return Reflect.get(value, part);
}

/** Sets the value at the path and creates the objects on the way; `undefined` removes it. */
function put(whole: unknown, parts: readonly (string | number)[], value: unknown): void {
  let at = whole;
  for (const [index, part] of parts.entries()) {
    if (typeof at !== 'object' || at === null) return;
    const key = part === Infinity && Array.isArray(at) ? at.length : part;
    if (index === parts.length - 1) {
      if (value === undefined) Reflect.deleteProperty(at, key);
      else define(at, key, value);
      return;
    }
    let next = inside(at, key);
    if (typeof next !== 'object' || next === null) {
      if (value === undefined) return;
      next = typeof parts[index + 1] === 'number' ? [] : {};
      define(at, key, next);
    }
    at = next;
  }
}

/** Defines an own property, also for names such as `__proto__`. */
function define(object: object, key: string | number, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
