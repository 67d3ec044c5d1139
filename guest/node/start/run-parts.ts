import type { NodeHost } from '../builtins/builtin.ts';
import type { Builtins, Modules } from '../builtins/modules.ts';
import type { Sources } from '../errors/sources.ts';
import type { KernelLink } from '../kernel/link.ts';
import type { EventLoop } from '../loop/loop.ts';
import type { MadeProcess } from '../process/process.ts';
import type { Cli } from './cli.ts';

/** The parts of a process that running its program needs. */
export interface RunParts {
  readonly host: NodeHost;
  /** `kept`: paths through symlinks stay as they are, as `--preserve-symlinks` asks. */
  readonly links: { kept: boolean };
  readonly cli: Cli;
  readonly link: KernelLink;
  readonly loop: EventLoop;
  readonly made: MadeProcess;
  readonly modules: Modules;
  readonly builtins: Builtins;
  readonly sources: Sources;
  /** This process has no program and only answers requests of its parent. */
  readonly serving: boolean;
  /** The program is text that was passed to a `Worker`. */
  readonly isWorkerEval: boolean;
  /** Takes the promise of the program. The process fails if it rejects, or if it never settles. */
  readonly main: (promise: Promise<unknown>) => void;
}
