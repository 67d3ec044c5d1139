import * as z from 'zod';
import { FaultError, faultOf } from '../../base/fault.ts';
import {
  WorkspaceError,
  type GrepMatch,
  type GrepQuery,
  type GrepResult,
} from '../../workspace/workspace.ts';
import { builtin, definedFields } from '../define.ts';
import { hiddenNote, ignoredNote, listOutputs } from '../listing.ts';
import { OWN_ROOT } from '../own-files.ts';
import { askForOutputs, withModelFaults, resolvePath, isOwn } from '../paths.ts';
import { resolveSearchPath } from '../search-path.ts';
import { clip, oneLine, plural } from '../text.ts';
import type { ToolContext } from '../tool.ts';
import { fittingLines } from '../truncate.ts';
import { grepManifest } from './manifest.ts';

const LIMIT = 100;
const TIMEOUT_MS = 60_000;
const MAX_CONTEXT = 20;

const parameters = z.object({
  pattern: z.string().min(1).describe('Regular expression (JavaScript); `(?i)` in front ignores case'),
  path: z.string().optional().describe('File or directory to search; default: the workspace root'),
  include: z
    .string()
    .optional()
    .describe('Glob of the files to search, such as `*.ts` or `src/**/*.{js,ts}`'),
  context: z
    .number()
    .int()
    .min(0)
    .max(MAX_CONTEXT)
    .default(0)
    .describe('Lines to show before and after each match; default 0'),
});

export const grepTool = builtin(grepManifest, {
  description: [
    'Searches the text of files for a regular expression, line by line, up to 100 matches.',
    'Hidden files are searched. Left out: binary files, `.git`, `node_modules` and what `.gitignore` or `.ignore` leaves out, unless path or include spells out its name. Kept outputs can be searched at their path.',
  ].join('\n'),
  parameters,
  limits: [plural(LIMIT, 'match', 'matches'), `${TIMEOUT_MS / 1000} s`],
  readOnly: true,
  async execute(input, context) {
    const query = expressionOf(input.pattern);
    await context.ask({
      permission: 'grep',
      patterns: [input.pattern],
      always: ['*'],
      subject: { kind: 'input', input: definedFields(input) },
    });
    const { timedOut, hidden, ignored, ...found } = await search(context, input, {
      ...query,
      ...(input.include !== undefined && { include: input.include }),
      ...(input.context > 0 && { context: input.context }),
      limit: LIMIT,
      skipIgnored: true,
      timeoutMs: TIMEOUT_MS,
      visibility: context.visibility(),
      signal: context.abort,
    });
    const { length } = fittingLines(found.matches.map((match) => byFile([match]).join('\n')));
    const matches = found.matches.slice(0, length);
    const truncated = found.truncated || length < found.matches.length;
    const notes = [
      timedOut ? `(The search was ended after ${TIMEOUT_MS / 1000} seconds; there may be more.)` : '',
      truncated ? '(Use a narrower pattern, path or include to see the others.)' : '',
      hiddenNote(hidden),
      matches.length === 0 ? ignoredNote(ignored) : '',
    ].filter(Boolean);
    const head =
      matches.length === 0 ? 'No matches found.' : `Found ${plural(matches.length, 'match', 'matches')}`;
    return {
      title: clip(input.pattern, 200),
      output: [`${head}${truncated ? ' (more are available)' : ''}`, ...byFile(matches), ...notes].join('\n'),
      metadata: { matches: matches.length, truncated: truncated || timedOut, hidden, timedOut },
    };
  },
});

async function search(
  context: ToolContext,
  input: z.output<typeof parameters>,
  query: GrepQuery,
): Promise<GrepResult> {
  const run = (place: string, asked: GrepQuery) =>
    withModelFaults(place, () => context.workspace.search.grep(asked).catch(refusedPattern));
  const named = await resolvePath(context, input.path ?? '.');
  if (named.kind === 'file') {
    const path = await resolveSearchPath(context, input.path ?? '.', 'any');
    return run(input.path ?? '.', { ...query, path });
  }
  await askForOutputs(context, named.path);
  const isFolder = listOutputs(context, named.path) !== undefined;
  const paths = isFolder ? outputsBelow(context, named.path) : [named.path];
  const texts = await Promise.all(
    paths.map(async (path) => {
      const text = await context.outputs.read(path);
      if (text !== undefined) return { path, text };
      throw new FaultError({ code: 'not-found', what: `There is no kept output at ${oneLine(path)}.` });
    }),
  );
  return run(named.path, { ...query, texts });
}

function outputsBelow({ outputs }: ToolContext, folder: string): readonly string[] {
  if (!isOwn(folder)) return outputs.list().flatMap(({ path, dropped }) => (dropped ? [] : [path]));
  const paths = Object.keys(outputs.own).map((path) => `${OWN_ROOT}/${path}`);
  return paths.filter((path) => path.startsWith(`${folder}/`));
}

/** Converts the pattern to JavaScript's form. Throws a fault where it is not valid. */
function expressionOf(pattern: string): { pattern: string; ignoreCase: boolean } {
  const ignoreCase = pattern.startsWith('(?i)');
  const bare = ignoreCase ? pattern.slice(4) : pattern;
  try {
    new RegExp(bare);
    return { pattern: bare, ignoreCase };
  } catch (error) {
    throw badPattern(error);
  }
}

/** The search itself may refuse a pattern that is too large or that it parses more strictly. */
function refusedPattern(error: unknown): never {
  throw error instanceof WorkspaceError && error.code === 'EINVAL' ? badPattern(error) : error;
}

function badPattern(error: unknown): FaultError {
  return new FaultError({
    code: 'bad-pattern',
    what: `The pattern is not a regular expression that can be searched for: ${clip(faultOf(error).what, 200)}`,
    next: 'Escape what is meant literally, such as \\( \\[ \\{ \\* \\+ \\?, and nothing else.',
  });
}

function byFile(matches: readonly GrepMatch[]): string[] {
  const lines: string[] = [];
  let path = '';
  let last = 0;
  for (const [index, { before = [], after = [], ...match }] of matches.entries()) {
    const isFirst = match.path !== path;
    if (isFirst) lines.push('', `${oneLine(match.path)}:`);
    path = match.path;
    const first = match.line - before.length;
    if (!isFirst && first > last + 1 && before.length + after.length > 0) lines.push('  --');
    // Context lines that were shown with the previous match are not repeated.
    const shown = isFirst ? 0 : last;
    for (const [at, text] of before.entries())
      if (first + at > shown) lines.push(`  Line ${first + at}- ${text}`);
    lines.push(`  Line ${match.line}: ${match.text}`);
    const next = matches[index + 1];
    const end = next?.path === path ? next.line : Infinity;
    const following = after.filter((_, at) => match.line + 1 + at < end);
    for (const [at, text] of following.entries()) lines.push(`  Line ${match.line + 1 + at}- ${text}`);
    last = match.line + following.length;
  }
  return lines.length > 0 ? [...lines, ''] : lines;
}
