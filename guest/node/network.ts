import type { NodeHost } from './builtins/builtin.ts';
import { systemError } from './fs/errors.ts';

/** What a process reaches by HTTP, and how it is reached. */
export type Network = Pick<NodeHost, 'fetch' | 'listen'>;

/** A process on its own: nothing answers, nobody asks. */
export function noNetwork(): Network {
  return {
    fetch: ({ url }) => {
      const { hostname, port, protocol } = new URL(url);
      const error = systemError('ECONNREFUSED', 'connect');
      error.message = `connect ECONNREFUSED ${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
      return Promise.reject(error);
    },
    listen: () => {
      throw systemError('EACCES', 'listen');
    },
  };
}
