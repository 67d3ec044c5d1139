import { expect, it } from 'vitest';
import type { FromServer, NetRequest } from '../../../shared/protocol.ts';
import { linkChildren } from '../../children.ts';
import { encode } from '../../kit/io.ts';
import { shell } from '../../../../test/support/shell.ts';

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly location?: string;
  readonly breaksOff?: boolean;
}

function moved(location: string | undefined): [string, string][] {
  return location === undefined ? [] : [['location', location]];
}

/** Runs a script beside a server; without an answer nobody listens. */
async function run(script: string, serve: (request: NetRequest) => Answer | undefined) {
  linkChildren((message) => {
    if (message.kind !== 'fetch') return;
    const say = (answer: FromServer) => message.channel.postMessage(answer);
    const answer = serve(message.request);
    if (!answer) return say({ kind: 'failed', code: 'ECONNREFUSED', message: 'refused' });
    const { status, location } = answer;
    const headers: [string, string][] = [['x-by', 'test'], ...moved(location)];
    say({ kind: 'response', status, statusText: '', headers });
    const bytes = encode(answer.body ?? '');
    if (bytes.length > 0) say({ kind: 'body', bytes });
    if (answer.breaksOff) say({ kind: 'failed', code: 'ECONNRESET', message: 'broken off' });
    else say({ kind: 'end' });
  });
  return (await shell(script, { files: { 'a.txt': 'text of a\n' } })).output;
}

it('tells the code 000 where nobody answers, as loops that wait for a server ask', async () => {
  let asked = 0;
  const serve = () => (++asked < 3 ? undefined : { status: 200, body: 'up' });
  const wait = `until [ "$(curl -s -o /dev/null -w '%{http_code}' localhost:3000)" = 200 ]; do echo not yet; done; echo up`;
  expect(await run(wait, serve)).toBe('not yet\nnot yet\nup\n');
  expect(await run("curl -s -w '%{http_code} %{exitcode}\\n' localhost:1; echo $?", () => undefined)).toBe(
    '000 7\n7\n',
  );
});

it('gives what came of an answer that was broken off, and fails with 18', async () => {
  const half = () => ({ status: 200, body: 'half\n', breaksOff: true });
  expect(await run('curl -sS localhost:3000 2>&1; echo $?', half)).toBe(
    'half\ncurl: (18) transfer closed with outstanding read data remaining\n18\n',
  );
});

it('tries again as often as it is told, where trying again may help', async () => {
  let asked = 0;
  const late = () => (++asked < 3 ? undefined : { status: 200, body: 'late\n' });
  expect(await run('curl -s --retry 5 --retry-delay 0 --retry-connrefused localhost:3000', late)).toBe(
    'late\n',
  );
  expect(asked).toBe(3);
  asked = 0;
  const busy = () => (++asked < 3 ? { status: 503, body: 'busy' } : { status: 200, body: 'free\n' });
  expect(await run('curl -s --retry 2 --retry-delay 0 localhost', busy)).toBe('free\n');
  asked = 0;
  const refused = () => (++asked, undefined);
  expect(await run('curl -s --retry 5 --retry-delay 0 localhost; echo $?', refused)).toBe('7\n');
  expect(asked).toBe(1);
});

it('sends files and cookies, and shows heads and the bodies of failures', async () => {
  const echo = ({ method, headers, body }: NetRequest): Answer => ({
    status: method === 'GET' ? 404 : 200,
    body: `${method} ${headers.find(([name]) => name === 'Cookie')?.[1] ?? '-'} ${new TextDecoder().decode(body ?? undefined)}\n`,
  });
  expect(await run('curl -sT a.txt -b k=v localhost', echo)).toBe('PUT k=v text of a\n\n');
  expect(await run('curl -s --fail-with-body localhost; echo $?', echo)).toBe('GET - \n22\n');
  expect(await run('curl -sf localhost; echo $?', echo)).toBe('22\n');
  expect(await run('curl -s -D - -o /dev/null -XPOST localhost | grep -c x-by', echo)).toBe('1\n');
});

it('reads files of the workspace', async () => {
  expect(await run('curl -s file://$PWD/a.txt; curl -s file:///nosuch; echo $?', () => undefined)).toBe(
    'text of a\n37\n',
  );
});

it('follows as many redirects as it may', async () => {
  let asked = 0;
  const on = (): Answer =>
    ++asked > 3 ? { status: 200, body: 'there\n' } : { status: 302, location: '/on' };
  expect(await run('curl -sL localhost', on)).toBe('there\n');
  asked = 0;
  expect(await run('curl -sSL --max-redirs 2 localhost 2>&1; echo $?', on)).toBe(
    'curl: (47) Maximum (2) redirects followed\n47\n',
  );
  expect(asked).toBe(3);
});
