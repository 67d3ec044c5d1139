import { gzipSync } from 'fflate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../program.ts';
import { expanded } from './gzip.ts';
import { decode, joined, readAll, sourceOf } from '../../kit/io.ts';
import { readTar, tarEntry, TAR_END, type Member } from './tar-format.ts';

const member: fc.Arbitrary<Member> = fc
  .record({
    name: fc.stringMatching(/^[a-zż]{1,60}(\/[a-zż]{1,60}){0,3}$/),
    mode: fc.integer({ min: 0, max: 0o7777 }),
    seconds: fc.integer({ min: 0, max: 2 ** 32 }),
    type: fc.constantFrom('file' as const, 'folder' as const, 'link' as const),
    link: fc.stringMatching(/^[a-z./]{1,150}$/),
    content: fc.uint8Array({ maxLength: 1500 }),
  })
  .map(({ name, mode, seconds, type, link, content }) => ({
    name: type === 'folder' ? `${name}/` : name,
    mode,
    modified: new Date(seconds * 1000),
    type,
    link: type === 'link' ? link : '',
    content: type === 'file' ? content : new Uint8Array(),
  }));

describe('tar archives', () => {
  const read = async (bytes: Uint8Array, source: ByteSource = sourceOf(bytes)) => {
    const members: Member[] = [];
    for await (const one of readTar(source)) members.push(one);
    return members;
  };

  it('give back what was put in, in whatever pieces it comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(member, { maxLength: 5 }),
        fc.integer({ min: 1, max: 2000 }),
        async (members, step) => {
          const bytes = joined([...members.flatMap(tarEntry), TAR_END]);
          let at = 0;
          const source = {
            ...sourceOf(bytes),
            read: () => (at < bytes.length ? bytes.subarray(at, (at += step)) : null),
          };
          expect(await read(bytes, source)).toEqual(members);
        },
      ),
    );
  });

  it('are refused when they are none, or cut', async () => {
    await expect(read(new Uint8Array(1024).fill(65))).rejects.toThrow('does not look like a tar archive');
    const file: Member = {
      name: 'a',
      mode: 0o644,
      modified: new Date(0),
      type: 'file',
      link: '',
      content: new Uint8Array(600),
    };
    await expect(read(joined(tarEntry(file)).subarray(0, 700))).rejects.toThrow('Unexpected EOF');
  });
});

describe('gzip', () => {
  it('refuses what is cut, and gives what came before', async () => {
    const text = new TextEncoder().encode('a line of text\n'.repeat(20_000));
    const packed = gzipSync(text);
    expect(decode(await readAll(expanded(sourceOf(packed))))).toBe(decode(text));
    const cut = expanded(sourceOf(packed.subarray(0, packed.length - 100)));
    expect((await cut.read())?.length).toBeGreaterThan(0);
    await expect(readAll(cut)).rejects.toThrow('unexpected end of file');
  });
});
