import type { ProgramCall } from '../../program.ts';
import { NpmFailure, print } from './failure.ts';
import type { NpmOptions } from './options.ts';
import type { Project } from './project.ts';

/** `npm pkg get|set|delete`: fields of package.json by paths such as `scripts.test` or `keywords[0]`. */
export async function pkg(call: ProgramCall, { folder }: Project, options: NpmOptions): Promise<number> {
  const [what = '', ...keys] = options.words.slice(1);
  const path = `${folder}/package.json`;
  const text = await call.files.readFile(path);
  const manifest: unknown = JSON.parse(text);
  switch (what) {
    case 'get': {
      const found = keys.flatMap((key) => {
        const value = partsOf(key).reduce(inside, manifest);
        return value === undefined ? [] : [[key, value] as const];
      });
      const [only] = found;
      const shown =
        keys.length === 0 ? manifest : found.length === 1 && only ? only[1] : Object.fromEntries(found);
      await print(call, JSON.stringify(shown, null, 2));
      return 0;
    }
    case 'set':
      for (const pair of keys) {
        const [, key, value] = /^([^=]+)=([^]+)$/.exec(pair) ?? [];
        if (key === undefined || value === undefined)
          throw new NpmFailure(['npm pkg set expects a key=value pair of args.']);
        put(manifest, partsOf(key), options.flags.has('json') ? json(value) : value);
      }
      break;
    case 'delete':
      for (const key of keys) put(manifest, partsOf(key), undefined);
      break;
    default:
      throw new NpmFailure([
        'npm pkg set <key>=<value>, npm pkg get [<key>] and npm pkg delete <key> are here.',
      ]);
  }
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? 2;
  await call.files.writeFile(path, `${JSON.stringify(manifest, null, indent)}\n`);
  return 0;
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

/** Sets what is at the path, making what lies on the way; `undefined` removes it. */
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

/** As an own property, whatever its name. */
function define(object: object, key: string | number, value: unknown): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
