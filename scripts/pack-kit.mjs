/**
 * Makes the npm package of the test kit from kit/ and the built app (dist/), in kit/dist/ or in the folder that is
 * given: `node scripts/pack-kit.mjs [FOLDER]` after `npm run build`. `npm pack` there makes the tarball.
 */
import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { build, runnerImport } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = path.resolve(process.argv[2] ?? path.join(root, 'kit/dist'));
const from = (...parts) => path.join(root, ...parts);

if (!existsSync(from('dist/index.html'))) {
  console.error('There is no built app. Run "npm run build" first.');
  process.exit(1);
}
rmSync(target, { recursive: true, force: true });
copyApp();
await bundle();
await writeReportPage();
writeTypes();
for (const file of ['package.json', 'README.md', 'empty.html'])
  cpSync(from('kit', file), path.join(target, file));
cpSync(from('LICENSE'), path.join(target, 'LICENSE'));
copyGuides();

/** Copies the documentation and the examples, which errors and types refer to. The pictures of the guide stay out. */
function copyGuides() {
  const docs = (file) => file === from('docs') || path.extname(file) === '.md';
  cpSync(from('docs'), path.join(target, 'docs'), { recursive: true, filter: docs });
  cpSync(from('examples'), path.join(target, 'examples'), { recursive: true });
}

/**
 * Copies the app. Of what the build has compressed, only the compressed file is copied: all browsers understand gzip,
 * and the package is a third of the size. The small site of previews is copied as it is.
 */
function copyApp() {
  const site = from('dist/preview-site');
  const isWanted = (file) => {
    if (file.startsWith(site) || path.extname(file) === '.html') return true;
    return !existsSync(`${file}.gz`) && !file.endsWith('.html.gz');
  };
  cpSync(from('dist'), path.join(target, 'app'), { recursive: true, filter: isWanted });
}

/** Bundles what runs in Node. Dependencies of the package stay imports. */
async function bundle() {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: ['@playwright/test', 'sirv'] },
    build: {
      ssr: true,
      outDir: target,
      emptyOutDir: false,
      target: 'node20',
      rolldownOptions: {
        input: { cli: from('kit/cli/main.ts'), playwright: from('kit/playwright/main.ts') },
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared-[hash].js' },
      },
    },
  });
  const cli = path.join(target, 'cli.js');
  writeFileSync(cli, `#!/usr/bin/env node\n${readFileSync(cli, 'utf8')}`);
  chmodSync(cli, 0o755);
}

/** Writes the page into which the kit puts recordings. */
async function writeReportPage() {
  const { module } = await runnerImport(from('build/report-page.ts'), { root, configFile: false });
  writeFileSync(path.join(target, 'recording.html'), await module.reportPage(root));
}

/** Writes the declarations of what `vitrine/playwright` exports. */
function writeTypes() {
  const { config } = ts.readConfigFile(from('tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const program = ts.createProgram([from('kit/playwright/main.ts')], {
    ...options,
    noEmit: false,
    incremental: false,
    tsBuildInfoFile: undefined,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: root,
    outDir: path.join(target, 'types'),
  });
  const { diagnostics } = program.emit();
  if (diagnostics.length > 0)
    throw new Error(ts.flattenDiagnosticMessageText(diagnostics[0].messageText, '\n'));
}
