import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { transformWithOxc } from 'vite';
import { asCurl, asSnippet } from './copies.ts';

const body = JSON.stringify({ text: `it's "quoted", $HOME, \`ls\` and \\ too`, line: 'a\nb' });
const network = {
  url: 'https://api.openai.com/v1/responses?a=1&b=2',
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer $OPENAI_API_KEY' },
  body,
};

test('a shell reads the request back as it is, with the key out of the environment', () => {
  const script = asCurl(network).replace(
    /^curl/,
    `node -e 'console.log(JSON.stringify(process.argv.slice(1)))' --`,
  );
  const env = { ...process.env, OPENAI_API_KEY: 'key "from" outside' };
  const read: unknown = JSON.parse(execFileSync('bash', ['-c', script], { env, encoding: 'utf8' }));
  expect(read).toEqual([
    ...['-N', '-X', 'POST', network.url],
    ...['-H', 'content-type: application/json'],
    ...['-H', 'authorization: Bearer key "from" outside'],
    ...['--data-raw', body],
  ]);
});

const content = {
  system: 'Be brief.\nAnd `exact`.',
  messages: [{ role: 'user' as const, content: 'List ${files}.' }],
  tools: [{ name: 'list-files', description: 'Lists.', schema: { type: 'object' } }],
  settings: { reasoning: 'low' },
};

for (const provider of ['openai', 'anthropic', 'google', 'openrouter', 'openai-compatible', 'scripted']) {
  test(`the snippet for ${provider} is a program, with the request in it and no key`, async () => {
    const snippet = asSnippet({ provider, model: 'm-1' }, content, {
      ...network,
      url: 'https://host.example/v1/chat/completions',
    });
    const { code } = await transformWithOxc(snippet, 'snippet.ts');
    expect(code).toContain('streamText');
    for (const said of [
      'list-files',
      'List ${files}.',
      'reasoning',
      provider === 'scripted' ? 'scripted/m-1' : 'm-1',
    ])
      expect(snippet).toContain(said);
    expect(snippet.includes('process.env.')).toBe(provider !== 'scripted');
    expect(snippet.includes('https://host.example/v1"')).toBe(/openrouter|compatible/.test(provider));
  });
}
