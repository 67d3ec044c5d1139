/**
 * How the test host fails. The defaults are the pessimistic side of what is known of the real runtime, so that nothing
 * is built on more than it promises. The host asks its server for them when it is loaded, and takes changes by `POST /knobs`
 * with the next load.
 */
export interface Knobs {
  /** What `/headless` does: as it should, answer 404, accept and stay silent, or load without ever saying `init`. */
  readonly page: 'works' | 'missing' | 'silent' | 'mute';
  /** Headers that the frame needs in an isolated page. */
  readonly coep: boolean;
  readonly corp: boolean;
  /** Other origins may read what `/headless` answers. */
  readonly readable: boolean;
  /** Milliseconds before `init`. */
  readonly initAfterMs: number;
  /** `build` never answers. */
  readonly buildHangs: boolean;
  /** Chunks of output end in the middle of a character. */
  readonly splitCharacters: boolean;
  /** They end anywhere: in the middle of an escape sequence or of a line break, too. */
  readonly cutAnywhere: boolean;
  /** The stream of a process ends with it; otherwise it never does. */
  readonly outputEnds: boolean;
  /** Whether typed text shows in the output, and how: as it is, or with its control characters as `^D`. */
  readonly echo: 'none' | 'raw' | 'caret';
  /** How long a process goes on after `kill`, milliseconds; `Infinity`: for ever. */
  readonly killIgnoredMs: number;
  /** Errors of the file system carry their `code`. */
  readonly errorCodes: boolean;
  /** Programs are found by the shell alone: to `spawn` every other one is not there. */
  readonly onlyShell: boolean;
  /** Node starts and does nothing, for ever. */
  readonly nodeHangs: boolean;
  /** A program that is not there: `spawn` rejects, or the process ends with 127. */
  readonly missingProgram: 'rejects' | 'exits';
  /** `exit` of what still runs rejects with `Process aborted` on teardown. */
  readonly exitRejects: boolean;
  /** Every call after this many is never answered: the runtime died. */
  readonly diesAfter: number;
  /** Each change is told this often. */
  readonly watchTimes: number;
  /** The answer of `teardown` never comes. */
  readonly teardownHangs: boolean;
}

export const pessimistic: Knobs = {
  page: 'works',
  coep: true,
  corp: true,
  readable: false,
  initAfterMs: 0,
  buildHangs: false,
  splitCharacters: true,
  cutAnywhere: false,
  outputEnds: false,
  echo: 'none',
  killIgnoredMs: 150,
  errorCodes: false,
  onlyShell: false,
  nodeHangs: false,
  missingProgram: 'exits',
  exitRejects: true,
  diesAfter: Infinity,
  watchTimes: 2,
  teardownHangs: false,
};

/** JSON knows no Infinity. */
export function knobsToJson(knobs: Knobs): string {
  return JSON.stringify(knobs, (_, value: unknown) => (value === Infinity ? 'never' : value));
}

export function knobsFromJson(json: string): Knobs {
  const given = JSON.parse(json, (_, value: unknown) => (value === 'never' ? Infinity : value)) as object;
  return { ...pessimistic, ...given };
}
