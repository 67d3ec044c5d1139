import { pathOf } from './arguments.ts';
import { CopyRun } from './copy/copy-run.ts';
import { checkOptions, type CpOptions } from './copy/options.ts';
import type { FsCore } from './core.ts';

/** Runs `cp` step by step. It yields the results of the filter, so that the asynchronous form can wait for them. */
export function* copySteps(
  core: FsCore,
  from: unknown,
  to: unknown,
  options: CpOptions,
  isSync: boolean,
): Generator<unknown, void, unknown> {
  yield* new CopyRun(core, options, isSync).copy(pathOf(from, 'src'), pathOf(to, 'dest'), true);
}

export function cpSync(core: FsCore, from: unknown, to: unknown, options: unknown = {}): void {
  checkOptions(options);
  const steps = copySteps(core, from, to, options, true);
  for (let step = steps.next(); !step.done; step = steps.next(step.value));
}

export async function cp(core: FsCore, from: unknown, to: unknown, options: unknown = {}): Promise<void> {
  checkOptions(options);
  const steps = copySteps(core, from, to, options, false);
  for (let step = steps.next(); !step.done; step = steps.next(await step.value));
}
