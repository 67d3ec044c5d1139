import { FaultError } from '../base/fault.ts';
import { lazily } from '../base/lazily.ts';
import type { PromptAPI } from '../models/browser/prompt-api.ts';
import { bestDevice, deviceFor } from './device.ts';
import { EngineLink } from './link.ts';
import { engineScript, runtimeBytes } from './parts.ts';
import { ModelMemory, type RunningModel } from './model-memory.ts';
import { tabPromptAPI } from './prompt-session.ts';
import { ModelStore } from './store.ts';

/** The models that are kept in this browser. */
export const modelStore = new ModelStore(caches, location.pathname);

/** Where models run on this machine. */
export const device = lazily(() => bestDevice());

/** The longest conversation in tokens, until the model is loaded and tells it itself. */
const USUAL_WINDOW = 8_192;

const memory = new ModelMemory(load);

/** A model in the tab, which is loaded with its first call and stays. */
export function tabModel(id: string): { readonly api: PromptAPI; readonly contextLimit: number } {
  const isKept = async () => (await modelStore.about(id))?.isWhole === true;
  return {
    api: tabPromptAPI(isKept, (work, signal) => memory.use(id, work, signal)),
    contextLimit: memory.windowOf(id) ?? USUAL_WINDOW,
  };
}

/** Ends the engine that runs this model, so that its memory is free. */
export const unload = (id: string): Promise<void> => memory.unload(id);

async function load(id: string): Promise<RunningModel> {
  const about = await modelStore.about(id);
  if (!about?.isWhole)
    throw new FaultError({
      code: 'browser-model-missing',
      what: 'The files of this model are not in this browser.',
      next: 'Open Settings, Models, and download it there.',
      retryable: false,
    });
  const where = deviceFor(about.dtype, await device());
  const link = await EngineLink.open({
    container: document.body,
    address: new URL('engine.html', document.baseURI),
    script: () => engineScript(where),
  });
  try {
    const [files, wasm] = await Promise.all([modelStore.files(id), runtimeBytes(where)]);
    const { contextWindow } = await link.ask(
      { type: 'load', files, wasm, dtype: about.dtype, device: where },
      'loaded',
    );
    return { link, contextWindow };
  } catch (error) {
    link.close();
    throw error;
  }
}
