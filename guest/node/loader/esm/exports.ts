import { namespaceOf } from '../namespace.ts';
import { requestedBy, type Getter, type ModuleRecord } from './record.ts';

/** All names that a module exports, with those of `export *`. */
export function exportedNames(record: ModuleRecord, seen = new Set<ModuleRecord>()): Set<string> {
  const names = new Set<string>();
  if (seen.has(record)) return names;
  seen.add(record);
  if (!record.code) return new Set(record.names);
  for (const name of record.code.exports) names.add(name);
  for (const { exported } of record.code.reexports) names.add(exported);
  for (const from of record.code.stars)
    for (const name of exportedNames(requestedBy(record, from), seen))
      if (name !== 'default') names.add(name);
  return names;
}

/** The getter of an exported name. Undefined where there is none, `ambiguous` where there are two. */
export function resolveExport(
  record: ModuleRecord,
  name: string,
  seen = new Set<string>(),
): Getter | 'ambiguous' | undefined {
  const key = `${record.url}\n${name}`;
  if (seen.has(key)) return undefined;
  seen.add(key);
  const { code } = record;
  if (!code) return record.exports.get(name);
  if (code.exports.includes(name)) return record.exports.get(name);
  const reexport = code.reexports.find(({ exported }) => exported === name);
  if (reexport) {
    const from = requestedBy(record, reexport.from);
    if (reexport.name === null) return () => namespaceObject(from);
    return resolveExport(from, reexport.name, seen);
  }
  if (name === 'default') return undefined;
  let found: Getter | 'ambiguous' | undefined;
  for (const from of code.stars) {
    const next = resolveExport(requestedBy(record, from), name, seen);
    if (next === undefined) continue;
    if (next === 'ambiguous' || (found !== undefined && found !== next)) return 'ambiguous';
    found = next;
  }
  return found;
}

export function namespaceObject(record: ModuleRecord): object {
  const names = () =>
    record.state === 'new' || record.state === 'linking' ? undefined : [...record.exports.keys()];
  return (record.namespace ??= namespaceOf(names, record.bindings));
}

/** The namespace that `require` returns. Code that was compiled from modules looks for `__esModule`. */
export function markedNamespace(record: ModuleRecord): object {
  const bindings: Record<string, unknown> = Object.create(record.bindings, {
    __esModule: { value: true, enumerable: true },
  });
  return (record.marked ??= namespaceOf(() => [...record.exports.keys(), '__esModule'], bindings));
}
