import { expect, test } from 'vitest';
import { readRecording } from '../session/recording/read.ts';
import { recordedJSON } from '../../test/support/recordings.ts';
import { findPiece } from './pieces.ts';
import { Playback } from './playback.ts';

const recording = await readRecording(await recordedJSON());
const [own] = recording.sessions;

/** Frames that come when the test says so. */
function byHand() {
  let waiting: ((now: number) => void) | null = null;
  return {
    request: (run: (now: number) => void) => ((waiting = run), 1),
    cancel: () => void (waiting = null),
    run: (now: number) => waiting?.(now),
    get waits() {
      return waiting !== null;
    },
  };
}

test('it begins before the first message, and plays to the end', () => {
  const frames = byHand();
  const playback = new Playback(own, frames);
  playback.play();
  frames.run(1);
  expect(playback.playing).toBe(true);
  playback.speed = 1000;
  frames.run(1 + playback.duration);
  expect([playback.playing, playback.atEnd, frames.waits]).toEqual([false, true, false]);
  const texts = [...playback.state().parts.values()].map((part) => (part.type === 'text' ? part.text : ''));
  expect(texts).toContain('Fixed.');
  playback.play();
  expect(playback.moment).toBe(0);
});

test('a moment outside of the recording is its beginning or its end', () => {
  const playback = new Playback(own, byHand());
  playback.seek(-5);
  expect(playback.moment).toBe(0);
  playback.seek(Infinity);
  expect(playback.moment).toBe(playback.duration);
});

test('a step and a call are found by number, a call by its id, and others are refused', () => {
  const step = findPiece(recording, { kind: 'step', number: 3 });
  expect(step.message.partKeys.map((key) => step.state.parts.get(key))).toMatchObject([{ text: 'Fixed.' }]);
  const byID = findPiece(recording, { kind: 'call', name: 'c2' });
  expect(byID).toMatchObject({ kind: 'call', call: { tool: 'edit', outcome: 'ok' } });
  expect(byID.kind === 'call' && byID.decided.map(({ type }) => type)).toContain('permission.answered');
  expect(findPiece(recording, { kind: 'call', name: '1' })).toMatchObject({ call: { callID: 'c1' } });
  expect(() => findPiece(recording, { kind: 'step', number: 4 })).toThrow('has 3 steps');
  expect(() => findPiece(recording, { kind: 'call', name: '3' })).toThrow('has 2 calls');
});
