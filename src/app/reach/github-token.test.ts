import { expect, test } from 'vitest';
import { GITHUB_TOKEN_HEADER, type NetRequest } from '../../protocol/exchange.ts';
import { GitHubTokens, type TokenUse } from './github-token.ts';

const OID = 'a'.repeat(40);
const REPO = 'https://api.github.com/repos/ada/tool';

function tokens(answer = true, token: string | undefined = 'ghp_secret') {
  const asked: TokenUse[] = [];
  const gate = new GitHubTokens({ token: () => token, ask: async (use) => (asked.push(use), answer) });
  const ask = (url: string, method = 'GET', access = 'read', workspaceID = 'w') => {
    const headers: NetRequest['headers'] = [
      [GITHUB_TOKEN_HEADER, access],
      ['authorization', 'Bearer of the program'],
    ];
    return gate.headers({ url, method, headers, body: null }, workspaceID, (reason) => new Error(reason));
  };
  return { asked, ask };
}

test('the token is added in place of what the program sent, after one question for each use', async () => {
  const { asked, ask } = tokens();
  const headers = await ask(`${REPO}/git/commits/${OID}`);
  expect(headers).toContainEqual(['Authorization', 'Bearer ghp_secret']);
  expect(headers.flat()).not.toContain('Bearer of the program');
  await ask(`${REPO}/git/matching-refs/heads/feature/x%20y`);
  await ask(REPO.replace('ada', 'ADA'));
  expect(asked).toEqual([{ workspaceID: 'w', repository: 'ada/tool', access: 'read' }]);
  await ask(`${REPO}/git/blobs`, 'POST');
  await ask(`${REPO}/git/refs/heads/x`, 'DELETE');
  await ask(`${REPO}/pulls`, 'POST');
  expect(asked.slice(1)).toEqual([{ workspaceID: 'w', repository: 'ada/tool', access: 'write' }]);
  await ask(REPO, 'GET', 'read', 'other');
  expect(asked).toHaveLength(3);
});

test('a question that was withdrawn is asked again', async () => {
  const answers = [false, true];
  const gate = new GitHubTokens({ token: () => 'ghp_secret', ask: async () => answers.shift() ?? false });
  const left = new AbortController();
  const ask = (signal?: AbortSignal) =>
    gate.headers(
      { url: REPO, method: 'GET', headers: [[GITHUB_TOKEN_HEADER, 'read']], body: null },
      'w',
      (reason) => new Error(reason),
      signal,
    );
  left.abort();
  await expect(ask(left.signal)).rejects.toThrow();
  expect(await ask()).toContainEqual(['Authorization', 'Bearer ghp_secret']);
});

test('whoever may change a repository may read it without another question', async () => {
  const { asked, ask } = tokens();
  await ask(REPO, 'GET', 'write');
  await ask(REPO);
  expect(asked).toHaveLength(1);
});

test.each([
  ['GET', 'https://api.github.com/user'],
  ['GET', 'https://api.github.com.evil.example/repos/ada/tool'],
  ['GET', 'http://api.github.com/repos/ada/tool'],
  ['GET', 'https://raw.githubusercontent.com/ada/tool/main/x'],
  ['GET', `${REPO}/actions/secrets`],
  ['GET', `${REPO}/git/../actions/secrets`],
  ['GET', `${REPO}/git/ref/..%2f..%2factions/secrets`],
  ['GET', `${REPO}/git/ref/%2E%2E/x`],
  ['PUT', `${REPO}/contents/a`],
  ['DELETE', REPO],
  ['PATCH', REPO],
  ['POST', `${REPO}/hooks`],
  ['PATCH', `${REPO}/git/refs/pull/1/head`],
  ['DELETE', 'https://api.github.com/repos/ada'],
])('nobody is asked, and nothing is added, for %s %s', async (method, url) => {
  const { asked, ask } = tokens();
  await expect(ask(url, method)).rejects.toThrow('The GitHub token is ');
  expect(asked).toEqual([]);
});

test('a refusal holds, and without a token nobody is asked', async () => {
  const { asked, ask } = tokens(false);
  for (const _ of [1, 2]) await expect(ask(REPO)).rejects.toThrow('does not let programs read ada/tool');
  expect(asked).toHaveLength(1);
  const without = new GitHubTokens({ token: () => undefined, ask: () => Promise.reject(new Error('asked')) });
  const request: NetRequest = { url: REPO, method: 'GET', headers: [], body: null };
  await expect(without.headers(request, 'w', (reason) => new Error(reason))).rejects.toThrow(
    'no GitHub token',
  );
});
