import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../src/base/message-of.ts';
import { readSource } from '../cli/source.ts';
import type { Script } from '../playwright/model.ts';
import { requireKey } from '../playwright/need-key.ts';
import type { ModelSettings } from '../playwright/page-calls.ts';
import { requireProvider } from '../playwright/provider.ts';
import type { Grid, GridModel } from './grid.ts';

/** A model of a grid with its script read, or its key found. */
export type PreparedModel = Pick<GridModel, 'name' | 'config'> &
  (
    | { readonly kind: 'script'; readonly script: Script }
    | { readonly kind: 'provider'; readonly settings: ModelSettings }
  );

/** Rejects with all that is missing for the models of a grid: scripts, which are relative to its file, and keys. */
export async function preparedModels(grid: Grid, file: string): Promise<readonly PreparedModel[]> {
  const results = await Promise.allSettled(grid.models.map((model) => prepared(model, file)));
  const missing = results.flatMap((each) => (each.status === 'rejected' ? messageOf(each.reason) : []));
  if (missing.length > 0) throw new Error(missing.join('\n'));
  return results.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

/** Rejects with the folders of tasks that are not there. */
export async function requireFolders({ tasks }: Grid, file: string): Promise<void> {
  for (const { name, folder } of tasks) {
    if (folder === undefined) continue;
    const found = path.resolve(path.dirname(file), folder);
    const isFolder = await stat(found).then(
      (about) => about.isDirectory(),
      () => false,
    );
    if (!isFolder) throw new Error(`There is no folder ${found} for ${name}.`);
  }
}

/**
 * Rejects with files of `instructions` that no task has: a model would work without them, and nothing would show it. Patterns,
 * addresses and files outside of the workspace can be there all the same.
 */
export async function requireInstructions({ tasks, models }: Grid, file: string): Promise<void> {
  const isThere = (name: string) =>
    tasks.some(
      ({ files = {}, folder }) =>
        Object.hasOwn(files, name) ||
        (folder !== undefined && existsSync(path.resolve(path.dirname(file), folder, name))),
    );
  for (const { name, config } of models) {
    const given = config?.['instructions'];
    const missing = (Array.isArray(given) ? given : []).find(
      (each) => typeof each === 'string' && /^[\w.][\w./ -]*$/.test(each) && !isThere(each),
    );
    if (missing !== undefined)
      throw new Error(
        `The instructions of the model "${name}" name ${missing}, which no task has among its files.`,
      );
  }
}

async function prepared(model: GridModel, file: string): Promise<PreparedModel> {
  const { name, config } = model;
  const about = { name, ...(config && { config }) };
  if ('script' in model) {
    const source = await readSource(path.resolve(path.dirname(file), model.script));
    return { kind: 'script', ...about, script: source.script };
  }
  const { provider, model: id, baseURL, keyFrom } = model;
  const apiKey = keyFrom === undefined ? undefined : process.env[keyFrom];
  if (keyFrom !== undefined && !apiKey)
    throw new Error(`The environment variable ${keyFrom} for ${name} is not set.`);
  const settings = {
    ...{ provider: requireProvider(provider), model: id },
    ...(baseURL !== undefined && { baseURL }),
    ...(apiKey !== undefined && { apiKey }),
  };
  const how = `Name the environment variable that holds one: "keyFrom" of the model "${name}".`;
  requireKey(settings, how);
  return { kind: 'provider', ...about, settings };
}
