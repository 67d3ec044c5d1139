import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { element } from './dom.ts';

/** Longer texts are not parsed again with every piece that comes: until they are whole they are shown as they are. */
const LONGEST_GROWING = 20_000;
const LINKED = /^(?:https?|mailto):/i;

/**
 * Markdown as elements, without a detour through HTML: HTML in it is shown as text, pictures by their description, and a link
 * leads only to an address of the web.
 */
export function markdown(text: string, growing = false): Node[] {
  if (growing && text.length > LONGEST_GROWING) return [plain(text)];
  try {
    return blocks(lexer(text));
  } catch {
    // Quotes nested thousands of levels deep, for example.
    return [plain(text)];
  }
}

function plain(text: string): Node {
  return element('p', { class: 'plain' }, text);
}

const blocks = (tokens: readonly Token[]): Node[] => tokens.flatMap((token) => block(token as MarkedToken));

function block(token: MarkedToken): Node[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      // The frame has a heading of its own above these.
      return [element(token.depth <= 2 ? 'h2' : 'h3', {}, ...inlines(token.tokens))];
    case 'paragraph':
      return [element('p', {}, ...inlines(token.tokens))];
    case 'code':
      return [element('pre', { tabindex: 0 }, element('code', {}, token.text))];
    case 'blockquote':
      return [element('blockquote', {}, ...blocks(token.tokens ?? []))];
    case 'list':
      return [list(token)];
    case 'hr':
      return [element('hr')];
    case 'table':
      return [table(token)];
    case 'html':
      return [plain(token.text)];
    case 'text':
      return token.tokens ? inlines(token.tokens) : [inline(token)];
    default:
      return [inline(token)];
  }
}

function list({ ordered, start, items }: Tokens.List): Node {
  const points = items.map(({ task, checked, tokens }) =>
    element('li', {}, task ? (checked ? '☑ ' : '☐ ') : '', ...blocks(tokens)),
  );
  return ordered ? element('ol', { start: Number(start) || 1 }, ...points) : element('ul', {}, ...points);
}

function table({ header, rows }: Tokens.Table): Node {
  const cells = (name: 'th' | 'td', row: readonly Tokens.TableCell[]) =>
    element('tr', {}, ...row.map(({ tokens }) => element(name, {}, ...inlines(tokens))));
  return element(
    'div',
    { class: 'table', tabindex: 0 },
    element(
      'table',
      {},
      element('thead', {}, cells('th', header)),
      element('tbody', {}, ...rows.map((row) => cells('td', row))),
    ),
  );
}

const inlines = (tokens: readonly Token[] = []): Node[] =>
  tokens.map((token) => inline(token as MarkedToken));

function inline(token: MarkedToken): Node {
  switch (token.type) {
    case 'strong':
      return element('strong', {}, ...inlines(token.tokens));
    case 'em':
      return element('em', {}, ...inlines(token.tokens));
    case 'del':
      return element('del', {}, ...inlines(token.tokens));
    case 'codespan':
      return element('code', {}, token.text);
    case 'br':
      return element('br');
    case 'link':
      return link(token);
    case 'image':
      return element('em', {}, token.text || token.href);
    case 'text':
      return token.tokens ? element('span', {}, ...inlines(token.tokens)) : new Text(token.text);
    case 'escape':
      return new Text(token.text);
    default:
      return new Text(token.raw);
  }
}

function link({ href, tokens }: Tokens.Link): Node {
  if (!LINKED.test(href) || !URL.canParse(href)) return element('span', {}, ...inlines(tokens));
  return element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, ...inlines(tokens));
}
