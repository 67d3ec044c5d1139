import { expect, test } from 'vitest';
import { CassettePlayer, cassetteText, nothingIn, readCassette, type Exchange } from './cassette.ts';
import { projected } from './projection.ts';

const LONG = 'You are an agent that lives in a browser tab. '.repeat(10);
const answer = (body: string) => ({ status: 200, contentType: 'text/event-stream', body });
const exchange = (text: string, body: string, system = LONG): Exchange => ({
  request: { path: 'POST /chat/completions', body: { system, messages: [{ role: 'user', content: text }] } },
  answer: answer(body),
});

test('a cassette comes back as it was, and does not repeat a long member', () => {
  const exchanges = [exchange('one', 'a'), exchange('two', 'b'), exchange('three', 'c', `${LONG}!`)];
  const text = cassetteText(exchanges);
  expect(text.split(LONG)).toHaveLength(3);
  expect(readCassette(text, 'c.json')).toEqual(exchanges);
});

test.each(['{', '[]', '{"vitrineCassette":2,"exchanges":[]}', '{"vitrineCassette":1,"exchanges":[{}]}'])(
  'what is no cassette is refused: %s',
  (text) => {
    expect(() => readCassette(text, 'c.json')).toThrow('c.json is no cassette that can be read.');
  },
);

test('a conversation that goes on is stored once, and a text that looks like a reference is a text', () => {
  const say = (content: string) => ({ role: 'user', content: content.repeat(30) });
  const asked = (messages: readonly { role: string; content: string }[], system: string): Exchange => ({
    request: { path: 'POST /chat/completions', body: { system, messages: [...messages] } },
    answer: answer('a'),
  });
  const [one, two, three] = [say('first words '), say('second words '), say('third words ')];
  const exchanges = [
    asked([one], '=0.messages'),
    asked([one, two], '{"request":0}'),
    asked([one, two, three], 'x'),
    asked([one, three], 'y'),
  ];
  const text = cassetteText(exchanges);
  expect(text.split('first words first')).toHaveLength(text.split('second words second').length);
  expect(text.match(/"items": \d/g)).toEqual(['"items": 1', '"items": 2', '"items": 1']);
  expect(readCassette(text, 'c.json')).toEqual(exchanges);
});

test('a member that names an earlier one which is not there is refused', () => {
  const text = cassetteText([exchange('one', 'a'), exchange('two', 'b')]);
  expect(() => readCassette(text.replace('"request": 0', '"request": 7'), 'c.json')).toThrow('no cassette');
});

test('the order of members means nothing', () => {
  const player = new CassettePlayer(
    [{ request: { path: 'POST /', body: { a: 1, b: { c: 2, d: 3 } } }, answer: answer('yes') }],
    'c.json',
  );
  expect(player.answer({ path: 'POST /', body: { b: { d: 3, c: 2 }, a: 1 } })?.body).toBe('yes');
});

test('equal requests get their answers, each once and in any order', () => {
  const player = new CassettePlayer(
    [exchange('one', 'a'), exchange('two', 'b'), exchange('one', 'c')],
    'c.json',
  );
  expect(player.answer(exchange('two', '').request)?.body).toBe('b');
  expect(player.answer(exchange('one', '').request)?.body).toBe('a');
  expect(player.problem({ isOver: false })).toBeUndefined();
  expect(player.problem({ isOver: true })).toBe(
    '1 of the 3 answers in c.json were not asked for. If the change is meant, record it again: VITRINE_CASSETTES=record.',
  );
  expect(player.answer(exchange('one', '').request)?.body).toBe('c');
  expect(player.problem({ isOver: true })).toBeUndefined();
});

test('another request has no answer, and the problem shows the difference', () => {
  const player = new CassettePlayer([exchange('one', 'a', 'First line.\nSecond line.')], 'c.json');
  expect(player.answer(exchange('one', '', 'First line.\nAnother line.').request)).toBeUndefined();
  const problem = player.problem({ isOver: false });
  expect(problem).toContain('Request 1 is not the one that c.json has an answer for.');
  expect(problem).toMatch(/^--- recorded.*\n\+\+\+ now/m);
  expect(problem).not.toContain('====');
  expect(problem).toMatch(/^-Second line\./m);
  expect(problem).toMatch(/^\+Another line\./m);
  const over = new CassettePlayer([], 'c.json');
  over.answer(exchange('one', '').request);
  expect(over.problem({ isOver: false })).toContain('Request 1 is one more than c.json has answers for.');
});

test('the key and what differs from run to run are not in a projection', () => {
  const body = {
    system: 'Today: 2026-11-26. Session ses_abc123def at 2026-11-26T10:00:00.000Z, http://127.0.0.1:41234/x',
    messages: [{ content: 'key-123 and duration_ms: 1.135', 'key-123': 'build-77' }],
  };
  const own = [{ pattern: /build-\d+/g, placeholder: '<build>' }];
  expect(projected(body, 'key-123', own)).toEqual({
    system: 'Today: <date>. Session <ses> at <time>, http://127.0.0.1:<port>/x',
    messages: [{ content: '<key> and duration_ms: <duration>', '<key>': '<build>' }],
  });
});

test('errors alone, or no answer at all, are nothing to record', () => {
  const refused: Exchange = {
    ...exchange('one', ''),
    answer: { status: 401, contentType: 'application/json', body: '{"error":"bad key"}' },
  };
  expect(nothingIn([refused], 0, 'c.json')).toContain('answered with 401: {"error":"bad key"}');
  expect(nothingIn([], 2, 'c.json')).toContain('could not be reached');
  expect(nothingIn([], 0, 'c.json')).toContain('sent no request');
  expect(nothingIn([refused, exchange('one', 'a')], 1, 'c.json')).toBeUndefined();
});
