import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const SHRINKS = /\.(js|css|html|json|svg|txt|map|wasm)$/;

/** Writes a `.gz` beside each file of the build that shrinks, for servers that send such files as they are. */
export function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'vitrine:precompress',
    apply: 'build',
    configResolved: (config) => void (outDir = resolve(config.root, config.build.outDir)),
    closeBundle() {
      for (const file of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        if (SHRINKS.test(file))
          writeFileSync(join(outDir, `${file}.gz`), gzipSync(readFileSync(join(outDir, file)), { level: 9 }));
      }
    },
  };
}
