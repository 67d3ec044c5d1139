import { expect, test } from 'vitest';
import type { AgentEvent } from '../facts/agent-event.ts';
import { EventFeed } from './event-feed.ts';

const event = (seq: number): AgentEvent => ({ type: 'turn.started', sessionID: 'ses_a', seq, time: 0 });

async function read(events: AsyncIterable<AgentEvent>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { seq } of events) seen.push(seq);
  return seen;
}

test('each reader gets every event, whenever it begins, until the feed is closed', async () => {
  const feed = new EventFeed();
  feed.push(event(0));
  const early = read(feed.all());
  feed.push(event(1));
  const late = read(feed.all());
  await Promise.resolve();
  feed.push(event(2));
  feed.close();
  expect(await early).toEqual([0, 1, 2]);
  expect(await late).toEqual([0, 1, 2]);
});

test('a reader until an end gets all that came before it, also when the end is a failure', async () => {
  const feed = new EventFeed();
  feed.push(event(0));
  let fail = (_error: Error) => {};
  const end = new Promise((_resolve, reject) => (fail = reject));
  const seen = read(feed.until(end, 1));
  feed.push(event(1));
  feed.push(event(2));
  fail(new Error('over'));
  await expect(end).rejects.toThrow('over');
  expect(await seen).toEqual([1, 2]);
});

test('a listener hears from now on, until it stops', () => {
  const feed = new EventFeed();
  feed.push(event(0));
  const heard: number[] = [];
  const stop = feed.onEvent(({ seq }) => heard.push(seq));
  feed.push(event(1));
  stop();
  feed.push(event(2));
  expect(heard).toEqual([1]);
});
