import { expect, test } from 'vitest';
import { maskSecrets } from '../../base/secrets.ts';
import { inspectionOf } from '../../../test/support/inspection-of.ts';
import { call, finish, say, type Steps } from '../../../test/support/parts-model.ts';
import { harness, next } from '../../../test/support/session-harness.ts';
import type { ModelRequest } from '../request/model.ts';
import { retellings } from '../stepping/retelling.ts';
import { wanted } from './find.ts';
import { lifeOf, stateOf } from './life.ts';
import { whatModelSaw } from './seen.ts';
import { lengthOf, piecesOf, totalsOf } from './spans.ts';
import { eventsOf, type Call, type Step } from './timeline-items.ts';
import { Timeline } from './timeline.ts';

const oneCall: Steps = [
  [...call('c1', 'echo', { text: 'a' }), finish('tool-calls')],
  [...say('Done.'), finish()],
];
const bodyOf = ({ system, messages }: Pick<ModelRequest, 'system' | 'messages'>) =>
  JSON.stringify({ system, messages });

async function stepped(steps: Steps = oneCall) {
  const made = await harness(steps);
  const { session, model } = made;
  const stepper = await made.sessions.stepper(session.id);
  const stream = model.stream.bind(model);
  // The model's bodies contain the request, like those of providers.
  model.stream = (request) => stream({ ...request, onBody: () => request.onBody?.(bodyOf(request)) });
  const toPause = async (act: () => unknown) => {
    const began = next(session, 'pause.began');
    await act();
    return began;
  };
  const inspected = async () => {
    const inspection = await inspectionOf(session, made.store, {
      rehearse: async (_ref, request) => ({ url: '', method: 'POST', headers: {}, body: bodyOf(request) }),
      mask: maskSecrets,
    });
    const steps = inspection.timeline.turns.flatMap((turn) => inspection.timeline.stepsOf(turn));
    const calls = steps.flatMap((step) => inspection.timeline.callsOf(step));
    return { inspection, steps, calls };
  };
  return { ...made, stepper, toPause, inspected };
}

const kindsOf = (item: Step | Call, now: number) => piecesOf(item, now).map(({ kind }) => kind);

test('what the person held is time of its own: neither the model nor the tool worked then', async () => {
  const { session, stepper, toPause, inspected } = await stepped();
  stepper.step();
  await toPause(() => session.prompt('Go'));
  for (let n = 0; n < 5; n++) await toPause(() => stepper.step());
  stepper.continue();
  await session.rested();
  const { inspection, steps, calls } = await inspected();
  const end = inspection.timeline.last;
  expect(steps[0]?.holds.map(({ point }) => point)).toEqual(['request', 'response']);
  expect(kindsOf(steps[0]!, end)).toEqual(['model', 'held', 'model', 'held']);
  expect(calls[0]?.holds.map(({ point }) => point)).toEqual(['call', 'result']);
  expect(kindsOf(calls[0]!, end)).toEqual(['held', 'tool', 'held', 'tool']);
  const items = [...steps, ...calls];
  const { held, model } = totalsOf(items, end);
  expect(held).toBe(
    items.flatMap(({ holds }) => holds).reduce((sum, { from, to = end }) => sum + to - from, 0),
  );
  expect(model).toBe(steps.reduce((sum, step) => sum + lengthOf(step, end), 0));
  for (const item of items) {
    const pieces = piecesOf(item, end);
    for (const [at, { from, length }] of pieces.entries())
      expect(from + length).toBeLessThanOrEqual(pieces[at + 1]?.from ?? Infinity);
  }
  const [running] = lifeOf(calls[0]!, end).filter(({ name }) => name === 'running');
  expect(running?.length).toBe(
    piecesOf(calls[0]!, end).reduce((sum, { kind, length }) => sum + (kind === 'tool' ? length : 0), 0),
  );
  const types = eventsOf(inspection.events, calls[0]!).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('pause'))).toHaveLength(4);
});

test('while it is held it says so, and a turn that is stopped at a pause holds nothing on', async () => {
  for (const point of ['request', 'response', 'call', 'result'] as const) {
    const { session, stepper, toPause, events } = await stepped();
    stepper.setBreakpoints([{ point }]);
    await toPause(() => session.prompt('Go'));
    const timelineOf = () => {
      const timeline = new Timeline();
      timeline.take(events);
      const steps = timeline.turns.flatMap((turn) => timeline.stepsOf(turn));
      return [...steps, ...steps.flatMap((step) => timeline.callsOf(step))];
    };
    const open = timelineOf().filter(({ holds }) => holds.some(({ to }) => to === undefined));
    expect(open.map(({ kind }) => kind)).toEqual([point === 'call' || point === 'result' ? 'call' : 'step']);
    for (const item of open) if (item.kind === 'call') expect(stateOf(item)).toBe('held');
    session.abort();
    await session.rested();
    expect(timelineOf().every(({ holds }) => holds.every(({ to }) => to !== undefined))).toBe(true);
  }
});

