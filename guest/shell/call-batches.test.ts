import { expect, test } from 'vitest';
import type { FsCall } from '../shared/protocol.ts';
import { CallBatches } from './call-batches.ts';

interface Message {
  readonly id: number;
  readonly run: number;
  readonly paths: readonly string[];
}

const call = (path: string): FsCall => ({ op: 'stat', path });

function start() {
  const messages: Message[] = [];
  const batches = new CallBatches((id, run, calls) =>
    messages.push({ id, run, paths: calls.map((each) => ('path' in each ? each.path : each.op)) }),
  );
  const answer = (id: number) => {
    const paths = messages.find((message) => message.id === id)?.paths ?? [];
    batches.answered(
      id,
      paths.map((value) => ({ value })),
    );
  };
  return { batches, messages, answer };
}

test('a call on its own is sent at once', async () => {
  const { batches, messages, answer } = start();
  const asked = batches.ask(1, call('/a'));
  expect(messages).toEqual([{ id: 1, run: 1, paths: ['/a'] }]);
  answer(1);
  expect(await asked).toBe('/a');
});

test('calls made while two messages are under way share the next one', async () => {
  const { batches, messages, answer } = start();
  const asked = ['/a', '/b', '/c', '/d', '/e'].map((path) => batches.ask(1, call(path)));
  expect(messages.map(({ paths }) => paths)).toEqual([['/a'], ['/b']]);
  answer(2);
  expect(messages.at(-1)).toEqual({ id: 3, run: 1, paths: ['/c', '/d', '/e'] });
  answer(1);
  answer(3);
  expect(await Promise.all(asked)).toEqual(['/a', '/b', '/c', '/d', '/e']);
  expect(messages).toHaveLength(3);
});

test('a message has at most 64 calls, and calls of one run only', () => {
  const { batches, messages, answer } = start();
  for (let at = 0; at < 70; at++) void batches.ask(1, call(`/${at}`));
  void batches.ask(2, call('/other'));
  answer(1);
  answer(2);
  answer(3);
  expect(messages.map(({ run, paths }) => [run, paths.length])).toEqual([
    [1, 1],
    [1, 1],
    [1, 64],
    [1, 4],
    [2, 1],
  ]);
});

test('each call has its own outcome, and a failure keeps its code', async () => {
  const { batches, answer } = start();
  void batches.ask(1, call('/a'));
  void batches.ask(1, call('/b'));
  const [missing, empty, unanswered] = ['/c', '/d', '/e'].map((path) => batches.ask(1, call(path)));
  answer(1);
  batches.answered(3, [{ code: 'ENOENT', message: 'ENOENT: no such file' }, {}]);
  await expect(missing).rejects.toMatchObject({ message: 'ENOENT: no such file', code: 'ENOENT' });
  expect(await empty).toBeUndefined();
  expect(await unanswered).toBeUndefined();
});

test('an answer to a message that was never sent changes nothing', () => {
  const { batches, messages } = start();
  batches.answered(7, [{ value: 1 }]);
  expect(messages).toEqual([]);
});
