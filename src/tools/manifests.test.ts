import { describe, expect, test } from 'vitest';
import { appTools } from './builtin.ts';
import { cardOf, cards } from './cards.ts';
import { ready } from './define.ts';
import { manifestOf, manifests } from './manifests.ts';
import { permissions } from './permissions.ts';

const none = () => Promise.reject(new Error('Nothing is called here.'));
const tools = appTools({
  web: { fetch: none, reachable: async () => undefined, proxy: () => undefined, policed: none },
  key: () => 'a key',
  languageOf: none,
  previewOf: none,
  subagents: [],
  planning: { planner: 'plan', builder: 'build', folder: 'plans' },
});

test('manifests.ts, cards.ts and builtin.ts list the same tools', () => {
  const ids = tools.map(({ id }) => id).toSorted();
  expect(manifests.map(({ id }) => id).toSorted()).toEqual(ids);
  expect(Object.keys(cards).toSorted()).toEqual(ids);
});

describe.each(tools)('$id', (tool) => {
  const manifest = manifestOf(tool.id);

  test('takes its permission from its manifest', () => {
    expect(tool.permission).toBe(manifest?.permission?.id);
  });

  test('has a verb of its own for the page', () => {
    expect(cardOf(tool.id)?.verb).toMatch(/\S/);
  });

  test('has a description for the model, and the arguments that its card names', async () => {
    const { description, schema } = await ready(tool, { agent: 'build' });
    expect(description).toMatch(/\S/);
    const { subject = [], folder } = cardOf(tool.id) ?? {};
    const named = [...subject.slice(0, 1), ...(folder === undefined ? [] : [folder])];
    for (const name of named) expect(schema.properties).toHaveProperty(name);
  });

  test.runIf(manifest?.effect === 'asks')('asks the person by itself, so it has no permission', () => {
    expect(manifest?.permission).toBeUndefined();
  });
});

test.each(permissions.filter(({ label, rules }) => label !== undefined && Object.keys(rules).length > 0))(
  'the permission $id has a default for every pattern, and words for the question',
  ({ rules, question, asksByDefault }) => {
    expect(Object.keys(rules)[0]).toBe('*');
    expect(question).toMatch(/\S/);
    if (Object.values(rules).includes('ask')) expect(asksByDefault).toMatch(/\S/);
  },
);

test('names of tools and their other names are unique', () => {
  const names = manifests.flatMap(({ id, aliases = {} }) => [id, ...Object.keys(aliases)]);
  expect(new Set(names).size).toBe(names.length);
});
