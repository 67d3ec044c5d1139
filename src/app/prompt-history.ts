import * as z from 'zod';
import type { PromptHistory } from '../ui/app.ts';
import type { Storage } from '../storage/storage.ts';

const NAME = 'prompts.history';
/** The number of messages that are kept for each workspace. */
const KEPT = 100;
/** A longer text is most likely pasted, and still in its session. */
const LONGEST = 20_000;

const storedSchema = z.record(z.string(), z.array(z.string()));
type Stored = z.infer<typeof storedSchema>;

/** The prompts that the person sent, keyed by workspace, oldest first. Those of workspaces that are gone for good are removed. */
export async function openPromptHistory({
  settings,
  workspaces,
}: Pick<Storage, 'settings' | 'workspaces'>): Promise<PromptHistory> {
  const read = async (): Promise<Stored> => storedSchema.catch({}).parse(await settings.get(NAME));
  // One change after the other, since each one writes all of it.
  let writing: Promise<void> = Promise.resolve();
  const write = (change: (stored: Stored) => Stored | Promise<Stored>): Promise<void> => {
    const written = writing.then(async () => settings.set(NAME, await change(await read())));
    writing = written.catch(() => undefined);
    return written;
  };
  const first = await read();
  const there = await Promise.all(
    Object.keys(first).map(async (id) => ((await workspaces.get(id)) ? id : undefined)),
  );
  if (there.includes(undefined))
    await write((stored) => Object.fromEntries(Object.entries(stored).filter(([id]) => there.includes(id))));
  return {
    load: async (workspaceID) => {
      await writing;
      return (await read())[workspaceID] ?? [];
    },
    add: (workspaceID, text) =>
      write((stored) => {
        const { [workspaceID]: known = [], ...others } = stored;
        if (text.length > LONGEST || known.at(-1) === text) return stored;
        return { ...others, [workspaceID]: [...known, text].slice(-KEPT) };
      }),
  };
}
