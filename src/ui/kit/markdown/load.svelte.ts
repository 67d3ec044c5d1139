import type { MarkdownParser } from './blocks.ts';

// All messages share one parser, which is loaded once; until then their text is shown unformatted.
let parser = $state.raw<MarkdownParser | null>(null);
let loading: Promise<void> | null = null;

/** The parser, once it is loaded. The read is reactive. */
export function markdownParser(): MarkdownParser | null {
  return parser;
}

export function loadMarkdown(): Promise<void> {
  loading ??= import('./parser.ts').then(
    (module) => void (parser = module.parser),
    (error: unknown) => {
      // The text stays plain, and the next message that needs the parser tries again.
      loading = null;
      console.warn('Markdown could not be loaded:', error);
    },
  );
  return loading;
}
