import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { applyPatches, justBashBundle, justBashPatches, patches } from './just-bash-patches.ts';

describe('patches of just-bash', () => {
  it('apply, each exactly once', async () => {
    const bundle = await readFile(justBashBundle, 'utf8');
    const patched = applyPatches(bundle, patches);
    for (const { defect, replace } of patches) expect(patched.includes(replace), defect).toBe(true);
  });

  it('fail the build by name when just-bash no longer has what they mend', () => {
    const patch = { defect: 'it limps', find: 'limp()', replace: 'walk()' };
    expect(() => applyPatches('run()', [patch])).toThrow('"it limps" matches 0 times');
    expect(() => applyPatches('limp();limp()', [patch])).toThrow('"it limps" matches 2 times');
  });

  it('fail the build when another file of just-bash would come in without them', () => {
    const { transform } = justBashPatches();
    if (typeof transform !== 'function') throw new Error('The plugin has no transform function.');
    const load = (file: string) => Reflect.apply(transform, undefined, ['', file]);
    expect(() => load('/elsewhere/node_modules/just-bash/dist/bundle/browser.js')).toThrow(
      'not in /elsewhere',
    );
    expect(load('/elsewhere/other.js')).toBeNull();
  });
});
