import { expect, test } from 'vitest';
import { faultOf } from '../base/fault.ts';
import { ACTIVITY, ACTOR, launchAddress, REGISTRATION } from '../../test/support/cmi5/launch-address.ts';
import { readLaunch } from './launch.ts';
import { statementOf, type Verb } from './statements.ts';

const launch = readLaunch(new URL(launchAddress('https://lms.example')));
const CMI5 = { id: 'https://w3id.org/xapi/cmi5/context/categories/cmi5' };
const MOVE_ON = { id: 'https://w3id.org/xapi/cmi5/context/categories/moveon' };
const OWN = { id: 'https://lms.example/categories/own' };
const template = {
  registration: 'from the template',
  platform: 'The platform',
  contextActivities: { grouping: [{ id: 'https://vitrine.example/?lesson=the-loop' }], category: OWN },
  extensions: { 'https://w3id.org/xapi/cmi5/context/extensions/sessionid': 's-1' },
};
const of = (verb: Verb, facts = {}) =>
  statementOf(verb, { launch, contextTemplate: template }, { id: 'id-1', at: 1_767_225_600_000, ...facts });

test('a statement names the learner, the lesson and the launch, and keeps the whole template', () => {
  expect(of('initialized')).toEqual({
    id: 'id-1',
    timestamp: '2026-01-01T00:00:00.000Z',
    actor: ACTOR,
    verb: { id: 'http://adlnet.gov/expapi/verbs/initialized', display: { 'en-US': 'initialized' } },
    object: { objectType: 'Activity', id: ACTIVITY },
    context: {
      ...template,
      registration: REGISTRATION,
      contextActivities: { grouping: template.contextActivities.grouping, category: [OWN, CMI5] },
    },
  });
});

test.each([
  ['initialized', {}, undefined, [OWN, CMI5]],
  ['completed', { tookMs: 61_237 }, { completion: true, duration: 'PT61.24S' }, [OWN, CMI5, MOVE_ON]],
  ['terminated', { tookMs: 0 }, { duration: 'PT0S' }, [OWN, CMI5]],
  // cmi5 allows this verb, and does not define it: its category must not stand there.
  [
    'progressed',
    { percent: 40 },
    { extensions: { 'https://w3id.org/xapi/cmi5/result/extensions/progress': 40 } },
    [OWN],
  ],
] as const)('%s has the result and the categories that cmi5 wants of it', (verb, facts, result, category) => {
  const statement = of(verb, facts);
  expect(statement['result']).toEqual(result);
  expect(statement['context']).toMatchObject({ contextActivities: { category } });
});

test('a template without activities gets those of cmi5', () => {
  const { context } = statementOf('terminated', { launch, contextTemplate: {} }, { id: 'a', at: 0 });
  expect(context).toEqual({ registration: REGISTRATION, contextActivities: { category: [CMI5] } });
});

test('the parameters of a launch may come in any order, and an endpoint without a slash gets it', () => {
  const address = launchAddress('https://lms.example', 'https://vitrine.example/cmi5.html', {
    endpoint: 'https://lms.example/xapi',
  });
  const { endpoint, fetch, actor } = readLaunch(new URL(address));
  expect([endpoint.href, fetch.href]).toEqual(['https://lms.example/xapi/', 'https://lms.example/token?k=1']);
  expect(actor).toEqual(ACTOR);
});

test.each([
  ['endpoint', '', 'is missing'],
  ['endpoint', 'http://lms.example/xapi/', 'is not an https address'],
  ['endpoint', 'http://localhost:8080/xapi/', 'is not an https address'],
  ['endpoint', 'https://lms.example@evil.example/', 'is not an https address'],
  ['fetch', 'javascript:alert(1)', 'is not an https address'],
  ['actor', 'someone', 'is not JSON'],
  ['actor', '{"mbox":"mailto:a@b.example"}', 'has no account'],
  ['registration', '12', 'is not a UUID'],
  ['activityId', 'x'.repeat(5_000), 'is too long'],
])('a launch whose %s is “%.40s” is refused: it %s', (name, value, why) => {
  const read = () => readLaunch(new URL(launchAddress('https://lms.example', undefined, { [name]: value })));
  expect(read).toThrow(why);
  try {
    read();
  } catch (error) {
    const isShown = !['is missing', 'is too long'].includes(why);
    const next = isShown ? /whoever runs the learning platform/ : /^Open the lesson from your course/;
    expect(faultOf(error)).toMatchObject({ code: 'cmi5-launch', next: expect.stringMatching(next) });
  }
});

test('a site on this computer may be launched by another server of it', () => {
  const page = 'http://localhost:4173/cmi5.html?lesson=the-loop';
  expect(readLaunch(new URL(launchAddress('http://127.0.0.1:9000', page))).endpoint.host).toBe(
    '127.0.0.1:9000',
  );
});
