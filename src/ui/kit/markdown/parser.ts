import DOMPurify from 'dompurify';
import { Marked, type Token } from 'marked';
import type { MarkdownParser } from './blocks.ts';
import { markdownWords as words } from './markdown-words.ts';
import { mathExtension } from './rich/math-extension.ts';

/**
 * Two measures protect the page from a model's words: raw HTML in Markdown is shown as text, and the
 * renderer's output is sanitised to the few elements that Markdown has. Pictures of other hosts become links, because
 * loading one tells its server whatever is in the address; the others become places that `rich.ts` fills.
 */
const marked = new Marked({
  gfm: true,
  breaks: false,
  renderer: {
    html: ({ text }) => escape(text),
    image: ({ href, text }) => picture(href, text),
    tablecell(cell) {
      const align = cell.align ? ` align="${cell.align}"` : '';
      const text = this.parser.parseInline(cell.tokens);
      return cell.header ? `<th scope="col"${align}>${text}</th>\n` : `<td${align}>${text}</td>\n`;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});
marked.use(mathExtension(escape));

const ELEMENTS = [
  ...['p', 'br', 'hr', 'em', 'strong', 'del', 'code', 'pre', 'blockquote', 'a', 'ul', 'ol', 'li', 'span'],
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
      ALLOWED_ATTR: ['href', 'title', 'start', 'align', 'scope', 'data-math', 'data-picture'],
      ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
      // Without this, the pattern for addresses would apply to these attributes too.
      ADD_URI_SAFE_ATTR: ['title', 'start', 'align', 'scope', 'data-math', 'data-picture'],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_TRUSTED_TYPE: true,
    }),
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

const DATA = /^data:image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]/i;

function picture(address: string, text: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url && /^https?:$/.test(url.protocol))
    return `<a href="${escape(address)}">${escape(words.remotePicture(text, url.host))}</a>`;
  const name = text || address.slice(0, 80);
  if (url ? !DATA.test(address) : address.startsWith('//')) return escape(name);
  return `<span data-picture="${escape(address)}">${escape(text || nameOf(address))}</span>`;
}

function nameOf(address: string): string {
  return address.startsWith('data:') ? words.picture : address.slice(address.lastIndexOf('/') + 1);
}
