import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { normalizePath, type Plugin } from 'vite';
import { buildMark, type Build, type BuildFile } from '../src/offline/build.ts';
import headers from './headers.json' with { type: 'json' };
import { partOf } from './offline-parts.ts';
import { oneScript } from './one-script.ts';

const WORKER = 'src/offline/worker.ts';
/** Written for hosts and other sites, and not for pages. */
const NOT_SERVED =
  /^(?:preview-site\/|_headers$|client-metadata\.json$|link-preview\.png$|sw\.js$|embed\.html$|cmi5\.html$|player\.js$|assets\/(?:embed|cmi5)-|embedded-lessons\/)|\.gz$/;
/** No document that the worker serves is one for other sites. */
const EVERY = { ...headers['/*'], ...headers['/sandbox.html'] };

/**
 * Writes `sw.js`, which knows every file of the build, and names the build in its page. Everything that another plugin writes
 * must be there.
 */
export function serviceWorker(): Plugin {
  let root = '';
  let outDir = '';
  return {
    name: 'vitrine:service-worker',
    apply: 'build',
    configResolved: (config) => {
      ({ root } = config);
      outDir = path.resolve(root, config.build.outDir);
    },
    closeBundle: {
      order: 'pre',
      sequential: true,
      async handler() {
        const page = path.join(outDir, 'index.html');
        const made = buildOf(outDir);
        writeFileSync(page, marked(readFileSync(page, 'utf8'), made.id));
        writeFileSync(path.join(outDir, 'sw.js'), await script(root, made));
      },
    },
  };
}

/** Describes a folder with a built site. */
export function buildOf(folder: string): Build {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => normalizePath(path.relative(folder, path.join(entry.parentPath, entry.name))))
    .filter((name) => !NOT_SERVED.test(name))
    .sort();
  const all = createHash('sha256').update(JSON.stringify(headers));
  const files = names.map((name): BuildFile => {
    const content = readFileSync(path.join(folder, name));
    all.update(`${name}\0${createHash('sha256').update(content).digest('hex')}\0`);
    const served = name === 'index.html' ? '' : name;
    return { path: served, bytes: content.length, part: partOf(served) };
  });
  const id = all.digest('hex').slice(0, 16);
  return { id, files, headers: { every: EVERY, assets: headers['/assets/*'] } };
}

/** The page with its build's name. Throws if it has no place for it. */
function marked(page: string, id: string): string {
  const empty = buildMark('');
  if (page.split(empty).length !== 2) throw new Error(`index.html has no meta element with ${empty}`);
  return page.replace(empty, buildMark(id));
}

async function script(root: string, made: Build): Promise<string> {
  return (await oneScript(root, WORKER, { define: { __VITRINE_BUILD__: JSON.stringify(made) } })).code;
}
