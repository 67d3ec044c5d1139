import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fetchedTarball, lockedElsewhere, type Locked } from './fetched.ts';

const NODE_MODULES = path.resolve(import.meta.dirname, '../../../node_modules');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [other: string]: unknown;
}

interface Packed {
  readonly manifest: Manifest;
  /** Undefined for a package that is made for other machines: nobody here downloads it. */
  readonly tarball: Buffer | undefined;
}

export interface NpmRegistry {
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** With a slash at its end. */
  readonly url: string;
  /** The requests so far, such as `GET /express`. Preflights are among them. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/**
 * A registry on loopback with the packages that lie in this repository's node_modules, in all the versions there, and those for
 * WebAssembly that npm left out on this machine; those for other machines are known by their names. Like the public one it lets pages read the answers to plain requests, and answers no preflight.
 */
export async function npmRegistry(): Promise<NpmRegistry> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    asked.push(`${method} ${url}`);
    response.setHeader('access-control-allow-origin', '*');
    const [name = '', file] = decodeURIComponent(url.slice(1).split('?')[0] ?? '').split('/-/');
    const all = method === 'GET' ? packedOf(name) : [];
    if (all.length === 0)
      return void response.writeHead(method === 'OPTIONS' ? 403 : 404).end('{"error":"Not found"}');
    if (file !== undefined) {
      response.setHeader('content-type', 'application/octet-stream');
      const wanted = ({ manifest }: Packed) => file.endsWith(`-${manifest.version}.tgz`);
      const tarball = all.find(wanted)?.tarball;
      if (!tarball) response.statusCode = 404;
      return void response.end(tarball);
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(packumentOf(all, `http://${request.headers.host ?? ''}/`)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/`,
    asked,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

function packumentOf(all: readonly Packed[], registry: string): object {
  const versions = all.map(({ manifest, tarball }) => {
    const { name, version } = manifest;
    const hash = (algorithm: string, encoding: 'base64' | 'hex') =>
      createHash(algorithm)
        .update(tarball ?? '')
        .digest(encoding);
    const dist = {
      tarball: `${registry}${name}/-/${path.basename(name)}-${version}.tgz`,
      integrity: `sha512-${hash('sha512', 'base64')}`,
      shasum: hash('sha1', 'hex'),
    };
    return [version, { ...manifest, _id: `${name}@${version}`, dist }] as const;
  });
  const [newest] = all;
  return {
    _id: newest?.manifest.name,
    name: newest?.manifest.name,
    'dist-tags': { latest: newest?.manifest.version },
    versions: Object.fromEntries(versions),
    time: { created: TIME, modified: TIME, ...Object.fromEntries(versions.map(([each]) => [each, TIME])) },
  };
}

const TIME = '2026-01-01T00:00:00.000Z';

const known = new Map<string, readonly Packed[]>();

function packedOf(name: string): readonly Packed[] {
  const packed = known.get(name) ?? allOf(name);
  known.set(name, packed);
  return packed;
}

function allOf(name: string): readonly Packed[] {
  const installed = withoutCopies(foldersOf(name).map(pack));
  if (installed.length > 0) return installed;
  const tarball = fetchedTarball(name);
  if (!tarball)
    return lockedElsewhere(name).map((locked) => ({ manifest: manifestOf(name, locked), tarball }));
  const text = execFileSync('tar', ['-xzOf', '-', 'package/package.json'], {
    input: tarball,
    encoding: 'utf8',
  });
  return [{ manifest: JSON.parse(text) as Manifest, tarball }];
}

function manifestOf(name: string, { version, cpu, os, libc }: Locked): Manifest {
  return { name, version, ...(cpu && { cpu }), ...(os && { os }), ...(libc && { libc }) };
}

/** Keeps the first of each version: programs that bundle their packages leave files out of their copies. */
function withoutCopies(all: readonly Packed[]): readonly Packed[] {
  const isFirst = ({ manifest }: Packed, at: number) =>
    all.findIndex((other) => other.manifest.version === manifest.version) === at;
  return all.filter(isFirst);
}

/** The folders of all versions of a package, the one at the top first. */
function foldersOf(name: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(path.join(NODE_MODULES, '.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, object>>;
  };
  const suffix = `node_modules/${name}`;
  return Object.keys(packages)
    .filter((each) => each === suffix || each.endsWith(`/${suffix}`))
    .sort((a, b) => a.length - b.length)
    .map((each) => path.join(NODE_MODULES, '..', each))
    .filter((folder) => existsSync(path.join(folder, 'package.json')));
}

function pack(folder: string): Packed {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  // Bundled packages are among the files of a package; all others that lie in its folder are not.
  const bundles = 'bundleDependencies' in manifest || 'bundledDependencies' in manifest;
  const others = bundles ? [] : ['--exclude=./node_modules'];
  const tarball = execFileSync(
    'tar',
    [
      ...['-C', realpathSync(folder), ...others, '--transform=s,^\\.,package,'],
      ...['--sort=name', '--owner=0', '--group=0', '--mtime=@0', '-cf', '-', '.'],
      // Nobody waits for the network here, and this takes a quarter of the time of the usual compression.
      '--use-compress-program=gzip -1',
    ],
    { maxBuffer: 2 ** 28 },
  );
  return { manifest, tarball };
}
