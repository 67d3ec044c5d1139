import { WorkspaceError, type Search } from '../workspace.ts';
import type { Holder } from './container-files.ts';

/** Each search is one process in the container, which looks at the files themselves. */
export function containerSearch(holder: Holder): Search {
  async function placed(path: string): Promise<string> {
    await holder.fresh();
    const place = holder.mirror.locate(path);
    if (!place.node && !place.beyond) throw new WorkspaceError('ENOENT', path);
    return place.path;
  }

  return {
    async glob({ signal, path = '.', ...query }) {
      const place = await placed(path);
      const { helper } = await holder.fresh();
      const instead = { paths: [], truncated: false, timedOut: true, hidden: 0 };
      const timeout = { ms: query.timeoutMs, instead };
      return helper.ask('glob', { ask: 'glob', query: { ...query, path: place } }, { signal, timeout });
    },
    async grep({ signal, path = '.', ...query }) {
      const place = await placed(query.texts ? '.' : path);
      const { helper } = await holder.fresh();
      const instead = { matches: [], truncated: false, timedOut: true, hidden: 0 };
      const timeout = { ms: query.timeoutMs, instead };
      return helper.ask('grep', { ask: 'grep', query: { ...query, path: place } }, { signal, timeout });
    },
  };
}
