import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { applyPatches, justBashBundle, patches } from './just-bash-patches.ts';

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
});
