import type { Timer } from '../base/timer.ts';
import workerURL from '../language/typescript/worker.ts?worker&url';
import { WorkerLanguage } from '../language/workspace-language.ts';
import { startWorker } from '../ui/worker.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The language services of this workspace. The worker is loaded with the first request. */
export function languageOf(workspace: Workspace, timer: Timer): WorkerLanguage {
  return new WorkerLanguage(workspace, () => startWorker(workerURL, 'language'), timer);
}
