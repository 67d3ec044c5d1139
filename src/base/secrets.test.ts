import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MASK, isSecretName, maskSecrets, maskTokens } from './secrets.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const random = (min: number, max = min + 20) =>
  fc.array(fc.constantFrom(...letters), { minLength: min, maxLength: max }).map((each) => each.join(''));
const upper = (length: number) => random(length, length).map((text) => text.toUpperCase());

/** Each is `[text that holds the secret, the secret]`. */
const secrets: Readonly<Record<string, fc.Arbitrary<readonly [string, string]>>> = {
  'OpenAI key': random(20).map((key) => [`sk-proj-${key}`, key]),
  'Anthropic key': random(20).map((key) => [`sk-ant-api03-${key}`, key]),
  'Stripe key': random(20).map((key) => [`sk_live_${key}`, key]),
  'GitHub token': random(36).map((key) => [`ghp_${key}`, key]),
  'GitHub fine-grained token': random(30).map((key) => [`github_pat_${key}`, key]),
  'GitLab token': random(20).map((key) => [`glpat-${key}`, key]),
  'Slack token': random(20).map((key) => [`xoxb-${key}`, key]),
  'AWS key id': upper(16).map((key) => [`AKIA${key}`, key]),
  'Google key': random(35).map((key) => [`AIza${key}`, key]),
  'npm token': random(36).map((key) => [`npm_${key}`, key]),
  'web token': fc.tuple(random(10), random(10), random(10)).map(([a, b, c]) => [`eyJ${a}.${b}.${c}`, b]),
  'bearer token': random(12).map((key) => [`-H "Authorization: Bearer ${key}"`, key]),
  'basic login': random(12).map((key) => [`Authorization: Basic ${key}==`, key]),
  'header with a key': random(12).map((key) => [`X-Api-Key: ${key}`, key]),
  assignment: random(6).map((key) => [`OPENAI_API_KEY=${key}`, key]),
  'plain key': random(6).map((key) => [`KEY=${key}`, key]),
  'quoted assignment': random(6).map((key) => [`DB_PASSWORD="${key} ${key}"`, key]),
  'open quote': random(6).map((key) => [`DB_PASSWORD="${key}`, key]),
  'JSON field': random(6).map((key) => [`{"clientSecret": "${key}"}`, key]),
  'YAML field': random(6).map((key) => [`  password: ${key}`, key]),
  option: random(6).map((key) => [`mysql --password ${key} -h db`, key]),
  'option with =': random(6).map((key) => [`mysql --password=${key} -h db`, key]),
  'quoted option': random(6).map((key) => [`login --token '${key}'`, key]),
  'user option': random(6).map((key) => [`curl -u me:${key} https://x.example`, key]),
  address: random(6).map((key) => [`git clone https://me:${key}@github.com/a/b`, key]),
  'address without a name': random(6).map((key) => [`redis://:${key}@localhost:6379`, key]),
  'query of an address': random(6).map((key) => [`https://x.example/?a=1&api_key=${key}&b=2`, key]),
  'private key': random(60).map((key) => [
    `-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END RSA PRIVATE KEY-----`,
    key,
  ]),
  'cut private key': random(60).map((key) => [`-----BEGIN OPENSSH PRIVATE KEY-----\n${key}`, key]),
};

const around = fc.constantFrom('', 'echo ', 'x; ', 'npm test && ', '$(', '\n', 'é ');

test.each(Object.entries(secrets))('%s is masked anywhere in a text', (_name, secret) => {
  fc.assert(
    fc.property(
      secret,
      around,
      fc.constantFrom('', ' ', '\n', ' && ls', ' | cat'),
      ([text, key], before, after) => {
        const masked = maskSecrets(`${before}${text}${after}`);
        expect(masked).not.toContain(key);
        expect(masked).toContain(MASK);
        expect(masked.startsWith(before)).toBe(true);
        expect(maskSecrets(masked)).toBe(masked);
      },
    ),
  );
});

test.each([
  'npm test -- --grep "key handling"',
  'cat src/keys.ts | grep -n token',
  'git commit -m "Add the key: press it"',
  'echo "$API_KEY"; export TOKEN=$OTHER; curl -H "X-Api-Key: ${KEY}"',
  'sort -k 2 -t : /etc/passwd',
  'monkey=banana keyboard=de max_tokens=5',
  'https://example.com:8080/a@b',
  'git clone git@github.com:a/b.git',
  'ask-me-about-something-that-is-long-enough',
])('%s stays as it is', (text) => {
  expect(maskSecrets(text)).toBe(text);
});

test('masking takes time in proportion to the length of the text, and never fails', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void maskSecrets(text)));
  for (const piece of [
    'a_',
    'a.',
    '"',
    '--a ',
    '//a:',
    '-----BEGIN PRIVATE KEY-----',
    'sk-',
    '=',
    'eyJa.',
    ': ',
    '-',
  ]) {
    const started = performance.now();
    maskSecrets(piece.repeat(100_000 / piece.length));
    expect(performance.now() - started, piece).toBeLessThan(2_000);
  }
});

const BEFORE_LONG = [
  '-----BEGIN PRIVATE KEY-----',
  'password="',
  '{"token": "',
  'https://',
  'bearer ',
  '--password ',
  '--password $',
  'password=${',
  '-u a:',
];

test.each(BEFORE_LONG)('millions of characters after %s do not fail', (before) => {
  const long = before + 'x'.repeat(6_000_000);
  expect(() => maskSecrets(`${long} ${long}`)).not.toThrow();
  expect(maskTokens(long)).toBe(before.includes('BEGIN') ? '[secret]' : long);
});

test('nor do they where the engine has stopped to optimize expressions, as in a page with very many', () => {
  const source = readFileSync(new URL('secrets.ts', import.meta.url), 'utf8');
  const { outputText } = ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2023 } });
  const program = `${outputText}
    for (const before of ${JSON.stringify(BEFORE_LONG)}) {
      const long = before + 'x'.repeat(6_000_000);
      maskSecrets(long + ' ' + long);
    }`;
  const args = ['--no-regexp-optimization', '--input-type=module'];
  expect(() => execFileSync(process.execPath, args, { input: program, stdio: 'pipe' })).not.toThrow();
});

test.each([
  ['GITHUB_TOKEN', true],
  ['apiKey', true],
  ['--client-secret', true],
  ['_authToken', true],
  ['keyboard', false],
  ['tokens', false],
  ['path', false],
])('%s is the name of a secret: %s', (name, is) => {
  expect(isSecretName(name)).toBe(is);
});
