import { expect, it } from 'vitest';
import { Connection, CONNECTION_WINDOW, connectionPair, type ConnectionMessage } from './connection.ts';

const bytes = (length: number): ConnectionMessage => ({ kind: 'data', bytes: new Uint8Array(length) });

/** A connection, and short notes of the messages that each side received. */
function joined() {
  const told: [string[], string[]] = [[], []];
  let over = 0;
  const tell = (at: 0 | 1) => (message: ConnectionMessage) =>
    void told[at].push(message.kind === 'reset' ? `reset ${message.code}` : message.kind);
  const connection = new Connection([tell(0), tell(1)], () => over++);
  return { connection, told, over: () => over };
}

it('passes on the messages of both sides, and is over once both have left', () => {
  const { connection, told, over } = joined();
  connection.say(0, bytes(3));
  connection.say(1, { kind: 'used', bytes: 3 });
  connection.say(0, { kind: 'end' });
  connection.say(1, bytes(1));
  connection.say(0, { kind: 'used', bytes: 1 });
  connection.say(1, { kind: 'end' });
  expect(told).toEqual([
    ['used', 'data', 'end'],
    ['data', 'end', 'used'],
  ]);
  connection.say(0, { kind: 'gone' });
  expect(over()).toBe(0);
  connection.say(1, { kind: 'gone' });
  expect(over()).toBe(1);
});

it('ends for the other side when one leaves, and resets it if it still sends', () => {
  const { connection, told, over } = joined();
  connection.say(0, { kind: 'gone' });
  expect(told[1]).toEqual(['end']);
  connection.say(1, bytes(1));
  expect(told[0]).toEqual([]);
  expect(told[1]).toEqual(['end', 'reset ECONNRESET']);
  expect(over()).toBe(1);
});

it('is reset when a side leaves with unread bytes', () => {
  const { connection, told } = joined();
  connection.say(0, bytes(1));
  connection.say(1, { kind: 'gone' });
  expect(told[0]).toEqual(['reset ECONNRESET']);
});

it('is reset for both when a side sends far more than the other reads', () => {
  const { connection, told, over } = joined();
  for (let sent = 0; sent <= 4 * CONNECTION_WINDOW; sent += CONNECTION_WINDOW)
    connection.say(0, bytes(CONNECTION_WINDOW));
  expect(told[0]).toEqual(['reset ENOBUFS']);
  expect(told[1].at(-1)).toBe('reset ECONNRESET');
  expect(over()).toBe(1);
  connection.say(0, bytes(1));
  expect(told[1]).toHaveLength(5);
});

it('connects two ends inside one process, with a turn for each message', () => {
  const turns: (() => void)[] = [];
  const [left, right] = connectionPair((event) => turns.push(event));
  const heard: string[] = [];
  right.hear(({ kind }) => heard.push(kind));
  left.say(bytes(1));
  left.say({ kind: 'end' });
  expect(heard).toEqual([]);
  for (const turn of turns.splice(0)) turn();
  expect(heard).toEqual(['data', 'end']);
});
