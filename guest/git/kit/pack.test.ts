import { readFileSync } from 'node:fs';
import { InMemoryFs } from 'just-bash/browser';
import { describe, expect, it } from 'vitest';
import { patched } from './delta.ts';
import { Files } from './files.ts';
import { Kept } from './kept.ts';
import { Objects } from './objects.ts';
import { Packs } from './packs.ts';

const fixture = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/git/packed.json', import.meta.url), 'utf8'),
) as Record<string, string>;
const PACK = Object.keys(fixture).find((name) => name.endsWith('.pack')) ?? '';

/** The packed repository at a path of its own, since what is read of a pack is kept by its path. */
function objects(gitdir: string, change: (name: string, bytes: Uint8Array) => void = () => {}): Objects {
  const placed = Object.entries(fixture).map(([name, data]) => {
    const bytes = new Uint8Array(Buffer.from(data, 'base64'));
    change(name, bytes);
    return [`${gitdir}/${name.replace(/^\.git\//, '')}`, bytes] as const;
  });
  const files = new Files(new InMemoryFs(Object.fromEntries(placed)));
  return new Objects(files, gitdir, Packs.of(gitdir));
}

describe('a pack', () => {
  it('answers which ids begin with digits, and whether it has an object', async () => {
    const repo = objects('/found');
    const [head = ''] =
      /[0-9a-f]{40}/.exec(Buffer.from(fixture[refsName()] ?? '', 'base64').toString()) ?? [];
    expect(await repo.startingWith(head.slice(0, 7))).toEqual([head]);
    expect(await repo.has(head)).toBe(true);
    expect(await repo.has('0'.repeat(40))).toBe(false);
    await expect(repo.read('0'.repeat(40))).rejects.toThrow('bad object');
  });

  it('is refused where its bytes are not those that its index was made for', async () => {
    const repo = objects('/damaged', (name, bytes) => {
      if (name === PACK) bytes.set([(bytes[20] ?? 0) ^ 1], 20);
    });
    const [oid = ''] = /[0-9a-f]{40}/.exec(Buffer.from(fixture[refsName()] ?? '', 'base64').toString()) ?? [];
    await expect(repo.read(oid)).rejects.toThrow('.pack is damaged');
  });
});

function refsName(): string {
  return Object.keys(fixture).find((name) => name.endsWith('packed-refs')) ?? '';
}

describe('a delta', () => {
  const base = new TextEncoder().encode('one two three');
  it('copies from the base and inserts', () => {
    // Sizes, four bytes from offset 4, then two bytes as they are.
    const delta = Uint8Array.of(13, 6, 0b1001_0001, 4, 4, 2, 33, 33);
    expect(new TextDecoder().decode(patched(base, delta))).toBe('two !!');
  });
  it.each([
    ['a base of another size', [12, 4, 0b1001_0001, 4, 4]],
    ['a copy beyond the end of the base', [13, 4, 0b1001_0001, 10, 4]],
    ['a result of another size', [13, 5, 0b1001_0001, 4, 4]],
    ['an unknown instruction', [13, 4, 0]],
  ])('refuses %s', (_, bytes) => {
    expect(patched(base, Uint8Array.from(bytes))).toBeUndefined();
  });
});

it('gives up what was not asked for longest', () => {
  const kept = new Kept<string, number>(10);
  kept.set('a', 1, 4);
  kept.set('b', 2, 4);
  kept.get('a');
  kept.set('c', 3, 4);
  kept.set('d', 4, 11);
  expect(['a', 'b', 'c', 'd'].map((key) => kept.get(key))).toEqual([1, undefined, 3, undefined]);
});
