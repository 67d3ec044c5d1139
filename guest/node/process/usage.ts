import { argTypeError, outOfRange } from '../builtins/internal/errors.ts';
import { clock } from '../loop/browser-clock.ts';
import { needUsage } from './process-checks.ts';

/** Makes the members of `process` that measure time and memory, from now on. */
export function makeUsage() {
  const began = clock.now();
  const STARTED = clock.timeOrigin - 1000;

  function hrtime(before?: [number, number]): [number, number] {
    const now = clock.timeOrigin + clock.now() - STARTED;
    const seconds = Math.floor(now / 1000);
    const nanos = Math.round((now % 1000) * 1e6);
    if (before === undefined) return [seconds, nanos];
    if (!Array.isArray(before)) throw argTypeError('time', 'Array', before);
    if (before.length !== 2) throw outOfRange('time', '2', before.length);
    const [s, n] = [seconds - before[0], nanos - before[1]];
    return n < 0 ? [s - 1, n + 1e9] : [s, n];
  }
  hrtime.bigint = () => BigInt(Math.round((clock.now() + 1000) * 1e6));

  function cpuUsage(before?: unknown) {
    const user = Math.round((clock.now() - began) * 1000);
    if (!before) return { user, system: 0 };
    needUsage(before);
    return { user: user - before.user, system: Math.max(0, -before.system) };
  }

  function memoryUsage() {
    const heapUsed = 24 * 1024 * 1024;
    return {
      rss: 64 * 1024 * 1024,
      heapTotal: 32 * 1024 * 1024,
      heapUsed,
      external: 2 * 1024 * 1024,
      arrayBuffers: 16 * 1024,
    };
  }
  memoryUsage.rss = () => memoryUsage().rss;

  return {
    hrtime,
    uptime: () => (clock.now() - began) / 1000 + 0.02,
    memoryUsage: Object.assign(memoryUsage, { rss: memoryUsage.rss }),
    cpuUsage,
    threadCpuUsage: cpuUsage,
    resourceUsage: () => ({
      userCPUTime: Math.round((clock.now() - began) * 1000),
      systemCPUTime: 0,
      maxRSS: memoryUsage().rss / 1024,
      sharedMemorySize: 0,
      unsharedDataSize: 0,
      unsharedStackSize: 0,
      minorPageFault: 0,
      majorPageFault: 0,
      swappedOut: 0,
      fsRead: 0,
      fsWrite: 0,
      ipcSent: 0,
      ipcReceived: 0,
      signalsCount: 0,
      voluntaryContextSwitches: 0,
      involuntaryContextSwitches: 0,
    }),
  };
}
