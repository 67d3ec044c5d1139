import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../src/base/json.ts';
import { ACTIVITY, ACTOR, REGISTRATION } from './launch-address.ts';

const CMI5 = 'https://w3id.org/xapi/cmi5/context/categories/cmi5';
const MOVE_ON = 'https://w3id.org/xapi/cmi5/context/categories/moveon';
const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const DURATION = /^PT\d+(?:\.\d{1,2})?S$/;
const DEFINED = ['initialized', 'completed', 'passed', 'failed', 'terminated'];

/** A session of the platform: what it told the lesson, and what it has accepted from it. */
export interface JudgedSession {
  readonly mode: string;
  readonly template: JsonObject;
  readonly accepted: readonly JsonObject[];
  /** Verbs that earlier sessions of the registration have reported. */
  readonly before: readonly string[];
}

export function verbOf(statement: JsonObject): string {
  return String(at(statement, 'verb', 'id')).replace('http://adlnet.gov/expapi/verbs/', '');
}

/** Says by which rule of cmi5 (chapters 7.1, 9 and 10.2 of the specification) a platform refuses a statement; `null` if by none. */
export function problemOf(statement: JsonObject, session: JudgedSession): string | null {
  const { mode, template, accepted, before } = session;
  const verb = verbOf(statement);
  const verbs = accepted.map(verbOf);
  const categories = idsIn(at(statement, 'context', 'contextActivities', 'category'));
  const isDefined = categories.includes(CMI5);
  const result = at(statement, 'result');
  const duration = at(statement, 'result', 'duration');
  const judges = at(result, 'completion') !== undefined || at(result, 'success') !== undefined;
  const rules: readonly (readonly [boolean, string])[] = [
    [UUID.test(String(statement['id'])), '9.1: the id is no UUID'],
    [isDeepStrictEqual(statement['actor'], ACTOR), '9.2: the actor is not that of the launch'],
    [/Z$/.test(String(statement['timestamp'])), '9.7: the timestamp is not in UTC'],
    [at(statement, 'object', 'id') === ACTIVITY, '9.4: the object is not the activity of the launch'],
    [at(statement, 'context', 'registration') === REGISTRATION, '9.6.1: the registration is another'],
    [contains(statement['context'], template), '10.2.1: something of the context template is missing'],
    [
      isDefined === DEFINED.includes(verb),
      '9.6.2.1: the cmi5 category stands where it must not, or is missing',
    ],
    [categories.includes(MOVE_ON) === judges, '9.6.2.2: the moveOn category does not fit the result'],
    [(at(result, 'completion') === true) === (verb === 'completed'), '9.5.3: completion'],
    [!['completed', 'terminated'].includes(verb) || DURATION.test(String(duration)), '9.5.4: duration'],
    [
      (verbs.length === 0) === (verb === 'initialized'),
      '7.1.1: initialized must be the first, and only the first',
    ],
    [!verbs.includes('terminated'), '7.1.2: nothing may follow terminated'],
    [!isDefined || !verbs.includes(verb), '9.3: a verb came twice'],
    [verb !== 'completed' || !before.includes('completed'), '9.3.3: completed came twice in a registration'],
    [mode === 'Normal' || ['initialized', 'terminated'].includes(verb), '10.2.2: the mode forbids this verb'],
    [isInOrder(accepted.at(-1), statement), '9.3: the times are not in order'],
  ];
  return rules.find(([holds]) => !holds)?.[1] ?? null;
}

function isInOrder(last: JsonObject | undefined, next: JsonObject): boolean {
  return !last || String(last['timestamp']) <= String(next['timestamp']);
}

/** Whether everything of `part` is in `whole`; lists may have more. */
function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((each) => whole.some((other) => contains(other, each)));
  if (typeof part !== 'object' || part === null) return whole === part;
  return Object.entries(part).every(([key, value]) => contains(at(whole, key), value));
}

function idsIn(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list.map((each) => at(each, 'id')) : [];
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}
