/**
 * Brings the packages for WebAssembly that tests install in a workspace. npm does not install them here, because they are for
 * another processor, so they are fetched as published. npm runs this after each installation, so that tests need no network.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'node_modules/.cache/vitrine-packages');
const NEEDED = ['@rolldown/binding-wasm32-wasi'];

/** Returns the path of the tarball of a package in the version that the lockfile has, and fetches it first where it is missing. */
export function fetchedPackage(name, version) {
  const file = path.join(folder, `${name.replace('/', '+')}-${version}.tgz`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  // Two tests may fetch at once.
  const target = mkdtempSync(path.join(folder, 'fetching-'));
  try {
    const args = ['pack', `${name}@${version}`, '--silent', '--pack-destination', target];
    const printed = execFileSync('npm', args, {
      encoding: 'utf8',
      cwd: target,
      shell: process.platform === 'win32',
    });
    renameSync(path.join(target, printed.trim()), file);
  } finally {
    rmSync(target, { recursive: true });
  }
  return file;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  for (const name of NEEDED)
    try {
      fetchedPackage(name, packages[`node_modules/${name}`].version);
    } catch {
      // Without a network the tests that need it will say so.
    }
}
