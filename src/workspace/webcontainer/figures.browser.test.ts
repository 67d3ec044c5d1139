import { expect, test } from 'vitest';
import { bootOnHost } from '../../../test/support/webcontainer/boot.ts';
import { bytes, closedAtTheEnd, opened } from '../../../test/support/webcontainer/workspaces.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { exec } from '../workspace.ts';
import { POOL } from './container.ts';
import { openWebContainer } from './open.ts';

test(
  'four thousand files are read about as fast as can be, and a search is one process',
  { timeout: 60_000 },
  async () => {
    let spawned = 0;
    const client = bootOnHost().then(
      (booted) =>
        new Proxy(booted, {
          get(target, key) {
            if (key === 'spawn') spawned++;
            const value: unknown = Reflect.get(target, key);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        }),
    );
    const workspace = openWebContainer({ id: 'wsp_many', journal: new MemoryJournal(), boot: () => client });
    closedAtTheEnd(workspace);
    const { fs } = await client;
    const names = Array.from({ length: 4_000 }, (_, index) => `d${index % 40}/f${index}.txt`);
    for (let folder = 0; folder < 40; folder++) await workspace.files.makeDirectory(`d${folder}`);
    await Promise.all(names.map((name) => workspace.files.write(name, bytes(`line of ${name}`))));
    const inPool = async (size: number) => {
      const started = performance.now();
      let next = 0;
      const worker = async () => {
        for (let index = next++; index < names.length; index = next++) await fs.readFile(names[index] ?? '');
      };
      await Promise.all(Array.from({ length: size }, worker));
      return performance.now() - started;
    };
    const read = async () => {
      const started = performance.now();
      await Promise.all(names.map((name) => workspace.files.read(name)));
      return performance.now() - started;
    };
    await inPool(POOL);
    await read();
    const best = Math.min(...[await inPool(1), await inPool(4), await inPool(8), await inPool(16)]);
    const ours = Math.min(await read(), await read(), await read());
    console.log(`4,000 reads: ${Math.round(ours)} ms, the best pool ${Math.round(best)} ms`);
    // The figure is 1.5; a machine that others use too is given room.
    expect(ours).toBeLessThan(best * 3);
    await exec(workspace, 'echo x');
    await workspace.files.list('.');
    const before = spawned;
    const started = performance.now();
    await workspace.search.grep({ pattern: 'f3999', limit: 10, timeoutMs: 20_000 });
    console.log(`a search of 4,000 files: ${Math.round(performance.now() - started)} ms`);
    expect(spawned - before).toBe(1);
  },
);

test('our part of a boot is short', async () => {
  const first = await bootOnHost();
  first.teardown();
  const started = performance.now();
  (await bootOnHost()).teardown();
  const raw = performance.now() - started;
  const again = performance.now();
  const workspace = opened();
  await workspace.files.list('.');
  const ours = performance.now() - again;
  console.log(`boot: ${ours.toFixed(1)} ms, the client's own ${raw.toFixed(1)} ms`);
  expect(ours - raw).toBeLessThan(100);
});
