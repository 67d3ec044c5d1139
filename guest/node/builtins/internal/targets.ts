export type TargetListener = ((event: Event) => unknown) | EventListenerObject;

/** A listener as it was given, and what the platform calls for it. */
export interface ListenerRecord {
  readonly listener: TargetListener;
  readonly capture: boolean;
  called: TargetListener;
}

type Warn = (target: EventTarget, type: string, count: number, limit: number) => void;

const heard = new WeakMap<EventTarget, Map<string, ListenerRecord[]>>();
const limits = new WeakMap<EventTarget, number>();
const warned = new WeakMap<EventTarget, Set<string>>();
const usual = { limit: 10 };

/** Lists the listeners of event targets, which the browser does not. */
export const targets = {
  list: (target: EventTarget, type: string): readonly ListenerRecord[] => heard.get(target)?.get(type) ?? [],

  find(target: unknown, type: string, listener: unknown, capture: boolean): ListenerRecord | undefined {
    const there = heard.get(target as EventTarget)?.get(type);
    return there?.find((each) => each.listener === listener && each.capture === capture);
  },

  add(target: EventTarget, type: string, added: ListenerRecord, warn: Warn): void {
    const types = heard.get(target) ?? new Map<string, ListenerRecord[]>();
    heard.set(target, types);
    const list = types.get(type) ?? [];
    types.set(type, list);
    list.push(added);
    const limit = targets.limit(target);
    const told = warned.get(target) ?? new Set();
    if (limit === 0 || list.length <= limit || told.has(type)) return;
    warned.set(target, told.add(type));
    warn(target, type, list.length, limit);
  },

  drop(target: EventTarget, type: string, gone: ListenerRecord): void {
    const list = heard.get(target)?.get(type);
    const at = list?.indexOf(gone) ?? -1;
    if (at >= 0) list?.splice(at, 1);
  },

  /** How many listeners an event may have before a warning about a leak; 0 means no limit. */
  limit: (target: EventTarget): number =>
    limits.get(target) ?? (target instanceof AbortSignal ? 0 : usual.limit),
  setLimit: (target: EventTarget, limit: number): void => void limits.set(target, limit),
  setUsualLimit: (limit: number): void => void (usual.limit = limit),
};
