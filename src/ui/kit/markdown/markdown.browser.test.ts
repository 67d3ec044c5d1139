import { describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { MarkdownStream, type Block } from './blocks.ts';
import Markdown from './Markdown.svelte';
import { parser } from './parser.ts';

function html(markdown: string): string {
  return blocksOf(markdown)
    .map((block) =>
      block.kind === 'html' || block.kind === 'table' ? String(block.html) : `[${block.kind}]`,
    )
    .join('');
}

function blocksOf(markdown: string): readonly Block[] {
  return new MarkdownStream(parser).update(markdown, true);
}

const HOSTILE = [
  '<script>hit()</script>',
  '<img src=x onerror=hit()>',
  '<svg/onload=hit()>',
  '<iframe src="javascript:hit()"></iframe>',
  '<a href="javascript:hit()">x</a>',
  '[x](javascript:hit())',
  '[x](JaVaScRiPt:hit())',
  '[x](java&#10;script:hit())',
  '[x](&#x6A;avascript:hit())',
  '[x](vbscript:hit())',
  '[x](data:text/html,<script>hit()</script>)',
  '[x](https://a.b/"onmouseover="hit())',
  '![x" onerror="hit()](https://a.b/c.png)',
  '![x](javascript:hit())',
  '<https://a.b/"><img src=x onerror=hit()>>',
  '<style>*{display:none}</style>',
  '<form action="https://evil"><input name=q></form>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=hit()&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=hit()>">',
  '<div id="app" name="body">clobber</div>',
  '# <img src=x onerror=hit()>',
  '| <img src=x onerror=hit()> |\n|---|\n| <svg onload=hit()> |',
  '- <img src=x onerror=hit()>\n  ```html\n  <script>hit()</script>\n  ```',
  '[a]: javascript:hit()\n\n[a]',
  '`<img src=x onerror=hit()>`',
  '[x](//evil.example/path)',
  '[x](file:///etc/passwd)',
  '[x](sandbox.html)',
];

test.each(HOSTILE)('%s does nothing', (markdown) => {
  const holder = document.createElement('div');
  const blocks = blocksOf(markdown);
  for (const block of blocks) {
    const piece = document.createElement('div');
    if (block.kind === 'html' || block.kind === 'table') piece.innerHTML = block.html as string;
    holder.append(piece);
  }
  const bad = 'script, img, svg, iframe, style, form, input, math, noscript, object, embed, link, meta, base';
  expect(holder.querySelector(bad)).toBeNull();
  for (const element of holder.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      expect([
        'href',
        'title',
        'start',
        'align',
        'scope',
        'target',
        'rel',
        'data-picture',
        'data-math',
      ]).toContain(name);
      if (name === 'href') expect(value).toMatch(/^(https?|mailto):/);
    }
  }
});

test('links open elsewhere and tell nothing of where they came from', () => {
  expect(html('[x](https://a.b/)')).toContain('target="_blank" rel="noopener noreferrer nofollow"');
});

test('pictures of other hosts are links that say so: loading one would tell its server', () => {
  expect(html('![chart](https://a.b/c.png?secret)')).toContain('>chart (image on a.b, not loaded)</a>');
  expect(html('![](//a.b/c.png)')).not.toContain('data-picture');
  expect(html('![x](data:text/html,hi)')).not.toContain('data-picture');
  expect(html('![x](blob:https://a.b/1)')).not.toContain('data-picture');
});

test('pictures of the workspace and in the text itself have a place, and no address yet', () => {
  expect(html('![a chart](out/c.png)')).toContain('<span data-picture="out/c.png">a chart</span>');
  expect(html('![](out/c.png)')).toContain('>c.png</span>');
  expect(html('![dot](data:image/png;base64,AA==)')).toContain('data-picture="data:image/png;base64,AA=="');
});

test('formulas keep their source until they are set; prices and variables stay text', () => {
  expect(html('So $x^2$ is.')).toContain('<code data-math="inline">x^2</code>');
  expect(html('From \\(a_1\\) on')).toContain('<code data-math="inline">a_1</code>');
  expect(html('Then\n$$\na = b\n$$\nit ends.')).toContain('<code data-math="block">a = b</code>');
  expect(html('\\[ a < b \\]')).toContain('data-math="block">a &lt; b</code>');
  for (const text of ['It costs $5, not $10.', 'Use $HOME/$USER here.', 'US$x$', '`$x^2$`'])
    expect(html(text)).not.toContain('data-math');
});

test('tables keep their alignment and lists their first number', () => {
  expect(html('| a |\n|---:|\n| 1 |')).toContain('<td align="right">');
  expect(html('3. three')).toContain('<ol start="3">');
});

test('raw HTML is shown as the text it is', () => {
  expect(html('a <b>bold</b> move')).toContain('&lt;b&gt;bold&lt;/b&gt;');
});

