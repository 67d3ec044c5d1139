import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { webcontainerPatches } from '../../build/webcontainer-patches.ts';
import type { Answers } from './answers.ts';

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Questions to WebContainer</title><pre></pre><script src="/page.js"></script>';
export const PAGES = ['/', '/credentialless', '/refused-key'] as const;

/** Serves the page that asks, isolated as the app is, and takes its answers; any browser on this machine may open it. */
export async function serveQuestions(answers: Answers, port = 0) {
  const script = await pageScript();
  const done = new Set<string>();
  let wake = () => {};
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const policy = path === '/credentialless' ? 'credentialless' : 'require-corp';
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', policy);
    if (request.method !== 'POST') {
      const isScript = path === '/page.js';
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      return void response.end(isScript ? script : PAGE);
    }
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const said = JSON.parse(body);
      if (path === '/done') done.add(said.place);
      wake();
      response.setHeader('Content-Type', 'application/json');
      response.end(
        JSON.stringify(
          path === '/begin' ? { isNew: answers.begin(said) } : (path === '/answer' && answers.add(said), {}),
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${taken}`,
    isDone: (place: string) => done.has(place),
    /** The page has said something, or this time is over. */
    news: (ms: number) =>
      new Promise<'said' | 'silent'>((resolve) => {
        const timeout = setTimeout(() => resolve('silent'), ms);
        wake = () => (clearTimeout(timeout), resolve('said'));
      }),
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  };
}

async function pageScript(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [webcontainerPatches()],
    build: {
      write: false,
      target: 'es2023',
      minify: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('./page.ts', import.meta.url)),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) =>
    'output' in each ? each.output : [],
  );
  const chunk = outputs.find((output) => output.type === 'chunk');
  if (!chunk) throw new Error('page.ts did not become a script');
  return chunk.code;
}
