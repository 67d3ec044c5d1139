import { FaultError, type Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import { WorkspaceError } from '../workspace/workspace.ts';

/** Rejections cross into page scripts as plain errors whose message holds the whole fault. */
export async function worded<T>(work: Promise<T> | (() => Promise<T>)): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof FaultError) throw new Error(sentence(error.fault), { cause: error });
    if (error instanceof WorkspaceError)
      throw new Error(
        error.message.startsWith(error.code) ? error.message : `${error.code}: ${error.message}`,
        { cause: error },
      );
    throw error;
  }
}

function sentence({ code, what, where, next }: Fault): string {
  return [`${code}: ${what}`, where && `(${where})`, next].filter(Boolean).join(' ');
}

/** A copy that the script may change: records and events are JSON, and the app goes on using them. */
export function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
