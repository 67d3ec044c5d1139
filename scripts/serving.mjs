import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Serves a built folder with the app's own server, on a free port; resolves with its address. */
export async function serve(folder = 'dist') {
  const server = spawn(process.execPath, ['scripts/serve.mjs', folder], {
    cwd: root,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(server.stdout, 'data');
  return { url: /http:\S+/.exec(String(line))[0], stop: () => server.kill() };
}
