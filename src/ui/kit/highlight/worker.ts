import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
// This engine is plain JavaScript; the other one is WebAssembly, which the page's policy would have to allow.
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { languages } from './languages.ts';
import type { HighlightRequest, HighlightResponse, Line, SpanKind } from './protocol.ts';

const PREFIX = '--hl-';
const THEME = 'vitrine';
const highlighter = createHighlighterCore({
  themes: [createCssVariablesTheme({ name: THEME, variablePrefix: PREFIX, fontStyle: false })],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

self.onmessage = async ({ data }: MessageEvent<HighlightRequest>) => {
  const response: HighlightResponse = { id: data.id, lines: await colour(data) };
  self.postMessage(response);
};

async function colour({ code, language }: HighlightRequest): Promise<readonly Line[] | null> {
  try {
    const core = await highlighter;
    if (!(await load(core, language))) return null;
    const { tokens } = core.codeToTokens(code, {
      lang: language,
      theme: THEME,
      // Longer lines stay plain, since no grammar handles them quickly.
      tokenizeMaxLineLength: 2000,
      // A line that runs out of time keeps its last colour to its end. The first lines of a language also
      // compile its grammar, which takes a busy machine some hundred milliseconds, once.
      tokenizeTimeLimit: 5000,
    });
    return tokens.map((line) => line.map(({ content, color }) => ({ text: content, kind: kindOf(color) })));
  } catch (error) {
    console.warn(`No colours for ${language}:`, error);
    return null;
  }
}

async function load(core: HighlighterCore, language: string): Promise<boolean> {
  if (core.getLoadedLanguages().includes(language)) return true;
  const grammar = languages[language];
  if (!grammar) return false;
  await core.loadLanguage(grammar);
  return true;
}

const KINDS: readonly SpanKind[] = [
  'keyword',
  'string',
  'string-expression',
  'constant',
  'function',
  'parameter',
  'comment',
  'punctuation',
  'link',
];

function kindOf(color: string | undefined): SpanKind | null {
  const name = /^var\(--hl-token-([\w-]+)\)$/.exec(color ?? '')?.[1];
  return KINDS.find((kind) => kind === name) ?? null;
}
