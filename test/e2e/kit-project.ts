import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findHeadlessChromium } from '../../scripts/chromium.mjs';
import { inChromium, prepareProject, testCommand, usePlaywright } from '../../scripts/kit-project.mjs';
import { test as base } from './test.ts';

const run = promisify(execFile);
export const root = path.resolve(import.meta.dirname, '../..');

/** A package in the output of `npm pack --json`, without the members that no test reads. */
interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly results: readonly {
        readonly error?: { readonly message: string };
        readonly errors: readonly {
          readonly message: string;
          readonly location?: { readonly line: number };
        }[];
        readonly steps?: readonly { readonly title: string }[];
        readonly attachments: readonly { readonly name: string; readonly path?: string }[];
      }[];
    }[];
  }[];
}

const specsOf = (suite: Suite): Suite['specs'] => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];

interface PackedKit {
  /** The folder that has the tarball. */
  readonly folder: string;
  readonly packed: Packed;
}

async function packKit(): Promise<PackedKit> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-packed-'));
  const made = path.join(folder, 'made');
  await run(process.execPath, ['scripts/pack-kit.mjs', made], { cwd: root });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: made });
  await rm(made, { recursive: true });
  const [packed] = JSON.parse(stdout) as [Packed];
  return { folder, packed };
}

/** A test with the packed test kit. Packing takes long, so that a worker does it once for all files of tests. */
export const test = base.extend<object, { packedKit: PackedKit }>({
  packedKit: [
    async ({}, use) => {
      const kit = await packKit();
      await use(kit);
      await rm(kit.folder, { recursive: true });
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

/** A folder as somebody has it who has installed the packed test kit. */
export class KitProject {
  readonly folder: string;
  readonly packed: Packed;
  /** What commands see besides the usual environment. */
  env: Readonly<Record<string, string>> = {};
  /** The browser that tests run in, as Playwright's `use`. */
  browser = inChromium();

  private constructor(folder: string, packed: Packed) {
    this.folder = folder;
    this.packed = packed;
  }

  /** A folder of its own, in which the package is installed. */
  static async make({ folder: from, packed }: PackedKit): Promise<KitProject> {
    const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-kit-'));
    const unpack = ['-xzf', path.join(from, packed.filename), '--strip-components=1', '-C'];
    await run('tar', [...unpack, prepareProject(folder)]);
    return new KitProject(folder, packed);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  /** The environment of commands. Playwright starts workers of its own, so it must not see that it runs inside of one. */
  get environment(): Record<string, string | undefined> {
    return {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, CI: '1', CHROMIUM_PATH: findHeadlessChromium() },
      ...this.env,
    };
  }

  /** Runs Node in the folder. */
  readonly run = (...args: readonly string[]) =>
    run(process.execPath, args, { cwd: this.folder, env: this.environment });

  /** Runs tests with the Playwright of another folder of packages from now on. */
  usePlaywright(packages: string): void {
    usePlaywright(this.folder, packages);
  }

  /** Runs these tests of the project, or with these options of Playwright, and returns what its JSON report says of each. */
  async results(...args: readonly string[]) {
    const command = [...testCommand(this.folder, this.browser), ...args];
    // The command fails when a test does; its report is there all the same.
    const { stdout } = await this.run(...command).catch((error: { stdout: string }) => error);
    const { suites } = JSON.parse(stdout) as { suites: Suite[] };
    return suites.flatMap(specsOf).map(({ title, ok, tests: [tried] }) => ({
      title,
      ok,
      tries: tried?.results.length ?? 0,
      result: tried?.results[0],
    }));
  }
}
