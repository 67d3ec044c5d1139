import { HUB } from '../../../src/engine/download.ts';
import { NEEDED, weightsPath } from '../../../src/engine/layout.ts';
import { OFFERED, type OfferedModel } from '../../../src/engine/offered.ts';
import { isObject } from '../../../src/base/json.ts';
import type { Question, World } from '../question.ts';
import { objectIn } from './bodies.ts';

/** Sizes may differ by so much from what the list of models says, as a part of them. */
const TOLERANCE = 0.02;

async function sizeOf(world: World, model: OfferedModel, path: string) {
  // A piece of one byte shows the size, whether a download can go on where it ended, and what a page may read.
  const url = `${HUB}/${model.id}/resolve/main/${path}`;
  const { status, headers, readable } = await world.fetch(url, { headers: { Range: 'bytes=0-0' } });
  const [, total] = /\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  return {
    path,
    status,
    readable,
    goesOn: status === 206,
    bytes: total === undefined ? null : Number(total),
  };
}

async function lookAt(world: World, model: OfferedModel) {
  const weights = [];
  for (const kind of ['wasm', 'webgpu'] as const) {
    const { dtype, megabytes } = model.weights[kind];
    const found = await sizeOf(world, model, weightsPath(dtype));
    const isAsListed = found.bytes !== null && Math.abs(found.bytes / 1e6 / megabytes - 1) <= TOLERANCE;
    weights.push({ kind, listed: megabytes, isAsListed, ...found });
  }
  const needed = [];
  for (const path of NEEDED) needed.push(await sizeOf(world, model, path));
  const about = objectIn((await world.fetch(`${HUB}/api/models/${model.id}`)).text);
  const card = isObject(about['cardData']) ? about['cardData'] : {};
  const licence = typeof card['license'] === 'string' ? card['license'] : null;
  const isLicensed = licence?.toLowerCase() === model.licence.toLowerCase();
  const files = [...weights, ...needed];
  const isThere = files.every(({ status, readable }) => readable && (status === 206 || status === 200));
  return { id: model.id, licence, isLicensed, isThere, weights, needed };
}

export const hubQuestions: readonly Question[] = OFFERED.map((model) => ({
  id: `hub-${model.id.split('/')[1]?.toLowerCase() ?? model.id}`,
  asks: `Are the files, sizes and the licence of ${model.name} on Hugging Face as the list of models says, and can a page fetch them?`,
  async ask(world) {
    const found = await lookAt(world, model);
    const sizes = found.weights.map(({ kind, bytes, listed }) =>
      bytes === null ? `${kind}: no size told` : `${kind}: ${Math.round(bytes / 1e6)} MB, listed ${listed}`,
    );
    return {
      says: `Files ${found.isThere ? 'can be fetched' : 'cannot all be fetched'}; ${sizes.join('; ')}; licence ${found.licence ?? 'not told'}, listed ${model.licence}.`,
      asExpected:
        found.isThere &&
        found.isLicensed &&
        found.weights.every(({ isAsListed, goesOn }) => isAsListed && goesOn),
      facts: found,
    };
  },
}));
