import { expect, test } from 'vitest';
import { CONNECTION_WINDOW } from '../../../shared/connection.ts';
import { Flow } from './flow.ts';

test('a writer waits while the window is full, and goes on once when enough of it was read', () => {
  const flow = new Flow();
  let calls = 0;
  flow.addSent(CONNECTION_WINDOW - 1);
  flow.whenOpen(() => calls++);
  expect(calls).toBe(1);
  flow.addSent(10);
  flow.whenOpen(() => calls++);
  flow.acknowledge(9);
  expect(calls).toBe(1);
  flow.acknowledge(1);
  flow.acknowledge(100);
  expect(calls).toBe(2);
  expect(flow.sent).toBe(CONNECTION_WINDOW + 9);
});

test('bytes that the stream could not take count as read only when it asks for more', () => {
  const flow = new Flow();
  flow.receive(30);
  flow.report(10);
  flow.hold(20);
  expect(flow.unreported).toBe(20);
  expect(flow.takeHeld()).toBe(20);
  flow.report(20);
  expect([flow.unreported, flow.takeHeld()]).toEqual([0, 0]);
});
