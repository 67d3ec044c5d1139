import { WorkspaceError, type Search } from '../workspace.ts';
import type { MirrorAccess } from './container-files.ts';

/** Runs each search as one process in the container, which reads the files directly. */
export function containerSearch(access: MirrorAccess): Search {
  async function placed(path: string): Promise<string> {
    await access.fresh();
    const place = access.mirror.locate(path);
    if (!place.node && !place.beyond) throw new WorkspaceError('ENOENT', path);
    return place.path;
  }

  return {
    async glob({ signal, path = '.', ...query }) {
      const place = await placed(path);
      const { helper } = await access.fresh();
      const instead = { paths: [], truncated: false, timedOut: true, hidden: 0, ignored: false };
      const timeout = { ms: query.timeoutMs, instead };
      return helper.ask('glob', { ask: 'glob', query: { ...query, path: place } }, { signal, timeout });
    },
    async grep({ signal, path = '.', ...query }) {
      const place = await placed(query.texts ? '.' : path);
      const { helper } = await access.fresh();
      const instead = { matches: [], truncated: false, timedOut: true, hidden: 0, ignored: false };
      const timeout = { ms: query.timeoutMs, instead };
      return helper.ask('grep', { ask: 'grep', query: { ...query, path: place } }, { signal, timeout });
    },
  };
}
