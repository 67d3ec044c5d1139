import type { FileOutcome, NodeCall, NodeFsCall } from '../shared/wire.ts';
import { ReadRefused, WriteRefused } from './access.ts';
import { failureOf } from './errors.ts';
import type { CallAnswer } from './runner.ts';

export interface FileAnswering {
  /** Carries out one operation. Throws FsError. */
  readonly carryOut: (call: NodeFsCall) => unknown;
  /** Fetches what an operation needs and the memory lacks. Undefined if there is nothing to fetch. */
  readonly prepare: (call: NodeFsCall) => Promise<void> | undefined;
  /** Called each time the process tried to read or change a file that it may not. */
  readonly onRefused: (refusal: ReadRefused | WriteRefused) => void;
}

/** Answers one or several file operations of a node process: at once, unless contents have to be fetched. */
export function answerFiles(
  call: Extract<NodeCall, { kind: 'files' | 'severalFiles' }>,
  { carryOut, prepare, onRefused }: FileAnswering,
  answer: CallAnswer,
): void {
  const failed = (error: unknown) => {
    if (error instanceof ReadRefused || error instanceof WriteRefused) onRefused(error);
    return failureOf(error);
  };
  const fail = (error: unknown) => {
    const { code, message } = failed(error);
    answer.fail(code, message);
  };
  const outcomeOf = (each: NodeFsCall): FileOutcome => {
    try {
      return { value: carryOut(each) };
    } catch (error) {
      return { failed: failed(error) };
    }
  };
  const run = () => {
    if (call.kind === 'severalFiles') return answer.answer(call.calls.map(outcomeOf));
    try {
      answer.answer(carryOut(call.call));
    } catch (error) {
      fail(error);
    }
  };
  const calls = call.kind === 'files' ? [call.call] : call.calls;
  const waits = calls.map(prepare).filter((each) => each !== undefined);
  if (waits.length > 0) void Promise.all(waits).then(run, fail);
  else run();
}
