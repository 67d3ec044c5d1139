import type { ShellPart } from '../../../src/protocol/frame.ts';
import type { Program, ProgramCall } from '../program.ts';

export type Programs = Readonly<Record<string, Program>>;
export type LoadPart = (part: ShellPart, call: ProgramCall) => Promise<Programs>;

const loaded = new Map<ShellPart, Promise<Programs>>();
let load: LoadPart = () => Promise.reject(new Error('it is not part of this shell'));

/** Returns a program whose code is in a script of its own, which is loaded when a program of it is first run. */
export function fromPart(part: ShellPart, name: string): Program {
  return async (call) => {
    const programs = loaded.get(part) ?? load(part, call);
    loaded.set(part, programs);
    // After a failure the next call tries again.
    programs.catch(() => loaded.delete(part));
    const program = (await programs)[name];
    if (!program) throw new Error(`the part ${part} does not have it`);
    return program(call);
  };
}

/** Says how parts are loaded, before any program is run. */
export function loadPartsBy(way: LoadPart): void {
  load = way;
}
