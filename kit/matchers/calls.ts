import { OUTCOMES, type Call, type CallOutcome, type Facts } from '../facts/events.ts';
import { matches, shown } from './matches.ts';
import { callLine, verdict, type Verdict } from './verdict.ts';

/**
 * Whether the agent called a tool, with at least these arguments, and the tool began its work. With `outcome`, a call that
 * ended in this way is looked for instead, also one that did not run.
 */
export function hasCalled(
  { calls }: Facts,
  tool: string,
  input?: unknown,
  { outcome }: { readonly outcome?: CallOutcome } = {},
): Verdict {
  if (outcome !== undefined && !OUTCOMES.includes(outcome))
    throw new Error(`There is no outcome ${shown(outcome)}. It can be ${OUTCOMES.join(', ')}.`);
  const counts = (call: Call) => (outcome === undefined ? call.ran : call.outcome === outcome);
  const pass = calls.some((call) => counts(call) && isCallOf(call, tool, input));
  const ended = outcome === undefined ? '' : `, which ended as ${outcome}`;
  return verdict(pass, `call ${tool}${withInput(input)}${ended}`, calls.map(callLine));
}

/**
 * Whether a call of this tool was denied, by a rule or by an answer. A tool that a rule denies for everything, which `kept`
 * names, is not offered to the model, so a call of it is invalid: the rule has denied it all the same.
 */
export function hasBeenDenied(
  { calls }: Facts,
  tool: string,
  input?: unknown,
  kept: readonly string[] = [],
): Verdict {
  const isDenied = ({ outcome, tool: name }: Call) =>
    outcome === 'denied' || (outcome === 'invalid' && kept.includes(name));
  const pass = calls.some((call) => isDenied(call) && isCallOf(call, tool, input));
  return verdict(pass, `be denied a call of ${tool}${withInput(input)}`, calls.map(callLine));
}

/** Whether the agent asked for this permission, or for one with this tool, and for something that fits `pattern`, such as a path. */
export function hasAsked({ asks }: Facts, permission: string, pattern?: string | RegExp): Verdict {
  const pass = asks.some(
    (ask) =>
      [ask.permission, ask.tool].some((name) => plain(name) === plain(permission)) &&
      (pattern === undefined || ask.patterns.some((each) => matches(each, pattern))),
  );
  const lines = asks.map(
    (ask) => `${ask.permission} ${ask.patterns.map(shown).join(', ')} → ${ask.reply ?? 'no answer'}`,
  );
  const about = pattern === undefined ? '' : ` for ${shown(pattern)}`;
  return verdict(pass, `ask for ${permission}${about}`, lines);
}

/** Rules name a tool of a server as `server/tool` or, as its calls do, `server_tool`. */
const plain = (permission: string) => permission.replaceAll('/', '_');

/** Whether one of the agent's answers contains this text or matches. */
export function hasSaid({ said }: Facts, text: string | RegExp): Verdict {
  if (!(text instanceof RegExp) && (typeof text !== 'string' || text === ''))
    throw new Error(`toHaveSaid() takes a text or a regular expression, and not ${shown(text)}.`);
  const pass = said.some((each) => (typeof text === 'string' ? each.includes(text) : matches(each, text)));
  return verdict(pass, `say ${shown(text)}`, said.map(shown));
}

/** A step of a trajectory: the name of a tool, or a tool with arguments that its call must have. */
export type ExpectedCall = string | { readonly tool: string; readonly input?: unknown };

/** The name of the tool in a step of a trajectory. Throws if there is none. */
export function toolOf(expected: ExpectedCall): string {
  if (typeof expected === 'string') return expected;
  const { tool, ...rest } = Object(expected) as { readonly tool?: unknown };
  const others = Object.keys(rest).filter((name) => name !== 'input');
  if (typeof tool !== 'string' || others.length > 0)
    throw new Error(
      `A step of a trajectory is the name of a tool, or { tool, input }, and not ${shown(expected)}.`,
    );
  return tool;
}

/**
 * Only calls that ran are counted. `strict`: these calls in this order, and no others. `unordered`: these and no others, in
 * any order. `subset`: no calls but these, and not necessarily all. `superset`: at least these, in any order.
 */
export type TrajectoryMode = 'strict' | 'unordered' | 'subset' | 'superset';

export function hasTrajectory(
  facts: Facts,
  expected: readonly ExpectedCall[],
  mode: TrajectoryMode = 'strict',
): Verdict {
  const calls = facts.calls.filter(({ ran }) => ran);
  const wanted = expected.map((each) => (typeof each === 'string' ? { tool: each } : each));
  const fits = (call: Call | undefined, at: number) => {
    const one = wanted[at];
    return call !== undefined && one !== undefined && isCallOf(call, one.tool, one.input);
  };
  const pairs = mode === 'strict' ? 0 : mostPairs(calls, wanted.length, fits);
  const places = Array.from({ length: Math.max(calls.length, wanted.length) }, (_, at) => at);
  const differs = mode === 'strict' ? places.find((at) => !fits(calls[at], at)) : undefined;
  const passes: Readonly<Record<TrajectoryMode, boolean>> = {
    strict: differs === undefined,
    unordered: calls.length === wanted.length && pairs === calls.length,
    subset: pairs === calls.length,
    superset: pairs === wanted.length,
  };
  if (!Object.hasOwn(passes, mode))
    throw new Error(`There is no mode ${shown(mode)}. It can be ${Object.keys(passes).join(', ')}.`);
  const pass = passes[mode];
  const lines = wanted.map((one) => `${one.tool}${withInput(one.input)}`);
  const expectation = `have the trajectory [${lines.join(', ')}] (${mode})`;
  if (differs === undefined) return verdict(pass, expectation, facts.calls.map(callLine));
  const note = differs < lines.length ? `← expected ${lines[differs]}` : '← no more calls were expected';
  const happened = facts.calls.map((call) =>
    call === calls[differs] ? `${callLine(call)}   ${note}` : callLine(call),
  );
  if (differs >= calls.length) happened.push(note);
  return verdict(pass, expectation, happened);
}

/**
 * How many calls can be paired with an expected one each, at most. A call may fit several of them, so a pair that was
 * made is changed where that makes room for another one.
 */
function mostPairs(calls: readonly Call[], count: number, fits: (call: Call, at: number) => boolean): number {
  const taken: (Call | undefined)[] = Array.from({ length: count });
  const place = (call: Call, tried: Set<number>): boolean => {
    for (let at = 0; at < count; at++) {
      if (tried.has(at) || !fits(call, at)) continue;
      tried.add(at);
      const other = taken[at];
      if (other && !place(other, tried)) continue;
      taken[at] = call;
      return true;
    }
    return false;
  };
  return calls.filter((call) => place(call, new Set())).length;
}

function isCallOf(call: Call, tool: string, input: unknown): boolean {
  return call.tool === tool && (input === undefined || matches(call.input, input));
}

function withInput(input: unknown): string {
  return input === undefined ? '' : ` with ${shown(input)}`;
}
