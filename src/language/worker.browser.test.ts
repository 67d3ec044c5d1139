import { afterAll, vi } from 'vitest';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { languageOf } from '../app/language-worker.ts';
import { timeoutTimer } from '../base/timer.ts';
import { languageContract, PROJECT } from './contract.ts';
import type { LanguageInWorker } from './workspace-language.ts';

// The first one loads several megabytes, on a machine that may be shared.
vi.setConfig({ testTimeout: 60_000 });

const made: LanguageInWorker[] = [];

/** In the worker of the app, started as the app starts it. */
languageContract(async () => {
  const workspace = new MemoryWorkspace({ files: PROJECT });
  const language = languageOf(workspace, timeoutTimer);
  made.push(language);
  return { workspace, language };
});

afterAll(() => {
  for (const language of made) language.stop();
});
