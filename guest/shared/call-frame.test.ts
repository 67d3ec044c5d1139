import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallFrame, FRAME_BYTES } from './call-frame.ts';
import type { NodeFsCall } from './wire.ts';

const AT = 64;
const shared = new SharedArrayBuffer(AT + FRAME_BYTES);
const frame = new CallFrame(shared, AT);

const path = fc.string({ unit: 'binary', maxLength: 60 });
const number = fc.integer({ min: -1, max: 2 ** 40 });
const content = fc.uint8Array({ maxLength: 2000 });
const call: fc.Arbitrary<NodeFsCall> = fc.oneof(
  fc.record({ op: fc.constantFrom('look', 'read', 'readdir', 'unlink', 'statfs'), path }),
  fc.record({ op: fc.constantFrom('write', 'append'), path, content }),
  fc.record({ op: fc.constant('writeAt'), handle: number, position: number, content }),
  fc.record({ op: fc.constant('readAt'), handle: number, position: number, length: number }),
  fc.record({ op: fc.constant('open'), path, flags: number, mode: number }),
  fc.record({ op: fc.constant('rm'), path, recursive: fc.boolean(), force: fc.boolean() }),
  fc.record({ op: fc.constant('cp'), from: path, to: path, recursive: fc.boolean() }),
  fc.record({ op: fc.constant('symlink'), target: path, path }),
  fc.record({ op: fc.constantFrom('utimes', 'lutimes'), path, modified: number, accessed: number }),
);

test('a call is read as it was written, half surrogates and empty contents too', () => {
  fc.assert(
    fc.property(call, (given) => {
      expect(frame.write(given)).toBe(true);
      expect(frame.read()).toEqual(given);
    }),
  );
  const half = { op: 'look', path: '/home/\ud800' } as const;
  frame.write(half);
  expect(frame.read()).toEqual(half);
});

test('what is read stays what it was when the memory is used again', () => {
  frame.write({ op: 'write', path: '/a', content: new Uint8Array([1, 2]) });
  const first = frame.read();
  frame.write({ op: 'write', path: '/b', content: new Uint8Array([3, 4]) });
  expect(first).toEqual({ op: 'write', path: '/a', content: new Uint8Array([1, 2]) });
  expect(first?.content).toHaveProperty('buffer', expect.any(ArrayBuffer));
});

test('a call that is too long for it is not written', () => {
  const long = 'x'.repeat(FRAME_BYTES / 4);
  expect(frame.write({ op: 'mv', from: long, to: '/y' })).toBe(true);
  expect(frame.write({ op: 'mv', from: long, to: long })).toBe(false);
  expect(frame.write({ op: 'write', path: '/y', content: new Uint8Array(FRAME_BYTES) })).toBe(false);
});

test('whatever a program left there is a call with fields of the right types, or none', () => {
  const slots = new Float64Array(shared, AT, 8);
  fc.assert(
    fc.property(fc.array(fc.double(), { minLength: 8, maxLength: 8 }), fc.nat(31), (values, op) => {
      slots.set(values);
      slots[0] = op;
      const read = frame.read();
      for (const [name, value] of Object.entries(read ?? {})) {
        if (['op', 'path', 'from', 'to', 'target'].includes(name)) expect(typeof value).toBe('string');
        else if (name === 'content') expect(value).toBeInstanceOf(Uint8Array);
        else expect(typeof value).toMatch(/number|boolean/);
      }
    }),
  );
  for (const op of [-1, 0.5, 99, NaN]) {
    slots[0] = op;
    expect(frame.read()).toBeUndefined();
  }
});
