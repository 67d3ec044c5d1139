import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import { literal, placeOf, relativeToRoot } from '../places.ts';
import type { Subject } from '../../permissions/types.ts';
import { searchPlace } from '../search-place.ts';
import { define } from '../define.ts';
import { clip, oneLine } from '../text.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { truncate } from '../truncate.ts';
import { hiddenFiles } from './hidden-files.ts';
import { endOf, notesOf } from './notes.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
/** The longest that timers can count. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const parameters = z.object({
  command: z.string().min(1).describe('The command, as for bash'),
  timeout: z.coerce
    .number()
    .positive()
    .max(MAX_TIMEOUT_MS)
    .default(DEFAULT_TIMEOUT_MS)
    .describe('Milliseconds after which the command is ended; default 120000'),
  workdir: z
    .string()
    .optional()
    .describe('Directory to run in; default: the workspace root. Use it in place of `cd`'),
  description: z.string().default('').describe('What the command does, in 5 to 10 words'),
});
type Input = z.output<typeof parameters>;

export const bashTool = define('bash', {
  description: [
    'Runs a shell command in the workspace and returns what it prints, standard output and error as they come.',
    'Each call starts anew at the workspace root: `cd` and variables do not last, use `workdir`. Standard input is empty.',
    'A long output is cut to its end; all of it is kept and can be read at the path that is named then.',
    'To look at, search and change files, the tools read, grep, glob, list, edit and write are better.',
  ].join('\n'),
  parameters,
  limits: [`${DEFAULT_TIMEOUT_MS / 1000} s unless asked for more`, 'the end of a long output is kept'],
  asksFirst: true,
  async execute(input, context) {
    const workdir = await workdirOf(context, input);
    const allowed = await askFor(context, input, workdir);
    // While the answer was waited for, the directory may have become a link to somewhere else.
    if (workdir !== (await workdirOf(context, input))) {
      throw new FaultError({
        code: 'workdir-changed',
        what: `${oneLine(input.workdir ?? '.')} leads to another directory now. Nothing was run.`,
        next: 'Look at the directory and call again.',
      });
    }
    return run(context, input, workdir, allowed);
  },
});

async function workdirOf(context: ToolContext, { workdir = '.' }: Input): Promise<string> {
  const place = await placeOf(context, workdir);
  if (place.kind === 'file') return searchPlace(context, workdir, 'directory');
  throw new FaultError({
    code: 'outside',
    what: `${oneLine(place.path)} is outside the workspace; commands cannot be run there.`,
  });
}

/** Files that may be read though the `read` rules hide them, relative to the root: they were asked for. */
async function askFor(
  context: ToolContext,
  { command, workdir }: Input,
  directory: string,
): Promise<readonly string[]> {
  const { analyse } = await import('../../permissions/shell/analyse.ts');
  const shell = context.workspace.kind === 'webcontainer' ? 'jsh' : 'bash';
  const analysis = await analyse(command, directory, shell);
  const dangers = analysis.dangers.length > 0 && { dangers: analysis.dangers };
  const subject = { kind: 'command' as const, command, ...(workdir !== undefined && { workdir }) };
  if ('raw' in analysis) {
    // A wildcard in the text would save more than the text.
    const always = /[*?]/.test(command) ? [] : [command];
    const whole = { ...subject, whole: analysis.raw };
    await context.ask({
      permission: 'bash',
      patterns: [command],
      always,
      subject: whole,
      opaque: true,
      ...dangers,
    });
    return askForFiles(context, [], subject);
  }
  const patterns = analysis.patterns.map(({ text }) => text);
  const always = [...new Set(analysis.patterns.flatMap((pattern) => pattern.always ?? []))];
  const identity = JSON.stringify([analysis.canonical, directory]);
  await context.ask({ permission: 'bash', patterns, always, subject, identity, ...dangers });
  const hidden = await hiddenFiles(context, analysis.files, directory);
  return askForFiles(context, hidden, subject, identity);
}

/** Asks for hidden files that are named, and for those that the workspace could not keep from the command. */
async function askForFiles(
  context: ToolContext,
  named: readonly string[],
  subject: Subject,
  /** What makes it the same command. */
  command?: string,
): Promise<readonly string[]> {
  const except = named.map((path) => `${context.worktree}/${path}`);
  const exposed = await context.workspace.exposed?.({ visibility: context.visibility(), except });
  const hidden = [...named, ...(exposed ?? []).map(relativeToRoot)];
  if (hidden.length > 0)
    await context.ask({
      permission: 'read',
      patterns: hidden,
      always: literal(hidden),
      subject,
      ...(command !== undefined && { identity: JSON.stringify([hidden, command]) }),
    });
  return hidden;
}

async function run(
  context: ToolContext,
  input: Input,
  workdir: string,
  allowed: readonly string[],
): Promise<ToolResult> {
  const process = context.workspace.spawn(input.command, {
    cwd: workdir,
    stdin: '',
    signal: context.abort,
    timeoutMs: input.timeout,
    // What a command finds by itself no analysis can know: the workspace holds the rules when a file is opened.
    reads: {
      visibility: context.visibility(),
      except: allowed.map((path) => `${context.worktree}/${path}`),
    },
  });
  const chunks: string[] = [];
  for await (const chunk of process.output) {
    chunks.push(chunk);
    context.output(chunk);
  }
  const exit = await process.exited;
  // Not a result: what it wrote in its last moments went with the workspace, and nobody knows how far it came.
  if (exit.reason === 'lost')
    throw new FaultError({
      code: 'workspace-lost',
      what: endOf(exit, input.timeout),
      next: 'Look at the files before going on: what the command wrote last may be missing, and it may not have finished.',
    });
  const { output, metadata, fullOutput } = await truncate(chunks.join(''), {
    tool: 'bash',
    direction: 'tail',
    outputs: context.outputs,
  });
  return {
    title: input.description || clip(oneLine(input.command), 80),
    output: [output === '' ? '(no output)' : output, notesOf(exit, input.timeout)].filter(Boolean).join('\n'),
    metadata: {
      ...metadata,
      exitCode: exit.exitCode,
      duration: exit.durationMs,
      description: input.description,
      ...(exit.reason !== 'exit' && { ended: exit.reason }),
      ...(exit.outputMayBeCut && { outputMayBeCut: true }),
      ...(workdir !== context.directory && { workdir: relativeToRoot(workdir) }),
    },
    ...(fullOutput && { fullOutput }),
  };
}
