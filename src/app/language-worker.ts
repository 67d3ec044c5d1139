import type { Timer } from '../base/timer.ts';
import workerURL from '../language/typescript/worker.ts?worker&url';
import { LanguageInWorker } from '../language/workspace-language.ts';
import { startWorker } from '../ui/worker.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The language services of this workspace; the worker is fetched when they are first asked. */
export function languageOf(workspace: Workspace, timer: Timer): LanguageInWorker {
  return new LanguageInWorker(workspace, () => startWorker(workerURL, 'language'), timer);
}
