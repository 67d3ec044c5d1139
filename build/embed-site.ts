import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { oneScript, scriptAndStyles } from './one-script.ts';

const SOURCES = 'src/embed';
const PAGE = 'embed.html';
/** What other sites load: the script of their own page. Its address must stay, so it has no hash in its name. */
const ELEMENT = 'player.js';

/** The files by their paths in the build. */
type Files = Readonly<Record<string, string>>;

/**
 * Writes what other sites embed: `embed.html` with one script and one style sheet, and `player.js`. They are classic scripts,
 * because a frame without an origin and other sites would need CORS for modules. Every package in them is in the app too, so
 * its licence is named there.
 */
export function embedSite(): Plugin {
  let root = '';
  let outDir = '';
  let isBuild = false;
  return {
    name: 'vitrine:embed-site',
    configResolved: (config) => {
      ({ root } = config);
      isBuild = config.command === 'build';
      outDir = path.resolve(root, config.build.outDir);
    },
    closeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        if (!isBuild) return;
        for (const [name, text] of Object.entries(await embedFiles(root))) {
          mkdirSync(path.dirname(path.join(outDir, name)), { recursive: true });
          writeFileSync(path.join(outDir, name), text);
        }
      },
    },
    configureServer(server) {
      let files: Promise<Files> | undefined;
      server.watcher.on('change', () => void (files = undefined));
      server.middlewares.use((request, response, next) => {
        const name = request.url?.split('?')[0]?.slice(server.config.base.length) ?? '';
        if (name !== PAGE && name !== ELEMENT && !name.startsWith('assets/embed-')) return next();
        files ??= embedFiles(root);
        files.then((made) => {
          const text = made[name];
          if (text === undefined) return next();
          response.setHeader('Content-Type', TYPES[path.extname(name)] ?? 'text/plain');
          response.end(text);
        }, next);
      });
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Builds all of it. */
export async function embedFiles(root: string): Promise<Files> {
  const { script, styles } = await scriptAndStyles(root, `${SOURCES}/main.ts`, {
    // Otherwise the script would hold the styles, which the policy of the page forbids.
    build: { cssCodeSplit: false },
  });
  const element = await oneScript(root, `${SOURCES}/element/main.ts`);
  const page = readFileSync(path.join(root, SOURCES, PAGE), 'utf8');
  const scriptName = named(script.code, 'js');
  const stylesName = named(styles, 'css');
  return {
    [PAGE]: replaced(replaced(page, './embed.js', `./${scriptName}`), './embed.css', `./${stylesName}`),
    [scriptName]: script.code,
    [stylesName]: styles,
    [ELEMENT]: element.code,
  };
}

function named(text: string, extension: string): string {
  return `assets/embed-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}.${extension}`;
}

function replaced(page: string, from: string, to: string): string {
  if (page.split(from).length !== 2) throw new Error(`${PAGE} does not name ${from} once`);
  return page.replace(from, to);
}
