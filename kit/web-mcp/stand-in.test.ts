import { expect, test } from 'vitest';
import { offerModelContext } from './stand-in.ts';

interface Context extends EventTarget {
  registerTool(tool: unknown, options?: unknown): Promise<unknown>;
  getTools(): Promise<{ name: string; inputSchema?: unknown }[]>;
  executeTool(tool: unknown, input: unknown): Promise<string>;
}

function contextOf(own: object = {}): Context | undefined {
  const document: { modelContext?: Context } = {};
  offerModelContext({ document, isSecureContext: true, location: { origin: 'http://a' }, ...own });
  return document.modelContext;
}

function context(): Context {
  const given = contextOf();
  if (!given) throw new Error('The document has no modelContext.');
  return given;
}

const tool = (own: object = {}) => ({ name: 'add', description: 'Adds', execute: () => 1, ...own });

test('a tool is registered, listed, called, and taken back by its signal', async () => {
  const page = context();
  const over = new AbortController();
  const inputSchema = { type: 'object', properties: { a: { type: 'number' } } };
  const execute = ({ a }: { a: number }) => ({ sum: a + 1 });
  const changes: string[] = [];
  page.addEventListener('toolchange', ({ type }) => changes.push(type));
  expect(await page.registerTool(tool({ inputSchema, execute }), { signal: over.signal })).toBeUndefined();
  const [listed] = await page.getTools();
  expect(listed).toMatchObject({ name: 'add', inputSchema });
  expect(await page.executeTool(listed, { a: 1 })).toBe('{"sum":2}');
  over.abort();
  expect(await page.getTools()).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(changes).toEqual(['toolchange', 'toolchange']);
});

// The errors are those of Chromium 156 for the same registrations.
test.each([
  [tool({ name: 'a b' }), 'InvalidStateError'],
  [tool({ name: '' }), 'InvalidStateError'],
  [tool({ name: 'x'.repeat(129) }), 'InvalidStateError'],
  [tool({ description: '' }), 'InvalidStateError'],
  [tool({ description: undefined }), 'TypeError'],
  [tool({ name: undefined }), 'TypeError'],
  [tool({ execute: undefined }), 'TypeError'],
  [tool({ inputSchema: 'object' }), 'TypeError'],
  [tool({ inputSchema: { toJSON: () => undefined } }), 'TypeError'],
])('a registration is refused as by the browser: %j', async (given, name) => {
  const page = context();
  await expect(page.registerTool(given)).rejects.toMatchObject({ name });
  expect(await page.getTools()).toEqual([]);
});

test('a name can be registered once, and an aborted signal or an untrusted origin registers nothing', async () => {
  const page = context();
  await page.registerTool(tool());
  await expect(page.registerTool(tool())).rejects.toMatchObject({ name: 'InvalidStateError' });
  const other = tool({ name: 'other' });
  await expect(page.registerTool(other, { signal: AbortSignal.abort('why') })).rejects.toBe('why');
  const exposed = page.registerTool(other, { exposedTo: ['http://example.com'] });
  await expect(exposed).rejects.toMatchObject({ name: 'SecurityError' });
  expect(await page.getTools()).toHaveLength(1);
});

test('a page that is not secure, or has one, gets none', () => {
  expect(contextOf({ isSecureContext: false })).toBeUndefined();
  const own = {};
  const document = { modelContext: own };
  contextOf({ document });
  expect(document.modelContext).toBe(own);
});
