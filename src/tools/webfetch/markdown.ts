import { Parser } from 'htmlparser2';

/** Elements that are dropped with their content. */
const DROPPED = new Set(
  'script style noscript template iframe object embed svg canvas meta link select button textarea'.split(' '),
);
const BLOCKS = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);
const MARKS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '_',
  em: '_',
  del: '~~',
  s: '~~',
};

export interface PageText {
  readonly title: string;
  readonly text: string;
}

/** Converts a page to Markdown or plain text; nothing in it is run or fetched. `base` makes links absolute. */
export function readPage(html: string, base: string, form: 'markdown' | 'text'): PageText {
  const writer = new Writer(base, form === 'markdown');
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    onclosetag: (name) => writer.close(name),
    ontext: (text) => writer.text(text),
  });
  parser.end(html);
  return writer.page();
}

interface List {
  readonly ordered: boolean;
  count: number;
}

class Writer {
  readonly #base: string;
  readonly #rich: boolean;
  readonly #lines: string[] = [];
  readonly #lists: List[] = [];
  readonly #links: { readonly href: string; readonly from: number }[] = [];
  #line = '';
  /** The prefixes of every line: quote marks, and the indent of list items. */
  #prefixes: string[] = [];
  #dropped = 0;
  #titled = false;
  #title = '';
  #pre: string | null = null;
  #cells = 0;

  constructor(base: string, rich: boolean) {
    this.#base = base;
    this.#rich = rich;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'title' && this.#dropped === 0) this.#titled = true;
    if (DROPPED.has(name)) this.#dropped++;
    if (this.#dropped > 0) return;
    if (this.#pre !== null) {
      if (name === 'br') this.#pre += '\n';
      return;
    }
    if (BLOCKS.has(name) && !['td', 'th', 'li', 'tr'].includes(name)) this.#gap(name);
    const mark = this.#rich ? MARKS[name] : undefined;
    if (mark) this.#line += mark;
    else if (name === 'br') this.#break();
    else if (name === 'pre') this.#pre = '';
    else if (name === 'code' && this.#rich) this.#line += '`';
    else if (name === 'hr' && this.#rich) this.#whole('---');
    else if (/^h[1-6]$/.test(name) && this.#rich) this.#line += `${'#'.repeat(Number(name[1]))} `;
    else if (name === 'ul' || name === 'ol') this.#lists.push({ ordered: name === 'ol', count: 0 });
    else if (name === 'li') this.#item();
    else if (name === 'blockquote' && this.#rich) this.#prefixes.push('> ');
    else if (name === 'tr') {
      this.#break();
      this.#cells = 0;
    } else if (name === 'td' || name === 'th')
      this.#line += this.#cells++ > 0 ? ' | ' : this.#rich ? '| ' : '';
    else if (name === 'a')
      this.#links.push({ href: this.#address(attributes['href']), from: this.#line.length });
    else if (name === 'img' && this.#rich) this.#image(attributes);
  }

  close(name: string): void {
    if (name === 'title') this.#titled = false;
    if (DROPPED.has(name)) {
      this.#dropped = Math.max(0, this.#dropped - 1);
      return;
    }
    if (this.#dropped > 0) return;
    if (name === 'pre' && this.#pre !== null) return this.#closePre();
    if (this.#pre !== null) return;
    const mark = this.#rich ? MARKS[name] : undefined;
    if (mark) this.#line += mark;
    else if (name === 'code' && this.#rich) this.#line += '`';
    else if (name === 'a') this.#closeLink();
    else if (name === 'tr') this.#closeRow();
    else if (name === 'li') {
      this.#break();
      this.#prefixes.pop();
    } else if (name === 'ul' || name === 'ol') {
      this.#lists.pop();
      this.#gap(name);
    } else if (BLOCKS.has(name) && name !== 'td' && name !== 'th') {
      this.#break();
      if (name === 'blockquote' && this.#rich) this.#prefixes.pop();
      this.#gap(name);
    }
  }

  text(text: string): void {
    if (this.#titled) this.#title += text;
    if (this.#dropped > 0 || this.#titled) return;
    if (this.#pre !== null) this.#pre += text;
    else {
      const flat = text.replace(/[\s\u00a0]+/g, ' ');
      this.#line += this.#line === '' || this.#line.endsWith(' ') ? flat.trimStart() : flat;
    }
  }

  page(): PageText {
    if (this.#pre !== null) this.#closePre();
    this.#break();
    const text = this.#lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    return { title: this.#title.replace(/\s+/g, ' ').trim(), text };
  }

  #break(): void {
    const line = this.#line.trimEnd();
    this.#line = '';
    if (line !== '') this.#whole(line);
  }

  #whole(line: string): void {
    this.#lines.push(this.#prefixes.join('') + line);
    // Only the first line of an item has the list marker.
    this.#prefixes = this.#prefixes.map((prefix) => (prefix === '> ' ? prefix : prefix.replace(/\S/g, ' ')));
  }

  /** Puts an empty line between blocks, but not between the items of a list. */
  #gap(name: string): void {
    this.#break();
    const nested = this.#lists.length > 0;
    if (nested || (!this.#rich && (name === 'div' || name === 'dd' || name === 'dt'))) return;
    if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('');
  }

  #item(): void {
    this.#break();
    const list = this.#lists.at(-1);
    this.#prefixes.push(list?.ordered ? `${++list.count}. ` : '- ');
  }

  #closePre(): void {
    const code = (this.#pre ?? '').replace(/^\n|\s+$/g, '');
    this.#pre = null;
    const fence = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    const lines = this.#rich ? [fence, ...code.split('\n'), fence] : code.split('\n');
    for (const line of lines) this.#whole(line);
    this.#gap('pre');
  }

  #closeLink(): void {
    const link = this.#links.pop();
    if (!link || !this.#rich || link.href === '') return;
    // The link began on a line that is already written, so the rest of its text stays plain text.
    const from = Math.min(link.from, this.#line.length);
    const text = this.#line.slice(from).trim();
    if (text !== '') this.#line = `${this.#line.slice(0, from)}[${text}](${link.href})`;
  }

  #closeRow(): void {
    if (this.#rich && this.#cells > 0) this.#line += ' |';
    this.#break();
  }

  #image(attributes: Readonly<Record<string, string>>): void {
    const source = this.#address(attributes['src']);
    const alt = (attributes['alt'] ?? '').replace(/\s+/g, ' ').trim();
    if (alt !== '' && source !== '') this.#line += `![${alt}](${source})`;
  }

  /** Makes a link absolute; '' where it is not a web address. */
  #address(value: string | undefined): string {
    if (value === undefined || value.startsWith('#') || !URL.canParse(value, this.#base)) return '';
    const url = new URL(value, this.#base);
    return url.protocol === 'https:' || url.protocol === 'http:'
      ? url.href.replaceAll('(', '%28').replaceAll(')', '%29')
      : '';
  }
}
