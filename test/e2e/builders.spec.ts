import { npmrcOf, openWith, test } from './installing.ts';
import { expect } from './test.ts';

// Bundlers build a small project in the built app, from packages as they are published.

const FILES = {
  'package.json': '{ "name": "app", "private": true }\n',
  'src/index.js': `import './style.css';
import { greeting } from './greeting.js';
document.body.append(greeting('webpack'));
`,
  'src/program.js': `import { greeting } from './greeting.js';
import('./later.js').then(({ later }) => console.log(greeting('program'), later));
`,
  'src/greeting.js':
    'export const greeting = (name) => `Hello ${name}`;\nexport const unused = "not in the bundle";\n',
  'src/later.js': "export const later = 'loaded later';\n",
  'src/style.css': 'body { color: rebeccapurple }\n',
  'webpack.config.js': `const HtmlWebpackPlugin = require('html-webpack-plugin');
const mode = 'production';
const rules = [{ test: /\\.css$/, use: ['style-loader', 'css-loader'] }];
module.exports = [
  { mode, entry: './src/index.js', module: { rules }, plugins: [new HtmlWebpackPlugin({ title: 'Built' })] },
  { mode, entry: { program: './src/program.js' }, target: 'node' },
];
`,
  'src/typed.tsx': `import { greeting } from './greeting.js';
enum Colour { Red = 'red' }
const h = (tag: string, _props: unknown, ...children: string[]) => '<' + tag + '>' + children.join('');
/** @jsx h */
console.log(<p>{greeting(Colour.Red)}</p>);
`,
  'build.mjs': `import * as esbuild from 'esbuild-wasm';
const options = { entryPoints: ['src/typed.tsx'], bundle: true, minify: true, outdir: 'out', metafile: true };
const { metafile } = await esbuild.build(options);
console.log(Object.keys(metafile.inputs).join());
const context = await esbuild.context({ ...options, format: 'esm', outExtension: { '.js': '.mjs' } });
console.log((await context.rebuild()).errors.length);
await context.dispose();
`,
};

test('webpack and esbuild build a project', async ({ page, registry }) => {
  const exec = await openWith(page, [registry.host], FILES);
  await exec(`printf '%s' '${npmrcOf(registry)}' > ~/.npmrc`);
  const wanted = 'webpack webpack-cli css-loader style-loader html-webpack-plugin esbuild-wasm';
  const installed = await exec(`npm install --save-dev ${wanted}`);
  expect(installed.output).toMatch(/added \d+ packages/);
  expect(installed.exitCode).toBe(0);

  const packed = await exec(
    'npx webpack && ls dist && cat dist/index.html dist/main.js && node dist/program.js',
  );
  expect(packed.output.match(/webpack \S+ compiled successfully/g)).toHaveLength(2);
  expect(packed.output).toMatch(/<title>Built<\/title>.*<script defer(="defer")? src="?main\.js"?>/);
  expect(packed.output).toContain('rebeccapurple');
  expect(packed.output).not.toContain('not in the bundle');
  expect(packed.output).toMatch(/Hello program loaded later\n$/);
  expect(packed.exitCode).toBe(0);

  const built = await exec('node build.mjs && node out/typed.js && node out/typed.mjs');
  expect(built.output).toBe('src/greeting.js,src/typed.tsx\n0\n<p>Hello red\n<p>Hello red\n');
  // npm gives esbuild-wasm no command, as natively.
  const esbuild = 'node node_modules/esbuild-wasm/bin/esbuild';
  const command = `${esbuild} src/typed.tsx --bundle | node; echo "a b" > a.js; ${esbuild} a.js`;
  const mistaken = await exec(command);
  expect(mistaken.output).toMatch(/^<p>Hello red\n[^]*Expected ";" but found "b"/);
  expect(mistaken.exitCode).toBe(1);
});
