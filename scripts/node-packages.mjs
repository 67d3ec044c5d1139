// Packs the packages for tests of node, as they are in node_modules, with all dependencies.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => JSON.parse(readFileSync(`${root}${path}`, 'utf8'));

/** Matches files that no program reads when it runs. They are the larger half of most packages. */
const UNREAD =
  /\.(map|md|markdown|flow|d\.[mc]ts|ts|tsx|tsbuildinfo)$|\/(tests?|docs|examples?|bundles|esm5|LICENSE[^/]*|CHANGELOG[^/]*)(\/|$)|\/typescript\/lib\/([a-z-]{2,5}\/|typescript\.|tsserver)/;
const READ = /\/typescript\/lib\/lib\..*\.d\.ts$|\/eslint\/lib\//;

/** Tells whether an area's cases need these packages in the workspace's node_modules. */
export const usesPackages = (area) => area.startsWith('packages');

/** Writes one tar archive of `node_modules` and returns its absolute path. */
export function packPackages() {
  const { libraries, programs } = read('test/fixtures/node/packages.json');
  const folders = new Set();
  const add = (name, from) => {
    for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
      const folder = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
      if (existsSync(`${root}${folder}/package.json`)) {
        if (folders.has(folder)) return;
        folders.add(folder);
        const { dependencies, optionalDependencies, peerDependencies } = read(`${folder}/package.json`);
        for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
          add(needed, folder);
        return;
      }
      if (at === '') return;
    }
  };
  for (const name of [...libraries, ...programs]) add(name, '');
  mkdirSync(`${root}test-results`, { recursive: true });
  const archive = `${root}test-results/node-packages.tar`;
  // Packages below another one are already in its folder.
  const tops = [...folders].filter((folder) => !folder.includes('/node_modules/'));
  const files = tops
    .flatMap((top) => readdirSync(`${root}${top}`, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(root.length))
    .filter((path) => READ.test(path) || !UNREAD.test(path));
  execFileSync('tar', ['-C', root, '-cf', archive, '-T', '-'], { input: files.join('\n') });
  addPrograms(archive, programs);
  return archive;
}

/**
 * Adds a link in `node_modules/.bin` for each program. The links that npm has made here may lead to other packages: `tsc` is
 * that of the native compiler.
 */
function addPrograms(archive, packages) {
  const folder = `${root}test-results/node-programs`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/node_modules/.bin`, { recursive: true });
  for (const name of packages) {
    const { bin } = read(`node_modules/${name}/package.json`);
    const programs = typeof bin === 'string' ? { [name]: bin } : bin;
    for (const [program, file] of Object.entries(programs))
      symlinkSync(path.posix.join('..', name, file), `${folder}/node_modules/.bin/${program}`);
  }
  execFileSync('tar', ['-C', folder, '-rf', archive, 'node_modules/.bin']);
}
