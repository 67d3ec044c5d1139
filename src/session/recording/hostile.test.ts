import { beforeAll, describe, expect, test } from 'vitest';
import { recordedJSON } from '../../../test/support/recordings.ts';
import { faultOf, type Fault } from '../../base/fault.ts';
import { pack } from '../../base/packed.ts';
import { unpackText } from './link.ts';
import { readRecording } from './read.ts';

let sound = '';
beforeAll(async () => {
  // Later files refer to positions among the events, which would shift in cases that add an event.
  const { laterFiles: _later, ...rest } = await recordedJSON();
  sound = JSON.stringify(rest);
});

async function refusal(source: unknown): Promise<Fault> {
  return readRecording(source).then(
    (): Fault => ({ code: 'accepted', what: '' }),
    (error: unknown) => faultOf(error),
  );
}

/** The sound recording with every `from` replaced. It must contain `from`. */
function spoilt(from: string | RegExp, to: string): string {
  expect(sound).toMatch(from);
  return sound.replace(from, () => to);
}

test('the sound one is taken', async () => {
  expect(await refusal(sound)).toMatchObject({ code: 'accepted' });
});

describe('refused with what, where and what to do', () => {
  test.each<[string, () => unknown, string, string]>([
    ['no JSON', () => sound.slice(0, -5), 'recording-damaged', 'not JSON'],
    ['something else', () => '{"version": 1}', 'recording-invalid', 'not a recording'],
    ['nothing', () => null, 'recording-invalid', 'not a recording'],
    ['another version', () => spoilt('"version":1', '"version":2'), 'recording-version', 'of version 2'],
    [
      'an event that is none',
      () => spoilt('"type":"turn.started"', '"type":"x"'),
      'recording-damaged',
      'type',
    ],
    ['a field of another type', () => spoilt(/"title":"Test"/, '"title":7'), 'recording-damaged', 'title'],
    [
      'a path that climbs',
      () => spoilt('"path":"add.js"', '"path":"../add.js"'),
      'recording-damaged',
      'path',
    ],
    [
      'an absolute path',
      () => spoilt('"path":"add.js"', '"path":"/etc/passwd"'),
      'recording-damaged',
      'path',
    ],
    ['a changed content', () => spoilt('a - b;\\n"}', 'a * b;\\n"}'), 'recording-damaged', 'hash'],
    ['a huge time', () => spoilt(/"at":\d+/, '"at":1e300'), 'recording-damaged', 'large'],
    ['infinity', () => spoilt(/"started":\d+/, '"started":1e999'), 'recording-damaged', 'large'],
    [
      'an edited request that goes on from itself',
      () =>
        spoilt(
          /(?=\{"at":(\d+),"type":"step.sent","messageID":"(\w+)")/,
          sound.replace(
            /^.*?\{"at":(\d+),"type":"step.sent","messageID":"(\w+)".*$/s,
            '{"at":$1,"type":"request.edited","messageID":"$2","request":{"base":"$2","append":[],"system":"","tools":"","settings":{}}},',
          ),
        ),
      'recording-damaged',
      'goes on from one',
    ],
    ['times backwards', () => spoilt(/"at":0/, '"at":5000'), 'recording-damaged', 'before'],
    [
      'a prototype key',
      () => spoilt('"title":"Test"', '"title":"Test","__proto__":{"x":1}'),
      'recording-damaged',
      '__proto__',
    ],
    [
      'a message that follows itself',
      () => spoilt(/"messageID":"msg_1","parentID":null/, '"messageID":"msg_1","parentID":"msg_1"'),
      'recording-damaged',
      'not there',
    ],
    [
      'a message twice',
      () => spoilt('"messageID":"msg_3","parentID"', '"messageID":"msg_2","parentID"'),
      'recording-damaged',
      'twice',
    ],
    ['a foreign session id', () => spoilt(/"id":"ses_1"/, '"id":"../x"'), 'recording-damaged', 'id'],
    [
      'deep nesting',
      () => spoilt('"files":', `"deep":${'['.repeat(100)}${']'.repeat(100)},"files":`),
      'recording-damaged',
      'deep',
    ],
    ['very deep nesting', () => '['.repeat(200_000), 'recording-damaged', ''],
    ['too much text', () => `"${'x'.repeat(20_000_001)}"`, 'recording-too-big', '20 MB'],
  ])('%s', async (_name, source, code, what) => {
    const fault = await refusal(source());
    expect(fault).toMatchObject({ code });
    expect(fault.what).toContain(what);
    expect(fault.next).toBeTruthy();
  });
});

test('a prototype is not touched by what is read', async () => {
  await refusal(spoilt('"metadata":{', '"metadata":{"constructor":{"prototype":{"polluted":true}},'));
  expect('polluted' in {}).toBe(false);
});

test('a link that would unfold to more than 20 MB is not unfolded', async () => {
  const bomb = await pack('x'.repeat(60_000_000));
  expect(bomb.length).toBeLessThan(100_000);
  await expect(unpackText(bomb)).rejects.toMatchObject({ fault: { code: 'recording-too-big' } });
});

test.each(['%%%', 'AAAA', ''])('a link with %j in it is refused', async (data) => {
  await expect(unpackText(data).then(readRecording)).rejects.toMatchObject({
    fault: { code: 'recording-damaged' },
  });
});
