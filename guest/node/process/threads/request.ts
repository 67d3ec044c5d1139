import { argTypeError, needString, nodeError } from '../../builtins/internal/errors.ts';
import { joined } from '../../loader/files.ts';
import { parseCli } from '../../start/cli.ts';
import { VERSION } from '../../start/versions.ts';
import { needCloneable, needTransferable } from '../cloneable.ts';
import { listOf } from '../port-methods.ts';
import type { Transfer } from '../port-types.ts';
import { SHARE_ENV, type Limits } from './messages.ts';

export interface WorkerOptions {
  readonly eval?: unknown;
  readonly workerData?: unknown;
  readonly transferList?: Transfer;
  readonly argv?: unknown;
  readonly env?: unknown;
  readonly execArgv?: unknown;
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly name?: unknown;
  readonly resourceLimits?: Partial<Limits>;
}

/** A thread that a program wants to start, from arguments that have been checked. */
export interface ThreadRequest {
  readonly name: string;
  /** The arguments of `node` that run the thread's program. */
  readonly args: readonly string[];
  /** The variables of the thread. Undefined: it gets those of the process. */
  readonly env: object | undefined;
  readonly sharesEnv: boolean;
  readonly isEval: boolean;
  readonly workerData: unknown;
  readonly transferList: readonly Transferable[];
  readonly resourceLimits: Partial<Limits> | undefined;
}

/** Checks the arguments of `new Worker`, in the order in which node does. */
export function threadRequest(file: unknown, options: WorkerOptions, cwd: () => string): ThreadRequest {
  const { workerData, argv = [], execArgv = [], env, name = '', resourceLimits } = options;
  if (!Array.isArray(argv)) throw argTypeError('options.argv', 'Array', argv);
  if (!Array.isArray(execArgv)) throw argTypeError('options.execArgv', 'Array', execArgv);
  if (env !== undefined && env !== null && env !== SHARE_ENV && typeof env !== 'object')
    throw argTypeError('options.env', ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'], env);
  needString(name, 'options.name');
  const flags = execArgv.map(String);
  const { mode } = parseCli([...flags, '-e', ''], undefined, VERSION);
  if (mode.kind === 'say')
    throw nodeError(
      'ERR_WORKER_INVALID_EXEC_ARGV',
      `Initiated Worker with invalid execArgv flags: ${flags.join(', ')}`,
    );
  const isEval = Boolean(options.eval);
  const args = [...flags, ...programOf(file, isEval, cwd), ...argv.map(String)];
  const transferList = listOf(options.transferList);
  needTransferable(transferList);
  needCloneable(workerData);
  return {
    name,
    args,
    env: typeof env === 'object' && env !== null ? env : undefined,
    sharesEnv: env === SHARE_ENV,
    isEval,
    workerData,
    transferList,
    resourceLimits,
  };
}

/** Returns the arguments of `node` for the program of a thread: a file, a data URL or text. */
function programOf(file: unknown, isText: boolean, cwd: () => string): string[] {
  if (isText) {
    if (typeof file !== 'string')
      throw nodeError(
        'ERR_INVALID_ARG_VALUE',
        `The property 'options.eval' must be false when 'filename' is not a string. Received true`,
        TypeError,
      );
    return ['-e', file];
  }
  if (file instanceof URL) {
    if (file.protocol === 'file:') return [decodeURIComponent(file.pathname)];
    if (file.protocol === 'data:')
      return ['--input-type=module', '-e', `import ${JSON.stringify(file.href)}`];
    throw nodeError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file', TypeError);
  }
  if (typeof file !== 'string') throw argTypeError('filename', ['string', 'URL'], file);
  if (!file.startsWith('/') && !/^\.{1,2}\//.test(file)) {
    const hint = /^file:/.test(file) ? ' Wrap file:// URLs with `new URL`.' : '';
    const data = /^data:text\/javascript/.test(file) ? ' Wrap data: URLs with `new URL`.' : '';
    throw nodeError(
      'ERR_WORKER_PATH',
      `The worker script or module filename must be an absolute path or a relative path starting with './' or '../'.${hint}${data} Received "${file}"`,
      TypeError,
    );
  }
  return [joined(cwd(), file)];
}
