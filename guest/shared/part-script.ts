/**
 * Runs the script of a part and returns what it exports. `shared` are the modules that the part takes from the script that it runs
 * in: it reads them from one global and leaves its exports in another. `name` stands in stacks, as `blob:NAME`.
 */
export function runPart(source: string, name: string, shared: Readonly<Record<string, object>>): unknown {
  Reflect.set(globalThis, '__vtr_shared', shared);
  try {
    // The name is that of a script of ours, so that stacks leave its lines out.
    (0, eval)(`${source}\n//# sourceURL=blob:${name}`);
    return Reflect.get(globalThis, '__vtr_part');
  } finally {
    Reflect.deleteProperty(globalThis, '__vtr_shared');
    Reflect.deleteProperty(globalThis, '__vtr_part');
  }
}
