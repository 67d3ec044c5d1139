import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import { literal, resolvePath, relativeToRoot } from '../paths.ts';
import { decide, type Rules } from '../../permissions/rules.ts';
import type { Subject } from '../../permissions/types.ts';
import { resolveSearchPath } from '../search-path.ts';
import { builtin } from '../define.ts';
import { clip, oneLine } from '../text.ts';
import type { ToolContext, ToolResult } from '../tool.ts';
import { truncate } from '../truncate.ts';
import { hiddenFiles } from './hidden-files.ts';
import { lockedNote, locksFor } from './locked-files.ts';
import { bashManifest } from './manifest.ts';
import { endOf, notesOf } from './notes.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
/** How many files a refusal names. */
const MAX_NAMED = 20;
/** The longest delay that timers support. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

const parameters = z.object({
  command: z.string().min(1).describe('The command, as for bash'),
  timeout: z.coerce
    .number()
    .positive()
    .max(MAX_TIMEOUT_MS)
    .default(DEFAULT_TIMEOUT_MS)
    .describe(
      'Milliseconds after which the command is ended; default 120000. What runs in the background does not count',
    ),
  workdir: z
    .string()
    .optional()
    .describe('Directory to run in; default: the workspace root. Use it in place of `cd`'),
  description: z.string().default('').describe('What the command does, in 5 to 10 words'),
});
type Input = z.output<typeof parameters>;

export const bashTool = builtin(bashManifest, {
  description: [
    'Runs a shell command in the workspace and returns what it prints, standard output and error as they come.',
    'Each call starts at the workspace root: `cd` and variables do not last, use `workdir`. Standard input is empty.',
    'To start a server or anything else that goes on, end its command with `&`: `npm run dev > dev.log 2>&1 &`. The call returns when the rest of the command is done, names the job, and the job goes on with the session. Look at its output later with `tail /tmp/jobs/ID.log`, or the file that you gave it; `jobs` lists what runs, `kill ID` ends it. You are told when it ends, so do not wait for it: no `wait`, no long `sleep`.',
    'A long output is cut to its end; all of it is kept and can be read at the path that is named then.',
    'To look at, search and change files, the tools read, grep, glob, list, edit and write are better.',
  ].join('\n'),
  parameters,
  limits: [
    `${DEFAULT_TIMEOUT_MS / 1000} s by default, without what goes on in the background`,
    'the end of a long output is kept',
  ],
  asksFirst: true,
  async execute(input, context) {
    const workdir = await workdirOf(context, input);
    const allowed = await askFor(context, input, workdir);
    // While the person decided, the directory may have become a link to another one.
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
  const resolved = await resolvePath(context, workdir);
  if (resolved.kind === 'file') return resolveSearchPath(context, workdir, 'directory');
  throw new FaultError({
    code: 'outside',
    what: `${oneLine(resolved.path)} is outside the workspace; commands cannot be run there.`,
  });
}

/** Asks for the command. Returns the hidden files that it may read, relative to the root. */
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
    // A command with a wildcard, saved as a pattern, would allow other commands as well.
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
  const rules = context.rules('bash');
  const asked = analysis.patterns.filter(({ text, harmless }) => !harmless || hasOwnRule(rules, text));
  const patterns = asked.map(({ text }) => text);
  const always = [...new Set(asked.flatMap((pattern) => pattern.always ?? []))];
  const identity = JSON.stringify([analysis.canonical, directory]);
  if (patterns.length > 0 || dangers)
    await context.ask({ permission: 'bash', patterns, always, subject, identity, ...dangers });
  const hidden = await hiddenFiles(context, analysis.files, directory);
  return askForFiles(context, hidden, subject, identity);
}

/** Whether a rule denies the command, or a rule other than the one for every command asks for it. */
function hasOwnRule(rules: Rules, text: string): boolean {
  const [decision] = decide(rules, { permission: 'bash', patterns: [text] }).decisions;
  return decision?.action === 'deny' || (decision?.action === 'ask' && decision.rule?.pattern !== '*');
}

/** Asks for the hidden files that are named, and for those that the workspace could not hide from the command. */
async function askForFiles(
  context: ToolContext,
  named: readonly string[],
  subject: Subject,
  /** Identifies the command. */
  command?: string,
): Promise<readonly string[]> {
  await askForLocked(context, subject);
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

/** Asks to change the files that the workspace could not keep the command from changing. The rules deny it. */
async function askForLocked(context: ToolContext, subject: Subject): Promise<void> {
  const locks = locksFor(context);
  if (locks.length === 0) return;
  const locked = await context.workspace.exposed?.({ visibility: [], except: [], locks });
  if (!locked?.length) return;
  const patterns = locked.slice(0, MAX_NAMED).map(relativeToRoot);
  await context.ask({ permission: 'edit', patterns, always: [], subject });
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
    jobs: { owner: context.sessionID },
    // No analysis knows which files a command will find, so the workspace applies the rules when a file is opened.
    reads: {
      visibility: context.visibility(),
      locks: locksFor(context),
      except: allowed.map((path) => `${context.worktree}/${path}`),
    },
  });
  const chunks: string[] = [];
  for await (const chunk of process.output) {
    chunks.push(chunk);
    context.output(chunk);
  }
  const exit = await process.exited;
  // This is a fault: the last writes were lost with the workspace, and it is unknown how far the command got.
  if (exit.reason === 'lost')
    throw new FaultError({
      code: 'workspace-lost',
      what: endOf(exit, input.timeout),
      next: 'Check the files before you continue: the command’s last writes may be missing, and it may not have finished.',
    });
  const { output, metadata, fullOutput } = await truncate(chunks.join(''), {
    tool: 'bash',
    direction: 'tail',
    outputs: context.outputs,
  });
  return {
    title: input.description || clip(oneLine(input.command), 80),
    output: [
      output === '' ? '(no output)' : output,
      notesOf(exit, input.timeout, context.workspace.jobs?.list(), lockedNote(context, exit)),
    ]
      .filter(Boolean)
      .join('\n'),
    metadata: {
      ...metadata,
      exitCode: exit.exitCode,
      duration: exit.durationMs,
      description: input.description,
      ...(exit.reason !== 'exit' && { ended: exit.reason }),
      ...(exit.jobs && { jobs: [...exit.jobs] }),
      ...(exit.outputMayBeCut && { outputMayBeCut: true }),
      ...(workdir !== context.directory && { workdir: relativeToRoot(workdir) }),
    },
    ...(fullOutput && { fullOutput }),
  };
}
