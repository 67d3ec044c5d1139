import DOMPurify from 'dompurify';
import { Marked, type Token } from 'marked';
import type { MarkdownParser } from './blocks.ts';

/**
 * Two measures protect the page from a model's words: raw HTML in Markdown is shown as text, and the
 * renderer's output is sanitised to the few elements that Markdown has. Pictures become links, because
 * loading a picture tells its server whatever is in the address.
 */
const marked = new Marked({
  gfm: true,
  breaks: false,
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => `<a href="${escape(href)}">${escape(text || href)}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

const ELEMENTS = [
  ...['p', 'br', 'hr', 'em', 'strong', 'del', 'code', 'pre', 'blockquote', 'a', 'ul', 'ol', 'li'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];

const purifier = DOMPurify(window);
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (!(node instanceof HTMLAnchorElement) || !node.hasAttribute('href')) return;
  node.target = '_blank';
  node.rel = 'noopener noreferrer nofollow';
});

export const parser: MarkdownParser = {
  lex: (markdown) => marked.lexer(markdown),
  render: (tokens) =>
    purifier.sanitize(marked.parser([...tokens] as Token[]), {
      ALLOWED_TAGS: ELEMENTS,
      ALLOWED_ATTR: ['href', 'title', 'start', 'align'],
      ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
      // Without this, the pattern for addresses would apply to these attributes too.
      ADD_URI_SAFE_ATTR: ['title', 'start', 'align'],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_TRUSTED_TYPE: true,
    }),
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
