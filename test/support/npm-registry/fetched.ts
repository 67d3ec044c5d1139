import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fetchedPackage } from '../../../scripts/fetched-packages.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');

export interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly cpu?: readonly string[];
  readonly os?: readonly string[];
  readonly libc?: readonly string[];
}

const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

/**
 * The tarball of a package that the lockfile names for WebAssembly, and which npm therefore did not install here; undefined for
 * any other. It is fetched once, as published, and must have the hash that the lockfile says.
 */
export function fetchedTarball(name: string): Buffer | undefined {
  const found = packages[`node_modules/${name}`];
  if (!found || found.os || (found.cpu && !found.cpu.includes('wasm32'))) return undefined;
  const file = fetchedPackage(name, found.version);
  const tarball = readFileSync(file);
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  if (integrity === found.integrity) return tarball;
  rmSync(file);
  throw new Error(`${name}@${found.version} is not what package-lock.json says`);
}

/** What the lockfile says of a package that is made for other machines, so that it lies nowhere here: each version of it. */
export function lockedElsewhere(name: string): readonly Locked[] {
  const suffix = `node_modules/${name}`;
  return Object.entries(packages).flatMap(([at, locked]) =>
    (at === suffix || at.endsWith(`/${suffix}`)) && (locked.os || locked.cpu) ? [locked] : [],
  );
}