test('an edited request is the one that is shown and compared, beside what stood before', async () => {
  const { session, stepper, toPause, inspected } = await stepped();
  stepper.setBreakpoints([{ point: 'request' }]);
  await toPause(() => session.prompt('Go'));
  await toPause(() => stepper.continue());
  const held = stepper.paused()[0]?.held;
  if (held?.point !== 'request') throw new Error('Nothing is held.');
  const [first] = held.content.messages;
  stepper.continue({
    kind: 'request',
    content: { system: 'Be short.', messages: [first!, { role: 'user', content: 'Stay' }] },
  });
  await session.rested();
  const { inspection, steps, calls } = await inspected();
  const [plain, edited] = [await inspection.request(steps[0]!), await inspection.request(steps[1]!)];
  expect([plain.verdict.state, plain.before]).toEqual(['equal', undefined]);
  expect(steps.map(({ edited: mark }) => mark)).toEqual([undefined, true]);
  expect(edited.verdict).toEqual({ state: 'equal', hash: steps[1]!.sent!.bodyHash });
  expect(edited.content).toMatchObject({ system: 'Be short.', messages: [{}, { content: 'Stay' }] });
  expect(edited.before?.messages).toHaveLength(3);
  expect(edited.before?.system).toBe(plain.content.system);
  expect(edited.shared).toBe(1);
  // The person removed it from the request that would have contained it.
  expect(await whatModelSaw(inspection, calls[0]!)).toBeNull();
  const fits = wanted('', 'edited', { state: () => inspection.whole(), reported: () => [] })!;
  expect(steps.map(fits)).toEqual([false, true]);
});

test('what was edited of a call is in it', async () => {
  const { session, stepper, toPause, inspected } = await stepped();
  stepper.setBreakpoints([{ point: 'call' }, { point: 'result' }]);
  await toPause(() => session.prompt('Go'));
  await toPause(() => stepper.continue({ kind: 'input', input: { text: 'b' } }));
  stepper.continue({ kind: 'output', output: 'c' });
  await session.rested();
  const { inspection, calls } = await inspected();
  expect(calls[0]?.edits).toEqual([
    { kind: 'input', from: { text: 'a' }, to: { text: 'b' } },
    { kind: 'output', from: 'b', to: 'c' },
  ]);
  expect((await whatModelSaw(inspection, calls[0]!))?.shown).toMatchObject({ output: { value: 'c' } });
});

test('what is told from now on is in the requests after it, exactly, and marked in each until it is taken back', async () => {
  const { session, stepper, toPause, inspected } = await stepped([
    ...oneCall,
    [...say('Again.'), finish()],
    [...say('More.'), finish()],
  ]);
  stepper.step();
  await toPause(() => session.prompt('Go'));
  const held = stepper.paused()[0]?.held;
  if (held?.point !== 'request') throw new Error('Nothing is held.');
  const { system, messages } = held.content;
  const other = { role: 'user' as const, content: 'Come' };
  stepper.continue({
    kind: 'request',
    content: { system: 'Be short.', messages: [other] },
    lasting: retellings(held.rendered, [other]),
    systemLasts: true,
  });
  await session.rested();
  const [promptID = ''] = session.state.messages.keys();
  await session.tellOwnSystem('build');
  await session.prompt('And now?');
  await session.rested();
  await session.tellAsItIs(promptID);
  await session.prompt('And then?');
  await session.rested();
  const { inspection, steps } = await inspected();
  expect(steps.map(({ edited, retold }) => [edited, retold])).toEqual([
    [true, undefined],
    [undefined, true],
    [undefined, true],
    [undefined, undefined],
  ]);
  const requests = [];
  for (const step of steps) requests.push(await inspection.request(step));
  expect(requests.map(({ verdict }) => verdict)).toEqual(
    steps.map(({ sent }) => ({ state: 'equal', hash: sent?.bodyHash })),
  );
  expect(requests.map(({ content }) => content.system)).toEqual(['Be short.', 'Be short.', system, system]);
  expect(requests.map(({ content }) => content.messages[0])).toEqual([other, other, other, messages[0]]);
  expect(requests[0]?.before).toMatchObject({ system, messages });
});

test('what a summary stands for is told no more, also where it was retold', async () => {
  const { session, stepper, toPause, inspected } = await stepped([
    [...say('One.'), finish()],
    [...say('In short.'), finish()],
    [...say('Two.'), finish()],
  ]);
  stepper.step();
  await toPause(() => session.prompt('Go'));
  const held = stepper.paused()[0]?.held;
  if (held?.point !== 'request') throw new Error('Nothing is held.');
  const other = { role: 'user' as const, content: 'Come' };
  stepper.continue({
    kind: 'request',
    content: { system: held.content.system, messages: [other] },
    lasting: retellings(held.rendered, [other]),
  });
  await session.rested();
  session.compact();
  await session.rested();
  await session.prompt('And now?');
  await session.rested();
  const { steps } = await inspected();
  expect(steps.map(({ purpose, retold }) => [purpose, retold])).toEqual([
    [undefined, undefined],
    ['compaction', undefined],
    [undefined, undefined],
  ]);
});
