import { FaultError } from '../base/fault.ts';
import { FAULT_TEXTS as TEXTS, fill } from '../base/fault-texts.ts';
import type { Model } from '../session/request/model.ts';

const TIMEOUT_MS = 60_000;

/** Sends one small request; resolves when the model has answered, and throws its fault. */
export async function tryModel(model: Model): Promise<void> {
  const request = {
    system: 'Answer with one word.',
    messages: [{ role: 'user', content: 'Are you there?' } as const],
    tools: [],
    settings: {},
    // The person is waiting for the answer, so a timeout is safe.
    signal: AbortSignal.timeout(TIMEOUT_MS),
    onBody: () => {},
  };
  let finished = false;
  for await (const part of model.stream(request)) {
    if (part.type === 'error') throw new FaultError(part.fault);
    finished = part.type === 'finish';
  }
  if (!finished)
    throw new FaultError({
      code: 'timeout',
      what: fill(TEXTS.noAnswerWithin, { seconds: TIMEOUT_MS / 1000 }),
      next: TEXTS.checkRuns,
    });
}
