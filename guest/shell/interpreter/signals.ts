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

/** Names without `SIG`, in the order of their numbers. */
export const signalNames: readonly string[] = Object.keys(NUMBERS).filter((name) => name !== 'EXIT');

/** Nothing happens to a process that has no trap for these. */
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

/** `sigterm`, `TERM`, `15` or the status of a process that it ended: the name; undefined for what is none. */
export function signalName(word: string): string | undefined {
  if (/^\d+$/.test(word)) return NAMES.get(Number(word) > 128 ? Number(word) - 128 : Number(word));
  const name = word.toUpperCase().replace(/^SIG/, '');
  return Object.hasOwn(NUMBERS, name) ? name : undefined;
}

export function signalNumber(name: string): number {
  return NUMBERS[name.replace(/^SIG/, '')] ?? 0;
}
