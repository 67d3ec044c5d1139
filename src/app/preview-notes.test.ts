import { expect, test } from 'vitest';
import { ManualTimer } from '../../test/support/manual-timer.ts';
import type { PreviewEvent } from '../preview/log.ts';
import type { Event, EventBody } from '../session/log/events.ts';
import { emptyState } from '../session/log/reduce.ts';
import { PreviewNotes, type NotingSession } from './preview-notes.ts';

type Noted = Extract<EventBody, { type: 'preview.noted' }>;

interface NotedSession extends NotingSession {
  readonly noted: Noted[];
  writable: boolean;
  startTurn(): void;
}

function sessionOf(id: string, workspaceID = 'w'): NotedSession {
  const listeners: ((events: readonly Event[]) => void)[] = [];
  const state = { ...emptyState(id), workspaceID };
  const noted: Noted[] = [];
  return {
    ...{ id, state, noted, writable: true, commanding: false },
    onEvents: (listener) => (listeners.push(listener), () => {}),
    note: (body) => void (body.type === 'preview.noted' && noted.push(body)),
    startTurn() {
      const event: Event = { v: 1, sessionID: id, seq: 0, time: 0, type: 'turn.started', promptID: 'p' };
      for (const listener of listeners) listener([event]);
    },
  };
}

function notesFor(...sessions: NotedSession[]) {
  const timer = new ManualTimer();
  const notes = new PreviewNotes({ sessions: () => sessions, shownID: () => sessions[0]?.id, timer });
  return { timer, add: (event: PreviewEvent) => notes.add('w', event) };
}

const line = (text: string): PreviewEvent => ({ kind: 'console', level: 'log', text, source: '/a.js:1:2' });
const error = (text: string): PreviewEvent => ({
  ...{ kind: 'error', text, source: '/a.js:3:4' },
  stack: `Error: ${text}\n  at f`,
});
const request = (status?: number): PreviewEvent => ({
  ...{ kind: 'request', method: 'GET', target: '/x', ms: 3 },
  ...(status === undefined ? { problem: 'no answer' } : { status }),
});

test('what happens in a short time is one event, without requests that went well', () => {
  const session = sessionOf('a');
  const { timer, add } = notesFor(session);
  add({ kind: 'page', target: '/' });
  add(line('one'));
  add(line('one'));
  add(request(200));
  add(error('two'));
  add(request(500));
  add(request());
  add({ kind: 'blocked', url: 'https://example.com/', directive: 'img-src' });
  expect(session.noted).toEqual([]);
  timer.advance(250);
  expect(session.noted).toEqual([
    {
      type: 'preview.noted',
      entries: [
        { kind: 'page', target: '/' },
        { kind: 'console', level: 'log', text: 'one', source: '/a.js:1:2', times: 2 },
        { kind: 'error', text: 'two', source: '/a.js:3:4', stack: 'Error: two\n  at f' },
        { kind: 'request', method: 'GET', target: '/x', status: 500, ms: 3 },
        { kind: 'request', method: 'GET', target: '/x', problem: 'no answer', ms: 3 },
        { kind: 'blocked', url: 'https://example.com/', directive: 'img-src' },
      ],
    },
  ]);
});

test('a page that says a lot does not fill the log, and its errors still come into it', () => {
  const session = sessionOf('a');
  const { timer, add } = notesFor(session);
  for (let n = 0; n < 10_000; n++) add(line(`line ${n}`));
  timer.advance(250);
  add(error('late'));
  for (let n = 0; n < 50; n++) add(line(`more ${n}`));
  timer.advance(250);
  add(line('last'));
  timer.advance(59_999);
  expect(session.noted.map(({ entries, leftOut }) => [entries.length, leftOut])).toEqual([
    [100, 9_900],
    [1, 50],
  ]);
  timer.advance(1);
  expect(session.noted[2]).toEqual({ type: 'preview.noted', entries: [], leftOut: 1 });

  // A new turn has room again.
  session.startTurn();
  for (let n = 0; n < 101; n++) add(error(`error ${n}`));
  timer.advance(250);
  expect(session.noted[3]).toMatchObject({ leftOut: 1 });
  expect(session.noted[3]?.entries).toHaveLength(100);
});

test('long texts are cut', () => {
  const session = sessionOf('a');
  const { timer, add } = notesFor(session);
  const long = 'x'.repeat(20_000);
  add({ kind: 'console', level: 'log', text: long, source: long });
  add({ kind: 'error', text: long, source: long, stack: long });
  add({ kind: 'request', method: 'GET', target: long, problem: long, ms: 1 });
  add({ kind: 'blocked', url: long, directive: long });
  add({ kind: 'page', target: long });
  timer.advance(250);
  expect(session.noted[0]?.entries).toHaveLength(5);
  expect(JSON.stringify(session.noted).length).toBeLessThan(6_500);
});

test('the shown session and those that work get it, and no others', () => {
  const shown = sessionOf('a');
  const working = sessionOf('b');
  const resting = sessionOf('c');
  const elsewhere = sessionOf('d', 'other');
  const followed = sessionOf('e');
  working.state.turn = elsewhere.state.turn = { promptID: 'p', started: 0 };
  followed.writable = false;
  const { timer, add } = notesFor(shown, working, resting, elsewhere, followed);
  add(line('hello'));
  timer.advance(250);
  const counts = [shown, working, resting, elsewhere, followed].map(({ noted }) => noted.length);
  expect(counts).toEqual([1, 1, 0, 0, 0]);
});

test('nothing is written to a session that another tab has taken over', () => {
  const session = sessionOf('a');
  const { timer, add } = notesFor(session);
  add(line('hello'));
  session.writable = false;
  timer.advance(250);
  expect(session.noted).toEqual([]);
});
