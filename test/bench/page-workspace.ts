import { pageClock } from '../../src/base/clock.ts';
import { hashBytes } from '../../src/base/hash.ts';
import type { Json } from '../../src/base/json.ts';
import { openStorage } from '../../src/storage/open.ts';
import { builtinTools } from '../../src/tools/builtin.ts';
import { ToolRegistry } from '../../src/tools/registry.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { openEmbedded } from '../../src/workspace/embedded/open.ts';
import type { JournalChange } from '../../src/protocol/journal.ts';
import { exec, ROOT, type Workspace } from '../../src/workspace/workspace.ts';
import { bulk } from './bulk.ts';
import { BenchHistory } from './page-history.ts';
import { tree } from './tree.ts';

const encoder = new TextEncoder();
let current: Workspace | undefined;

function opened(): Workspace {
  if (!current) throw new Error('openWorkspace() comes first');
  return current;
}

async function storage() {
  return openStorage({ onProblem: (fault) => console.error(fault) });
}

/** Fills the journal of a workspace, as earlier page loads would have. */
async function seed(id: string, files: number): Promise<void> {
  const journal = (await storage()).journal(id);
  await journal.load();
  const changes: JournalChange[] = [...tree(files)].map(({ path, text }) => ({
    op: 'put',
    node: { path, type: 'file', mode: 0o644, modified: pageClock.now() },
    bytes: encoder.encode(text),
  }));
  changes.push({
    op: 'put',
    node: { path: 'first.txt', type: 'file', mode: 0o644, modified: pageClock.now() },
    bytes: encoder.encode('first'),
  });
  await journal.append(changes);
}

/** Milliseconds from asking for a workspace of so many files to its first file read. The storage is opened anew. */
export async function usable(files: number): Promise<number> {
  const id = `usable-${files}`;
  if (files >= 0) await seed(id, files);
  const started = performance.now();
  const fresh = await storage();
  const workspace = openEmbedded({ id, journal: fresh.journal(id), container: document.body });
  await workspace.files.read('first.txt');
  const took = performance.now() - started;
  await workspace.close();
  return took;
}

/** The workspace that the other measurements use: 5,000 files, everything warm. */
export async function openWorkspace(): Promise<void> {
  await seed('search', 5000);
  current = openEmbedded({
    id: 'search',
    journal: (await storage()).journal('search'),
    container: document.body,
  });
  await exec(current, 'echo warm');
  await current.search.grep({ pattern: 'warm', limit: 1, timeoutMs: 60_000 });
}

let kept: BenchHistory | undefined;

/** The 5,000 files again, with their history. */
export async function openHistory(): Promise<void> {
  await openWorkspace();
  kept = new BenchHistory(opened());
}

export function history(): BenchHistory {
  if (!kept) throw new Error('openHistory() comes first');
  return kept;
}

/** An empty workspace in the place of it, with its shells at rest. */
export async function openEmpty(): Promise<void> {
  const journal = (await storage()).journal('empty');
  current = openEmbedded({ id: 'empty', journal, container: document.body });
  await exec(current, 'echo warm');
  // The second shell is made once the first is there.
  await exec(current, 'sleep 1');
}

/** A workspace that holds the files of bulk.ts, everything warm. */
export async function openBulk(): Promise<void> {
  await openEmpty();
  const { files } = opened();
  await Promise.all(bulkFiles().map(({ path, text }) => files.write(path, encoder.encode(text))));
  await opened().durable();
}

export function bulkFiles(): { path: string; text: string }[] {
  return [...bulk()];
}

/** What a command prints. */
export async function output(command: string): Promise<string> {
  return (await exec(opened(), command)).output;
}

export interface Timed {
  readonly ms: number;
  readonly found: number;
}

/** One shell command through the port. */
export async function shell(command: string): Promise<Timed> {
  const started = performance.now();
  const { output } = await exec(opened(), command);
  return { ms: performance.now() - started, found: output.split('\n').length - 1 };
}

/** Every match of a pattern, without the tool's limit of 100: the same work that ripgrep does. */
export async function grep(query: { pattern: string; ignoreCase: boolean }): Promise<Timed> {
  const started = performance.now();
  const { matches } = await opened().search.grep({ ...query, limit: 1_000_000, timeoutMs: 60_000 });
  return { ms: performance.now() - started, found: matches.length };
}

/** Writes behind the tools' back. */
export async function write(path: string, text: string): Promise<void> {
  await opened().files.write(path, encoder.encode(text));
}

export function files(): { path: string; text: string }[] {
  return [...tree()];
}

const reads = new Map<string, string>();

const noTask = (): Promise<never> => Promise.reject(new Error('Nothing else works here.'));

/** One call of a built-in tool, everything allowed. */
export async function runTool(id: string, input: Json): Promise<Timed> {
  const workspace = opened();
  const tools = await new ToolRegistry(builtinTools).tools({ provider: 'bench', model: 'bench' }, 'build');
  const tool = tools.find((known) => known.id === id);
  if (!tool) throw new Error(`There is no tool ${id}`);
  const parsed = tool.parse(input);
  if (!parsed.ok) throw new Error(parsed.message);
  const context: ToolContext = {
    sessionID: 'bench',
    messageID: 'bench',
    callID: 'bench',
    agent: 'build',
    model: { provider: 'bench', model: 'bench' },
    directory: ROOT,
    worktree: ROOT,
    abort: new AbortController().signal,
    extra: {},
    workspace,
    outputs: {
      save: async (_tool, text) => ({ path: '~/kept', blob: hashBytes(encoder.encode(text)) }),
      read: async () => undefined,
      list: () => [],
      generated: [],
      own: {},
    },
    reads: { seen: (path) => reads.get(path), record: (path, hash) => void reads.set(path, hash) },
    previous: () => undefined,
    visibility: () => [],
    rules: () => ({ configured: [], saved: [] }),
    metadata: () => {},
    output: () => {},
    lock: async () => () => {},
    ask: async () => true,
    question: async () => [],
    calls: async () => ({ results: [] }),
    tasks: { agentOf: noTask, run: noTask, start: noTask, report: noTask, cancel: noTask },
    handOver: noTask,
  };
  const started = performance.now();
  const result = await tool.run(parsed.input, context);
  const ms = performance.now() - started;
  const count = result.metadata?.matches ?? result.metadata?.count ?? 0;
  return { ms, found: typeof count === 'number' ? count : 0 };
}
