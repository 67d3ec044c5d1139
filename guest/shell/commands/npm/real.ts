import { encode } from '../../kit/io.ts';
import type { ProgramCall } from '../../program.ts';
import { node } from '../node.ts';
import { NPM_FOLDER } from '../../../shared/npm-folder.ts';
import { NpmFailure } from './failure.ts';
import { explainRefusal } from './refused.ts';
import type { NpmIn } from './substitute.ts';

/** npm ends without a word at an error that it did not expect, also natively. This tells which one it was. */
const TELLS_ERRORS = `data:text/javascript,${encodeURIComponent(
  "process.on('uncaughtExceptionMonitor', (error) => console.error('npm error', error?.code ? error.message : error));",
)}`;

/**
 * Runs npm itself, which the page fetches when it is first used. `program` is its file: `npm-cli.js` or `npx-cli.js`.
 */
export async function runNpm(
  call: ProgramCall,
  program: 'npm-cli.js' | 'npx-cli.js',
  args: readonly string[] = call.args,
): Promise<number> {
  await fetchNpm(call);
  const all = ['--import', TELLS_ERRORS, `${NPM_FOLDER}/${program}`, ...args];
  return explainRefusal(call, async (watched) => node({ ...watched, args: all }));
}

/** Makes what runs npm itself in other folders, without showing what it prints, at the registry that a flag names. */
export function npmFor(call: ProgramCall, registry?: string | true): NpmIn {
  const more = typeof registry === 'string' ? [`--registry=${registry}`] : [];
  return async (cwd, args) => {
    const printed: Uint8Array[] = [];
    const stderr = { write: (bytes: Uint8Array) => void printed.push(bytes) };
    const run = { ...call, cwd, stderr, stdout: { write: () => undefined }, terminal: () => undefined };
    if ((await runNpm(run, 'npm-cli.js', [...args, ...more])) === 0) return undefined;
    return printed.map((bytes) => new TextDecoder().decode(bytes)).join('');
  };
}

/** Fetches npm where it is not there yet, and says so. */
async function fetchNpm(call: ProgramCall): Promise<void> {
  const image = await call.files.image?.('npm');
  if (!image)
    throw new NpmFailure([
      'code ENOIMAGE',
      'This build of the page does not bring npm, so only scripts and programs that are installed run:',
      'npm run, npm test, npx.',
    ]);
  if (image.isHere) return;
  const size = (image.bytes / 1e6).toFixed(1);
  await call.stderr.write(encode(`Fetching npm ${image.version} (${size} MB)…\n`));
  try {
    await call.files.stat(`${NPM_FOLDER}/npm-cli.js`);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^EIO: /, '') : String(error);
    throw new NpmFailure(['code EIMAGE', reason, 'Try again once the page can reach its server.']);
  }
}
