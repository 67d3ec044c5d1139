import { afterEach, expect, test } from 'vitest';
import { TestLog } from '../../test/support/storage/test-log.ts';
import type { Event } from '../session/log/events.ts';
import { TabChannel, type ChangeTopic } from './channel.ts';

const open: TabChannel[] = [];
const raw = new Set<BroadcastChannel>();

function tab(): TabChannel {
  const channel = new TabChannel('channel-test');
  open.push(channel);
  return channel;
}

afterEach(() => {
  for (const channel of open.splice(0)) channel.close();
  for (const channel of raw) channel.close();
  raw.clear();
});

test('events reach the other tabs in order, and not the one that sent them', async () => {
  const [sender, follower] = [tab(), tab()];
  const own: unknown[] = [];
  sender.onEvents((events) => own.push(events));
  const heard: Event[] = [];
  const { events } = new TestLog('ses_1').prompt('msg_1', 'one').prompt('msg_2', 'two');
  const all = new Promise<void>((resolve) => {
    follower.onEvents((batch) => {
      heard.push(...batch);
      if (heard.length === events.length) resolve();
    });
  });
  sender.sendEvents(events.slice(0, 1));
  sender.sendEvents(events.slice(1));
  await all;
  expect(heard).toEqual(events);
  expect(own).toEqual([]);
});

test('foreign messages are skipped, and the next one still arrives', async () => {
  const follower = tab();
  const batches: unknown[] = [];
  follower.onEvents((batch) => batches.push(batch));
  const changed = new Promise<ChangeTopic>((resolve) => follower.onChanged(resolve));
  const stranger = new BroadcastChannel('channel-test:tabs');
  raw.add(stranger);
  const [event] = new TestLog('ses_1').events;
  for (const message of [
    null,
    'text',
    { type: 'events' },
    { type: 'events', events: [] },
    { type: 'events', events: [event, { ...event, v: 99 }] },
    { type: 'events', events: [{ ...event, type: 'unknown' }] },
    { type: 'changed', what: 'everything' },
  ])
    stranger.postMessage(message);
  stranger.postMessage({ type: 'changed', what: 'rules' });
  expect(await changed).toBe('rules');
  expect(batches).toEqual([]);
});
