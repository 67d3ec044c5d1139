import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { joinImage, type ImageFacts } from '../src/protocol/images.ts';
import { IMAGES, type ImageSource } from './image-list.ts';
import { notePackage } from './licence-notices.ts';

const MODULE = 'virtual:images';
const SERVED = '@image/';

/** An image as it is served: its facts, and its files joined and packed with gzip. */
export interface PackedImage {
  readonly facts: ImageFacts;
  readonly packed: Uint8Array<ArrayBuffer>;
}

/**
 * Makes `import images from 'virtual:images'` the list of the images of build/image-list.ts with their addresses. In a
 * build each is an asset with a hash in its name; in dev a middleware serves it.
 */
export function images(): Plugin {
  let base = '/';
  let isBuild = false;
  return {
    name: 'vitrine:images',
    configResolved(config) {
      ({ base } = config);
      isBuild = config.command === 'build';
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      const entries = IMAGES.map((source) => {
        const { facts, packed } = packedImage(source);
        if (!isBuild) return entry(facts, JSON.stringify(`${base}${SERVED}${facts.name}`));
        for (const folder of packagesIn(source.from)) notePackage(folder);
        const hash = createHash('sha256').update(packed).digest('base64url').slice(0, 8);
        const fileName = `assets/${facts.name}-${hash}.image`;
        const reference = this.emitFile({ type: 'asset', fileName, source: packed });
        return entry(facts, `import.meta.ROLLUP_FILE_URL_${reference}`);
      });
      return `export default [${entries.join(', ')}];`;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = request.url?.split('?')[0]?.split(SERVED)[1];
        const source = IMAGES.find((each) => each.name === name);
        if (!source) return next();
        response.setHeader('Content-Type', 'application/octet-stream');
        response.end(packedImage(source).packed);
      });
    },
  };
}

function entry(facts: ImageFacts, url: string): string {
  return `{ facts: ${JSON.stringify(facts)}, url: ${url} }`;
}

const made = new Map<string, PackedImage>();

/** Packs an image once. The same files give the same bytes. */
export function packedImage(source: ImageSource): PackedImage {
  const known = made.get(source.name);
  if (known) return known;
  const { name, at, bins, from, leavesOut, adds = {} } = source;
  const programs = new Set(Object.values(bins));
  const files = filesBelow(from)
    .filter((file) => !leavesOut(file))
    .map((file) => ({
      path: file,
      isExecutable: programs.has(file),
      content: new Uint8Array(readFileSync(path.join(from, file))),
    }));
  for (const [file, text] of Object.entries(adds))
    files.push({ path: file, isExecutable: false, content: new TextEncoder().encode(text) });
  const packed = new Uint8Array(gzipSync(joinImage(files), { level: 9 }));
  const { version } = JSON.parse(readFileSync(path.join(from, 'package.json'), 'utf8')) as {
    version: string;
  };
  const image = { facts: { name, at, bins, version, bytes: packed.byteLength }, packed };
  made.set(name, image);
  return image;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(folder, file)).isFile())
    .map((file) => file.replaceAll('\\', '/'))
    .sort();
}

/** The folders of a package and of all that it bundles, without those that say they are private. */
function packagesIn(folder: string): string[] {
  const below = path.join(folder, 'node_modules');
  const names = existsSync(below) ? readdirSync(below) : [];
  const folders = names
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const inside = path.join(below, name);
      return name.startsWith('@') ? readdirSync(inside).map((each) => path.join(inside, each)) : [inside];
    });
  return [folder, ...folders.flatMap(packagesIn)];
}
