import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../program.ts';
import { decode, encode, lineBatches, sourceOf, Writer } from './io.ts';

describe('bytes and text', () => {
  it('give each other back, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect([...encode(decode(bytes))]).toEqual([...bytes]);
      }),
    );
  });

  it('keep what is UTF-8 between bytes that are not', () => {
    const bytes = Uint8Array.of(0xff, ...new TextEncoder().encode('ä€😀'), 0xc3);
    expect(decode(bytes)).toBe('\udcffä€😀\udcc3');
  });
});

describe('lineBatches', () => {
  it('answers lines as they come and tells whether the last has its end', async () => {
    const pieces = ['a\nb', 'c', '\nd', null].map((text) => text && new TextEncoder().encode(text));
    const source: ByteSource = { read: () => pieces.shift() || null, unread() {}, close() {} };
    const got = [];
    for await (const batch of lineBatches(source)) got.push(batch);
    expect(got).toEqual([
      { lines: ['a'], ended: true },
      { lines: ['bc'], ended: true },
      { lines: ['d'], ended: false },
    ]);
  });

  it('shows what was written before it waits for more', async () => {
    const shown: string[] = [];
    const out = new Writer({ write: (bytes) => void shown.push(decode(bytes)) });
    let give = (_bytes: Uint8Array | null): void => {};
    const later = new Promise<Uint8Array | null>((resolve) => (give = resolve));
    const first = [encode('one\n')];
    const source: ByteSource = { read: () => first.shift() ?? later, unread() {}, close() {} };
    const batches = lineBatches(source, out);
    for (const line of (await batches.next()).value?.lines ?? []) await out.write(`${line}!\n`);
    expect(shown).toEqual([]);
    const next = batches.next();
    await Promise.resolve();
    await Promise.resolve();
    expect(shown).toEqual(['one!\n']);
    give(null);
    expect((await next).done).toBe(true);
  });
});

describe('sourceOf', () => {
  it('reads first what was put back', async () => {
    const source = sourceOf(encode('abc'));
    source.unread(((await source.read()) ?? new Uint8Array()).subarray(1));
    expect(decode((await source.read()) ?? new Uint8Array())).toBe('bc');
    expect(await source.read()).toBeNull();
  });
});
