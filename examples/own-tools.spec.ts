import { expect, test } from 'vitrine/playwright';

/** The tools of a product under test: their code runs here, in the test. */
const stock = new Map([
  ['apples', 3],
  ['pears', 0],
]);

test.use({
  vitrine: {
    permission: 'allow',
    tools: [
      {
        name: 'stock',
        description: 'Says how much of a product is in stock.',
        schema: { properties: { product: { type: 'string' } }, required: ['product'] },
        execute({ product }) {
          const count = stock.get(String(product));
          if (count === undefined) throw new Error(`There is no product "${product}".`);
          return { count };
        },
      },
    ],
  },
});

test('the agent asks the stock and hears of what is missing', async ({ agent, model }) => {
  await model.script([
    { tools: [{ tool: 'stock', input: { product: 'plums' } }] },
    {
      cases: [
        { if: { result: 'no product "plums"' }, tools: [{ tool: 'stock', input: { product: 'apples' } }] },
      ],
    },
    { cases: [{ if: { result: '"count":3' }, text: 'There are three apples, and no plums are sold.' }] },
  ]);
  expect((await agent.prompt('How many apples and plums are there?')).status).toBe('idle');
  await expect(agent).toHaveTrajectory(['stock', { tool: 'stock', input: { product: 'apples' } }]);
  await expect(agent).toHaveSaid('three apples');
});

test('arguments that do not fit the schema never reach the tool', async ({ agent, model }) => {
  await model.script([
    { tools: [{ tool: 'stock', input: { product: 5 } }] },
    { cases: [{ if: { result: 'expected string' }, text: 'I wrote a number.' }] },
  ]);
  expect((await agent.prompt('Ask the stock')).status).toBe('idle');
  await expect(agent).toHaveSaid('I wrote a number.');
});

test('a tool of the app is replaced by one of the test', async ({ agent, model }) => {
  const asked: unknown[] = [];
  await agent.addTool({
    name: 'webfetch',
    schema: { properties: { url: { type: 'string' } }, required: ['url'] },
    execute({ url }) {
      asked.push(url);
      return '# A page that never changes';
    },
  });
  await model.script([
    { tools: [{ tool: 'webfetch', input: { url: 'https://example.org/' } }] },
    { cases: [{ if: { result: 'never changes' }, text: 'I read it.' }] },
  ]);
  await agent.prompt('Read example.org');
  expect(asked).toEqual(['https://example.org/']);
  await expect(agent).toHaveSaid('I read it.');
});
