import type { ProcessSignal } from './protocol.ts';

/** As Linux numbers them. */
export const SIGNAL_NUMBERS: Readonly<Record<ProcessSignal, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGTERM: 15,
};

export function isSignal(name: unknown): name is ProcessSignal {
  return typeof name === 'string' && Object.hasOwn(SIGNAL_NUMBERS, name);
}

export function signalNumbered(number: number): ProcessSignal | undefined {
  return Object.keys(SIGNAL_NUMBERS)
    .filter(isSignal)
    .find((name) => SIGNAL_NUMBERS[name] === number);
}

/** The exit code of a process that a signal ended, as a shell reports it. */
export function codeOf(signal: ProcessSignal): number {
  return 128 + SIGNAL_NUMBERS[signal];
}
