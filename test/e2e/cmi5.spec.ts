import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { toLink } from '../../src/lessons/share.ts';
import { fakePlatform } from '../support/cmi5/platform.ts';
import { startFiles } from '../support/embedding.ts';
import { startStaticHost } from '../support/static-host.ts';
import { axeFindings } from './accessible.ts';
import { expect, test as base } from './test.ts';

type Platform = Awaited<ReturnType<typeof fakePlatform>>;

const test = base.extend<{ platform: Platform; lesson: string }>({
  async platform({}, use) {
    const platform = await fakePlatform();
    await use(platform);
    expect(platform.refused).toEqual([]);
    await platform.close();
  },
  async lesson({ page }, use) {
    const site = await startStaticHost({ base: '/vitrine/' });
    await use(`${site.url}cmi5.html?lesson=what-a-tool-call-is`);
    // Otherwise what the page still loads is missing, and it complains.
    await page.goto('about:blank');
    await site.close();
  },
});

const frameOf = (page: Page) => page.frameLocator('iframe');
const status = (page: Page) => page.getByRole('status');
/** From here on the page's own clock stands still until the test moves it. */
async function stopClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
}

/** Opens a launch and waits until the platform knows of it. From then on only the test moves the page's clock. */
async function launched(page: Page, platform: Platform, launch: string): Promise<void> {
  await stopClock(page);
  await page.goto(launch);
  await expect.poll(platform.verbs).toEqual(['initialized']);
}

const next = (page: Page) => frameOf(page).getByRole('button', { name: 'Next step' });

async function readToTheEnd(page: Page): Promise<void> {
  const finish = frameOf(page).getByRole('button', { name: 'Finish' });
  const either = next(page).or(finish);
  while ((await either.textContent()) !== 'Finish') await next(page).click();
  await finish.click();
}

test('a lesson reports its beginning, each step, its completion and its end, and leads back to the course', async ({
  page,
  platform,
  lesson,
}) => {
  await page.goto(platform.launch(lesson, { withReturn: true }));
  const { host } = new URL(platform.url);
  await expect(status(page)).toHaveText(`Your progress is reported to ${host}.`);
  await expect(frameOf(page).getByRole('heading', { level: 1 })).toHaveText('What a tool call is');
  await expect(page).toHaveTitle('What a tool call is');
  await expect.poll(platform.verbs).toEqual(['initialized']);
  await next(page).click();
  await expect.poll(platform.verbs).toEqual(['initialized', 'progressed']);
  await readToTheEnd(page);
  await expect(status(page)).toHaveText(`${host} has this lesson as completed.`);
  // It stands where the last button of the lesson was.
  await page
    .getByRole('contentinfo')
    .getByRole('button', { name: `Back to ${host}` })
    .click();
  await expect(page.getByRole('heading', { name: 'The course' })).toBeVisible();
  const verbs = platform.verbs();
  expect([verbs[0], ...verbs.slice(-2)]).toEqual(['initialized', 'completed', 'terminated']);
  expect(verbs.filter((verb) => verb === 'progressed').length).toBeGreaterThan(1);
});

test('in a frame of the course a page that is closed in the middle still reports its end', async ({
  page,
  platform,
  lesson,
}) => {
  const launch = platform.launch(lesson);
  const course = await startFiles({
    '/': {
      body: `<!doctype html><html lang="en"><title>A course</title><iframe title="x" src="${launch}"></iframe>`,
    },
    '/other': { body: '<!doctype html><html lang="en"><title>Other</title>' },
  });
  await page.goto(course.url);
  const outer = page.frameLocator('iframe');
  await outer.frameLocator('iframe').getByRole('button', { name: 'Next step' }).click();
  await expect.poll(platform.verbs).toEqual(['initialized', 'progressed']);
  await page.goto(`${course.url}/other`);
  await expect.poll(platform.verbs).toEqual(['initialized', 'progressed', 'terminated']);
  await course.close();
});

test('a registration has the lesson as completed once, and a look at it reports nothing as done', async ({
  page,
  platform,
  lesson,
}) => {
  const { host } = new URL(platform.url);
  await page.goto(platform.launch(lesson));
  await expect(page.getByRole('contentinfo')).toHaveCount(0);
  await readToTheEnd(page);
  await expect(page.getByRole('contentinfo')).toContainText(
    'You have come to the end, and can close this page.',
  );
  await page.getByRole('button', { name: 'Leave the lesson' }).click();
  await expect(status(page)).toContainText('you can close this page');
  await expect(page.getByRole('button', { name: 'Leave the lesson' })).toHaveCount(0);
  await page.goto(platform.launch(lesson));
  await expect(status(page)).toHaveText(`${host} has this lesson as completed.`);
  await readToTheEnd(page);
  await page.getByRole('button', { name: 'Leave the lesson' }).click();
  await expect.poll(platform.verbs).toEqual(['initialized', 'terminated']);
  await page.goto(platform.launch(lesson, { mode: 'Browse' }));
  await expect(status(page)).toContainText('nothing is reported as done');
  await readToTheEnd(page);
  await page.getByRole('button', { name: 'Leave the lesson' }).click();
  await expect.poll(platform.verbs).toEqual(['initialized', 'terminated']);
});

