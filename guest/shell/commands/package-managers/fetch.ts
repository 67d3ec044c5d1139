import { encode } from '../../kit/io.ts';
import type { ProgramCall } from '../../program.ts';
import type { Manifest } from '../npm/project.ts';
import type { NpmIn } from '../npm/substitute.ts';
import type { Wanted } from './wanted.ts';

/** Thrown where the registry does not deliver a package manager; the message is what npm printed. */
export class FetchFailure extends Error {}

/**
 * Loaded before a package manager. Of packages that come for several processors it then takes the one for WebAssembly, as
 * npm does by its setting `cpu`, which the others have in some versions only.
 */
const ARCH = "Object.defineProperty(process, 'arch', { value: 'wasm32' });\n";

/** The files of a package manager that is there. */
export interface Fetched {
  /** The script that it starts with. */
  readonly main: string;
  /** To be required before it. */
  readonly arch: string;
  /** Whether it was fetched now. */
  readonly isNew: boolean;
}

interface Options {
  readonly modules: string | undefined;
  readonly isKept: boolean;
  readonly npm: NpmIn;
}

/**
 * Returns the files of a package manager, which npm installs when it is first used. In `modules`, the node_modules of a project,
 * they outlast a reload of the page. They are only put there if `isKept`, by a command that writes to this folder anyway.
 */
export async function fetchManager(
  call: ProgramCall,
  wanted: Wanted,
  { modules, isKept, npm }: Options,
): Promise<Fetched> {
  const name = `${wanted.package}@${wanted.range}`;
  const scratch = `${call.env.get('HOME') ?? '/home'}/.cache/package-managers/${name}`;
  const lasting = modules && `${modules}/.package-managers/${name}`;
  for (const folder of [lasting, scratch]) {
    const found = folder && (await filesIn(call, folder, wanted.package));
    if (!found) continue;
    if (lasting === undefined || folder === lasting || !isKept) return found;
    await call.files.cp(scratch, lasting, { recursive: true });
    return (await filesIn(call, lasting, wanted.package)) ?? found;
  }
  const folder = isKept && lasting !== undefined ? lasting : scratch;
  await call.stderr.write(encode(`Fetching ${wanted.package} ${wanted.range} from the npm registry…\n`));
  await install(call, folder, name, npm);
  const found = await filesIn(call, folder, wanted.package);
  if (!found) throw new FetchFailure(`${name} has no program\n`);
  return { ...found, isNew: true };
}

async function install(call: ProgramCall, folder: string, name: string, npm: NpmIn): Promise<void> {
  const { files } = call;
  await files.mkdir(folder, { recursive: true });
  await files.writeFile(`${folder}/package.json`, '{ "private": true }\n');
  if (await files.exists(call.path('.npmrc')))
    await files.writeFile(`${folder}/.npmrc`, await files.readFileBuffer(call.path('.npmrc')));
  const failed = await npm(folder, ['install', '--ignore-scripts', '--no-package-lock', name]);
  if (failed === undefined) return files.writeFile(`${folder}/arch.cjs`, ARCH);
  await files.rm(folder, { recursive: true, force: true });
  throw new FetchFailure(failed);
}

async function filesIn(call: ProgramCall, folder: string, name: string): Promise<Fetched | undefined> {
  const own = `${folder}/node_modules/${name}`;
  if (!(await call.files.exists(`${folder}/arch.cjs`))) return undefined;
  const { bin } = JSON.parse(await call.files.readFile(`${own}/package.json`)) as Manifest;
  const path = typeof bin === 'string' ? bin : (bin?.pnpm ?? bin?.yarn);
  return path === undefined
    ? undefined
    : { main: call.path(`${own}/${path}`), arch: `${folder}/arch.cjs`, isNew: false };
}
