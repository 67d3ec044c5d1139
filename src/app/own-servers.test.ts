import { expect, test } from 'vitest';
import type { ServerConfig } from '../config/servers.ts';
import { addServer } from './own-servers.ts';

/** The person's own files, of which only the servers are read. */
function own(text: string, others: readonly string[] = []) {
  const files: Record<string, string> = { 'opencode.json': text };
  const config: ServerConfig = { type: 'remote', url: 'https://other.example/mcp' };
  return {
    files,
    deps: {
      configurations: {
        ownFiles: () => files,
        ownServers: () => others.map((name) => ({ name, file: '~/.config/opencode/more.json', config })),
        setOwnFile: async (path: string, given: string) => void (files[path] = given),
      },
    },
  };
}

test('a server is added beside the others, and comments stay', async () => {
  const { deps, files } = own('{\n  // mine\n  "mcp": {}\n}');
  await addServer(deps, { name: 'fix', url: 'https://fix.example/mcp' });
  expect(files['opencode.json']).toContain('// mine');
  expect(files['opencode.json']).toContain('https://fix.example/mcp');
});

test.each([
  ['of the same file', own('{"mcp": {"fix": {"type": "remote", "url": "https://fix.example/mcp"}}}')],
  ['that cannot be read', own('{"mcp": {"fix": {"type": "stdio"}}}')],
  ['of another file', own('', ['fix'])],
])('a name that is taken by a server %s is refused, and nothing is written', async (_, { deps, files }) => {
  const before = files['opencode.json'];
  await expect(addServer(deps, { name: 'fix', url: 'https://new.example/mcp' })).rejects.toMatchObject({
    fault: { what: 'There is a tool server named fix already.', next: expect.stringContaining('Remove') },
  });
  expect(files['opencode.json']).toBe(before);
});
