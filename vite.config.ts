import { availableParallelism } from 'node:os';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { cachedModules } from './build/cached-modules.ts';
import { chunkNames } from './build/chunks.ts';
import { clientMetadata } from './build/client-metadata.ts';
import { inlineStylesInDev } from './build/dev-styles.ts';
import { embedSite } from './build/embed-site.ts';
import { firstPaint } from './build/first-paint.ts';
import { guestScripts } from './build/guest-plugin.ts';
import { images } from './build/images.ts';
import { isolationHeaders } from './build/isolation-headers.ts';
import { lazyParts } from './build/lazy-parts.ts';
import { lessonCards } from './build/lesson-cards.ts';
import { bundledPackages, licenceNotices } from './build/licence-notices.ts';
import { linkPreview } from './build/link-preview.ts';
import { LongestFirst } from './build/longest-first.ts';
import { offlineParts } from './build/offline-parts.ts';
import { previewSite } from './build/preview-site.ts';
import { precompress } from './build/precompress.ts';
import { serviceWorker } from './build/service-worker.ts';
import { typescriptLibraries } from './build/typescript-libraries.ts';
import { webcontainerPatches } from './build/webcontainer-patches.ts';
import { chromiumArgs, findHeadlessChromium } from './scripts/chromium.mjs';
import { packPackages } from './scripts/node-packages.mjs';

const chromiumPath = findHeadlessChromium();

/** How long a unit or component test may take before it counts as hung: the machine may be slow, and shared. */
const PATIENCE_MS = 120_000;

export default defineConfig({
  base: './',
  plugins: [
    isolationHeaders(),
    inlineStylesInDev(),
    guestScripts(),
    images(),
    clientMetadata(),
    embedSite(),
    serviceWorker(),
    previewSite(),
    linkPreview(),
    firstPaint(),
    precompress(),
    lessonCards(),
    webcontainerPatches(),
    typescriptLibraries(),
    lazyParts(),
    bundledPackages(),
    offlineParts(),
    licenceNotices(),
    svelte(),
  ],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // Every browser that knows the expressions with the flag `v` of our code preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The page begins with zod's mini API; the classic one, and JSON Schema, go with the parts that use them, which are
          // fetched later. The settings go with the core: whichever chunk makes a schema first, they are set by then.
          groups: [
            {
              name: 'zod',
              test: /[\\/]node_modules[\\/]zod[\\/]v4[\\/](?:core[\\/](?!json-schema|to-json|index\.js)|mini[\\/](?:schemas|parse)|locales[\\/]en)|[\\/]src[\\/]base[\\/]zod-config\.ts$/,
              // The barrels that import everything are among the dependencies.
              includeDependenciesRecursively: false,
            },
            { name: chunkNames(import.meta.dirname), includeDependenciesRecursively: false, priority: -1 },
          ],
        },
      },
    },
  },
  // Workers load their grammars and the like by import(), which classic scripts cannot.
  worker: { format: 'es', plugins: () => [typescriptLibraries(), bundledPackages(), offlineParts()] },
  // Bundled at the start, or, where there are many small files, not at all: a dependency that is only found when a lazy
  // part is first shown reloads the page in dev, and a test half-way.
  optimizeDeps: {
    include: [
      '@medv/finder',
      'bits-ui',
      'client-zip',
      'diff',
      'dompurify',
      'fflate',
      'marked',
      'modern-screenshot',
      'picomatch',
      'prettier/standalone',
      'temml',
      'prettier/plugins/babel',
      'prettier/plugins/estree',
      'prettier/plugins/html',
      'prettier/plugins/markdown',
      'prettier/plugins/postcss',
      'prettier/plugins/typescript',
      'prettier/plugins/yaml',
      'typescript',
      'yaml',
      '@codemirror/autocomplete',
      '@codemirror/commands',
      '@codemirror/lang-css',
      '@codemirror/lang-html',
      '@codemirror/lang-javascript',
      '@codemirror/lang-json',
      '@codemirror/lang-markdown',
      '@codemirror/language',
      '@codemirror/lint',
      '@codemirror/search',
      '@codemirror/state',
      '@codemirror/view',
      '@lezer/highlight',
      '@xterm/xterm',
      '@xterm/addon-fit',
    ],
    // The client is patched on its way.
    exclude: ['@lucide/svelte', 'shiki', '@webcontainer/api'],
  },
  server: { host: '127.0.0.1' },
  test: {
    // By itself it leaves a core to its own process, which has little to do: of two cores that is half.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          // Most files are done in less time than a thread of their own takes to start, so that they share threads.
          pool: 'threads',
          isolate: false,
          setupFiles: ['./test/support/fresh-modules.ts', './test/support/shell-parts.ts'],
          sequence: { groupOrder: 0 },
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          include: ['{src,guest,kit,build,test/support,test/live}/**/*.test.ts'],
          exclude: ['**/*.browser.test.ts', '**/*.live.test.ts'],
        },
      },
      // On the real runtime, only when it is asked for: `npm run test:webcontainer`.
      ...(process.env.VITRINE_LIVE
        ? [
            {
              extends: true as const,
              test: {
                name: 'live',
                include: ['src/**/*.live.test.ts'],
                browser: {
                  enabled: true,
                  headless: true,
                  screenshotFailures: false,
                  instances: [{ browser: 'chromium' as const }],
                  provider: playwright({
                    launchOptions: {
                      ...(chromiumPath && { executablePath: chromiumPath }),
                      args: chromiumArgs,
                    },
                  }),
                },
              },
            },
          ]
        : []),
      {
        extends: true,
        plugins: [cachedModules()],
        // Loaded lazily, and found only then: without this each one would reload the tests under way.
        optimizeDeps: {
          include: [
            'ai',
            '@ai-sdk/openai',
            '@ai-sdk/anthropic',
            '@ai-sdk/google',
            '@ai-sdk/openai-compatible',
          ],
        },
        test: {
          name: 'browser',
          // After those of Node, not beside them: what they wait for is in real time.
          sequence: { groupOrder: 1 },
          // Real time in a real browser, on a machine that may be shared.
          retry: process.env.CI ? 1 : 0,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
          expect: { poll: { timeout: 15_000 } },
          include: ['{src,guest,test/support}/**/*.browser.test.ts'],
          globalSetup: [
            'test/support/model-server/global-setup.ts',
            'test/support/webcontainer/global-setup.ts',
            'test/support/web-host/global-setup.ts',
          ],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: { packNodePackages: packPackages },
            instances: [{ browser: 'chromium' }],
            provider: playwright({
              launchOptions: { ...(chromiumPath && { executablePath: chromiumPath }), args: chromiumArgs },
            }),
          },
        },
      },
    ],
  },
});
