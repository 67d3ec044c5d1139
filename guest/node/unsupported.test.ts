import { expect, test } from 'vitest';
import { bundledBuiltins } from '../../test/support/bundled-builtins.ts';
import { builtins } from './builtins/index.ts';
import { nodeFacts } from './start/facts.ts';
import { unsupported, type Unsupported } from './unsupported.ts';

const all = Object.entries<Unsupported>(unsupported);
const load = await bundledBuiltins();

/** Returns the error of a function that is called with useless arguments. */
async function refusalOf(refused: (...args: unknown[]) => unknown): Promise<unknown> {
  try {
    // Functions in node's older style pass the error to a callback.
    return await new Promise((resolve, reject) => {
      Promise.resolve(refused((error: unknown) => reject(error as Error))).then(
        (value) => value !== undefined && resolve(value),
        reject,
      );
    });
  } catch (error) {
    return error;
  }
}

test.for(all)(
  '%s refuses what is told to be lacking, for the reason that is told',
  async ([module, lack]) => {
    for (const name of lack.names) {
      const refused = (load(module) as Record<string, (...args: unknown[]) => unknown>)[name];
      expect(refused, `${module}.${name}`).toBeTypeOf('function');
      if (!refused) continue;
      const error = await refusalOf(refused);
      expect(error).toMatchObject({ code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' });
      expect(String(error)).toContain(`${module}.${name} is not available in this workspace: ${lack.why}`);
    }
  },
);

test('the model is told of all that is lacking, once', () => {
  const told = nodeFacts.unsupported.flatMap(({ modules, why, whole }) =>
    modules.map((name) => [name, why, whole]),
  );
  expect(told.sort()).toEqual(all.map(([name, { why, whole = false }]) => [name, why, whole]).sort());
});

test('what is told to be there is there', () => {
  const without = all.filter(([, { names, whole }]) => whole && names.length === 0).map(([name]) => name);
  expect(without).toEqual(['sqlite']);
  for (const name of without) expect(builtins).not.toHaveProperty(name);
});
