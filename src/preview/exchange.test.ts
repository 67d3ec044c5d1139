import { expect, test } from 'vitest';
import { ask } from '../../guest/preview/ask.ts';
import { MemoryWorkspace } from '../../test/support/memory-workspace.ts';
import { EXCHANGE_WINDOW } from '../protocol/exchange.ts';
import type { PreviewRequest } from '../protocol/preview.ts';
import type { ServerConnection, Servers } from '../workspace/workspace.ts';
import { PreviewAnswers } from './answers.ts';
import { CookieJar } from './cookies.ts';
import { PreviewLog } from './log.ts';

const get: PreviewRequest = {
  method: 'GET',
  target: '/',
  headers: [],
  hasBody: false,
  destination: '',
  referrer: '',
  cookies: true,
};

/** A preview of a server whose connections are made by hand. */
function previewOf(connect: () => ServerConnection | null, destination = '') {
  const log = new PreviewLog();
  const servers: Servers = {
    list: () => [{ port: 3000 }],
    onChange: () => () => {},
    connect: async () => connect(),
  };
  const cookies = new CookieJar();
  const answers = new PreviewAnswers(
    { kind: 'server', port: 3000 },
    {
      servers,
      files: new MemoryWorkspace().files,
      isVisible: async () => true,
      sources: async () => "'none'",
      cookies,
      log,
      clock: { now: () => 0 },
      cookiesChanged: () => {},
      documentAnswered: () => {},
    },
  );
  const request = (given: Partial<PreviewRequest> = {}, body: ReadableStream<Uint8Array> | null = null) =>
    ask(
      (message, channel) => void answers.serve(message, channel),
      { ...get, destination, ...given, hasBody: body !== null },
      body,
    );
  return { request, log, cookies };
}

/** Answers every request with this text, and gathers what was sent. */
function answering(answer: string) {
  let sent = '';
  const connection = (): ServerConnection => {
    let give: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
    return {
      readable: new ReadableStream({ start: (controller) => void (give = controller) }),
      writable: new WritableStream({
        write(bytes) {
          sent += new TextDecoder('latin1').decode(bytes);
          if (!sent.includes('\r\n\r\n') || !give) return;
          give.enqueue(new TextEncoder().encode(answer));
          give.close();
          give = undefined;
        },
      }),
    };
  };
  return { connection, sent: () => sent };
}

test('a page gets the first script, its cookies and the policy; the server gets the cookies back', async () => {
  const { connection, sent } = answering(
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 21\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2; HttpOnly\r\n\r\n<!doctype html><p>Hi!',
  );
  const { request, log } = previewOf(connection, 'iframe');
  const answered = await request();
  expect(await new Response(answered.body).text()).toBe(
    '<!doctype html><script src="/__vitrine__/page.js" data-cookies="a=1"></script><p>Hi!',
  );
  const headers = new Map(answered.headers);
  expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(headers.has('set-cookie') || headers.has('content-length')).toBe(false);
  await (await request({ method: 'POST', target: '/form', referrer: '/a' })).body.cancel();
  expect(sent()).toContain('GET / HTTP/1.1\r\nhost: localhost:3000\r\n');
  expect(sent()).toMatch(
    /POST \/form [^]*cookie: a=1; b=2[^]*origin: http:\/\/localhost:3000[^]*referer: http:\/\/localhost:3000\/a/,
  );
  expect(log.entries).toMatchObject([
    { kind: 'request', target: '/', status: 200 },
    { kind: 'request', target: '/form', status: 200 },
  ]);
});

test('where nobody listens, the answer says so', async () => {
  const { request } = previewOf(() => null);
  const answered = await request();
  expect(answered.status).toBe(502);
  expect(await new Response(answered.body).text()).toContain('No server listens on port 3000');
});

test('a server that breaks off fails the request, which the log says', async () => {
  const { connection } = answering('');
  const { request, log } = previewOf(connection);
  await expect(request()).rejects.toThrow('without an answer');
  expect(log.entries).toMatchObject([{ problem: expect.stringContaining('without an answer') }]);
});

test('an answer that nobody reads is not fetched further than the window, and is given up with its reader', async () => {
  let given = 0;
  let cancelled: () => void = () => {};
  const over = new Promise<void>((resolve) => (cancelled = resolve));
  const piece = 64 * 1024;
  const { request } = previewOf(() => ({
    readable: new ReadableStream(
      {
        pull(controller) {
          if (given === 0) controller.enqueue(new TextEncoder().encode('HTTP/1.1 200 OK\r\n\r\n'));
          controller.enqueue(new Uint8Array(piece));
          given += piece;
        },
        cancel: () => cancelled(),
      },
      { highWaterMark: 0 },
    ),
    writable: new WritableStream(),
  }));
  const answered = await request();
  const reader = answered.body.getReader();
  let read = 0;
  while (read < 4 * EXCHANGE_WINDOW) read += (await reader.read()).value?.byteLength ?? 0;
  expect(given).toBeLessThanOrEqual(read + 3 * EXCHANGE_WINDOW);
  await reader.cancel();
  await over;
});

test('a body is taken only as fast as the server takes it', async () => {
  let taken = 0;
  let go = () => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  let answer: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  const { request } = previewOf(() => ({
    readable: new ReadableStream({ start: (controller) => void (answer = controller) }),
    writable: new WritableStream({
      async write(bytes) {
        taken += bytes.byteLength;
        if (taken > 100_000) await gate;
        if (new TextDecoder('latin1').decode(bytes.slice(-5)) === '0\r\n\r\n') {
          answer?.enqueue(new TextEncoder().encode('HTTP/1.1 204 No Content\r\n\r\n'));
          answer?.close();
        }
      },
    }),
  }));
  let offered = 0;
  const size = 8 * EXCHANGE_WINDOW;
  let waiting: () => void = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (offered >= size) return controller.close();
        controller.enqueue(new Uint8Array(64 * 1024));
        offered += 64 * 1024;
        if (offered >= EXCHANGE_WINDOW) waiting();
      },
    },
    { highWaterMark: 0 },
  );
  const reached = new Promise<void>((resolve) => (waiting = resolve));
  const answered = request({ method: 'POST' }, body);
  await reached;
  expect(offered).toBeLessThan(4 * EXCHANGE_WINDOW);
  go();
  expect((await answered).status).toBe(204);
  expect(taken).toBeGreaterThan(size);
});
