import { NetFailed } from '../../../shared/net.ts';
import { encode } from '../../kit/io.ts';
import type { ProgramCall } from '../../program.ts';
import { fetchFrom } from '../../children.ts';

/** Matches what npm says of a registry on this computer where nothing answered. */
const REFUSED = /request to (https?:\/\/[^/\s]+)\S* failed, reason: connect ECONNREFUSED/;
/** How much of what npm printed last is kept: its error comes at the end. */
const KEPT = 4000;

type Asks = (url: string) => Promise<unknown>;

/**
 * Runs npm, and says afterwards why its registry refused the connection, if it did: a program is told no more than elsewhere,
 * while the registry may be one that programs are not allowed to reach.
 */
export async function explainRefusal(
  call: ProgramCall,
  run: (call: ProgramCall) => Promise<number>,
  ask: Asks = (url) => fetchFrom({ url, method: 'HEAD', headers: [], body: null }, call.signal),
): Promise<number> {
  const decoder = new TextDecoder();
  let printed = '';
  const stderr: ProgramCall['stderr'] = {
    write(bytes) {
      printed = (printed + decoder.decode(bytes, { stream: true })).slice(-KEPT);
      return call.stderr.write(bytes);
    },
  };
  const code = await run({ ...call, stderr });
  const [, origin] = REFUSED.exec(printed) ?? [];
  if (code === 0 || origin === undefined) return code;
  try {
    await ask(`${origin}/`);
  } catch (error) {
    if (error instanceof NetFailed) await call.stderr.write(encode(`npm error vitrine ${error.message}\n`));
  }
  return code;
}
