import type * as z from 'zod';
import type { Files, GlobQuery, GrepQuery, Search } from '../workspace.ts';
import type { Call } from '../../protocol/frame.ts';
import { answers, grepAnswerIn } from './schemas.ts';

/** Calls the current kernel. */
export type CallKernel = <Schema extends z.ZodType>(
  call: Call,
  schema: Schema,
  signal?: AbortSignal,
  transfer?: Transferable[],
) => Promise<z.output<Schema>>;

export function embeddedFiles(call: CallKernel): Files {
  return {
    resolve: (path) => call({ method: 'resolve', path }, answers.resolve),
    read: (path, { real = false } = {}) => call({ method: 'read', path, real }, answers.read),
    stat: (path) => call({ method: 'stat', path }, answers.stat),
    list: (path, { real = false } = {}) => call({ method: 'list', path, real }, answers.list),
    readLink: (path) => call({ method: 'readLink', path }, answers.readLink),
    async makeLink(path, target) {
      await call({ method: 'makeLink', path, target }, answers.nothing);
    },
    async write(path, content, { expect, real = false, executable = false } = {}) {
      // A copy, so that its buffer can be transferred. Cloning a view would clone the whole buffer behind it.
      const copy = content.slice();
      const what = {
        method: 'write',
        path,
        content: copy,
        real,
        executable,
        ...(expect !== undefined && { expect }),
      } as const;
      await call(what, answers.nothing, undefined, [copy.buffer]);
    },
    async makeDirectory(path) {
      await call({ method: 'makeDirectory', path }, answers.nothing);
    },
    async remove(path, { recursive = false, expect, real = false } = {}) {
      const what = {
        method: 'remove',
        path,
        recursive,
        real,
        ...(expect !== undefined && { expect }),
      } as const;
      await call(what, answers.nothing);
    },
    async rename(from, to, { real = false } = {}) {
      await call({ method: 'rename', from, to, real }, answers.nothing);
    },
  };
}

export function embeddedSearch(call: CallKernel): Search {
  return {
    glob: (query) => call({ method: 'glob', query: withoutSignal(query) }, answers.glob, query.signal),
    grep: (query) =>
      call(
        { method: 'grep', query: withoutSignal(query) },
        query.texts ? grepAnswerIn(query.texts) : answers.grep,
        query.signal,
      ),
  };
}

/** Removes the signal, which cannot be posted. It is passed to the call separately. */
function withoutSignal<Query extends GlobQuery | GrepQuery>(query: Query): Omit<Query, 'signal'> {
  const { signal: _signal, ...rest } = query;
  return rest;
}
