import path from 'node:path';
import { defineConfig } from 'vite';
import { guestScripts } from '../../build/guest-plugin.ts';
import { images } from '../../build/images.ts';
import { precompress } from '../../build/precompress.ts';
import { webcontainerPatches } from '../../build/webcontainer-patches.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The benchmarks' own page, built like the app. */
export default defineConfig({
  root,
  base: './',
  plugins: [guestScripts(), images(), precompress(), webcontainerPatches()],
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    outDir: 'test/bench/dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: { input: path.join(root, 'test/bench/bench.html') },
  },
});
