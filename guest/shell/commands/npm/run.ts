import { encode } from '../../kit/io.ts';
import type { ProgramCall } from '../../program.ts';
import { didYouMean } from './commands.ts';
import { NpmFailure, print, printError } from './failure.ts';
import { isSilent, type NpmOptions } from './options.ts';
import { idOf, type Project } from './project.ts';
import { runScript } from './script.ts';

/** Runs `npm run NAME`. The exit code is that of the first script that fails. */
export async function runNamed(
  call: ProgramCall,
  { folder, manifest }: Project,
  [event = '', ...args]: readonly string[],
  options: NpmOptions,
  asked: string,
  prefix?: string,
): Promise<number> {
  const command = await commandOf(call, { folder, manifest }, event);
  if (command === undefined) {
    if (options.flags.has('if-present')) return 0;
    throw missing(event, { folder, manifest }, prefix);
  }
  const { scripts = {} } = manifest;
  const hook = (name: string) =>
    options.flags.has('ignore-scripts') ? undefined : scripts[name] || undefined;
  const steps = [
    { event: `pre${event}`, command: hook(`pre${event}`), args: [] },
    { event, command, args },
    { event: `post${event}`, command: hook(`post${event}`), args: [] },
  ];
  for (const { event: name, command: line, args: words } of steps) {
    if (line === undefined || line === '') continue;
    if (!isSilent(options)) {
      const shown = [line.trim().replaceAll('\n', '\n> '), ...words].join(' ');
      const who = idOf(manifest);
      await print(call, `\n> ${who === undefined ? '' : `${who} `}${name}\n> ${shown}\n`);
    }
    const code = await runScript(call, {
      command: line,
      event: name,
      asked,
      args: words,
      folder,
      manifest,
      options,
      ...(prefix !== undefined && { prefix }),
    });
    if (code !== 0) return code;
  }
  return 0;
}

async function commandOf(
  call: ProgramCall,
  { folder, manifest }: Project,
  event: string,
): Promise<string | undefined> {
  const { scripts = {} } = manifest;
  if (Object.hasOwn(scripts, event)) return scripts[event];
  if (event === 'restart') return 'npm stop --if-present && npm start';
  if (event === 'env') return 'env';
  if (event === 'start' && (await call.files.exists(`${folder}/server.js`))) return 'node server.js';
  return undefined;
}

/**
 * Makes the error about a missing script; `prefix` is the folder of the whole project where several are at
 * work.
 */
function missing(event: string, { folder, manifest }: Project, prefix: string | undefined): NpmFailure {
  const where =
    prefix !== undefined && prefix !== folder ? ` --workspace=${idOf(manifest) ?? manifest.name}` : '';
  return new NpmFailure([
    `Missing script: "${event}"`,
    ...didYouMean(manifest, event),
    '',
    'To see a list of scripts, run:',
    `  npm run${where}`,
  ]);
}

/** Runs a script in the workspaces one after the other, and reports each failure by itself. */
export async function runInWorkspaces(
  call: ProgramCall,
  projects: readonly Project[],
  words: readonly string[],
  options: NpmOptions,
  asked: string,
  prefix: string,
): Promise<number> {
  let code = 0;
  for (const project of projects) {
    const [event = ''] = words;
    const failure = await runNamed(call, project, words, options, asked, prefix).then(
      (exitCode) => (exitCode === 0 ? undefined : failedScript(project, event, exitCode)),
      (error: unknown) => {
        if (error instanceof NpmFailure) return error;
        throw error;
      },
    );
    if (!failure) continue;
    code = failure.code;
    if (isSilent(options)) continue;
    await printError(call, [
      `Lifecycle script \`${event}\` failed with error:`,
      ...failure.about,
      `workspace ${idOf(project.manifest) ?? project.manifest.name}`,
      `location ${project.folder}`,
      ...failure.lines,
    ]);
    if (project !== projects.at(-1)) await call.stderr.write(encode('\n'));
  }
  return code;
}

function failedScript({ folder, manifest }: Project, event: string, code: number): NpmFailure {
  const command = manifest.scripts?.[event] ?? event;
  return new NpmFailure(['command failed', `command sh -c ${command}`], code, [
    `code ${code}`,
    `path ${folder}`,
  ]);
}

const LIFECYCLE = new Set(
  ['prepare', 'prepublishOnly', 'prepack', 'postpack', 'dependencies'].concat(
    ['install', 'publish', 'restart', 'start', 'stop', 'test', 'uninstall', 'version'].flatMap((name) => [
      `pre${name}`,
      name,
      `post${name}`,
    ]),
  ),
);

/** Runs `npm run` without a name, which lists the scripts. */
export async function listScripts(
  call: ProgramCall,
  { manifest }: Project,
  options: NpmOptions,
): Promise<void> {
  const { scripts = {} } = manifest;
  const entries = Object.entries(scripts);
  if (isSilent(options)) return;
  if (options.flags.has('json')) return print(call, JSON.stringify(scripts, null, 2));
  if (entries.length === 0) return;
  if (options.flags.has('parseable')) return print(call, entries.map((entry) => entry.join(':')).join('\n'));
  const lines = (of: typeof entries) => of.flatMap(([name, line]) => [`  ${name}`, `    ${line}`]);
  const known = entries.filter(([name]) => LIFECYCLE.has(name));
  const others = entries.filter(([name]) => !LIFECYCLE.has(name));
  const whose = idOf(manifest) ?? manifest.name;
  const via = 'via `npm run`:';
  await print(
    call,
    [
      ...(known.length > 0 ? [`Lifecycle scripts included in ${whose}:`, ...lines(known)] : []),
      ...(others.length > 0
        ? [known.length > 0 ? `available ${via}` : `Scripts available in ${whose} ${via}`, ...lines(others)]
        : []),
    ].join('\n'),
  );
}
