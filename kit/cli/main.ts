import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../src/base/message-of.ts';
import { serveApp } from '../server/app-server.ts';
import { runGrid } from '../evals/run-grid.ts';
import { readRecordingFile } from './recording-file.ts';
import { runJob } from './run.ts';
import { tracesOf } from '../traces/otlp.ts';
import { readArguments, USAGE, type Command } from './arguments.ts';
import { openInBrowser } from './open-in-browser.ts';

/** Where a recording of this machine is served. */
const RECORDING = '/recording.json';
/** Where the results of an evaluation are served. */
const REPORT = '/report';
/** The page of an evaluation in its folder. */
const PAGE = 'report.html';

try {
  await run(readArguments(process.argv.slice(2)));
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}

async function run(command: Command): Promise<void> {
  if (command.kind === 'help') return console.log(USAGE);
  if (command.kind === 'version') return console.log(await version());
  if (command.kind === 'run') {
    if (!(await runJob(command, (line) => console.log(line)))) process.exitCode = 1;
    return;
  }
  if (command.kind === 'eval') {
    if (!(await runGrid(command, (line) => console.log(line)))) process.exitCode = 1;
    return;
  }
  if (command.kind === 'trace') {
    const json = await readRecordingFile(command.recording);
    await writeFile(command.out, `${JSON.stringify(tracesOf(json))}\n`);
    return console.log(`The traces are in ${path.resolve(command.out)}`);
  }
  const { what, address } = await served(command);
  console.log(`${what} is on ${address}`);
  if (command.opens) openInBrowser(address);
}

/** Serves what a command shows until the process is stopped. */
async function served(
  command: Command & { readonly kind: 'serve' | 'report' | 'show' },
): Promise<{ readonly what: string; readonly address: string }> {
  const { port } = command;
  if (command.kind === 'serve') return { what: 'Vitrine', address: (await serve(port)).url };
  if (command.kind === 'report') {
    const { url } = await serve(port, await filesBelow(command.folder, REPORT));
    return { what: 'The report', address: `${url}${REPORT}/${PAGE}` };
  }
  await readRecordingFile(command.recording);
  const { url } = await serve(port, { [RECORDING]: path.resolve(command.recording) });
  return { what: 'The recording', address: `${url}/?recording=${encodeURIComponent(url + RECORDING)}` };
}

/** The version of the package, in which this file is bundled beside package.json. */
async function version(): Promise<string> {
  const file = fileURLToPath(new URL('./package.json', import.meta.url));
  return JSON.parse(await readFile(file, 'utf8')).version;
}

/** The files of an evaluation's folder by their addresses below `address`. */
async function filesBelow(folder: string, address: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => {
    throw new Error(`There is no folder ${path.resolve(folder)}.`);
  });
  const files = entries.filter((entry) => entry.isFile());
  if (!files.some(({ parentPath, name }) => path.join(parentPath, name) === path.join(folder, PAGE)))
    throw new Error(
      `${path.resolve(folder)} has no ${PAGE}. "vitrine eval GRID.json" writes one to vitrine-eval/, or to its --out.`,
    );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [`${address}/${path.relative(folder, file).replaceAll(path.sep, '/')}`, path.resolve(file)];
    }),
  );
}

async function serve(port: number, files: Readonly<Record<string, string>> = {}) {
  try {
    return await serveApp({ port, files });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new Error(`Port ${port} is taken. Give another one with --port, or 0 for a free one.`);
    throw error;
  }
}
