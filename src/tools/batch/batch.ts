import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { plural } from '../text.ts';
import type { MadeCallResult, MadeCalls, ToolDefinition, ToolResult, Undone } from '../tool.ts';

/** Most calls in one batch. */
export const MAX_CALLS = 25;

/** The schema of any JSON refers to itself, which some providers refuse. */
const args = z.record(z.string(), z.any());

/** `{tool, parameters}` in a list named `tool_calls` is the same thing; models that know it write that. */
const call = z.preprocess(
  (given) => renamed(given, 'parameters', 'args'),
  z.object({
    tool: z.string().min(1).describe('The name of any other tool'),
    args: args.default({}).describe('Its arguments'),
  }),
);

const parameters = z.preprocess(
  (given) => renamed(given, 'tool_calls', 'tools'),
  z.object({
    tools: z.array(call).min(1).describe(`The calls, at most ${MAX_CALLS}`),
    atomic: z.boolean().default(false).describe('If one call fails, every file is put back as it was'),
  }),
);

export const batch: ToolDefinition<typeof parameters> = {
  description: [
    `Makes up to ${MAX_CALLS} calls of other tools at once, side by side. Each asks for its own permission.`,
    'For calls that do not need each other’s results, such as reading many files. Nothing is said of the order in which they end.',
    'With `atomic` all of them must succeed: if one does not, the others are stopped and every file is put back.',
    'It cannot hold another batch.',
  ].join('\n'),
  parameters,
  limits: [
    plural(MAX_CALLS, 'call'),
    'atomic: after a command has run, whatever changed meanwhile is put back; a tab that closes puts nothing back, and that is told',
  ],
  // It does nothing but make calls, and each of those waits for the log itself.
  readOnly: true,
  async execute({ tools, atomic }, context) {
    const run = tools.slice(0, MAX_CALLS);
    const left = tools.length - run.length;
    if (atomic && left > 0)
      throw new FaultError({
        code: 'too-many-calls',
        what: `An atomic batch takes at most ${MAX_CALLS} calls; this one had ${tools.length}. Nothing was run.`,
        next: 'Make fewer calls.',
      });
    const made = await context.calls(run, { atomic });
    if (made.undone)
      throw new FaultError({
        code: made.undone.fault ? 'batch-not-undone' : 'batch-undone',
        what: undoneText(made, made.undone),
      });
    return resultOf(made.results, left);
  },
};

function resultOf(results: readonly MadeCallResult[], left: number): ToolResult {
  const succeeded = results.filter(({ outcome }) => outcome === 'ok').length;
  const total = results.length + left;
  const dropped = left > 0 ? [`${plural(left, 'call')} beyond the first ${MAX_CALLS} not run.`] : [];
  const summary =
    succeeded === total
      ? `All ${plural(total, 'call')} succeeded.`
      : `${succeeded} of ${plural(total, 'call')} succeeded.`;
  return {
    title: plural(total, 'call'),
    output: [[summary, ...dropped].join(' '), ...results.map(told)].join('\n\n'),
    metadata: { total, succeeded, failed: total - succeeded, details: details(results) },
    attachments: results.flatMap(({ attachments }) => attachments),
  };
}

function undoneText({ results }: MadeCalls, undone: Undone): string {
  const failed = results.filter(({ outcome }) => outcome !== 'ok');
  return [
    `The batch failed as a whole. ${filesText(undone)}`,
    ...failed.map((each) => told(each, results.indexOf(each))),
  ].join('\n\n');
}

function filesText({ paths, fault }: Undone): string {
  if (!fault) return paths.length === 0 ? 'No file was changed.' : `Put back: ${paths.join(', ')}.`;
  const which = paths.length === 0 ? 'Any file may be changed' : `May still be changed: ${paths.join(', ')}`;
  return `Its files could not all be put back: ${fault.what} ${which}. Look at them before you go on.`;
}

function told({ tool, outcome, output }: MadeCallResult, index: number): string {
  return `[${index + 1}] ${tool}: ${outcome}\n${output || '(no output)'}`;
}

function details(results: readonly MadeCallResult[]): JsonObject[] {
  return results.map(({ callID, tool, outcome }) => ({ callID, tool, outcome }));
}

function renamed(given: unknown, from: string, to: string): unknown {
  if (typeof given !== 'object' || given === null || to in given || !(from in given)) return given;
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key === from ? to : key, value]));
}
