import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Event, EventBody } from '../log/events.ts';
import { Conversation, headPath, sentPath } from '../request/messages.ts';
import { emptyState, reduce } from '../log/reduce.ts';
import type { SessionState } from '../log/state.ts';

const model = { provider: 'test', model: 'm' };
const request = { base: null, append: [], system: '', tools: '', settings: {} };

type Move =
  | { readonly kind: 'prompt' }
  | { readonly kind: 'step'; readonly calls: number; readonly failed: boolean }
  | { readonly kind: 'summary'; readonly tail: number; readonly stopped: boolean }
  | { readonly kind: 'prune'; readonly back: number };

const moves = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Move>({ kind: 'prompt' }) },
    {
      weight: 5,
      arbitrary: fc.record<Move & { kind: 'step' }>({
        kind: fc.constant('step'),
        calls: fc.nat({ max: 3 }),
        failed: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record<Move & { kind: 'summary' }>({
        kind: fc.constant('summary'),
        tail: fc.nat({ max: 5 }),
        stopped: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record<Move & { kind: 'prune' }>({
        kind: fc.constant('prune'),
        back: fc.nat({ max: 40 }),
      }),
    },
  ),
  { maxLength: 30 },
);

/**
 * A session that starts with a prompt and continues with these moves. Every text is the id of its message.
 */
function sessionOf(happened: readonly Move[]): SessionState {
  const state = emptyState('ses');
  const add = (body: EventBody): void => {
    const event: Event = { ...body, v: 1, sessionID: 'ses', seq: state.nextSeq, time: state.nextSeq };
    reduce([event], state);
  };
  let count = 0;
  for (const move of [{ kind: 'prompt' } as Move, ...happened]) {
    const messageID = `<m${count++}>`;
    if (move.kind === 'prompt')
      add({
        type: 'prompt.accepted',
        messageID,
        parentID: state.head,
        text: messageID,
        agent: 'build',
        model,
      });
    else if (move.kind === 'prune')
      add({ type: 'outputs.pruned', before: Math.max(0, state.nextSeq - move.back), calls: 1, tokens: 1 });
    else {
      const path = headPath(sourceOf(state), state.head);
      const start = { messageID, parentID: state.head ?? '', step: 0, agent: 'build', model, request };
      add({ type: 'step.started', ...start, ...(move.kind === 'summary' && { purpose: 'compaction' }) });
      add({ type: 'step.part', messageID, part: { type: 'text-delta', id: 't', text: messageID } });
      for (let n = 0; n < (move.kind === 'step' ? move.calls : 0); n++) {
        const call = { messageID, callID: `c${n}` };
        add({
          type: 'step.part',
          messageID,
          part: { type: 'tool-call', callID: call.callID, tool: 'echo', input: {} },
        });
        const output = `${messageID}${call.callID} `.repeat(50);
        add({ type: 'call.ended', ...call, outcome: 'ok', output, title: '', metadata: {}, attachments: [] });
      }
      const failed = move.kind === 'step' ? move.failed : move.stopped;
      add({ type: 'step.ended', messageID, reason: failed ? 'error' : 'stop', usage: {} });
      if (move.kind === 'summary' && !move.stopped) {
        const sent = sentPath(path).messages;
        const tail = sent[sent.length - move.tail]?.id ?? null;
        add({ type: 'context.compacted', messageID, tail, reason: 'limit', before: 0, after: 0 });
      }
    }
  }
  return state;
}

function sourceOf(state: SessionState) {
  return {
    message: (id: string) => state.messages.get(id),
    part: (key: string) => state.parts.get(key),
    prunedBefore: state.prunedBefore,
  };
}

test('whatever is summed up and taken out, calls have their results and the last prompt is told, once', () => {
  fc.assert(
    fc.property(moves, (happened) => {
      const state = sessionOf(happened);
      const told = new Conversation(sourceOf(state)).messages(state.head, model, 0);
      expect(told[0]?.role).toBe('user');
      for (const [index, { role, content }] of told.entries()) {
        const calls =
          role === 'assistant' && typeof content !== 'string'
            ? content.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []))
            : [];
        const next = told[index + 1];
        const results =
          next?.role === 'tool'
            ? next.content.flatMap((part) => (part.type === 'tool-result' ? part.toolCallId : []))
            : [];
        expect(results).toEqual(calls);
      }
      const prompts = [...state.messages.values()].filter(({ role }) => role === 'user');
      const texts = told.flatMap(({ role, content }) => (role === 'user' ? [String(content)] : []));
      const last = prompts.at(-1)?.id ?? '';
      expect(texts.filter((text) => text.includes(last))).toHaveLength(1);
    }),
  );
});

test('a summary is told in place of what is before its tail, and only if it came to something', () => {
  fc.assert(
    fc.property(moves, (happened) => {
      const state = sessionOf(happened);
      const path = headPath(sourceOf(state), state.head);
      const text = JSON.stringify(new Conversation(sourceOf(state)).messages(state.head, model, 0));
      const newest = path.findLastIndex(({ compaction }) => compaction !== undefined);
      for (const [index, { id, purpose, compaction, finish }] of path.entries()) {
        if (purpose) expect(text.includes(id)).toBe(index === newest && compaction !== undefined);
        else if (index > newest && finish !== 'error') expect(text).toContain(id);
      }
    }),
  );
});

test('what is taken out of the messages stays in the session', () => {
  fc.assert(
    fc.property(moves, (happened) => {
      const state = sessionOf(happened);
      const told = JSON.stringify(new Conversation(sourceOf(state)).messages(state.head, model, 0));
      for (const message of state.messages.values())
        for (const key of message.partKeys) {
          const part = state.parts.get(key);
          if (part?.type !== 'tool') continue;
          expect(part.output?.length).toBeGreaterThan(200);
          if (message.seq < (state.prunedBefore ?? 0))
            expect(told).not.toContain(`${message.id}${part.callID} `);
        }
    }),
  );
});
