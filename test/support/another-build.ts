import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOfPage } from '../../src/offline/build.ts';

const TEXT = /\.(?:js|css|html|json)$/;

/** A copy of dist/ as a later build: every script and style has another name, and the page and its worker another build. */
export function anotherBuild(dist: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-build-'));
  cpSync(dist, folder, { recursive: true, filter: (file) => !file.endsWith('.gz') });
  const assets = readdirSync(join(folder, 'assets'));
  const renamed = (name: string) => name.replace(/(\.\w+)$/, 'x$1');
  const old = buildOfPage(readFileSync(join(folder, 'index.html'), 'utf8'));
  if (!old) throw new Error('dist/index.html names no build.');
  const id = [...old].reverse().join('');
  const names = new RegExp(assets.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => TEXT.test(file));
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    const changed = text.replace(names, renamed).replaceAll(old, id);
    if (changed !== text) writeFileSync(join(folder, file), changed);
  }
  for (const name of assets) renameSync(join(folder, 'assets', name), join(folder, 'assets', renamed(name)));
  return { folder, id, old, remove: () => rmSync(folder, { recursive: true }) };
}
