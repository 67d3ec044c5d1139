import { expect, test } from 'vitest';
import { recordedJSON } from '../../../test/support/recordings.ts';
import { faultOf } from '../../base/fault.ts';
import { fetchRecording, recordingAddress } from './fetched.ts';

const BASE = 'http://localhost:4173/sub/?recording=x';

test('only https and the page’s own origin are allowed', () => {
  expect(recordingAddress('https://example.org/a.json', BASE).href).toBe('https://example.org/a.json');
  expect(recordingAddress('demo.json', BASE).href).toBe('http://localhost:4173/sub/demo.json');
  for (const refused of [
    'http://example.org/a.json',
    'data:application/json,{}',
    'javascript:alert(1)',
    'blob:https://example.org/x',
    'file:///etc/passwd',
    'https://name:password@example.org/a.json',
    'https://',
  ])
    expect(() => recordingAddress(refused, BASE), refused).toThrow('must come from an https address');
});

test('a page from this computer reads from other servers of this computer, and no other page', () => {
  const read = (text: string, base: string) => () => recordingAddress(text, base);
  expect(read('http://127.0.0.1:9/a.json', BASE)().href).toBe('http://127.0.0.1:9/a.json');
  for (const [text, base] of [
    ['http://localhost:9/a.json', 'https://vitrine.example/'],
    ['http://example.org/a.json', BASE],
    ['http://localhost.example.org/a.json', BASE],
  ] as const)
    expect(read(text, base), text).toThrow('must come from an https address');
});

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => faultOf(error).code,
  );

test('no credentials are sent; large or failed answers are refused', async () => {
  const text = JSON.stringify(await recordedJSON());
  let sent: RequestInit | undefined;
  const answer = (response: () => Response) => async (_url: unknown, init?: RequestInit) => {
    sent = init;
    return response();
  };
  expect(
    await code(
      fetchRecording(
        'https://a.b/c',
        BASE,
        answer(() => new Response(text)),
      ),
    ),
  ).toBe('accepted');
  expect(sent).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer' });
  const big = () => new Response('{}', { headers: { 'content-length': '20000001' } });
  expect(await code(fetchRecording('https://a.b/c', BASE, answer(big)))).toBe('recording-too-big');
  const growing = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)) }));
  expect(await code(fetchRecording('https://a.b/c', BASE, answer(growing)))).toBe('recording-too-big');
});

test('an address with nothing there is told apart from a server that fails and one that cannot be read', async () => {
  const faultFor = (request: () => Promise<Response>) =>
    fetchRecording('https://a.b/c', BASE, request).then(() => undefined, faultOf);
  for (const status of [404, 410])
    expect(await faultFor(async () => new Response('', { status }))).toMatchObject({
      code: 'recording-missing',
      what: `There is no recording at this address: a.b answered with status ${status}.`,
      next: 'Check the address.',
    });
  expect(await faultFor(async () => new Response('', { status: 503 }))).toMatchObject({
    code: 'recording-unreachable',
    what: 'The recording could not be fetched from a.b: it answered with status 503.',
    next: 'Check the address, or try again later.',
  });
  const blocked = await faultFor(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(blocked).toMatchObject({ code: 'recording-unreachable' });
  expect(blocked?.next).toContain('Access-Control-Allow-Origin: *');
});
