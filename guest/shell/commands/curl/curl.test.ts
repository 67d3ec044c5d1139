import { expect, it } from 'vitest';
import type { FromServer, NetRequest } from '../../../shared/protocol.ts';
import { linkChildren } from '../../children.ts';
import { encode } from '../../kit/io.ts';
import { shell } from '../../../../test/support/shell.ts';

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly location?: string;
  readonly cookies?: readonly string[];
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
    const { status, location, cookies = [] } = answer;
    const set = cookies.map((cookie): [string, string] => ['set-cookie', cookie]);
    const headers: [string, string][] = [['x-by', 'test'], ...moved(location), ...set];
    say({ kind: 'response', status, statusText: '', headers });
    const bytes = encode(answer.body ?? '');
    if (bytes.length > 0) say({ kind: 'body', bytes });
    if (answer.breaksOff) say({ kind: 'failed', code: 'ECONNRESET', message: 'broken off' });
    else say({ kind: 'end' });
  });
  return (
    await shell(script, { files: { 'a.txt': 'text of a\n', 'b.json': '{}', 'c d.bin': '\0', 'p.PNG': '' } })
  ).output;
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

// The bodies were recorded from native curl 7.88, which chooses another boundary each time.
it.each([
  ['-F name=value', [['name="name"'], 'value']],
  ['-F f=@a.txt', [['name="f"; filename="a.txt"', 'text/plain'], 'text of a\n']],
  ["-F 'f=@b.json;type=application/json'", [['name="f"; filename="b.json"', 'application/json'], '{}']],
  ['-F f=@b.json', [['name="f"; filename="b.json"', 'application/octet-stream'], '{}']],
  ['-F "f=@$PWD/p.PNG"', [['name="f"; filename="p.PNG"', 'image/png'], '']],
  [`-F 'f=@"c d.bin";filename=x"y.txt'`, [['name="f"; filename="x%22y.txt"', 'text/plain'], '\0']],
  ['-F "t=<a.txt"', [['name="t"'], 'text of a\n']],
  [`-F 's="a;b"'`, [['name="s"'], 'a;b']],
  ["-F 'h=x;type=text/html;charset=utf-8'", [['name="h"', 'text/html;charset=utf-8'], 'x']],
  ["--form-string 'a=@x;type=b'", [['name="a"'], '@x;type=b']],
  ['-F f=@- < a.txt', [['name="f"; filename="-"'], 'text of a\n']],
] as const)('sends %s as a part of multipart/form-data', async (options, part) => {
  const sent: NetRequest[] = [];
  const serve = (request: NetRequest) => (sent.push(request), { status: 200 });
  await run(`curl -s localhost/up ${options} -F z=`, serve);
  const [{ method, headers = [], body } = {}] = sent;
  const of = (wanted: string) => headers.find(([name]) => name === wanted)?.[1] ?? '';
  expect(method).toBe('POST');
  const [, boundary = ''] =
    /^multipart\/form-data; boundary=(-{24}[0-9a-f]{16})$/.exec(of('Content-Type')) ?? [];
  const [[disposition, type], value] = part;
  const lines = [
    `--${boundary}`,
    `Content-Disposition: form-data; ${disposition}`,
    ...(type ? [`Content-Type: ${type}`] : []),
    '',
    value,
    `--${boundary}`,
    'Content-Disposition: form-data; name="z"',
    '',
    '',
    `--${boundary}--`,
    '',
  ];
  expect(new TextDecoder().decode(body ?? undefined)).toBe(lines.join('\r\n'));
  expect(of('Content-Length')).toBe(String(body?.byteLength));
});

it('refuses fields that it cannot send', async () => {
  const serve = () => ({ status: 200 });
  expect(await run('curl -s -F f=@nosuch localhost 2>/dev/null; echo $?', serve)).toBe('26\n');
  expect(await run('curl -s -F nope localhost 2>/dev/null; echo $?', serve)).toBe('2\n');
  expect(await run('curl -s -F a=1 -d b=2 localhost 2>/dev/null; echo $?', serve)).toBe('2\n');
});

const COOKIES = [
  'a=1; Path=/',
  'b=two; HttpOnly; Path=/x; Expires=Wed, 21 Oct 2037 07:28:00 GMT',
  'c=3; Secure; Path=/',
  'd=4; Domain=localhost; Path=/',
  'e=5; Max-Age=0',
  'f=6',
  'g=; Path=/',
  'h="q v"; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Path=/',
  'o=1; Domain=example.com',
];

const HEAD = `# Netscape HTTP Cookie File
# https://curl.se/docs/http-cookies.html
# This file was generated by libcurl! Edit at your own risk.

`;

// The files and headers are those of native curl 7.88 with the same answers.
it('keeps the cookies of an answer in a file, and sends them', async () => {
  const serve = ({ url, headers }: NetRequest): Answer => {
    const path = new URL(url).pathname;
    const cookie = headers.find(([name]) => name === 'Cookie')?.[1] ?? '-';
    if (path === '/away') return { status: 302, location: '/', cookies: ['r=1'] };
    return { status: 200, body: `${cookie}\n`, ...(path.startsWith('/set') && { cookies: COOKIES }) };
  };
  expect(await run('curl -s -c jar localhost:3000/set; cat jar', serve)).toBe(
    `-\n${HEAD}localhost\tFALSE\t/\tFALSE\t2139722880\th\t"q v"
localhost\tFALSE\t/\tFALSE\t0\tg\t
localhost\tFALSE\t/\tFALSE\t0\tf\t6
.localhost\tTRUE\t/\tFALSE\t0\td\t4
localhost\tFALSE\t/\tTRUE\t0\tc\t3
#HttpOnly_localhost\tFALSE\t/x\tFALSE\t2139722880\tb\ttwo
localhost\tFALSE\t/\tFALSE\t0\ta\t1
`,
  );
  const kept = 'curl -s -c jar localhost:3000/set/deep/x > /dev/null;';
  expect(await run(`${kept} curl -s -b jar localhost/x/y; curl -s -b jar -b x=9 localhost/`, serve)).toBe(
    'b=two; a=1; c=3; d=4; g=; h="q v"\na=1; c=3; d=4; g=; h="q v"; x=9\n',
  );
  expect(await run(`${kept} curl -s -j -b jar -b z=1 127.0.0.1; curl -s -j -b jar localhost/x/`, serve)).toBe(
    'z=1\nb=two; h="q v"\n',
  );
  expect(await run(`${kept} grep deep jar; curl -s -b jar localhost/set/deep/; rm jar`, serve)).toBe(
    'localhost\tFALSE\t/set/deep/\tFALSE\t0\tf\t6\nf=6; a=1; c=3; d=4; g=; h="q v"\n',
  );
  expect(
    await run(
      'curl -sL -c - localhost/away; curl -sL -b none localhost/away; curl -sL localhost/away',
      serve,
    ),
  ).toBe(`r=1\n${HEAD}localhost\tFALSE\t/\tFALSE\t0\tr\t1\nr=1\n-\n`);
});
