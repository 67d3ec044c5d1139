import { WebContainer } from '@webcontainer/api';
import { MemoryJournal } from '../../src/workspace/memory-journal.ts';
import type { Client } from '../../src/workspace/webcontainer/container.ts';
import { helperText, openWebContainer } from '../../src/workspace/webcontainer/open.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';

const encoder = new TextEncoder();
const boot = () => WebContainer.boot({ workdirName: 'project' });
let opened: { readonly workspace: Workspace; readonly client: Client } | undefined;
let spawned = 0;

/** The client's runtime comes from there; the first boot loads its frame, which is nobody's cost. */
export async function useRuntime(host: string): Promise<void> {
  Object.assign(globalThis, { WEBCONTAINER_API_IFRAME_URL: host });
  await helperText();
  (await boot()).teardown();
}

/** Milliseconds of the client's own boot. */
export async function bareBoot(): Promise<number> {
  const started = performance.now();
  const client = await boot();
  const took = performance.now() - started;
  client.teardown();
  return took;
}

/** Milliseconds until a workspace in a container answers. */
export async function ownBoot(): Promise<number> {
  const started = performance.now();
  const workspace = openWebContainer({ id: 'boot', journal: new MemoryJournal(), boot });
  await workspace.files.list('.');
  const took = performance.now() - started;
  await workspace.close();
  return took;
}

export async function openContainer(): Promise<void> {
  const counted = async () => {
    const client = await boot();
    const spy: Client = Object.create(client, {
      spawn: { value: (...given: Parameters<Client['spawn']>) => (spawned++, client.spawn(...given)) },
    });
    opened = { workspace, client };
    return spy;
  };
  const workspace = openWebContainer({ id: 'many', journal: new MemoryJournal(), boot: counted });
  await workspace.files.list('.');
}

function current() {
  if (!opened) throw new Error('openContainer() comes first');
  return opened;
}

const nameOf = (index: number) => `d${index % 40}/f${index}.txt`;

export async function fill(files: number): Promise<void> {
  const { workspace } = current();
  for (let folder = 0; folder < 40; folder++) await workspace.files.makeDirectory(`d${folder}`);
  const names = Array.from({ length: files }, (_, index) => nameOf(index));
  await Promise.all(
    names.map((name) => workspace.files.write(name, encoder.encode(`line of ${name}\n`.repeat(20)))),
  );
}

/** Processes that one search starts, how long it takes and what it finds. */
export async function containerSearch(
  pattern: string,
): Promise<{ processes: number; ms: number; found: number }> {
  const { workspace } = current();
  const before = spawned;
  const started = performance.now();
  const { matches } = await workspace.search.grep({ pattern, limit: 1_000_000, timeoutMs: 60_000 });
  return { processes: spawned - before, ms: performance.now() - started, found: matches.length };
}

/** Milliseconds for so many reads through the workspace, all asked for at once. */
export async function ownReads(files: number): Promise<number> {
  const { workspace } = current();
  const started = performance.now();
  await Promise.all(Array.from({ length: files }, (_, index) => workspace.files.read(nameOf(index))));
  return performance.now() - started;
}

/** The same through the bare client, in a pool of this size. */
export async function pooledReads(files: number, pool: number): Promise<number> {
  const { fs } = current().client;
  const started = performance.now();
  // Whoever reads wants what was read.
  const contents: Uint8Array[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < files; index = next++)
      contents[index] = await fs.readFile(nameOf(index));
  };
  await Promise.all(Array.from({ length: pool }, worker));
  return performance.now() - started;
}
