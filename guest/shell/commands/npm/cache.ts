import { LIMITS } from '../../../../src/protocol/limits.ts';
import { sizeBelow } from '../../kit/walk.ts';
import type { ProgramCall } from '../../program.ts';

/** How much a package manager may keep of what it has fetched. */
const MOST_CACHED = LIMITS.fileBytes / 4;

/**
 * Removes npm's cache once it has grown large. It lies in memory with the other files, and would leave a project no room for
 * what it builds; what the browser itself keeps of the registry's answers is still there.
 */
export async function limitCache({ files, env }: Pick<ProgramCall, 'files' | 'env'>): Promise<void> {
  const cache = `${env.get('HOME') ?? '/home'}/.npm/_cacache`;
  const fetched = `${cache}/content-v2`;
  await removeIfLarge(files, cache, fetched);
}

/** The same for the caches of Yarn. */
export async function limitYarnCaches({ files, env }: Pick<ProgramCall, 'files' | 'env'>): Promise<void> {
  for (const cache of ['.cache/yarn', '.yarn/berry/cache'])
    await removeIfLarge(files, `${env.get('HOME') ?? '/home'}/${cache}`);
}

async function removeIfLarge(files: ProgramCall['files'], cache: string, fetched = cache): Promise<void> {
  if ((await files.exists(fetched)) && (await sizeBelow(files, fetched)) > MOST_CACHED)
    await files.rm(cache, { recursive: true, force: true });
}
