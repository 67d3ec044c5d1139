import { gzipSync } from 'fflate';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expand } from './gzip.ts';
import { joined } from './io.ts';
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
  it('give back what was put in', () => {
    fc.assert(
      fc.property(fc.array(member, { maxLength: 5 }), (members) => {
        expect(readTar(joined([...members.flatMap(tarEntry), TAR_END]))).toEqual(members);
      }),
    );
  });

  it('are refused when they are none, or cut', () => {
    expect(() => readTar(new Uint8Array(1024).fill(65))).toThrow('does not look like a tar archive');
    const file: Member = {
      name: 'a',
      mode: 0o644,
      modified: new Date(0),
      type: 'file',
      link: '',
      content: new Uint8Array(600),
    };
    expect(() => readTar(joined(tarEntry(file)).subarray(0, 700))).toThrow('Unexpected EOF');
  });
});

describe('gzip', () => {
  it('refuses what is none, what is cut and what would fill the memory', () => {
    const packed = gzipSync(new Uint8Array(1000).fill(65));
    expect(expand(packed)).toHaveLength(1000);
    expect(() => expand(new Uint8Array(20))).toThrow('not in gzip format');
    expect(() => expand(packed.subarray(0, 15))).toThrow();
    const bomb = packed.slice();
    new DataView(bomb.buffer).setUint32(bomb.length - 4, 0xf0000000, true);
    expect(() => expand(bomb)).toThrow('too large');
  });
});
