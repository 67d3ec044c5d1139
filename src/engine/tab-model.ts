import { FaultError } from '../base/fault.ts';
import { lazily } from '../base/lazily.ts';
import type { PromptAPI } from '../models/browser/prompt-api.ts';
import { bestDevice, deviceFor } from './device.ts';
import { EngineLink } from './link.ts';
import { engineScript, runtimeBytes } from './parts.ts';
import { tabPromptAPI, type LoadedModel } from './prompt-session.ts';
import { ModelStore } from './store.ts';

/** The models that are kept in this browser. */
export const modelStore = new ModelStore(caches, location.pathname);

/** Where models run on this machine. */
export const device = lazily(() => bestDevice());

/** The longest conversation in tokens, until the model is loaded and tells it itself. */
const USUAL_WINDOW = 8_192;

/** One model is loaded at a time, because each takes much memory. */
let current: { readonly id: string; readonly loaded: Promise<LoadedModel & { link: EngineLink }> } | null =
  null;

/** A model in the tab, which is loaded with its first call and stays. */
export async function tabModel(
  id: string,
): Promise<{ readonly api: PromptAPI; readonly contextLimit: number }> {
  const isKept = async () => (await modelStore.about(id))?.isWhole === true;
  const contextLimit = current?.id === id ? (await current.loaded).contextWindow : USUAL_WINDOW;
  return { api: tabPromptAPI(isKept, () => loadedModel(id)), contextLimit };
}

/** Ends the engine that runs this model, so that its memory is free. */
export async function unload(id: string): Promise<void> {
  if (current?.id !== id) return;
  const { loaded } = current;
  current = null;
  (await loaded.catch(() => null))?.link.close();
}

async function loadedModel(id: string): Promise<LoadedModel> {
  if (current && current.id !== id) await unload(current.id);
  if (!current) {
    const started = { id, loaded: load(id) };
    current = started;
    const forget = () => {
      if (current === started) current = null;
    };
    started.loaded.then(({ link }) => void link.ended.then(forget), forget);
  }
  return current.loaded;
}

async function load(id: string): Promise<LoadedModel & { link: EngineLink }> {
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