test('a second launch goes on where the learner was, and reports nothing that is less', async ({
  page,
  platform,
  lesson,
}) => {
  const percents = () =>
    platform
      .accepted()
      .flatMap(({ result }) => /"[^"]*progress":(\d+)/.exec(JSON.stringify(result ?? null))?.[1] ?? []);
  await page.goto(platform.launch(lesson));
  await expect(frameOf(page).getByText(/^Step 1 of/)).toBeVisible();
  await next(page).click();
  await next(page).click();
  await expect.poll(percents).toHaveLength(2);
  const [, before] = percents();
  await page.getByRole('button', { name: 'Leave the lesson' }).click();
  await expect.poll(platform.verbs).toContain('terminated');

  await page.goto(platform.launch(lesson));
  await expect(frameOf(page).getByText(/^Step 3 of/)).toBeVisible();
  await expect.poll(platform.verbs).toEqual(['initialized']);
  await frameOf(page).getByRole('button', { name: 'Previous step' }).click();
  await next(page).click();
  await next(page).click();
  await expect.poll(percents).toHaveLength(1);
  expect(Number(percents()[0])).toBeGreaterThan(Number(before));
});

test('the file that Share gives out launches the lesson', async ({ page, platform, lesson }) => {
  const app = new URL('./', lesson).href;
  await page.goto(`${app}?lesson=the-loop`);
  await page.getByRole('complementary', { name: 'Lessons' }).getByRole('button', { name: 'Share' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog', { name: 'Share' }).getByRole('button', { name: 'Save cmi5.xml' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('cmi5.xml');
  const [, url = ''] = /<url>(.*)<\/url>/.exec(readFileSync(await download.path(), 'utf8')) ?? [];
  expect(url).toBe(`${app}cmi5.html?lesson=the-loop`);
  await page.goto(platform.launch(url));
  await expect(frameOf(page).getByRole('heading', { level: 1 })).toHaveText('The loop');
  await expect.poll(platform.verbs).toEqual(['initialized']);
});

test('the learner’s language comes from the platform, and a lesson of one’s own from the course', async ({
  page,
  platform,
  lesson,
}) => {
  const own = new URL(lesson);
  own.search = '';
  const markdown = '---\ntitle: Mine\nsummary: One.\n---\n\n## First\n\nRead.\n\n## Second\n\nOn.\n';
  const parameters = `#lesson=${await toLink({ markdown, script: '{}' })}`;
  await page.goto(platform.launch(own.href, { languages: 'de-CH,en', parameters }));
  await expect(status(page)).toContainText('Ihr Fortschritt wird an');
  await expect(frameOf(page).getByRole('heading', { level: 1 })).toHaveText('Mine');
  await expect(frameOf(page).getByRole('button', { name: 'Nächster Schritt' })).toBeVisible();
  await page.goto(platform.launch(lesson, { languages: 'de-CH,en' }));
  await expect(frameOf(page).getByRole('heading', { level: 1 })).toHaveText('Was ein Tool-Aufruf ist');
  await expect(page).toHaveTitle('Was ein Tool-Aufruf ist');
});

test('a course that asks for more than reading is named', async ({ page, platform, lesson }) => {
  await page.goto(platform.launch(lesson, { moveOn: 'CompletedAndPassed' }));
  await expect(page.getByText('a lesson that is read cannot be passed')).toBeVisible();
});

test('where no lesson can be shown, nothing is said to be reported', async ({ page, platform, lesson }) => {
  await page.goto(platform.launch(lesson.replace(/\?.*/, '')));
  await expect(frameOf(page).getByText('This cannot be shown')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Leave the lesson' })).toBeVisible();
  await expect(page.getByText('Your progress is reported')).toHaveCount(0);
  expect(platform.verbs()).toEqual([]);
});

test.describe('what goes wrong is said, and the lesson can still be read', () => {
  test('a launch that was used before', async ({ page, platform, lesson }) => {
    const launch = platform.launch(lesson);
    await page.goto(launch);
    await expect.poll(platform.verbs).toEqual(['initialized']);
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('this launch was used before or has expired');
    await expect(status(page)).toHaveText('Your progress is not reported. You can still read the lesson.');
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    await next(page).click();
    await expect(frameOf(page).getByText(/^Step 2 of/)).toBeVisible();
  });

  test('a token that is refused, and an answer that is no token', async ({ page, platform, lesson }) => {
    for (const [fault, says] of [
      [{ status: 500 }, 'answered the launch with status 500'],
      [
        { status: 200, body: '{"error-code":"2","error-text":"No licence."}' },
        'refused the launch: No licence.',
      ],
      [{ status: 200, body: '<html>' }, 'with something that is not a token'],
    ] as const) {
      platform.faults.push({ path: 'token', ...fault });
      await page.goto(platform.launch(lesson));
      await expect(page.getByRole('alert')).toContainText(says);
    }
  });

  test('launch data that cannot be had at first', async ({ page, platform, lesson }) => {
    platform.faults.push(
      { path: 'activities/state', status: 503 },
      { path: 'activities/state', status: 503 },
    );
    await page.goto(platform.launch(lesson));
    await expect(page.getByRole('alert')).toContainText('answered with status 503');
    await next(page).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(status(page)).toContainText('Your progress is reported to');
    // The step that was read before the page was connected counts.
    await expect.poll(platform.verbs).toEqual(['initialized', 'progressed']);
  });

  test('an address that is no launch', async ({ page, lesson }) => {
    await page.goto(lesson);
    await expect(page.getByRole('alert')).toContainText('its parameter “endpoint” is missing');
    await expect(next(page)).toBeVisible();
  });

  test('a platform that answers with errors, and one that has closed the session', async ({
    page,
    platform,
    lesson,
  }) => {
    await launched(page, platform, platform.launch(lesson));
    platform.faults.push({ path: 'statements', status: 500 });
    await next(page).click();
    await expect(page.getByRole('alert')).toContainText('answered with status 500');
    await expect(status(page)).toContainText('has not reached');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(platform.verbs).toEqual(['initialized', 'progressed']);
    await expect(page.getByRole('alert')).toBeHidden();
    platform.faults.push({ path: 'statements', status: 401 });
    await next(page).click();
    await expect(page.getByRole('alert')).toContainText('no longer accepts reports of this launch');
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  });

  test('what could not be sent is sent again soon, at a time that is named', async ({
    page,
    platform,
    lesson,
  }) => {
    await launched(page, platform, platform.launch(lesson));
    platform.faults.push({ path: 'statements', status: 500 }, { path: 'statements', status: 500 });
    await next(page).click();
    const told = page.getByText(/^The next attempt is at .*\d:\d\d:\d\d/);
    await expect(told).toBeVisible();
    const first = await told.innerText();
    await page.clock.runFor(1_000);
    await expect(told).not.toHaveText(first);
    expect(platform.verbs()).toEqual(['initialized']);
    await page.clock.runFor(2_000);
    await expect.poll(platform.verbs).toEqual(['initialized', 'progressed']);
    await expect(told).toHaveCount(0);
  });

  test('what goes wrong is said in the learner’s language', async ({ page, platform, lesson }) => {
    const launch = platform.launch(lesson, { languages: 'de' });
    await launched(page, platform, launch);
    platform.faults.push({ path: 'statements', status: 500 });
    await frameOf(page).getByRole('button', { name: 'Nächster Schritt' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      'Die Lernplattform hat mit einem Fehler geantwortet. Das kann vorübergehen.',
    );
    await expect(page.getByText(/^Nächster Versuch um \d/)).toBeVisible();
    await expect(page.getByText('answered with status 500')).toBeHidden();
    await page.getByText('Technische Einzelheiten').click();
    await expect(page.getByText('answered with status 500')).toHaveAttribute('lang', 'en');
  });

  test('a network that is gone, and comes back', async ({ page, context, platform, lesson }) => {
    await page.goto(platform.launch(lesson, { withReturn: true }));
    await expect.poll(platform.verbs).toEqual(['initialized']);
    await context.setOffline(true);
    await readToTheEnd(page);
    await expect(page.getByRole('alert')).toContainText('could not be reached');
    await page.getByRole('button', { name: /^Back to/ }).click();
    await expect(page.getByRole('button', { name: 'Leave without reporting' })).toBeVisible();
    await context.setOffline(false);
    await expect(status(page)).toContainText('you can close this page');
    expect(platform.verbs().slice(-2)).toEqual(['completed', 'terminated']);
    await page.getByRole('button', { name: /^Back to/ }).click();
    await expect(page.getByRole('heading', { name: 'The course' })).toBeVisible();
  });

  test('an answer that is lost on its way: nothing is recorded twice', async ({ page, platform, lesson }) => {
    await launched(page, platform, platform.launch(lesson));
    await page.route('**/xapi/statements', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await next(page).click();
    await expect(page.getByRole('alert')).toContainText('could not be reached');
    await page.unroute('**/xapi/statements');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('alert')).toBeHidden();
    expect(platform.verbs()).toEqual(['initialized', 'progressed']);
  });
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`it fits a phone and is in nobody’s way, ${colorScheme}`, async ({ page, platform, lesson }) => {
    await page.setViewportSize({ width: 360, height: 700 });
    await page.emulateMedia({ colorScheme });
    await page.goto(platform.launch(lesson, { withReturn: true, moveOn: 'Passed' }));
    await expect.poll(platform.verbs).toEqual(['initialized']);
    // The page tries again by itself meanwhile.
    for (let attempt = 0; attempt < 9; attempt++) platform.faults.push({ path: 'statements', status: 500 });
    await next(page).click();
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(frameOf(page).getByText(/^Step 2 of/)).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).focus();
    platform.faults.length = 0;
    await page.keyboard.press('Enter');
    await expect.poll(platform.verbs).toEqual(['initialized', 'progressed']);
  });
