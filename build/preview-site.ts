import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { PREVIEW_SITE_HEADERS, withPreviewOrigin } from '../scripts/preview-origin.mjs';
import { PREVIEW_FOLDER, PREVIEW_WORKER_PATH } from '../src/protocol/preview.ts';
import { oneScript } from './one-script.ts';

const SOURCES = 'guest/preview';
/** The folder of the build that is to be served on the origin of previews, and by itself. */
const FOLDER = 'preview-site';

/**
 * Writes the site on whose origin previews are shown, and, where VITRINE_PREVIEW names that origin, writes the name into the
 * page.
 */
export function previewSite(): Plugin {
  const origin = process.env['VITRINE_PREVIEW'];
  let root = '';
  let outDir = '';
  return {
    name: 'vitrine:preview-site',
    apply: 'build',
    configResolved: (config) => {
      ({ root } = config);
      outDir = path.join(path.resolve(root, config.build.outDir), FOLDER);
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (page) => (origin ? withPreviewOrigin(page, origin) : page),
    },
    closeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        const own = path.join(outDir, PREVIEW_FOLDER);
        mkdirSync(own, { recursive: true });
        copyFileSync(path.join(root, SOURCES, 'shell.html'), path.join(own, 'shell.html'));
        writeFileSync(path.join(own, 'shell.js'), await script(root, 'shell.ts'));
        writeFileSync(path.join(own, 'page.js'), await script(root, 'page/main.ts'));
        writeFileSync(path.join(outDir, PREVIEW_WORKER_PATH), await script(root, 'worker.ts'));
        const headers = Object.entries(PREVIEW_SITE_HEADERS).map(([name, value]) => `  ${name}: ${value}\n`);
        writeFileSync(path.join(outDir, '_headers'), `/*\n${headers.join('')}`);
      },
    },
  };
}

async function script(root: string, entry: string): Promise<string> {
  return (await oneScript(root, `${SOURCES}/${entry}`)).code;
}
