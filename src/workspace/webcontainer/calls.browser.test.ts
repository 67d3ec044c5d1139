import { expect, test } from 'vitest';
import { bootOnHost } from '../../../test/support/webcontainer/boot.ts';
import { bytes, closedAtTheEnd } from '../../../test/support/webcontainer/workspaces.ts';
import { MemoryJournal } from '../memory-journal.ts';
import { exec } from '../workspace.ts';
import { POOL } from './container.ts';
import { openWebContainer } from './open.ts';

/** A client on the test host that counts its calls. */
async function counted() {
  const seen = { spawned: 0, reading: 0, mostReading: 0 };
  const booted = await bootOnHost();
  const bound = (target: object, key: string | symbol) => {
    const value: unknown = Reflect.get(target, key);
    return typeof value === 'function' ? value.bind(target) : value;
  };
  const fs = new Proxy(booted.fs, {
    get(target, key) {
      if (key !== 'readFile') return bound(target, key);
      return async (path: string) => {
        seen.mostReading = Math.max(seen.mostReading, ++seen.reading);
        return target.readFile(path).finally(() => seen.reading--);
      };
    },
  });
  const client = new Proxy(booted, {
    get(target, key) {
      if (key === 'spawn') seen.spawned++;
      return key === 'fs' ? fs : bound(target, key);
    },
  });
  return { client, seen };
}

test('many reads are a few calls at a time, and a search of them is one process', async () => {
  const { client, seen } = await counted();
  const workspace = openWebContainer({
    id: 'wsp_many',
    journal: new MemoryJournal(),
    boot: () => Promise.resolve(client),
  });
  closedAtTheEnd(workspace);
  const names = Array.from({ length: 400 }, (_, index) => `d${index % 40}/f${index}.txt`);
  await Promise.all(names.map((name) => workspace.files.write(name, bytes(`line of ${name}`))));
  const texts = await Promise.all(names.map((name) => workspace.files.read(name)));
  expect(texts.map((text) => new TextDecoder().decode(text))).toEqual(names.map((name) => `line of ${name}`));
  expect(seen.mostReading).toBe(POOL);

  await exec(workspace, 'echo x');
  await workspace.files.list('.');
  const before = seen.spawned;
  const found = await workspace.search.grep({ pattern: 'f399', limit: 10, timeoutMs: 20_000 });
  expect(found.matches.map((match) => match.path)).toEqual(['/home/project/d39/f399.txt']);
  expect(seen.spawned - before).toBe(1);
});
