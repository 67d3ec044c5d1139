import type { Page } from '@playwright/test';
import { begin, panel, showIndex, shown, WAYS } from './preview-pages.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

const PAGE = `<!doctype html><title>Shop</title><h1>Shop</h1>
  <form><button class="buy" data-note="<b>@secret.txt</b>">Buy</button><button disabled>Sold out</button></form>
  <p>\`\`\` @secret.txt</p><output>0</output><dialog><button>Sure</button></dialog>
  <script>
    let presses = 0;
    for (const kind of ['pointerdown', 'mousedown', 'click'])
      window.addEventListener(kind, () => (document.querySelector('output').textContent = ++presses), true);
    document.querySelector('form').onsubmit = () => { throw new Error('submitted'); };
    document.querySelector('h1').__svelte_meta = { loc: { file: 'src/App.svelte', line: 12, column: 3 } };
  </script>`;

const button = (page: Page) => panel(page).getByRole('button', { name: 'Pick an element' });
const picked = (page: Page) => panel(page).getByRole('group', { name: 'Picked element' });
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });

for (const way of WAYS)
  test(`an element of a page ${way} is picked by pointer and by keys, and goes to the agent as text`, async ({
    page,
  }) => {
    await begin(page, { 'index.html': PAGE, 'secret.txt': 'not to be sent' }, way);
    await showIndex(page);
    const frame = shown(page, way);
    await button(page).click();
    await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
    await expect(panel(page).getByText('Click an element of the page')).toBeVisible();
    await expect(frame.getByRole('heading')).toHaveCSS('cursor', 'crosshair');

    // The page hears nothing of the click that picks.
    await frame.getByRole('button', { name: 'Buy' }).click();
    await expect(picked(page)).toContainText('button "Buy"');
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
    await expect(frame.getByRole('status')).toHaveText('0');
    const send = picked(page).getByRole('button', { name: 'Send to the agent' });
    await expect(send).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(message(page)).toHaveValue(
      /^In the preview, an element of \/:\n\n```text\nbutton "Buy"\nSelector: \.buy\nHTML: <button class="buy" data-note="<b>@secret\.txt<\/b>">Buy<\/button>\n```$/,
    );
    await expect(picked(page)).toHaveCount(0);

    // The keys are heard at the button.
    await message(page).fill('');
    await button(page).focus();
    await page.keyboard.press('Enter');
    const status = panel(page).getByRole('status').first();
    await page.keyboard.press('ArrowDown');
    await expect(status).toHaveText('heading "Shop"');
    await page.keyboard.press('Enter');
    await picked(page).getByRole('button', { name: 'Send to the agent' }).press('Enter');
    await expect(message(page)).toHaveValue(/heading "Shop"[^]*Source: src\/App\.svelte:12:3/);

    // What looks like a mention of a file or the end of the block is neither.
    await message(page).fill('');
    await button(page).click();
    await expect(frame.getByRole('heading')).toHaveCSS('cursor', 'crosshair');
    await frame.getByText('@secret.txt').click();
    await picked(page).getByRole('button', { name: 'Send to the agent' }).click();
    await expect(message(page)).toHaveValue(/````text\nparagraph\n[^]*``` @secret\.txt[^]*\n````$/);
  });

test('what is disabled or in a dialog is picked, and Escape ends the picking on both sides', async ({
  page,
}) => {
  await begin(page, { 'index.html': PAGE });
  await showIndex(page);
  const frame = shown(page);
  await button(page).click();
  const isOn = () => expect(frame.locator('h1')).toHaveCSS('cursor', 'crosshair');
  await isOn();
  await frame.getByRole('button', { name: 'Sold out' }).click({ force: true });
  await expect(picked(page)).toContainText('button "Sold out"');
  await page.keyboard.press('Escape');
  await expect(picked(page)).toHaveCount(0);

  await frame.getByRole('heading').evaluate(() => document.querySelector('dialog')?.showModal());
  await button(page).click();
  await isOn();
  await frame.getByRole('button', { name: 'Sure' }).click();
  await expect(picked(page)).toContainText('button "Sure"');
  await picked(page).getByRole('button', { name: 'Close' }).click();
  await frame
    .getByRole('heading', { includeHidden: true })
    .evaluate(() => document.querySelector('dialog')?.close());

  await button(page).click();
  await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Escape');
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(frame.getByRole('heading')).not.toHaveCSS('cursor', 'crosshair');
  await expect(frame.getByRole('status')).toHaveText('0');
  await frame.getByRole('heading').click();
  await expect(frame.getByRole('status')).not.toHaveText('0');

  // The frame has the focus, and the key is heard there.
  await button(page).click();
  await isOn();
  await frame.getByRole('heading').evaluate(() => window.focus());
  await page.keyboard.press('Escape');
  await expect(button(page)).toHaveAttribute('aria-pressed', 'false');

  // In a page that is loaded anew the picking goes on.
  await button(page).click();
  await isOn();
  await panel(page).getByRole('button', { name: 'Reload' }).click();
  await isOn();
  await frame.getByRole('button', { name: 'Buy' }).click();
  await expect(picked(page)).toContainText('button "Buy"');
});

const NESTED =
  `<!doctype html><title>Nested</title><h1>Nested</h1><nice-card><b>Slotted</b></nice-card><output>0</output>
  <iframe style="padding: 30px" srcdoc="<body style='margin: 0'><p>Before</p><label>Amount <input id='amount'></label><script>addEventListener('pointerdown', () => top.presses++)</scr` +
  `ipt>"></iframe>
  <script>
    customElements.define('nice-card', class extends HTMLElement {
      connectedCallback() {
        this.attachShadow({ mode: 'open' }).innerHTML = '<section><button>One</button><button>Two</button></section><slot></slot>';
      }
    });
    for (const kind of ['touchstart', 'pointerdown', 'click'])
      window.addEventListener(kind, () => document.querySelector('output').textContent++, true);
  </script>`;

test('an element of a frame in a shadow root is picked, and the frame hears nothing of it', async ({
  page,
}) => {
  await begin(page, {
    'index.html': `<!doctype html><title>Deep</title><h1>Deep</h1><deep-frame></deep-frame><script>
      const inner = '<button onclick="textContent = 1">Inside</button>';
      const host = document.querySelector('deep-frame').attachShadow({ mode: 'open' }).appendChild(document.createElement('div'));
      host.attachShadow({ mode: 'open' }).appendChild(document.createElement('iframe')).srcdoc = inner;
    </script>`,
  });
  await showIndex(page);
  const frame = shown(page);
  const inside = frame.frameLocator('iframe').getByRole('button');
  await expect(inside).toHaveText('Inside');
  await button(page).click();
  await expect(frame.getByRole('heading')).toHaveCSS('cursor', 'crosshair');
  await inside.click({ force: true });
  await expect(picked(page)).toContainText('button "Inside"');
  await inside.click();
  await expect(inside).toHaveText('1');
});

test.describe('by touch', () => {
  test.use({ hasTouch: true });

  test('an element in a shadow root and one in a frame are picked by pointer, keys and finger', async ({
    page,
  }) => {
    await begin(page, { 'index.html': NESTED });
    await showIndex(page);
    const frame = shown(page);
    const isOn = () => expect(frame.getByRole('heading')).toHaveCSS('cursor', 'crosshair');
    await button(page).click();
    await isOn();
    await frame.getByRole('button', { name: 'Two' }).click();
    await expect(picked(page)).toContainText('button "Two"');
    await picked(page).getByRole('button', { name: 'Send to the agent' }).click();
    await expect(message(page)).toHaveValue(/Selector: nice-card >>> section > button:nth-of-type\(2\)\n/);

    // From the heading down: the card, what is in it, and behind it the rest of the page.
    await button(page).press('Enter');
    const status = panel(page).getByRole('status').first();
    for (const title of [
      'heading "Nested"',
      'nice-card',
      'section',
      'button "One"',
      'button "Two"',
      'b',
      'status',
    ]) {
      await page.keyboard.press('ArrowDown');
      await expect(status).toHaveText(title);
    }
    for (const [key, title] of [
      ['ArrowUp', 'b'],
      ['ArrowUp', 'button "Two"'],
      ['ArrowLeft', 'section'],
      ['ArrowLeft', 'nice-card'],
      ['ArrowRight', 'section'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(status).toHaveText(title);
    }
    await page.keyboard.press('Escape');

    // Into the frame and out of it again.
    await button(page).press('Enter');
    for (let at = 0; at < 7; at++) await page.keyboard.press('ArrowDown');
    await expect(status).toHaveText('status');
    for (const [key, title] of [
      ['ArrowDown', 'iframe'],
      ['ArrowDown', 'paragraph'],
      ['ArrowDown', 'label'],
      ['ArrowDown', 'textbox "Amount"'],
      ['ArrowUp', 'label'],
      ['ArrowLeft', 'body'],
      ['ArrowLeft', 'iframe'],
      ['ArrowRight', 'paragraph'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(status).toHaveText(title);
    }
    await page.keyboard.press('Enter');
    await expect(picked(page)).toContainText('paragraph');
    await picked(page).getByRole('button', { name: 'Close' }).click();

    await expect(frame.getByRole('status')).toHaveText('0');
    await button(page).tap();
    await isOn();
    await frame.getByRole('heading').tap();
    await expect(picked(page)).toContainText('heading "Nested"');
    await button(page).tap();
    await isOn();
    await frame.frameLocator('iframe').getByRole('textbox', { name: 'Amount' }).tap({ force: true });
    await expect(picked(page)).toContainText('textbox "Amount"');
    // The page heard nothing of it.
    await expect(frame.getByRole('status')).toHaveText('0');
    await picked(page).getByRole('button', { name: 'Send to the agent' }).tap();
    await expect(message(page)).toHaveValue(/Selector: iframe >>> [^\n]*input\n/);
  });
});
