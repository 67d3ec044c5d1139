import { afterAll } from 'vitest';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { languageOf } from '../app/language-worker.ts';
import { timeoutTimer } from '../base/timer.ts';
import { languageContract, PROJECT } from './contract.ts';
import type { WorkerLanguage } from './workspace-language.ts';

const made: WorkerLanguage[] = [];

/** Runs in the app's worker, started as the app does. */
languageContract(async () => {
  const workspace = new MemoryWorkspace({ files: PROJECT });
  const language = languageOf(workspace, timeoutTimer);
  made.push(language);
  return { workspace, language };
});

afterAll(() => {
  for (const language of made) language.stop();
});
