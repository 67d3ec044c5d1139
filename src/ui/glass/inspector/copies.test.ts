import { expect, test } from 'vitest';
import { inspectionOf } from '../../../../test/support/inspection-of.ts';
import { call, finish, say } from '../../../../test/support/parts-model.ts';
import { harness, testTools } from '../../../../test/support/session-harness.ts';
import { maskSecrets } from '../../../base/secrets.ts';
import { copiesOf } from './copies.ts';

const KEY = 'sk-abcdefghijklmnopqrstuvwxyz';

test('a step is copied as JSON without secrets and without the name that the inspector gives it', async () => {
  const steps = [
    [...call('c1', 'echo', { text: `token ${KEY}` }), finish('tool-calls')],
    [...say('Done.'), finish()],
  ];
  const { session, store } = await harness(steps, { tools: testTools });
  await session.prompt('Say it');
  await session.rested();
  await session.close();
  const inspection = await inspectionOf(session, store, { mask: maskSecrets });
  const [step] = inspection.timeline.turns.flatMap((turn) => inspection.timeline.stepsOf(turn));
  const [json] = copiesOf(inspection, step!, step);
  const text = await json!.text();
  expect(text).not.toContain(KEY);
  expect(text).toContain('token [secret]');
  expect(Object.keys(JSON.parse(text) as object)).not.toContain('key');
  inspection.close();
});
