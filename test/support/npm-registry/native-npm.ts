import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const NPM = path.resolve(import.meta.dirname, '../../../node_modules/npm/bin/npm-cli.js');
/** These options leave out the settings of the machine. */
const PLAIN = ['--userconfig=.no-user-config', '--globalconfig=.no-global-config'];

/** A folder outside of the page in which the same npm runs with the same registry and for the same processor. */
export interface NativeProject {
  /** Runs npm, without install scripts, as in the workspace, and returns what it printed. Rejects if it fails. */
  npm(...args: string[]): Promise<string>;
  /** Runs the program of another package manager, whose file is in this repository's node_modules, with these variables. */
  manager(
    file: string,
    args: readonly string[],
    variables?: Readonly<Record<string, string>>,
  ): Promise<string>;
  /** Runs a line of bash and returns what it prints. */
  shell(line: string): Promise<string>;
  remove(): void;
}

/**
 * A line of shell that prints the paths and contents of all that was installed, the links and their targets, and which files may be
 * executed; without the files of these packages.
 */
export function printTree(without: readonly string[] = []): string {
  const others = without.map((name) => `! -path 'node_modules/${name}/*'`).join(' ');
  return [
    `find node_modules -type f ${others} | LC_ALL=C sort | xargs -d '\\n' sha256sum`,
    'find node_modules -type l | LC_ALL=C sort',
    'find node_modules -type l | LC_ALL=C sort | xargs -r -n 1 readlink',
    'find node_modules -type f -perm -100 | LC_ALL=C sort',
  ].join('; ');
}

export function nativeProject(files: Readonly<Record<string, string>>, registry: string): NativeProject {
  // The registry is in this process, which must not block.
  const run = promisify(execFile);
  // Vite sets NODE_ENV in a process in which an earlier test has built something, and npm leaves out devDependencies for it.
  const isLeftOut = (name: string) => /^npm_/i.test(name) || name === 'NODE_ENV';
  // Yarn refuses to write its lockfile, and pnpm to change it, when they find themselves in continuous integration.
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isLeftOut(name))),
    CI: 'false',
  };
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-npm-'));
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  write('.npmrc', `registry=${registry}\nfund=false\ncpu=wasm32\naudit=false\ncache=${folder}/.cache\n`);
  return {
    async npm(...args) {
      const command = [NPM, '--ignore-scripts', ...PLAIN, ...args];
      const { stdout, stderr } = await run(process.execPath, command, { cwd: folder, env });
      return stdout + stderr;
    },
    async manager(file, args, variables) {
      const script = path.resolve(import.meta.dirname, '../../../node_modules', file);
      const options = { cwd: folder, env: { ...env, HOME: folder, ...variables } };
      const { stdout, stderr } = await run(process.execPath, [script, ...args], options).catch(
        (error: Error & { stdout?: string }) => {
          // Yarn and pnpm say on stdout why they failed, which the error of execFile lacks.
          throw new Error(`${error.message}\n${error.stdout}`, { cause: error });
        },
      );
      return stdout + stderr;
    },
    async shell(line) {
      const { stdout } = await run('bash', ['-c', line], { cwd: folder, maxBuffer: 64_000_000 });
      return stdout;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
