import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Plugin } from 'vite';

const PLACE = '<div id="app"></div>';
const ENTRY = 'src/ui/first-paint/render.ts';

/**
 * Puts what is seen first into index.html, so that a slow connection need not bring the whole app before anything shows.
 * The development server leaves the place empty: its styles come with the modules.
 */
export function firstPaint(): Plugin {
  return {
    name: 'vitrine:first-paint',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      async handler(page, { filename }) {
        if (!filename.endsWith('/index.html') || !page.includes(PLACE)) return page;
        return page.replace(PLACE, `<div id="app">${await rendered()}</div>`);
      },
    },
  };
}

async function rendered(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [svelte()],
    ssr: { noExternal: true },
    build: { ssr: ENTRY, write: false, minify: false, target: 'node20' },
  });
  const [{ output } = { output: [] }] = [result].flat().filter((each) => 'output' in each);
  const [code] = output.flatMap((each) => (each.type === 'chunk' ? [each.code] : []));
  if (code === undefined) throw new Error(`Nothing was built from ${ENTRY}.`);
  const module: unknown = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  if (
    typeof module !== 'object' ||
    module === null ||
    !('firstPaint' in module) ||
    typeof module.firstPaint !== 'string'
  )
    throw new Error(`${ENTRY} exports no text.`);
  return module.firstPaint.replace(/<!--.*?-->/gs, '');
}
