import { joined } from '../../src/base/bytes.ts';
import { packRan } from '../shared/ran-child.ts';
import type { NodeCall, RanChild } from '../shared/wire.ts';
import type { CallAnswer } from './runner.ts';
import type { Member, Owner } from './members.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { ProcessSignal } from '../shared/protocol.ts';

export type RunChildCall = Extract<NodeCall, { kind: 'runChild' }>;

/**
 * How many bytes of each output stream are collected where the call gives no `maxBytes`: as much as the app takes from
 * a process. The kernel holds all of it in memory, so there has to be a limit.
 */
const MAX_BYTES = 32 * 1024 * 1024;
/** Node reads output in pieces of this size, and keeps the piece that crosses the limit whole. */
const READ_BYTES = 64 * 1024;

/** The streams of the waiting process, which a child can inherit. */
export interface LentStreams {
  print(stream: 1 | 2, bytes: Uint8Array, taken: () => void): void;
  /** Passes the next piece of input to `take`, null at the end. `undefined` withdraws an earlier request. */
  take(take: ((piece: Uint8Array | null) => void) | undefined): void;
  keyboard(raw: boolean): void;
}

/** Makes the owner of a process that another one waits for: it collects the output, and answers when the process ends. */
export function outputWaiter(
  call: RunChildCall,
  answer: CallAnswer,
  kill: (member: Member, signal: ProcessSignal) => void,
  lent: LentStreams,
  give: (member: Member, piece: Uint8Array | 'end') => void,
): { readonly owner: Owner; started(member: Member): void } {
  const maxBytes = Math.min(call.maxBytes ?? MAX_BYTES, LIMITS.fileBytes);
  const killSignal = call.killSignal ?? 'SIGTERM';
  const pieces: Record<1 | 2, Uint8Array[]> = { 1: [], 2: [] };
  const sizes = { 1: 0, 2: 0 };
  let member: Member | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timedOut = false;
  let overflowed = false;
  const inherits = (stream: number) => call.inherits?.includes(stream) ?? false;
  let taking = false;
  const takeInput = () => {
    if (taking || !inherits(0)) return;
    taking = true;
    lent.take((piece) => {
      taking = false;
      if (member && !member.isOver) give(member, piece ?? 'end');
    });
  };

  const finish = (how: Pick<RanChild, 'exitCode' | 'signal' | 'failed'>) => {
    clearTimeout(timer);
    if (taking) lent.take(undefined);
    if (inherits(0)) lent.keyboard(false);
    const ran = { pid: member?.pid ?? 0, timedOut, overflowed, ...how };
    answer.answer(packRan(ran, joined(pieces[1]), joined(pieces[2])));
  };

  const owner: Owner = {
    tell(message) {
      if (message.kind === 'childOutput') {
        const { stream, bytes } = message;
        const used = () => member?.window.used(bytes.byteLength);
        if (inherits(stream)) return lent.print(stream, bytes, used);
        used();
        const room = maxBytes - sizes[stream];
        const kept = Math.ceil((maxBytes + 1) / READ_BYTES) * READ_BYTES - sizes[stream];
        if (room >= 0) pieces[stream].push(bytes.subarray(0, kept));
        sizes[stream] += bytes.byteLength;
        if (bytes.byteLength <= room || overflowed) return;
        overflowed = true;
        if (member) kill(member, killSignal);
      } else if (message.kind === 'childExited') {
        const { exitCode, signal } = message;
        finish({ exitCode, ...(signal && { signal }) });
      } else if (message.kind === 'childFailed') {
        const { code, message: text } = message;
        finish({ exitCode: 1, failed: { code, message: text } });
      } else if (message.kind === 'childWantsInput') takeInput();
      else if (message.kind === 'childKeyboard' && inherits(0)) lent.keyboard(message.raw);
    },
  };
  return {
    owner,
    started(child) {
      member = child;
      if (call.timeoutMs === undefined || call.timeoutMs <= 0) return;
      timer = setTimeout(() => {
        timedOut = true;
        kill(child, killSignal);
      }, call.timeoutMs);
    },
  };
}
