import { expect, test } from 'vitest';
import { NetFailed } from '../../../shared/net.ts';
import { encode } from '../../kit/io.ts';
import type { ProgramCall } from '../../program.ts';
import { explainRefusal } from './refused.ts';

const REASON = '127.0.0.1:4873 is not among the hosts that programs may reach';
const FAILED =
  'npm error FetchError: request to http://127.0.0.1:4873/ms failed, reason: connect ECONNREFUSED 127.0.0.1:4873\n';

/** Lets npm print a text and end with a code. Returns what is printed in all, and which addresses were asked. */
async function after(text: string, code: number) {
  let printed = '';
  const asked: string[] = [];
  const stderr = { write: (bytes: Uint8Array) => void (printed += new TextDecoder().decode(bytes)) };
  const run = async (call: ProgramCall) => {
    for (const piece of text.match(/.{1,20}/gs) ?? []) await call.stderr.write(encode(piece));
    return code;
  };
  const ask = (url: string) => {
    asked.push(url);
    return Promise.reject(new NetFailed('ECONNREFUSED', REASON));
  };
  const call: Pick<ProgramCall, 'stderr'> = { stderr };
  expect(await explainRefusal(call as ProgramCall, run, ask)).toBe(code);
  return { printed, asked };
}

test('a registry on this computer that is not allowed is named, with where it can be', async () => {
  expect(await after(FAILED, 1)).toEqual({
    printed: `${FAILED}npm error vitrine ${REASON}\n`,
    asked: ['http://127.0.0.1:4873/'],
  });
});

test('nothing is asked after a success, or where npm failed for another reason', async () => {
  expect(await after(FAILED, 0)).toEqual({ printed: FAILED, asked: [] });
  expect(await after('npm error code E404\n', 1)).toEqual({ printed: 'npm error code E404\n', asked: [] });
});
