import { describe, expect, test } from 'vitest';
import { call, finish, say } from '../../../test/support/parts-model.ts';
import { harness } from '../../../test/support/session-harness.ts';
import * as z from 'zod';
import { hashBytes } from '../../base/hash.ts';
import { define } from '../../tools/define.ts';
import { withFiles } from './attached-files.ts';
import { Conversation } from './messages.ts';
import type { StreamPart } from '../log/parts.ts';
import type { Session } from '../session.ts';

const image = new Uint8Array([1, 2, 3]);
const picture = define('picture', {
  description: 'Makes a picture.',
  parameters: z.object({}),
  readOnly: true,
  execute: async () => ({ output: 'A picture.', attachments: [{ mediaType: 'image/png', bytes: image }] }),
});

const reasoning: StreamPart[] = [
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', text: 'Hm.' },
  { type: 'reasoning-end', id: 'r', providerMetadata: { test: { signature: 's' } } },
];

function told(session: Session, target = { provider: 'test', model: 'parts' }) {
  const { state } = session;
  const source = {
    message: (id: string) => state.messages.get(id),
    part: (key: string) => state.parts.get(key),
  };
  return new Conversation(source).messages(state.head, target, 0);
}

describe('what a model is told', () => {
  test('reasoning with its metadata goes back to the model it came from, and to no other', async () => {
    const { session } = await harness([[...reasoning, ...say('Yes.'), finish()]]);
    await session.prompt('Well?');
    await session.rested();
    expect(told(session)[1]?.content).toEqual([
      { type: 'reasoning', text: 'Hm.', providerOptions: { test: { signature: 's' } } },
      { type: 'text', text: 'Yes.' },
    ]);
    expect(told(session, { provider: 'test', model: 'other' })[1]?.content).toEqual([
      { type: 'text', text: 'Yes.' },
    ]);
  });

  test('messages without content are left out', async () => {
    const { session } = await harness([
      [...reasoning, finish()],
      [{ type: 'text-start', id: 't' }, finish()],
    ]);
    await session.prompt('One');
    await session.rested();
    await session.prompt('Two');
    await session.rested();
    expect(told(session).map(({ content }) => content)).toEqual(['One', 'Two']);
  });

  test('files go into results where the provider takes them, else into a message behind', async () => {
    const { session } = await harness(
      [
        [...call('c1', 'picture', {}), finish('tool-calls')],
        [...say('Nice.'), finish()],
      ],
      { tools: [picture] },
    );
    await session.prompt('Draw');
    await session.rested();
    const hash = hashBytes(image);
    const anthropic = told(session, { provider: 'anthropic', model: 'm' });
    expect(anthropic.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(told(session, { provider: 'anthropic@https://proxy.example', model: 'm' })).toEqual(anthropic);
    expect(JSON.stringify(anthropic[2])).toContain(`blob:${hash}`);
    const other = told(session);
    expect(other.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
    expect(JSON.stringify(other[3])).toContain(`blob:${hash}`);
  });

  test('bytes are put in just before they are sent; what is gone is said to be gone', async () => {
    const { session, model, store } = await harness(
      [
        [...call('c1', 'picture', {}), finish('tool-calls')],
        [...say('Nice.'), finish()],
      ],
      { tools: [picture] },
    );
    await session.prompt('Draw');
    await session.rested();
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'text' }, { type: 'file', mediaType: 'image/png', data: image }],
    });
    const anthropic = told(session, { provider: 'anthropic', model: 'm' });
    const full = await withFiles(anthropic, (hash) => store.blobs.get(hash));
    expect(full[2]).toMatchObject({
      content: [
        { output: { value: [{ type: 'text' }, { type: 'file', data: { type: 'data', data: image } }] } },
      ],
    });
    const gone = await withFiles(anthropic, async () => undefined);
    expect(JSON.stringify(gone[2])).toContain('no longer stored');
  });
});
