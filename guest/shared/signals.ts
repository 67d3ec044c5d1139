/** Signals with their numbers on Linux. Where two names share a number, {@link signalNumbered} gives the first. */
export const SIGNAL_NUMBERS = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGIOT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGCHLD: 17,
  SIGSTKFLT: 16,
  SIGCONT: 18,
  SIGSTOP: 19,
  SIGTSTP: 20,
  SIGTTIN: 21,
  SIGTTOU: 22,
  SIGURG: 23,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGVTALRM: 26,
  SIGPROF: 27,
  SIGWINCH: 28,
  SIGIO: 29,
  SIGPOLL: 29,
  SIGPWR: 30,
  SIGSYS: 31,
} as const;

export type ProcessSignal = keyof typeof SIGNAL_NUMBERS;

/** Signals that do not end a process without a handler. Processes of a workspace cannot be stopped and continued. */
const HARMLESS: ReadonlySet<ProcessSignal> = new Set([
  'SIGCHLD',
  'SIGCONT',
  'SIGSTOP',
  'SIGTSTP',
  'SIGTTIN',
  'SIGTTOU',
  'SIGURG',
  'SIGWINCH',
]);

export function isSignal(name: unknown): name is ProcessSignal {
  return typeof name === 'string' && Object.hasOwn(SIGNAL_NUMBERS, name);
}

export function signalNumbered(number: number): ProcessSignal | undefined {
  return Object.keys(SIGNAL_NUMBERS)
    .filter(isSignal)
    .find((name) => SIGNAL_NUMBERS[name] === number);
}

export function endsProcess(signal: ProcessSignal): boolean {
  return !HARMLESS.has(signal);
}

/** The exit code of a process that a signal ended, as a shell reports it. */
export function codeOf(signal: ProcessSignal): number {
  return 128 + SIGNAL_NUMBERS[signal];
}
