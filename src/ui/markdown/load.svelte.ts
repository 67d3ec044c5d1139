import type { MarkdownParser } from './blocks.ts';

// One for all messages, fetched once; until it is there, text is shown as it came.
let parser = $state.raw<MarkdownParser | null>(null);
let loading: Promise<void> | null = null;

/** The parser, once it has been fetched. Reading it in a component follows its arrival. */
export function markdownParser(): MarkdownParser | null {
  return parser;
}

export function loadMarkdown(): Promise<void> {
  loading ??= import('./parser.ts').then(
    (module) => void (parser = module.parser),
    (error: unknown) => {
      // Text stays plain; the next message that needs it asks again.
      loading = null;
      console.warn('Markdown could not be loaded:', error);
    },
  );
  return loading;
}
