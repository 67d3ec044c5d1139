import type { Ids } from '../../base/clock.ts';
import type { Json } from '../../base/json.ts';
import { Listeners, type Unlisten } from '../../base/listeners.ts';
import type { ReadyTool } from '../../tools/tool.ts';
import { problemWith, type TypedArguments } from '../calls/call-input.ts';
import type { CallEdit, Outcome, PauseEnd, RequestRef } from '../log/events.ts';
import type { SessionLog } from '../log/log.ts';
import type { RenderedMessages } from '../request/types.ts';
import type { StepResult } from '../turn/processor.ts';
import type { RequestContent } from '../request/types.ts';
import type { Blob } from '../log/store.ts';
import { breaksAt, type Breakpoint, type Reached } from './points.ts';

/** `run` pauses only at breakpoints, `step` at every point, and `to-end` nowhere until the turn has ended. */
export type StepMode = 'run' | 'step' | 'to-end';

/** The data of a paused point, before it happens. */
export type PausedAction =
  | {
      readonly point: 'request';
      readonly messageID: string;
      readonly content: RequestContent;
      /** The request's messages, grouped by the session's messages; empty once they have been edited. */
      readonly rendered: readonly RenderedMessages[];
    }
  | { readonly point: 'response'; readonly messageID: string; readonly result: StepResult }
  | {
      readonly point: 'call';
      readonly messageID: string;
      readonly callID: string;
      readonly tool: ReadyTool;
      readonly input: Json;
    }
  | {
      readonly point: 'result';
      readonly messageID: string;
      readonly callID: string;
      readonly tool: string;
      readonly outcome: Outcome;
      readonly output: string;
    };

/** The person's change at a pause. */
export type Edit =
  | {
      readonly kind: 'request';
      readonly content: Pick<RequestContent, 'system' | 'messages'>;
      /** Replacements for messages of the session that models see from now on. */
      readonly lasting?: readonly RenderedMessages[];
      /** The agent gets this system prompt from now on. */
      readonly systemLasts?: true;
    }
  | TypedArguments
  /** The tool does not run, and this is the result of the call. */
  | { readonly kind: 'answer'; readonly output: string; readonly outcome: 'ok' | 'failed' }
  | { readonly kind: 'output'; readonly output: string };

export interface Paused {
  readonly id: string;
  readonly sessionID: string;
  readonly held: PausedAction;
}

/** Edits in place of the person. `sessionID` names the session that reached the point. */
export type Editor = (sessionID: string, held: PausedAction) => Promise<Edit | undefined>;

interface OpenPause extends Paused {
  release(by: PauseEnd, edit?: Edit): void;
}

/** The log of the session that reached the point, and the signal of its turn. */
interface PausedSession {
  readonly log: SessionLog;
  readonly signal: AbortSignal;
}

