import { argTypeError, needFunction, nodeError } from '../builtins/internal/errors.ts';
import { membersOf } from '../builtins/internal/guards.ts';
import { SIGNAL_NUMBERS, codeOf, endsProcess } from '../../shared/signals.ts';
import { joined } from '../loader/files.ts';
import { identityOf } from './identity.ts';
import { makeFinalization, makeUsers, maskOf, referrer } from './process-checks.ts';
import { refused, signalName } from './process-signals.ts';
import type { ProcessContext } from './process-state.ts';
import { spawnSyncBinding } from './prepared-spawn.ts';
import { makeUsage } from './usage.ts';

/** Packages such as better-sqlite3 choose by it among files in native code, whose loading says that it is impossible here. */
const GLIBC = '2.36';

/** Makes the members of `process`, in the order in which programs list them. */
export function processMembers(context: ProcessContext) {
  const { start, loop, state, events, warnings } = context;
  return {
    ...identityOf(start, () => state.sharedEnv),
    ...folderMembers(context),
    ...endMembers(context),
    ...signalMembers(context),
    nextTick(callback: unknown, ...args: unknown[]) {
      needFunction(callback, 'callback');
      if (!state.exiting) loop.nextTick(callback, args);
    },
    ...makeUsage(),
    constrainedMemory: () => 0,
    availableMemory: () => 1024 ** 3,
    ...makeUsers(1000, 1000),
    emitWarning: warnings.emitWarning,
    getBuiltinModule: (name: string) => context.builtin(name),
    getActiveResourcesInfo: () => context.kept(),
    setUncaughtExceptionCaptureCallback(callback: unknown) {
      state.setCapture(callback);
    },
    hasUncaughtExceptionCaptureCallback: () => state.capture !== null,
    setSourceMapsEnabled(enabled: unknown) {
      if (typeof enabled !== 'boolean') throw argTypeError('enabled', 'boolean', enabled);
    },
    sourceMapsEnabled: false,
    ...loadMembers(context),
    report: { writeReport: () => '', getReport: () => ({ header: { glibcVersionRuntime: GLIBC } }) },
    finalization: makeFinalization(events, (name) => warnings.experimental(name)),
    ref: referrer('ref'),
    unref: referrer('unref'),
    ...debugMembers(context),
  };
}

function folderMembers({ state, checkFolder }: ProcessContext) {
  return {
    cwd: () => state.cwd,
    chdir(path: unknown) {
      if (typeof path !== 'string') throw argTypeError('directory', 'string', path);
      state.cwd = checkFolder(joined(state.cwd, path), path);
    },
    umask(value?: unknown) {
      const before = state.mask;
      if (value !== undefined) state.mask = maskOf(value);
      return before;
    },
  };
}

function endMembers({ it, state, events, end }: ProcessContext) {
  function exitWith(code?: number | string | null): never {
    if (code !== undefined) it.exitCode = code;
    if (!state.exiting) {
      state.exiting = true;
      it._exiting = true;
      events.emit('exit', state.code);
    }
    return it.reallyExit(state.code);
  }
  return {
    exit: exitWith,
    reallyExit: (code: number) => end(code & 255),
    abort: () => end(codeOf('SIGABRT'), 'SIGABRT'),
  };
}

function signalMembers({ it, start, loop, events, link, end, signalOther }: ProcessContext) {
  return {
    kill(pid: unknown, signal: string | number = 'SIGTERM') {
      const number = Number(pid);
      if ((typeof pid !== 'number' && typeof pid !== 'string') || number !== (number | 0) || pid === '')
        throw argTypeError('pid', 'number', pid);
      const name = signalName(signal);
      const failed = it._kill(number, name === 0 ? 0 : SIGNAL_NUMBERS[name]);
      if (failed) throw refused('ESRCH', 'kill');
      return true;
    },
    _kill(pid: number, signal: number): number {
      const name = signalName(signal);
      if (pid === start.pid || pid === 0 || pid === -start.pid) {
        if (name === 0) return 0;
        if (it.listenerCount(name) > 0) loop.add(() => events.emit(name, name, SIGNAL_NUMBERS[name]));
        else if (endsProcess(name)) end(codeOf(name), name);
        return 0;
      }
      if (signalOther(pid, name)) return 0;
      const found = link.ask({ kind: 'kill', pid, ...(name !== 0 && { signal: name }) });
      return found === true ? 0 : -3;
    },
  };
}

function loadMembers({ it, load, streams, builtinNames }: ProcessContext) {
  return {
    loadEnvFile(path: unknown = '.env') {
      const fs = load('fs');
      const given = load('util').parseEnv(String(fs.readFileSync(String(path), 'utf8')));
      for (const [name, value] of Object.entries(given)) it.env[name] ??= value;
    },
    // Old packages such as `tmp` read the constants from here, `builtin-modules`, which Yarn 1 has, the names of the modules, and
    // nyc changes how children start.
    binding(name: string) {
      const parts = ['os', 'fs', 'crypto', 'zlib'] as const;
      if (name === 'constants')
        return Object.fromEntries(parts.map((part) => [part, membersOf(load(part)).constants]));
      if (name === 'natives') return Object.fromEntries(builtinNames().map((each) => [each, '']));
      if (name === 'spawn_sync') return spawnSyncBinding;
      throw new Error(`No such module: ${name}`);
    },
    dlopen() {
      throw nodeError(
        'ERR_DLOPEN_FAILED',
        'Native addons cannot be loaded in this workspace: it has no machine code',
      );
    },
    openStdin() {
      streams.stdin.resume();
      return streams.stdin;
    },
  };
}

function debugMembers({ load, link, warnings }: ProcessContext) {
  return {
    _rawDebug: (...args: [unknown]) =>
      link.print(2, new TextEncoder().encode(`${load('util').format(...args)}\n`)),
    assert(value: unknown, message?: string) {
      warnings.deprecated(
        'process.assert() is deprecated. Please use the `assert` module instead.',
        'DEP0100',
      );
      if (!value) throw nodeError('ERR_ASSERTION', message ?? 'assertion error');
    },
  };
}
