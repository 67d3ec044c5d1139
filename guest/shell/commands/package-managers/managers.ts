import { encode } from '../../kit/io.ts';
import type { Program, ProgramCall } from '../../program.ts';
import { node } from '../node.ts';
import { afterInstall } from '../npm/after-install.ts';
import { limitYarnCaches } from '../npm/cache.ts';
import { NpmFailure, printError } from '../npm/failure.ts';
import { npmFor } from '../npm/real.ts';
import { FetchFailure, fetchManager } from './fetch.ts';
import { packagesBelow } from './packages.ts';
import { factsOf, topOf } from './project.ts';
import { wantedManager, type ManagerName, type Wanted } from './wanted.ts';
import { readWords } from './words.ts';

/**
 * `pnpm`, `pnpx` and `yarn`: the programs themselves, in the version that the project names, fetched from the npm registry when
 * they are first used.
 */
export const pnpm: Program = (call) => run(call, 'pnpm', call.args);
export const pnpx: Program = (call) => run(call, 'pnpm', ['dlx', ...call.args]);
export const yarn: Program = (call) => run(call, 'yarn', call.args);

async function run(call: ProgramCall, name: ManagerName, args: readonly string[]): Promise<number> {
  const { isInstall, folder } = readWords(name, args);
  const start = folder === undefined ? call.cwd : call.path(folder);
  const wanted = wantedManager(name, await factsOf(call, start));
  const project = await topOf(call, name, start);
  const modules = project && `${project}/node_modules`;
  try {
    const { main, arch, isNew } = await fetchManager(call, wanted, {
      modules,
      isKept: isInstall,
      npm: npmFor(call),
    });
    if (wanted.note !== undefined && (isNew || isInstall))
      await call.stderr.write(encode(`${wanted.note}\n`));
    const env = new Map([...call.env, ...variablesOf(wanted, project, isInstall)]);
    const all = ['-r', arch, main, ...flagsOf(wanted, isInstall), ...args];
    const code = await node({ ...call, env, args: all });
    if (code === 0 && isInstall && project !== undefined) await mend(call, name, project);
    return code;
  } catch (error) {
    if (error instanceof FetchFailure) await call.stderr.write(encode(error.message));
    else if (error instanceof NpmFailure) await printError(call, error.lines);
    else throw error;
    return 1;
  }
}

/** Scripts of packages mostly compile or fetch native code, which cannot run here. Later Yarns know a variable only. */
function flagsOf(wanted: Wanted, isInstall: boolean): readonly string[] {
  return isInstall && wanted.package !== '@yarnpkg/cli-dist' ? ['--ignore-scripts'] : [];
}

function variablesOf(
  wanted: Wanted,
  project: string | undefined,
  isInstall: boolean,
): readonly (readonly [string, string])[] {
  if (wanted.package === '@yarnpkg/cli-dist')
    return [
      ['YARN_ENABLE_TELEMETRY', '0'],
      ...(isInstall ? ([['YARN_ENABLE_SCRIPTS', 'false']] as const) : []),
    ];
  if (wanted.package === 'yarn') return [];
  return [
    // It would fetch the version that the project names, which may be native code.
    ['npm_config_manage_package_manager_versions', 'false'],
    ['npm_config_update_notifier', 'false'],
    // Below node_modules the contents of files are stored once, by hash, and are not in memory.
    ...(project === undefined
      ? []
      : ([['npm_config_store_dir', `${project}/node_modules/.pnpm-store`]] as const)),
  ];
}

/** Does what npm's own installs do here afterwards. */
async function mend(call: ProgramCall, name: ManagerName, project: string): Promise<void> {
  if (name === 'yarn') await limitYarnCaches(call);
  const packages = await packagesBelow(call.files, project);
  await afterInstall(call, { project, packages, program: name, isSilent: false, npm: npmFor(call) });
}
