import { canonicalJson } from '../../base/canonical-json.ts';
import type { Json } from '../../base/json.ts';
import type { Ask, Repetition } from '../../permissions/types.ts';
import { partKey, type Part } from '../log/state.ts';

/** This many equal calls, rounds of a cycle, or equal failures in a row count as a loop. */
const TIMES = 3;
const LONGEST_CYCLE = 4;
const POLLING: ReadonlySet<string> = new Set(['background_output']);
/** How much of a repeated error is shown, in characters. */
const FAILURE_CHARACTERS = 2000;

interface Call {
  readonly tool: string;
  readonly input: Json;
  readonly key: string;
}

interface Failures {
  readonly text: string;
  readonly times: number;
}

/** Detects loops among the calls of one turn, across all of its messages. */
export class Repetitions {
  #calls: Call[] = [];
  /** Started calls whose results were not looked at yet: the tool and the key of the part. */
  #open: { readonly tool: string; readonly key: string }[] = [];
  readonly #failures = new Map<string, Failures>();

  /** Looks at the results of earlier calls. */
  settle(parts: ReadonlyMap<string, Part>): void {
    for (const { tool, key } of this.#open) {
      const part = parts.get(key);
      if (part?.type === 'tool' && part.outcome !== undefined)
        this.#ended(tool, part.outcome, part.output ?? '');
    }
    this.#open = [];
  }

  /**
   * Notes a call that is about to start, in message order, and returns the loop that it continues, if any.
   * Counting then starts again, so that a person who lets the agent go on is not asked again at once.
   */
  add(call: {
    readonly messageID: string;
    readonly callID: string;
    readonly tool: string;
    readonly input: Json;
  }) {
    // These tools are meant to be called again and again.
    if (POLLING.has(call.tool.toLowerCase())) return undefined;
    const { messageID, callID, input } = call;
    // Names that differ only in case mean the same tool.
    const tool = call.tool.toLowerCase();
    this.#open.push({ tool, key: partKey(messageID, 'tool', callID) });
    this.#calls.push({ tool: call.tool, input, key: `${tool} ${canonicalJson(input)}` });
    const seen = this.#failing(tool) ?? this.#cycle();
    if (seen) {
      this.#calls = [];
      this.#failures.delete(tool);
    } else this.#calls = this.#calls.slice(-TIMES * LONGEST_CYCLE);
    return seen;
  }

  #ended(tool: string, outcome: string, output: string): void {
    if (outcome === 'cancelled' || outcome === 'interrupted') return;
    if (outcome === 'ok') return void this.#failures.delete(tool);
    const before = this.#failures.get(tool);
    this.#failures.set(tool, { text: output, times: before?.text === output ? before.times + 1 : 1 });
  }

  #failing(tool: string): Repetition | undefined {
    const failures = this.#failures.get(tool);
    if (!failures || failures.times < TIMES) return undefined;
    return {
      kind: 'repetition',
      seen: 'same-failure',
      times: failures.times,
      calls: this.#calls.slice(-1).map(shown),
      failure: failures.text.slice(0, FAILURE_CHARACTERS),
    };
  }

  #cycle(): Repetition | undefined {
    const calls = this.#calls;
    for (let period = 1; period <= LONGEST_CYCLE; period++) {
      const last = calls.slice(-TIMES * period);
      const repeats = last.every(({ key }, index) => index < period || key === last[index - period]?.key);
      if (last.length < TIMES * period || !repeats) continue;
      const seen = period === 1 ? 'same-call' : 'cycle';
      return { kind: 'repetition', seen, times: TIMES, calls: calls.slice(-period).map(shown) };
    }
    return undefined;
  }
}

/** The request to continue despite a loop. A lasting permission applies to the tool. */
export function askToGoOn(subject: Repetition, tool: string): Ask {
  return { permission: 'doom_loop', patterns: [tool], always: [tool], subject };
}

function shown({ tool, input }: Call): { tool: string; input: Json } {
  return { tool, input };
}
