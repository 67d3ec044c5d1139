import { FaultError } from '../base/fault.ts';
import { promptFault } from '../models/browser/faults.ts';
import { LANGUAGES, promptAPI, type PromptAPI } from '../models/browser/prompt-api.ts';
import type { AppBrowserModel } from '../ui/app.ts';
import { TabModelsOfApp } from './tab-models.ts';

/** The browser's own model, as the settings show it. */
export function browserModelOf(api: PromptAPI | undefined = promptAPI()): AppBrowserModel {
  return {
    inTab: new TabModelsOfApp(),
    state: async () => (api ? await api.availability(LANGUAGES) : 'none'),
    async download(progress, signal) {
      try {
        const session = await api?.create({
          ...LANGUAGES,
          signal,
          monitor: (target) =>
            target.addEventListener('downloadprogress', (event) => {
              if (event instanceof ProgressEvent) progress(event.loaded);
            }),
        });
        session?.destroy();
      } catch (error) {
        throw new FaultError(promptFault(error), { cause: error });
      }
    },
  };
}
