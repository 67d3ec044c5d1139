import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { plural } from '../text.ts';
import type { NestedCallResult, NestedCallResults, ToolDefinition, ToolResult, Undone } from '../tool.ts';

/** The maximum number of calls in one batch. */
export const MAX_CALLS = 25;

/** A schema for arbitrary JSON would refer to itself, which some providers refuse. */
const args = z.record(z.string(), z.any());

/** Also accepts `{tool, parameters}` in a list named `tool_calls`, which some models write. */
const call = z.preprocess(
  (given) => withRenamedKey(given, 'parameters', 'args'),
  z.object({
    tool: z.string().min(1).describe('The name of any other tool'),
    args: args.default({}).describe('Its arguments'),
  }),
);

const parameters = z.preprocess(
  (given) => withRenamedKey(given, 'tool_calls', 'tools'),
  z.object({
    tools: z.array(call).min(1).describe(`The calls, at most ${MAX_CALLS}`),
    atomic: z.boolean().default(false).describe('If one call fails, every file is restored'),
  }),
);

export const batch: ToolDefinition<typeof parameters> = {
  description: [
    `Makes up to ${MAX_CALLS} calls of other tools at once, side by side. Each asks for its own permission.`,
    'For calls that do not need each other’s results, such as reading many files. They may end in any order.',
    'With `atomic` all of them must succeed: if one fails, the others are stopped and every file is restored.',
    'It cannot contain another batch.',
  ].join('\n'),
  parameters,
  limits: [
    plural(MAX_CALLS, 'call'),
    'atomic: after a command has run, every change made meanwhile is undone; if the tab is closed nothing is undone, and that is reported',
  ],
  // It only makes calls, and each of those waits for the log itself.
  readOnly: true,
  async execute({ tools, atomic }, context) {
    const run = tools.slice(0, MAX_CALLS);
    const omitted = tools.length - run.length;
    if (atomic && omitted > 0)
      throw new FaultError({
        code: 'too-many-calls',
        what: `An atomic batch takes at most ${MAX_CALLS} calls; this one had ${tools.length}. Nothing was run.`,
        next: 'Make fewer calls.',
      });
    const nested = await context.calls(run, { atomic });
    if (nested.undone)
      throw new FaultError({
        code: nested.undone.fault ? 'batch-not-undone' : 'batch-undone',
        what: undoneText(nested, nested.undone),
      });
    return resultOf(nested.results, omitted);
  },
};

function resultOf(results: readonly NestedCallResult[], omitted: number): ToolResult {
  const succeeded = results.filter(({ outcome }) => outcome === 'ok').length;
  const total = results.length + omitted;
  const dropped = omitted > 0 ? [`${plural(omitted, 'call')} beyond the first ${MAX_CALLS} not run.`] : [];
  const summary =
    succeeded === total
      ? `All ${plural(total, 'call')} succeeded.`
      : `${succeeded} of ${plural(total, 'call')} succeeded.`;
  return {
    title: plural(total, 'call'),
    output: [[summary, ...dropped].join(' '), ...results.map(resultText)].join('\n\n'),
    metadata: { total, succeeded, failed: total - succeeded, details: details(results) },
    attachments: results.flatMap(({ attachments }) => attachments),
  };
}

function undoneText({ results }: NestedCallResults, undone: Undone): string {
  const failed = results.filter(({ outcome }) => outcome !== 'ok');
  return [
    `The batch failed as a whole. ${filesText(undone)}`,
    ...failed.map((each) => resultText(each, results.indexOf(each))),
  ].join('\n\n');
}

function filesText({ paths, fault }: Undone): string {
  if (!fault) return paths.length === 0 ? 'No file was changed.' : `Put back: ${paths.join(', ')}.`;
  const which = paths.length === 0 ? 'Any file may be changed' : `May still be changed: ${paths.join(', ')}`;
  return `Its files could not all be put back: ${fault.what} ${which}. Look at them before you continue.`;
}

function resultText({ tool, outcome, output }: NestedCallResult, index: number): string {
  return `[${index + 1}] ${tool}: ${outcome}\n${output || '(no output)'}`;
}

function details(results: readonly NestedCallResult[]): JsonObject[] {
  return results.map(({ callID, tool, outcome }) => ({ callID, tool, outcome }));
}

function withRenamedKey(given: unknown, from: string, to: string): unknown {
  if (typeof given !== 'object' || given === null || to in given || !(from in given)) return given;
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key === from ? to : key, value]));
}
