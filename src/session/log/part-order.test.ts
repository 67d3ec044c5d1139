import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PartOrder } from './part-order.ts';
import type { StreamPart } from './parts.ts';

function ordered(parts: readonly StreamPart[]): StreamPart[] {
  const order = new PartOrder();
  return [...parts.flatMap((part) => order.next(part)), ...order.close()];
}

const short = (part: StreamPart) =>
  [part.type, 'id' in part ? part.id : 'callID' in part ? part.callID : ''].join(' ').trim();

test.each<[string, StreamPart[], string[]]>([
  [
    'a delta without a start',
    [{ type: 'text-delta', id: 'a', text: 'x' }],
    ['text-start a', 'text-delta a', 'text-end a'],
  ],
  [
    'a block id that is used again after its end',
    [
      { type: 'text-start', id: 'a' },
      { type: 'text-end', id: 'a' },
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', text: 'x' },
    ],
    ['text-start a', 'text-end a', 'text-start a~2', 'text-delta a~2', 'text-end a~2'],
  ],
  [
    'a start while it is open, and ends of what is not',
    [
      { type: 'reasoning-end', id: 'a' },
      { type: 'reasoning-start', id: 'a' },
      { type: 'reasoning-start', id: 'a' },
      { type: 'tool-input-end', callID: 'c' },
    ],
    ['reasoning-start a', 'reasoning-end a'],
  ],
  [
    'a call whose typed input never ended, and a second call of the same id',
    [
      { type: 'tool-input-start', callID: 'c', tool: 't' },
      { type: 'tool-call', callID: 'c', tool: 't', input: {} },
      { type: 'tool-call', callID: 'c', tool: 't', input: {} },
    ],
    ['tool-input-start c', 'tool-input-end c', 'tool-call c', 'tool-call c~2'],
  ],
  [
    'text and a call that share an id',
    [
      { type: 'text-start', id: '0' },
      { type: 'reasoning-start', id: '0' },
      { type: 'tool-call', callID: '0', tool: 't', input: {} },
    ],
    ['text-start 0', 'reasoning-start 0', 'tool-call 0', 'text-end 0', 'reasoning-end 0'],
  ],
])('%s', (_, parts, expected) => {
  expect(ordered(parts).map(short)).toEqual(expected);
});

const id = fc.constantFrom('a', 'b', 'a~2');
const part: fc.Arbitrary<StreamPart> = fc.oneof(
  id.map((id): StreamPart => ({ type: 'text-start', id })),
  fc.record({ type: fc.constant('text-delta' as const), id, text: fc.string() }),
  id.map((id): StreamPart => ({ type: 'text-end', id })),
  id.map((callID): StreamPart => ({ type: 'tool-input-start', callID, tool: 't' })),
  fc.record({ type: fc.constant('tool-input-delta' as const), callID: id, delta: fc.string() }),
  id.map((callID): StreamPart => ({ type: 'tool-input-end', callID })),
  id.map((callID): StreamPart => ({ type: 'tool-call', callID, tool: 't', input: {} })),
);

test('no text and no call is lost, no id comes twice, and every text is start, deltas, end', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const out = ordered(parts);
      const text = (list: readonly StreamPart[]) =>
        list.flatMap((one) => (one.type === 'text-delta' ? one.text : [])).join('');
      expect(text(out)).toBe(text(parts));
      const called = (list: readonly StreamPart[]) =>
        list.flatMap((one) => (one.type === 'tool-call' ? one.callID : []));
      expect(called(out)).toHaveLength(called(parts).length);
      expect(new Set(called(out)).size).toBe(called(out).length);

      const open = new Set<string>();
      const closed = new Set<string>();
      for (const one of out) {
        if (one.type === 'text-start') {
          expect(open.has(one.id) || closed.has(one.id)).toBe(false);
          open.add(one.id);
        }
        if (one.type === 'text-delta') expect(open.has(one.id)).toBe(true);
        if (one.type === 'text-end') {
          expect(open.delete(one.id)).toBe(true);
          closed.add(one.id);
        }
      }
      expect(open.size).toBe(0);
    }),
  );
});
