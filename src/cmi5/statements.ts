import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Launch } from './launch.ts';

/** The verbs that cmi5 defines for lessons like ours, and `progressed`, which it allows beside them. */
export type Verb = 'initialized' | 'progressed' | 'completed' | 'terminated';

export type Statement = JsonObject & { readonly id: string };

/** Names the learner and the lesson, and has what the platform wants in each statement. */
export interface StatementFrame {
  readonly launch: Launch;
  readonly contextTemplate: JsonObject;
}

export interface StatementFacts {
  readonly id: string;
  /** The moment of what is stated, in milliseconds since the epoch. */
  readonly at: number;
  /** How long it took, in milliseconds: of `completed` and `terminated`. */
  readonly tookMs?: number;
  /** How much is done, from 0 to 100: of `progressed`. */
  readonly percent?: number;
}

const CMI5 = 'https://w3id.org/xapi/cmi5';
const CATEGORY = { id: `${CMI5}/context/categories/cmi5` };
/** Marks the statements by which a platform decides whether the learner may go on. */
const MOVE_ON = { id: `${CMI5}/context/categories/moveon` };

/** Makes a statement as cmi5 describes it. */
export function statementOf(verb: Verb, frame: StatementFrame, facts: StatementFacts): Statement {
  const result = resultOf(verb, facts);
  return {
    id: facts.id,
    timestamp: new Date(facts.at).toISOString(),
    actor: frame.launch.actor,
    verb: { id: `http://adlnet.gov/expapi/verbs/${verb}`, display: { 'en-US': verb } },
    object: { objectType: 'Activity', id: frame.launch.activityID },
    ...(result && { result }),
    context: contextOf(verb, frame),
  };
}

/** Everything of the template stays; the registration and our categories are added to it. */
function contextOf(verb: Verb, { launch, contextTemplate }: StatementFrame): JsonObject {
  const given = contextTemplate['contextActivities'];
  const activities = isObject(given) ? given : {};
  const category = [
    ...listOf(activities['category']),
    ...(verb === 'progressed' ? [] : [CATEGORY]),
    ...(verb === 'completed' ? [MOVE_ON] : []),
  ];
  return {
    ...contextTemplate,
    registration: launch.registration,
    contextActivities: { ...activities, ...(category.length > 0 && { category }) },
  };
}

/** A single activity may stand without its list. */
function listOf(given: Json | undefined): readonly Json[] {
  if (given === undefined || given === null) return [];
  return Array.isArray(given) ? given : [given];
}

function resultOf(verb: Verb, { tookMs = 0, percent = 0 }: StatementFacts): JsonObject | null {
  const duration = `PT${Math.max(0, Math.round(tookMs / 10) / 100)}S`;
  if (verb === 'completed') return { completion: true, duration };
  if (verb === 'terminated') return { duration };
  if (verb === 'progressed') return { extensions: { [`${CMI5}/result/extensions/progress`]: percent } };
  return null;
}
