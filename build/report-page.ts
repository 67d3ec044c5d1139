import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { scriptAndStyles } from './one-script.ts';

const FOLDER = 'src/ui/report';

/** A component that shows nothing. */
const NOTHING = '';

/** What stands in place of modules that only the app needs, or that would make the page many times as large. */
const INSTEAD: Readonly<Record<string, string>> = {
  'conversation/DemoEnd.svelte': NOTHING,
  'conversation/code/CodeActions.svelte': NOTHING,
  'conversation/pull/PullRequest.svelte': NOTHING,
  'conversation/restore/AnswerActions.svelte': NOTHING,
  'conversation/restore/EditMessage.svelte': NOTHING,
  'conversation/restore/MessageActions.svelte': NOTHING,
  'conversation/sent/WithoutPictures.svelte': NOTHING,
  // Code has no colours, and diagrams and formulas are shown as they are written.
  'kit/highlight.ts': `
    export { languageOf } from './highlight/names.ts';
    export const highlight = async () => null;
    export const highlightInParts = async () => false;`,
  'kit/markdown/diagram/Diagram.svelte': '<script>let { source } = $props();</script>{@render source()}',
  'kit/markdown/rich/rich.ts': 'export const enrich = () => () => undefined;',
};

/**
 * Builds the page of one file that shows a recording in the inspector. The test kit puts the recording into it
 * (`kit/report/recording-page.ts`).
 */
export async function reportPage(root: string): Promise<string> {
  const { script, styles } = await scriptAndStyles(root, `${FOLDER}/main.ts`, {
    plugins: [replaceModules(root), svelte({ configFile: path.join(root, 'svelte.config.js') })],
    build: { cssCodeSplit: false, rolldownOptions: { transform: { define: { 'import.meta': '{}' } } } },
  });
  // In strings and patterns these mean the same, and do not end the element that the script is in.
  const code = script.code.replace(/<(?=\/script|!--)/gi, '\\x3c');
  const page = readFileSync(path.join(root, FOLDER, 'report.html'), 'utf8');
  return fill(page, [
    ["'VITRINE-SCRIPT'", `'${digest(code)}'`],
    ["'VITRINE-STYLES'", `'${digest(styles)}'`],
    ['<style></style>', `<style>${styles}</style>`],
    ['<script></script>', `<script>${code}</script>`],
  ]);
}

function replaceModules(root: string): Plugin {
  const instead = new Map(
    Object.entries(INSTEAD).map(([name, code]) => [path.join(root, 'src/ui', name), code]),
  );
  return {
    name: 'vitrine:report-modules',
    enforce: 'pre',
    load: (id) => instead.get(id),
    buildEnd() {
      const seen = new Set(this.getModuleIds());
      for (const each of instead.keys())
        if (!seen.has(each)) this.error(`Nothing imports ${each}, so nothing has to stand in its place.`);
    },
  };
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Replaces each text, which stands in the page once. */
function fill(page: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`The page does not have ${from} once.`);
    return text.replace(from, () => to);
  }, page);
}
