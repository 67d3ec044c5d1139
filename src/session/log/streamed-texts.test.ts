import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EVENT_VERSION, type Event } from './events.ts';
import { cleanStreams } from './streamed-texts.ts';

const SECRET = 'topsecret-1234';
const clean = (text: string) => text.replaceAll(SECRET, '[x]');

function typed(pieces: readonly string[]): readonly Event[] {
  return pieces.map((delta, seq) => ({
    ...{ v: EVENT_VERSION, sessionID: 'ses_a', seq, time: seq },
    ...{ type: 'step.part', messageID: 'm', part: { type: 'tool-input-delta', callID: 'c', delta } },
  }));
}

function piecesOf(events: readonly Event[]): readonly string[] {
  return events.map((event) =>
    event.type === 'step.part' && event.part.type === 'tool-input-delta' ? event.part.delta : '',
  );
}

test('what came in several pieces is taken out of them, and the other pieces stay as they came', () => {
  const events = typed(['{"a', '": "tops', 'ecret-', '1234', ' and', ' more"}']);
  expect(piecesOf(cleanStreams(events, clean))).toEqual(['{"a', '": "[x]', '', '', ' and', ' more"}']);
  const plain = typed(['{"a', '": 1}']);
  expect(cleanStreams(plain, clean)).toEqual(plain);
  // Matches within a single piece are left to the caller.
  const single = typed(['a', SECRET, 'b']);
  expect(cleanStreams(single, clean)).toEqual(single);
});

test('however it was cut, it is the whole text that is clean', () => {
  const parts = fc.array(fc.constantFrom('tops', 'ecret-', '1234', SECRET, 'to', 'p', 's', '[x]', 'a', ''));
  fc.assert(
    fc.property(parts, (pieces) => {
      const cleaned = piecesOf(cleanStreams(typed(pieces), clean));
      expect(cleaned).toHaveLength(pieces.length);
      expect(cleaned.map(clean).join('')).toBe(clean(pieces.join('')));
    }),
    { numRuns: 2_000 },
  );
});
