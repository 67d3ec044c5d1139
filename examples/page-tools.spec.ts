import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitrine/playwright';

/** A shop that offers tools through WebMCP: what is in the cart decides which. */
const SHOP = `<!doctype html>
<title>Shop</title>
<h1>Shop</h1>
<ul aria-label="Cart"></ul>
<script type="module">
  const cart = document.querySelector('ul');
  const name = { type: 'string', description: 'The name of the product' };
  await document.modelContext.registerTool({
    name: 'cart.add',
    description: 'Puts a product into the cart.',
    inputSchema: { type: 'object', properties: { name }, required: ['name'] },
    async execute({ name }) {
      // Chromium keeps what a tool throws to itself; a result that says it is an error is read.
      if (name === 'moon') return { isError: true, content: [{ type: 'text', text: 'There is no moon.' }] };
      cart.append(Object.assign(document.createElement('li'), { textContent: name }));
      if (cart.children.length === 1) await offerCheckout();
      return { content: [{ type: 'text', text: cart.children.length + ' in the cart' }] };
    },
  });
  const offerCheckout = () => document.modelContext.registerTool({
    name: 'checkout',
    description: 'Orders what is in the cart.',
    execute() {
      location.search = '?ordered';
      return new Promise(() => {});
    },
  });
  if (location.search) document.querySelector('h1').textContent = 'Thank you';
</script>`;

let server: Server;
let url = '';

test.beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(SHOP);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

test.afterAll(() => server.close());

test.use({ vitrine: { permission: { '*': 'ask', shop_cart_add: 'allow' } } });

test('a model orders with the tools of the page', async ({ agent, model, context }) => {
  const shop = await context.newPage();
  await agent.usePage(shop, { prefix: 'shop_' });
  await shop.goto(url);
  await expect(shop.getByRole('heading', { name: 'Shop' })).toBeVisible();
  await model.script([
    { tools: [{ tool: 'shop_cart_add', input: { name: 'moon' } }] },
    { tools: [{ tool: 'shop_cart_add', input: { name: 'lamp' } }] },
    // The page offers this one since something is in the cart.
    { tools: [{ tool: 'shop_checkout', input: {} }] },
    { cases: [{ if: { result: 'ordered' }, text: 'It is ordered.' }] },
  ]);
  agent.onPermission(async ({ permission }) => {
    if (permission === 'shop_checkout') return 'once';
    return 'reject';
  });
  const calls: string[] = [];
  agent.on('tool', ({ tool, outcome, output }) => calls.push(`${tool}: ${outcome}, ${output}`));

  await agent.prompt('Order a lamp');
  expect(calls[0]).toBe('shop_cart_add: failed, There is no moon.');
  expect(calls[1]).toBe('shop_cart_add: ok, 1 in the cart');
  await expect(agent).toHaveAsked('shop_checkout');
  await expect(agent).toHaveSaid('It is ordered.');
  await expect(shop.getByRole('heading', { name: 'Thank you' })).toBeVisible();
});

test('what the page takes back is gone for the agent too', async ({ agent, model, context }) => {
  const shop = await context.newPage();
  await agent.usePage(shop);
  await shop.goto(url);
  await model.script([
    { tools: [{ tool: 'cart_add', input: { name: 'lamp' } }] },
    { text: 'It is not there.' },
  ]);
  await shop.goto('about:blank');
  await agent.prompt('Order a lamp');
  await expect(agent).toHaveTrajectory([]);
  await expect(agent).toHaveCalled('cart_add', {}, { outcome: 'invalid' });
});