/** Pauses a session and its sub-agents before their next actions. */
export class Stepper {
  readonly #ids: Ids;
  readonly #waiting = new Map<string, OpenPause>();
  readonly #changed = new Listeners<void>();
  #mode: StepMode = 'run';
  #breakpoints: readonly Breakpoint[] = [];
  #editor: Editor | null = null;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  get mode(): StepMode {
    return this.#mode;
  }

  get breakpoints(): readonly Breakpoint[] {
    return this.#breakpoints;
  }

  /** The oldest pause comes first. */
  paused(): readonly Paused[] {
    return [...this.#waiting.values()];
  }

  onChange(listener: () => void): Unlisten {
    return this.#changed.add(listener);
  }

  setBreakpoints(breakpoints: readonly Breakpoint[]): void {
    this.#breakpoints = breakpoints;
    this.#changed.emit();
  }

  /** Sets an editor that changes what passes a point when the person does not; `null` removes it. */
  setEditor(editor: Editor | null): void {
    this.#editor = editor;
  }

  /** Ends the oldest pause, with its edit, and pauses at the next point. */
  step(edit?: Edit): void {
    this.#set('step');
    this.#waiting.values().next().value?.release('step', edit);
  }

  /** Continues to the next breakpoint. */
  continue(edit?: Edit): void {
    this.#set('run');
    this.#releaseAll('continue', edit);
  }

  /** Continues without pauses until the turn has ended. */
  runToEnd(edit?: Edit): void {
    this.#set('to-end');
    this.#releaseAll('run-to-end', edit);
  }

  /** Call this when a turn of the session itself has ended, not one of a sub-agent. */
  turnEnded(): void {
    if (this.#mode === 'to-end') this.#set('run');
  }

  /** The text that the model would get for these arguments at a paused call; `null` if they are valid. */
  problem({ held }: Paused, args: string): string | null {
    return held.point === 'call' ? problemWith(held.tool, args) : null;
  }

  /** Returns the request to send, and the lasting edits. `whole` makes its reference without a base. */
  async request(
    session: PausedSession,
    messageID: string,
    { content, rendered }: Pick<Extract<PausedAction, { point: 'request' }>, 'content' | 'rendered'>,
    whole: (content: RequestContent) => { ref: RequestRef; blobs: Blob[] },
  ): Promise<
    { readonly content: RequestContent } & Pick<Extract<Edit, { kind: 'request' }>, 'lasting' | 'systemLasts'>
  > {
    const edit = await this.#hold(
      session,
      { point: 'request', messageID, content, rendered },
      { failed: false, text: () => JSON.stringify(content.messages) },
    );
    if (edit?.kind !== 'request') return { content };
    const edited = { ...content, ...edit.content };
    const { ref, blobs } = whole(edited);
    session.log.append({ type: 'request.edited', messageID, request: ref }, blobs);
    const { lasting, systemLasts } = edit;
    return { content: edited, ...(lasting && { lasting }), ...(systemLasts && { systemLasts }) };
  }

  async response(session: PausedSession, messageID: string, result: StepResult): Promise<void> {
    const text = () => {
      const parts = [...session.log.state.parts.values()].filter((part) => part.messageID === messageID);
      return parts
        .map((part) => (part.type === 'text' ? part.text : part.type === 'tool' ? part.raw : ''))
        .join('\n');
    };
    await this.#hold(
      session,
      { point: 'response', messageID, result },
      { failed: result.reason === 'error', text },
    );
  }

  /** Returns new arguments, or a result without running the tool; `undefined` if nothing was edited. */
  async call(
    session: PausedSession,
    ids: { readonly messageID: string; readonly callID: string },
    tool: ReadyTool,
    input: Json,
  ): Promise<Extract<Edit, { kind: 'input' | 'raw' | 'answer' }> | undefined> {
    const edit = await this.#hold(
      session,
      { point: 'call', ...ids, tool, input },
      { tool: tool.id, failed: false, text: () => JSON.stringify(input) },
    );
    if (edit?.kind === 'answer') this.#mark(session, ids, { kind: 'answer' });
    else if (edit?.kind === 'input') this.#mark(session, ids, { kind: 'input', from: input, to: edit.input });
    else if (edit?.kind === 'raw') this.#mark(session, ids, { kind: 'input', from: input, to: edit.text });
    else return undefined;
    return edit;
  }

  /** Returns the output for the model. */
  async result(
    session: PausedSession,
    ids: { readonly messageID: string; readonly callID: string },
    tool: string,
    { outcome, output }: { readonly outcome: Outcome; readonly output: string },
  ): Promise<string> {
    const edit = await this.#hold(
      session,
      { point: 'result', ...ids, tool, outcome, output },
      { tool, failed: outcome !== 'ok', text: () => output },
    );
    if (edit?.kind !== 'output' || edit.output === output) return output;
    this.#mark(session, ids, { kind: 'output', from: output, to: edit.output });
    return edit.output;
  }

  #mark({ log }: PausedSession, ids: { messageID: string; callID: string }, edit: CallEdit): void {
    log.append({ type: 'call.edited', ...ids, edit });
  }

  async #hold(
    session: PausedSession,
    held: PausedAction,
    reached: Omit<Reached, 'point'>,
  ): Promise<Edit | undefined> {
    const made = await this.#editor?.(session.log.state.sessionID, held);
    // A call that the editor answers does not pause, since its tool does not run.
    if (made?.kind === 'answer') return made;
    return (await this.#pause(session, made ? withEdit(held, made) : held, reached)) ?? made;
  }

  #pause(
    { log, signal }: PausedSession,
    held: PausedAction,
    reached: Omit<Reached, 'point'>,
  ): Promise<Edit | undefined> | undefined {
    if (signal.aborted || !this.#stopsAt({ ...reached, point: held.point })) return undefined;
    const id = this.#ids.next('pau');
    const { point, messageID } = held;
    const at = { messageID, ...('callID' in held && { call: held.callID }) };
    return new Promise((resolve) => {
      const release = (by: PauseEnd, edit?: Edit) => {
        signal.removeEventListener('abort', stopped);
        this.#waiting.delete(id);
        log.append({ type: 'pause.ended', ...at, pauseID: id, by });
        resolve(edit);
        this.#changed.emit();
      };
      const stopped = () => release('stopped');
      signal.addEventListener('abort', stopped);
      this.#waiting.set(id, { id, sessionID: log.state.sessionID, held, release });
      log.append({ type: 'pause.began', ...at, pauseID: id, point });
      this.#changed.emit();
    });
  }

  #stopsAt(reached: Reached): boolean {
    if (this.#mode === 'to-end') return false;
    return this.#mode === 'step' || this.#breakpoints.some((breakpoint) => breaksAt(breakpoint, reached));
  }

  #set(mode: StepMode): void {
    this.#mode = mode;
    this.#changed.emit();
  }

  /** The edit belongs to the oldest pause. */
  #releaseAll(by: PauseEnd, edit: Edit | undefined): void {
    const [first, ...others] = this.#waiting.values();
    first?.release(by, edit);
    for (const waiting of others) waiting.release(by);
  }
}

/** Applies the editor's edit first, so that the person sees what will really happen. */
function withEdit(held: PausedAction, edit: Edit): PausedAction {
  if (held.point === 'request' && edit.kind === 'request')
    return { ...held, content: { ...held.content, ...edit.content }, rendered: [] };
  if (held.point === 'call' && edit.kind === 'input') return { ...held, input: edit.input };
  if (held.point === 'result' && edit.kind === 'output') return { ...held, output: edit.output };
  return held;
}
