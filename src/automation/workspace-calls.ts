import { fromRoot } from '../protocol/paths.ts';
import { exec, type Workspace } from '../workspace/workspace.ts';
import {
  changesOptionsSchema,
  checked,
  contentSchema,
  execOptionsSchema,
  jobIdSchema,
  pathSchema,
  textSchema,
} from './arguments.ts';
import { bytesOf } from './content.ts';
import type { Automation, AutomationHost } from './types.ts';
import { worded } from './worded.ts';

/** How many paths `workspace.list()` returns at most. */
const LISTED = 100_000;

/** `vitrine.workspace`. `mustBeConfigured` throws before `configure()` was called, and names the call. */
export function workspaceCalls(
  hostPromise: Promise<AutomationHost>,
  mustBeConfigured: (call: string) => void,
): Automation['workspace'] {
  async function workspace(): Promise<Workspace> {
    return worded((await hostPromise).currentWorkspace());
  }

  return {
    async exec(command, options = {}) {
      mustBeConfigured('workspace.exec()');
      const script = checked('The command of workspace.exec()', textSchema, command);
      const given = checked('The options of workspace.exec()', execOptionsSchema, options);
      const here = await workspace();
      const { exitCode, output } = await worded(exec(here, script, definedOf(given)));
      // The page says where files cannot be stored; the command has its result all the same.
      await here.durable().catch(() => undefined);
      return { exitCode, output };
    },
    async readFile(path) {
      checked('The path of workspace.readFile()', pathSchema, path);
      const bytes = await worded((await workspace()).files.read(path));
      return new TextDecoder().decode(bytes);
    },
    async writeFile(path, content) {
      checked('The path of workspace.writeFile()', pathSchema, path);
      const bytes = bytesOf(path, checked('The content of workspace.writeFile()', contentSchema, content));
      const here = await workspace();
      await worded(here.files.write(path, bytes));
      await worded(here.durable());
    },
    async list(glob = '**') {
      checked('The glob of workspace.list()', pathSchema, glob);
      const { search } = await workspace();
      const found = await worded(search.glob({ pattern: glob, limit: LISTED, timeoutMs: 60_000 }));
      if (found.truncated || found.timedOut)
        throw new Error(`workspace.list(): there are too many files to list. Give a narrower glob.`);
      return found.paths.map(fromRoot).sort();
    },
    async remove(path) {
      checked('The path of workspace.remove()', pathSchema, path);
      const here = await workspace();
      await worded(here.files.remove(path, { recursive: true }));
      await worded(here.durable());
    },
    async jobs() {
      return [...((await workspace()).jobs?.list() ?? [])];
    },
    async stopJob(id) {
      const job = checked('The id of workspace.stopJob()', jobIdSchema, id);
      const { jobs } = await workspace();
      const known = jobs?.list().map((each) => each.id) ?? [];
      if (!jobs || !known.includes(job)) throw new Error(noJob(job, known));
      await worded(jobs.stop(job));
    },
    async changes(options = {}) {
      const given = checked('The options of workspace.changes()', changesOptionsSchema, options);
      return worded((await hostPromise).changes(given));
    },
  };
}

function noJob(id: number, known: readonly number[]): string {
  const ids = known.length === 0 ? 'there is none now' : `the ids now are: ${known.join(', ')}`;
  return `workspace.stopJob(): no job has the id ${id}. Take the id of one from workspace.jobs(); ${ids}.`;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Copies `value` without the fields that are `undefined`. */
function definedOf<T extends object>(value: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<
    Defined<T>
  >;
}
