import { nodeError, received } from '../builtins/internal/errors.ts';
import { giveAnswer } from './hooks-answer.ts';
import type { HooksAnswer, HooksRequest } from './hooks-thread.ts';
import type { HookContext, Loaded, Resolution } from './hook-types.ts';
import { notReturned } from './hooks.ts';

type Next<Answer> = (what: string, context: HookContext) => Promise<Answer>;
type Hook<Answer> = (
  what: string,
  context: HookContext,
  next: (what: string, context?: Partial<HookContext>) => Promise<Answer>,
) => Answer | Promise<Answer>;

/** A hook, with the specifier under which its module was registered. */
interface RegisteredHook<Hook> {
  readonly specifier: string;
  readonly hook: Hook;
}

export interface HooksServerParts {
  readonly memory: SharedArrayBuffer;
  readonly importFrom: (url: string) => (specifier: unknown) => Promise<unknown>;
  /** The results without hooks. */
  readonly usual: {
    resolve(specifier: string, context: HookContext): Resolution;
    load(url: string, context: HookContext): Loaded;
  };
}

/** Answers requests to the hooks, one after the other. */
export function serveHooks({ memory, importFrom, usual }: HooksServerParts) {
  const resolves: RegisteredHook<Hook<Resolution>>[] = [];
  const loads: RegisteredHook<Hook<Loaded>>[] = [];

  async function answer(request: HooksRequest): Promise<readonly [HooksAnswer, unknown?]> {
    switch (request.kind) {
      case 'register': {
        const module: Record<string, unknown> = Object(
          await importFrom(request.parentURL)(request.specifier),
        );
        const { initialize, resolve, load } = module;
        const { specifier } = request;
        if (typeof initialize === 'function') await Reflect.apply(initialize, undefined, [request.data]);
        if (typeof resolve === 'function') resolves.push({ specifier, hook: resolve as Hook<Resolution> });
        if (typeof load === 'function') loads.push({ specifier, hook: load as Hook<Loaded> });
        return [{}];
      }
      case 'resolve': {
        const last: Next<Resolution> = async (specifier, context) => usual.resolve(specifier, context);
        const { url, format, importAttributes } = await chain(
          'resolve',
          resolves,
          last,
        )(request.specifier, request.context);
        if (typeof url !== 'string') throw notReturned('a URL string', 'url', 'resolve', url);
        return [{ resolution: { url, format, ...(importAttributes && { importAttributes }) } }];
      }
      case 'load': {
        const given: Loaded[] = [];
        const last: Next<Loaded> = async (url, context) => {
          const loaded = usual.load(url, context);
          if (url === request.url) given.push(loaded);
          return loaded;
        };
        const { format, source } = await chain('load', loads, last)(request.url, request.context);
        if (given.some((each) => each.source === source && each.format === format))
          return [{ loaded: { format, source: 'usual' } }];
        if (source === undefined || source === null) return [{ loaded: { format, source: 'none' } }];
        const isText = typeof source === 'string';
        if (!isText && !(source instanceof ArrayBuffer) && !ArrayBuffer.isView(source))
          throw notReturned('a string, an ArrayBuffer, or a TypedArray', 'source', 'load', source);
        return [{ loaded: { format, source: isText ? 'text' : 'bytes' } }, source];
      }
    }
  }

  const give = (head: HooksAnswer, source?: unknown) => {
    const text = new TextEncoder().encode(JSON.stringify(head));
    const body = bytesOf(source);
    const all = new Uint8Array(4 + text.byteLength + body.byteLength);
    new DataView(all.buffer).setUint32(0, text.byteLength);
    all.set(text, 4);
    all.set(body, 4 + text.byteLength);
    giveAnswer(memory, all);
  };

  let isPending = false;
  return {
    async hear(request: HooksRequest): Promise<void> {
      isPending = true;
      let given: readonly [HooksAnswer, unknown?];
      try {
        given = await answer(request);
      } catch (error) {
        given = [{ error: thrown(error) }];
      }
      isPending = false;
      give(...given);
    },
    /** Answers the waiting thread when this one ends, because it would wait forever. */
    ended(code: number): void {
      if (isPending) give({ ended: code });
    },
  };
}

function chain<Answer extends { readonly shortCircuit?: boolean }>(
  name: string,
  hooks: readonly RegisteredHook<Hook<Answer>>[],
  last: Next<Answer>,
): Next<Answer> {
  return hooks.reduce<Next<Answer>>(
    (below, { specifier, hook }) =>
      async (what, context) => {
        let isNextCalled = false;
        const answer = await hook(what, context, (next, more) => {
          isNextCalled = true;
          return below(next, { ...context, ...more });
        });
        if (typeof answer !== 'object' || answer === null)
          throw nodeError(
            'ERR_INVALID_RETURN_VALUE',
            `Expected an object to be returned from the "${name}" hook but got${received(answer).slice(' Received'.length)}.`,
            TypeError,
          );
        if (!isNextCalled && answer.shortCircuit !== true)
          throw nodeError(
            'ERR_LOADER_CHAIN_INCOMPLETE',
            `"${specifier} '${name}'" did not call the next hook in its chain and did not explicitly signal a short circuit. If this is intentional, include \`shortCircuit: true\` in the hook's return.`,
          );
        return answer;
      },
    last,
  );
}

function bytesOf(source: unknown): Uint8Array {
  if (typeof source === 'string') return new TextEncoder().encode(source);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return new Uint8Array();
}

function thrown(error: unknown) {
  if (!(error instanceof Error))
    return { name: 'Error', message: String(error), stack: String(error), own: {} };
  const { name, message, stack } = error;
  return { name, message, stack, own: { ...error } };
}
