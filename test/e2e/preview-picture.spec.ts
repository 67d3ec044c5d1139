import type { Page } from '@playwright/test';
import type { JsonObject } from '../../src/base/json.ts';
import { calls, prompt, script, useScript } from './app.ts';
import { begin, showIndex, shown, WAYS } from './preview-pages.ts';
import { expect, test } from './test.ts';

// The preview's own service worker answers for its pages.
test.use({ serviceWorkers: 'allow' });

const look = (input: JsonObject) => ({ tools: [{ tool: 'preview', input }] });

const square = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="${colour}"/></svg>`;

const FILES = {
  'index.html': `<!doctype html><html lang="en"><title>Colours</title><link rel="stylesheet" href="style.css">
    <div id="background"></div><img src="blue.svg" alt="Blue" width="100" height="100"><button>Go</button>
    <div id="below"></div>`,
  'style.css': `html { background: rgb(250, 240, 230); } body { margin: 0; } img { display: block; }
    #background { width: 100px; height: 100px; background: url("red.svg"); }
    button { display: block; width: 100px; height: 100px; border: 0; background: rgb(0, 128, 0); color: rgb(0, 128, 0); }
    #below { height: 3000px; background: linear-gradient(yellow, yellow) no-repeat 0 1000px / 100px 100px; }`,
  'red.svg': square('rgb(255, 0, 0)'),
  'blue.svg': square('rgb(0, 0, 255)'),
};

/** The colours at places of the picture that a call shows, as `r g b`, and its size. */
async function coloursOf(page: Page, call: number, places: readonly (readonly [number, number])[]) {
  const card = calls(page, 'preview').nth(call);
  await card.getByRole('button').first().click();
  const picture = card.getByRole('img', { name: /page\.png/ });
  await expect(picture).toBeVisible();
  // Its bytes come from the storage.
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  return picture.evaluate((image: HTMLImageElement, places) => {
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    return {
      size: [image.naturalWidth, image.naturalHeight],
      colours: places.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3).join(' ')),
    };
  }, places);
}

for (const way of WAYS)
  test(`the agent takes pictures of the page ${way}, as the person sees it`, async ({ page }) => {
    await begin(page, FILES, way);
    await showIndex(page);
    await expect(shown(page, way).getByRole('button', { name: 'Go' })).toBeVisible();
    await useScript(
      page,
      script(
        look({ operation: 'resize', width: 600, height: 400 }),
        look({ operation: 'picture' }),
        look({ operation: 'evaluate', code: 'scrollTo(0, 1300)' }),
        look({ operation: 'picture' }),
        look({ operation: 'snapshot' }),
        look({ operation: 'picture', ref: 'e2' }),
        { text: 'Seen.' },
      ),
      'allow',
    );
    await prompt(page, 'What does it look like?');

    const whole = await coloursOf(page, 1, [
      [50, 50],
      [50, 150],
      [50, 250],
      [300, 50],
    ]);
    expect(whole).toEqual({ size: [600, 400], colours: ['255 0 0', '0 0 255', '0 128 0', '250 240 230'] });
    // Scrolled, it begins where the view does: at 1,300 pixels the yellow square is at the top.
    const scrolled = await coloursOf(page, 3, [
      [50, 50],
      [50, 200],
    ]);
    expect(scrolled).toEqual({ size: [600, 400], colours: ['255 255 0', '250 240 230'] });
    const button = await coloursOf(page, 5, [[50, 50]]);
    expect(button).toEqual({ size: [100, 100], colours: ['0 128 0'] });
  });

test.describe('in a browser for which the library draws more than once', () => {
  // It goes by the name of the browser, and wipes its canvas in between.
  test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0' });

  test('the picture of a scrolled page has the colour of the page behind it', async ({ page }) => {
    await begin(page, FILES);
    await showIndex(page);
    await expect(shown(page).getByRole('button', { name: 'Go' })).toBeVisible();
    const steps = script(
      look({ operation: 'evaluate', code: 'scrollTo(0, 1300)' }),
      look({ operation: 'picture' }),
      { text: 'Seen.' },
    );
    await useScript(page, steps, 'allow');
    await prompt(page, 'What does it look like?');
    const { colours } = await coloursOf(page, 1, [[50, 200]]);
    expect(colours).toEqual(['250 240 230']);
  });
});

test('a picture that cannot be taken says why, and one that is too large as PNG is a JPEG', async ({
  page,
}) => {
  await begin(page, {
    'index.html': `<!doctype html><title>Noise</title><style>body { margin: 0 } canvas { display: block }</style><h1>Noise</h1>
      <button style="padding: 0; border: 0" onclick="this.textContent = ''">Shrink</button>
      <canvas width="1568" height="1500" aria-label="Noise"></canvas>
      <script>
        const canvas = document.querySelector('canvas');
        const context = canvas.getContext('2d');
        const noise = context.createImageData(canvas.width, canvas.height);
        for (let at = 0; at < noise.data.length; at++) noise.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
        context.putImageData(noise, 0, 0);
      </script>`,
  });
  await showIndex(page);
  await expect(shown(page).getByRole('heading')).toHaveText('Noise');
  await useScript(
    page,
    script(
      look({ operation: 'picture', ref: 'e99' }),
      look({ operation: 'snapshot' }),
      look({ operation: 'click', ref: 'e1' }),
      look({ operation: 'picture', ref: 'e1' }),
      look({ operation: 'resize', width: 1568, height: 1500 }),
      look({ operation: 'picture' }),
      { text: 'Seen.' },
    ),
    'allow',
  );
  const { sessionID } = await prompt(page, 'What does it look like?');
  const ended = await page.evaluate(
    async (id) =>
      (
        (await window.vitrine.sessions.events(id)) as readonly {
          readonly type: string;
          readonly outcome: string;
          readonly output: string;
          readonly attachments: readonly { readonly mediaType: string; readonly filename: string }[];
        }[]
      ).filter(({ type }) => type === 'call.ended'),
    sessionID,
  );
  expect(ended.map(({ outcome }) => outcome)).toEqual(['failed', 'ok', 'ok', 'failed', 'ok', 'ok']);
  expect(ended[0]?.output).toContain('There is no element e99 any more. Take a new snapshot.');
  expect(ended[3]?.output).toContain('There is nothing to draw: it has no size.');
  expect(ended[5]?.attachments).toEqual([
    expect.objectContaining({ mediaType: 'image/jpeg', filename: 'page.jpg' }),
  ]);
});
