import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bundledBuiltins, native } from '../../../test/support/bundled-builtins.ts';
import type { LoadBuiltin } from './builtin.ts';

const folder = path.resolve(import.meta.dirname, '../../../test/fixtures/builtins');

/** Returns the result of a case as text. A case is the body of a function of `load`. */
async function outcome(source: string, load: LoadBuiltin): Promise<string> {
  try {
    const run = new Function('load', source) as (load: LoadBuiltin) => unknown;
    const value = await run(load);
    return typeof value === 'string' ? value : inspect(value, { depth: 6 });
  } catch (error) {
    if (!(error instanceof Error)) return `throws ${inspect(error)}`;
    return `throws ${error.name} ${'code' in error ? String(error.code) : ''}: ${String(error)}`;
  }
}

describe('builtins answer as those of the Node that runs this test', async () => {
  const load = await bundledBuiltins();
  for (const file of (await readdir(folder)).sort()) {
    const cases = JSON.parse(await readFile(path.join(folder, file), 'utf8')) as string[];
    it(`${path.basename(file, '.json')} (${cases.length} cases)`, async () => {
      const wrong: string[] = [];
      for (const source of cases) {
        const [ours, theirs] = [await outcome(source, load), await outcome(source, native)];
        if (ours !== theirs) wrong.push(`${source}\n  here:   ${ours}\n  native: ${theirs}`);
      }
      expect(wrong).toEqual([]);
    });
  }
});
