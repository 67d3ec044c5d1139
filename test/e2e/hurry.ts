import type { Page } from '@playwright/test';

/** What the app waits by, in place of its own worker: the same, until it is told to go faster. */
const worker = `
const waits = new Map();
let times = 1;
const arm = (id, due) => {
  const run = () => {
    waits.delete(id);
    postMessage(id);
  };
  waits.set(id, { due, timeout: setTimeout(run, (due - performance.now()) / times) });
};
onmessage = ({ data }) => arm(data.id, performance.now() + data.ms);
const channel = new BroadcastChannel('hurry');
channel.onmessage = ({ data }) => {
  times = data;
  for (const [id, { due, timeout }] of waits) {
    clearTimeout(timeout);
    arm(id, due);
  }
  channel.postMessage('heard');
};
channel.postMessage('ready');
`;

/**
 * So that a test need not sit through a limit of the app's: whatever the app waits for from the time that the returned
 * function is called, or waits for then, takes a tenth of its time. To be called before the page is opened.
 */
export async function ableToHurry(page: Page, times = 10): Promise<() => Promise<void>> {
  await page.route('**/assets/timer-worker-*.js', async (route) => {
    await route.fulfill({ response: await route.fetch(), body: worker });
  });
  return () =>
    page.evaluate(
      (factor) =>
        new Promise<void>((resolve) => {
          const channel = new BroadcastChannel('hurry');
          // Said again where the worker begins only now.
          channel.onmessage = ({ data }) => {
            if (data === 'ready') return channel.postMessage(factor);
            channel.close();
            resolve();
          };
          channel.postMessage(factor);
        }),
      times,
    );
}
