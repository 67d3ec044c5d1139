import { runPart } from '../shared/part-script.ts';
import type { LoadPart, Programs } from './commands/from-part.ts';

/** Loads parts as scripts from the kernel. `shared` are the modules of the shell that its parts use too. */
export function partScripts(shared: Readonly<Record<string, object>>): LoadPart {
  return async (part, { files }) => {
    if (!files.part) throw new Error('it is not part of this workspace');
    return runPart(await files.part(part), `shell/${part}`, shared) as Programs;
  };
}
