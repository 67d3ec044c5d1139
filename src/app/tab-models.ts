import { FaultError, faultOf } from '../base/fault.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../base/fault-texts.ts';
import { deviceFor } from '../engine/device.ts';
import { download } from '../engine/download.ts';
import { pickedModel } from '../engine/layout.ts';
import { OFFERED } from '../engine/offered.ts';
import { engineScript, runtimeBytes } from '../engine/parts.ts';
import { device, modelStore, unload } from '../engine/tab-model.ts';
import type { EngineDevice } from '../protocol/engine.ts';
import type { AppTabModels, KeptTabModel, OfferedTabModel } from '../ui/app.ts';

/** The models that run in the tab, as the settings show them. */
export class TabModelsOfApp implements AppTabModels {
  async onGraphics(): Promise<boolean> {
    return (await device()) === 'webgpu';
  }

  async offered(): Promise<readonly OfferedTabModel[]> {
    const where = await device();
    return OFFERED.map(({ id, name, licence, millions, weights }) => ({
      id,
      name,
      licence,
      millions,
      megabytes: weights[where].megabytes,
      page: `https://huggingface.co/${id}`,
    }));
  }

  kept(): Promise<readonly KeptTabModel[]> {
    return modelStore.list();
  }

  async download(
    id: string,
    progress: (bytes: number, total: number | null) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const offered = OFFERED.find((each) => each.id === id);
    if (!offered) throw new FaultError({ code: 'unexpected', what: `There is no model "${id}" to fetch.` });
    const where = await device();
    // A download that was begun goes on with the same file, even if another one would suit the machine better now.
    const begun = await modelStore.about(id);
    const dtype = begun?.dtype ?? offered.weights[where].dtype;
    const wanted = { id, name: offered.name, dtype };
    const send: typeof fetch = (...request) => fetch(...request);
    await stored(() =>
      download(
        { store: modelStore, fetch: send },
        wanted,
        ({ bytes, total }) => progress(bytes, total),
        signal,
      ),
    );
    await keepRuntime(deviceFor(dtype, where));
  }

  async take(files: readonly File[]): Promise<void> {
    const where = await device();
    const { name, dtype, files: wanted } = pickedModel(files, where);
    const id = `own/${name}`;
    await stored(async () => {
      await this.remove(id);
      await modelStore.describe({ id, name, dtype, isWhole: false });
      for (const [path, file] of wanted)
        await modelStore.add(id, path, 0, file, { total: file.size, etag: null });
      await modelStore.describe({ id, name, dtype, isWhole: true });
    });
    await keepRuntime(deviceFor(dtype, where));
  }

  async remove(id: string): Promise<void> {
    await unload(id);
    await modelStore.remove(id);
  }
}

/** Fetches what runs the model, which the service worker then keeps: from now on it works without a network. */
async function keepRuntime(where: EngineDevice): Promise<void> {
  await Promise.all([engineScript(where), runtimeBytes(where)]);
}

/** Runs what writes files of models. A browser without room for them says so by this name. */
async function stored(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    if (!isFull) throw error;
    throw new FaultError(
      {
        code: 'no-room',
        what: fill(TEXTS.noRoom, { why: faultOf(error).what }),
        next: 'Remove another model, or free space on the disk, then go on. What is here already is kept.',
        retryable: true,
      },
      { cause: error },
    );
  }
}
