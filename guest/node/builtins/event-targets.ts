import { argTypeError } from './internal/errors.ts';
import { targets, type ListenerRecord, type TargetListener } from './internal/targets.ts';
import { replace } from './web-words.ts';

const isListener = (value: unknown): value is TargetListener =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);

interface ListenOptions {
  readonly capture?: boolean;
  readonly once?: boolean;
  readonly signal?: AbortSignal;
}

const optionsOf = (given: unknown): ListenOptions =>
  typeof given === 'object' && given !== null ? given : { capture: Boolean(given) };

/** Records listeners, for `events.getEventListeners`, and refuses values that are no event or listener. */
export function adaptEventTargets(): void {
  const { dispatchEvent, addEventListener, removeEventListener } = EventTarget.prototype;
  // Programs such as vitest with jsdom put classes of their own in place of the global ones.
  const { Event: OwnEvent } = globalThis;
  replace(EventTarget.prototype, 'dispatchEvent', function (...args) {
    if (!(args[0] instanceof OwnEvent)) throw argTypeError('event', 'Event', args[0]);
    return Reflect.apply(dispatchEvent, this, args as [Event]);
  });
  replace(EventTarget.prototype, 'addEventListener', function (...args) {
    const [name, listener, given] = args;
    if (args.length < 2 || listener === null || listener === undefined)
      return Reflect.apply(addEventListener, this, args as [string, null]);
    if (!isListener(listener)) throw argTypeError('listener', 'EventListener', listener);
    const options = optionsOf(given);
    const capture = Boolean(options.capture);
    const type = String(name);
    if (targets.find(this, type, listener, capture)) return;
    const heard: ListenerRecord = { listener, capture, called: listener };
    if (options.once)
      heard.called = function (this: unknown, event: Event) {
        targets.drop(target, type, heard);
        if (typeof listener === 'function') Reflect.apply(listener, this, [event]);
        else listener.handleEvent(event);
      };
    Reflect.apply(addEventListener, this, [type, heard.called, given as AddEventListenerOptions]);
    const target = this as EventTarget;
    const { signal } = options;
    if (signal?.aborted) return;
    targets.add(target, type, heard, warnOfLeak);
    if (signal)
      Reflect.apply(addEventListener, signal, [
        'abort',
        () => targets.drop(target, type, heard),
        { once: true },
      ]);
  });
  replace(EventTarget.prototype, 'removeEventListener', function (...args) {
    const [name, listener, given] = args;
    const type = String(name);
    const heard = targets.find(this, type, listener, Boolean(optionsOf(given).capture));
    if (!heard) return Reflect.apply(removeEventListener, this, args as [string, null]);
    targets.drop(this as EventTarget, type, heard);
    Reflect.apply(removeEventListener, this, [type, heard.called, given as EventListenerOptions]);
  });
}

function warnOfLeak(target: EventTarget, type: string, count: number, limit: number): void {
  const warning = Object.assign(
    new Error(
      `Possible EventTarget memory leak detected. ${count} ${type} listeners added to ${target.constructor.name}. MaxListeners is ${limit}. Use events.setMaxListeners() to increase limit`,
    ),
    { target, type, count },
  );
  warning.name = 'MaxListenersExceededWarning';
  globalThis.process.emitWarning(warning);
}
