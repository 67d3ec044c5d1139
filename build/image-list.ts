import path from 'node:path';
import type { ImagePlace } from '../src/protocol/images.ts';

/** A program that the page fetches when it is first used: one package of this repository, with what it bundles. */
export interface ImageSource extends ImagePlace {
  /** The folder of the package. */
  readonly from: string;
  /** Whether a file of the package, named by its path in it, is left out because nothing reads it here. */
  readonly leavesOut: (file: string) => boolean;
  /** Files that the image has in addition, with their texts. */
  readonly adds?: Readonly<Record<string, string>>;
}

/** How npm is configured here. A project and a person can set all of it otherwise, as usual. */
const NPMRC = [
  '; Native code cannot run here. Of packages that come for several processors, the one for WebAssembly is installed.',
  'cpu=wasm32',
  '; A registry answers pages only what they get, and the report of audits would be posted.',
  'audit=false',
  'update-notifier=false',
  '; A host that is not allowed, or cannot be reached, is asked again soon.',
  'fetch-retries=1',
  'fetch-retry-mintimeout=1000',
  '',
].join('\n');

/** Matches documentation, types, tests, scripts of other systems, and the ES modules beside CommonJS ones that npm loads. */
const UNREAD =
  /(^|\/)(docs|man|tests?|\.github|esm|node-gyp-bin)\/|\.(md|markdown|map|d\.[cm]?ts|[cm]ts|ps1|cmd)$/;
/** Matches what compiles native code, which cannot run here. npm only looks up the path of its command. */
const NATIVE = /^node_modules\/(undici\/|node-gyp\/(?!bin\/|package\.json|LICENSE$))/;
const LICENCE = /(^|\/)(licen[cs]e|notice)[^/]*$/i;

export const IMAGES: readonly ImageSource[] = [
  {
    name: 'npm',
    at: '/usr/lib/node_modules/npm',
    bins: { npm: 'bin/npm-cli.js', npx: 'bin/npx-cli.js' },
    from: path.resolve(import.meta.dirname, '../node_modules/npm'),
    leavesOut: (file) => NATIVE.test(file) || (UNREAD.test(file) && !LICENCE.test(file)),
    adds: { npmrc: NPMRC },
  },
];
