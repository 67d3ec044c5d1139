import { BROWSERS, INSTEAD } from '../../../../src/protocol/native-programs.ts';
import { encode } from '../../kit/io.ts';
import type { ProgramCall } from '../../program.ts';
import { nameOf, type Installed } from './installed.ts';
import { LIMITED, nativesIn, type Native } from './natives.ts';
import { substitute, type NpmIn } from './substitute.ts';

const INSTALLS = new Set(
  'install ci update uninstall dedupe prune link rebuild install-test install-ci-test audit'.split(' '),
);

/** Whether a command of npm, by its full name, changes what is installed. */
export const isInstall = (command: string): boolean => INSTALLS.has(command);

export interface AfterInstall {
  readonly project: string;
  /** The packages that are installed in the project, by their paths in it. */
  readonly packages: ReadonlyMap<string, Installed>;
  /** The command of the package manager that has installed them. */
  readonly program: string;
  readonly isSilent: boolean;
  readonly npm: NpmIn;
}

/**
 * Gives packages in native code the files of those that do the same in WebAssembly, and names them, those that cannot run
 * here, and those whose install scripts did not run.
 */
export async function afterInstall(
  { files, stderr }: Pick<ProgramCall, 'files' | 'stderr'>,
  { project, packages, program, isSilent, npm }: AfterInstall,
): Promise<void> {
  const natives = nativesIn(packages);
  const { done, failed } = await substitute(files, project, natives, npm);
  if (isSilent) return;
  const replaced = done.map(({ native: { name, version, substitute: of }, kind, by }) => {
    const what = of?.part
      ? `${name} ${version} has parts in native code, which cannot run here. ${by} was put in their place`
      : `${name} ${version} is native code, which cannot run here. node_modules has ${by} in its place`;
    return `${what}, which is ${kind}.${LIMITED[name] === undefined ? '' : ` ${LIMITED[name]}`}`;
  });
  const others = natives.filter((native) => !done.some((each) => each.native === native));
  const lines = [
    ...skipped(packages),
    ...new Set([...replaced, ...others.map((each) => cannotRun(each, program)), ...browsers(packages)]),
  ];
  const text = lines.map((line) => `${program} warn vitrine ${line}\n`).join('');
  if (failed + text !== '') await stderr.write(encode(failed + text));
}

function cannotRun({ name, version, substitute: other }: Native, program: string): string {
  const next = other
    ? `${other.name} does the same in ${other.kind}; run ${program} install again to fetch it`
    : INSTEAD[name];
  const what = `${name} ${version} is native code, which cannot run here`;
  return next === undefined ? `${what}, and has no build in WebAssembly.` : `${what}: ${next}.`;
}

function skipped(packages: ReadonlyMap<string, Installed>): readonly string[] {
  const names = [...packages]
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path, each]) => nameOf(path, each));
  if (names.length === 0) return [];
  return [`Install scripts do not run in this workspace; skipped: ${[...new Set(names)].sort().join(', ')}`];
}

function browsers(packages: ReadonlyMap<string, Installed>): readonly string[] {
  return [...packages].flatMap(([path, each]) => {
    const name = nameOf(path, each);
    const what = `${name} ${each.version ?? ''} starts a browser of its own, which cannot run here`;
    return BROWSERS.has(name)
      ? [`${what}: vitest and jest run with jsdom, and the preview shows pages.`]
      : [];
  });
}