describe('as it streams', () => {
  const TEXT =
    'First *one*.\n\n- a\n\n- b\n\n1. x\n2. y\n\nText\n===\n\n```js\nlet a = 1;\n\nlet b;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> q\n> r\n\n[ref] and done.\n\n[ref]: https://a.b/\n';

  test('it ends as the whole text would be read', () => {
    const stream = new MarkdownStream(parser);
    for (let end = 1; end < TEXT.length; end++) stream.update(TEXT.slice(0, end), false);
    const strip = (blocks: readonly Block[]) =>
      blocks.map((block) => ('html' in block ? [block.kind, String(block.html)] : block));
    expect(strip(stream.update(TEXT, true))).toEqual(strip(blocksOf(TEXT)));
  });

  test('what is finished is not made again', () => {
    const stream = new MarkdownStream(parser);
    const before = stream.update('One.\n\nTwo.\n\nThr', false);
    const after = stream.update('One.\n\nTwo.\n\nThree goes on', false);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
    expect(after[2]).not.toBe(before[2]);
  });

  test('code in a fence that is still open is code', () => {
    const blocks = new MarkdownStream(parser).update('See:\n\n```py\nprint(1)', false);
    expect(blocks[1]).toMatchObject({ kind: 'code', language: 'py', text: 'print(1)', open: true });
  });

  test('a text that was replaced is read anew', () => {
    const stream = new MarkdownStream(parser);
    stream.update('One.\n\nTwo.\n\n', false);
    expect(stream.update('Else.', true)).toHaveLength(1);
  });
});

test('code is coloured by the worker, and its text stays what it was', async () => {
  const code = 'const answer = 42; // why\nfunction f() {}\n\nf()';
  const screen = await render(Markdown, { text: '```js\n' + code + '\n```', ended: true });
  // Loading the worker and its grammar takes time while other tests load too.
  const keyword = screen.getByText('const', { exact: true });
  await expect.element(keyword, { timeout: 30_000 }).toHaveClass('hl-keyword');
  expect(screen.container.querySelector('code')?.textContent).toBe(code);
  expect(screen.container.querySelector('.hl-comment')?.textContent).toContain('why');
});

test('code of a language that is not known stays plain', async () => {
  const screen = await render(Markdown, { text: '```nonsense\na < b\n```', ended: true });
  await expect.element(screen.getByText('a < b')).toBeVisible();
});

describe('what is shown in its place', () => {
  const PNG =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const png = new Blob([Uint8Array.from(atob(PNG), (char) => char.charCodeAt(0))], { type: 'image/png' });

  test(
    'formulas are set as MathML, and those that cannot be stay as they are',
    { timeout: 30_000 },
    async () => {
      const text = 'If $x^2 = \\frac{1}{2}$ then $\\href{https://a.b}{x} = 1$.\n\n$$\n\\sum_i a_i\n$$';
      const screen = await render(Markdown, { text, ended: true });
      await expect.poll(() => screen.container.querySelectorAll('math').length, { timeout: 20_000 }).toBe(2);
      expect(screen.container.querySelector('mfrac')).not.toBeNull();
      expect(screen.container.querySelector('math[display="block"]')?.getAttribute('alttext')).toBe(
        '\\sum_i a_i',
      );
      expect([...screen.container.querySelectorAll('code')].map((code) => code.textContent)).toEqual([
        '\\href{https://a.b}{x} = 1',
      ]);
    },
  );

  test('no formula is set while its block grows', async () => {
    const screen = await render(Markdown, { text: 'First $a^2$.\n\nThen $b^2$ and', ended: false });
    await expect.poll(() => screen.container.querySelectorAll('math').length, { timeout: 20_000 }).toBe(1);
    expect(screen.container.querySelector('code[data-math]')?.textContent).toBe('b^2');
  });

  test('pictures come from the workspace only, and one that is missing says so', async () => {
    const asked: string[] = [];
    const readPicture = async (address: string) => {
      asked.push(address);
      return address === 'a.png' ? png : 'not in the workspace';
    };
    const text =
      '![one](a.png) ![two](b.png) ![three](https://a.b/c.png) ![four](data:image/png;base64,' + PNG + ')';
    const screen = await render(Markdown, { text, ended: true, readPicture });
    await expect.element(screen.getByRole('img', { name: 'one' })).toBeVisible();
    await expect.element(screen.getByRole('img', { name: 'four' })).toBeVisible();
    await expect.element(screen.getByText('two (not in the workspace)')).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: /three/ }))
      .toHaveAttribute('href', 'https://a.b/c.png');
    expect(asked).toEqual(['a.png', 'b.png']);
    expect([...screen.container.querySelectorAll('img')].map(({ src }) => src.split(':')[0])).toEqual([
      'blob',
      'data',
    ]);
  });

  test('a table scrolls within itself and is copied as Markdown or CSV', async () => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const table = '| a | b |\n|---|---|\n| 1, 2 | `x` |';
    const screen = await render(Markdown, { text: `${table}\n\nAfter.`, ended: true });
    await screen.getByRole('button', { name: 'Copy as Markdown' }).click();
    await screen.getByRole('button', { name: 'Copy as CSV' }).click();
    expect(copied.mock.calls).toEqual([[table], ['a,b\r\n"1, 2",x\r\n']]);
    await expect.element(screen.getByRole('group', { name: 'Table' })).toHaveAttribute('tabindex', '0');
    expect(screen.getByRole('columnheader').elements()).toHaveLength(2);
  });
});
