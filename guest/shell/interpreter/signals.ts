const NUMBERS: Readonly<Record<string, number>> = {
  EXIT: 0,
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ILL: 4,
  TRAP: 5,
  ABRT: 6,
  BUS: 7,
  FPE: 8,
  KILL: 9,
  USR1: 10,
  SEGV: 11,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  STKFLT: 16,
  CHLD: 17,
  CONT: 18,
  STOP: 19,
  TSTP: 20,
  TTIN: 21,
  TTOU: 22,
  URG: 23,
  XCPU: 24,
  XFSZ: 25,
  VTALRM: 26,
  PROF: 27,
  WINCH: 28,
  IO: 29,
  PWR: 30,
  SYS: 31,
};
const NAMES = new Map(Object.entries(NUMBERS).map(([name, number]) => [number, name]));

/** The names without `SIG`, in numerical order. */
export const signalNames: readonly string[] = Object.keys(NUMBERS).filter((name) => name !== 'EXIT');

/** A process without a trap ignores these signals. */
export const HARMLESS: ReadonlySet<string> = new Set([
  'CHLD',
  'WINCH',
  'URG',
  'CONT',
  'STOP',
  'TSTP',
  'TTIN',
  'TTOU',
]);

/**
 * Finds the name for `sigterm`, `TERM`, `15`, or the exit status of a process that the signal ended;
 * undefined where there is none.
 */
export function signalName(word: string): string | undefined {
  if (/^\d+$/.test(word)) return NAMES.get(Number(word) > 128 ? Number(word) - 128 : Number(word));
  const name = word.toUpperCase().replace(/^SIG/, '');
  return Object.hasOwn(NUMBERS, name) ? name : undefined;
}

export function signalNumber(name: string): number {
  return NUMBERS[name.replace(/^SIG/, '')] ?? 0;
}
