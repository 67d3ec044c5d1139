import { packRan } from '../node/ran-child.ts';
import type { NodeCall, RanChild } from '../node/wire.ts';
import type { CallAnswer } from './runner.ts';
import type { Member, Owner } from './members.ts';
import { LIMITS } from '../../src/workspace/embedded/limits.ts';
import type { ProcessSignal } from '../protocol.ts';

export type RunChild = Extract<NodeCall, { kind: 'runChild' }>;

/**
 * What node waits for at most, of each stream, where it does not say: as much as the app takes of a process. All of it
 * is gathered here, so that it may not say anything.
 */
const MAX_BYTES = 32 * 1024 * 1024;
/** Node reads so much at once: what goes beyond the limit is there to the end of the piece. */
const READ_BYTES = 64 * 1024;

/** What the process that waits has and lends. */
export interface Lent {
  print(stream: 1 | 2, bytes: Uint8Array, taken: () => void): void;
  /** Takes the next piece of its input, or none. */
  take(take: ((piece: Uint8Array | null) => void) | undefined): void;
  keyboard(raw: boolean): void;
}

/** The owner of a process that another one waits for: gathers what it prints and answers when it has ended. */
export function waiter(
  call: RunChild,
  answer: CallAnswer,
  kill: (member: Member, signal: ProcessSignal) => void,
  lent: Lent,
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
      if (member && !member.over) give(member, piece ?? 'end');
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
    started(made) {
      member = made;
      if (call.timeoutMs === undefined || call.timeoutMs <= 0) return;
      timer = setTimeout(() => {
        timedOut = true;
        kill(made, killSignal);
      }, call.timeoutMs);
    },
  };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}
