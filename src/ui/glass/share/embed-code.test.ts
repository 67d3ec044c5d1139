import { expect, test } from 'vitest';
import { embedCode } from './embed-code.ts';

test('the code names the script beside the app, whatever the name of its page', () => {
  for (const page of ['https://vitrine.example/app/', 'https://vitrine.example/app/index.html'])
    expect(embedCode(page, 'https://files.example/a.json', 'Fix add')).toBe(
      `<script async src="https://vitrine.example/app/player.js"></script>
<vitrine-player src="https://files.example/a.json" title="Fix add"></vitrine-player>
`,
    );
});

test('a title stays a title', () => {
  expect(embedCode('https://a.b/', 'https://c.d/?x=1&y=2', '"><script>hit()</script>')).toContain(
    'src="https://c.d/?x=1&amp;y=2" title="&quot;&gt;&lt;script&gt;hit()&lt;/script&gt;"',
  );
});
