import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { showComponent } from '../../../../test/support/stories/show-component.ts';
import { Listeners } from '../../../base/listeners.ts';
import type { Job, Jobs } from '../../../workspace/jobs.ts';
import { Toasts } from '../../state/toasts.svelte.ts';
import JobList from './JobList.svelte';

/** The jobs of a workspace, as a test sets them. */
class TestJobs implements Jobs {
  readonly stopped: number[] = [];
  readonly #changes = new Listeners<void>();
  readonly #outputs = new Map<number, string>();
  #all: readonly Job[] = [];
  /** The error with which `stop` and `output` fail, if it is set. */
  failure: Error | null = null;

  set(all: readonly Job[], outputs: Readonly<Record<number, string>> = {}): void {
    this.#all = all;
    for (const [id, text] of Object.entries(outputs)) this.#outputs.set(Number(id), text);
    this.#changes.emit();
  }
  list = () => this.#all;
  onChange = (listener: () => void) => this.#changes.add(listener);
  async stop(id: number): Promise<void> {
    if (this.failure) throw this.failure;
    this.stopped.push(id);
  }
  async stopAllOf(): Promise<void> {}
  async output(id: number): Promise<string> {
    if (this.failure) throw this.failure;
    return this.#outputs.get(id) ?? '';
  }
}

const job = (id: number, command: string, more: Partial<Job> = {}): Job => ({
  ...{ id, number: id, command, owner: 'ses_1', started: Date.now() - 5000, ports: [], tail: '' },
  log: `/tmp/jobs/${id}.log`,
  ...more,
});

const ended = (by: 'itself' | 'person', exitCode: number) => ({ at: Date.now(), by, exitCode });

function show(all: readonly Job[], outputs: Readonly<Record<number, string>> = {}) {
  const jobs = new TestJobs();
  jobs.set(all, outputs);
  const toasts = new Toasts();
  showComponent(JobList, { jobs }, { toasts });
  return { jobs, toasts };
}

const list = page.getByRole('list', { name: 'Background jobs' });
const rows = () =>
  list
    .getByRole('listitem')
    .elements()
    .map((row) => row.querySelector('code')?.textContent);

test('nothing is shown until there is a job', async () => {
  const { jobs } = show([]);
  await expect.element(list).not.toBeInTheDocument();
  jobs.set([job(1, 'npm run dev')]);
  await expect.element(list).toBeVisible();
});

test('what runs comes first, then what ended, the newest first, each with how it ended', async () => {
  show([
    job(1, 'first', { end: ended('itself', 0) }),
    job(2, 'server', { ports: [5173], tail: 'old\nready\n' }),
    job(3, 'third', { end: ended('itself', 2) }),
    job(4, 'fourth', { end: ended('person', 143) }),
  ]);
  await expect.element(page.getByText('1 running, 3 ended')).toBeVisible();
  expect(rows()).toEqual(['server', 'fourth', 'third', 'first']);
  const [server, fourth, third, first] = list.getByRole('listitem').elements();
  expect(server?.textContent).toMatch(/running for .*port 5173.*ready/s);
  expect(server?.textContent).not.toContain('old');
  expect(fourth?.textContent).toContain('stopped by you');
  expect(third?.textContent).toContain('ended with code 2');
  expect(first?.textContent).toContain('done');
  expect(third?.querySelector('.dot')?.getAttribute('data-state')).toBe('failed');
  expect(first?.querySelector('.dot')?.getAttribute('data-state')).toBe('stopped');
});

test('only what runs can be stopped, and a job that was stopped says so', async () => {
  const { jobs } = show([job(1, 'npm run dev'), job(2, 'done', { end: ended('itself', 0) })]);
  const stop = page.getByRole('button', { name: /^Stop / });
  await expect.element(stop).toHaveAccessibleName('Stop npm run dev');
  await stop.click();
  expect(jobs.stopped).toEqual([1]);
  jobs.set([job(1, 'npm run dev', { end: ended('person', 143) })]);
  await expect.element(stop).not.toBeInTheDocument();
  await expect.element(page.getByText(/stopped by you/)).toBeVisible();
  // The button that had the focus is gone.
  await expect.element(page.getByRole('button', { name: /^Show log ?: npm run dev$/ })).toHaveFocus();
});

test('a stop that fails is told', async () => {
  const { jobs, toasts } = show([job(1, 'npm run dev')]);
  jobs.failure = new Error('The workspace is gone.');
  await page.getByRole('button', { name: 'Stop npm run dev' }).click();
  await expect.poll(() => JSON.stringify(toasts.all)).toContain('The workspace is gone.');
});

test('the log is the whole output, follows new output, and can be scrolled by keyboard', async () => {
  const { jobs } = show([job(1, 'npm run dev', { tail: 'two\n' })], { 1: 'one\ntwo\n' });
  const button = page.getByRole('button', { name: /^Show log ?: npm run dev$/ });
  await button.click();
  const log = page.getByRole('region', { name: 'Log of npm run dev' });
  await expect.element(log).toHaveTextContent('one two');
  await expect.element(log).toHaveAttribute('tabindex', '0');
  jobs.set([job(1, 'npm run dev', { tail: 'three\n' })], { 1: 'one\ntwo\nthree\n' });
  await expect.element(log).toHaveTextContent('one two three');
  await page.getByRole('button', { name: /^Hide log ?: npm run dev$/ }).click();
  await expect.element(log).not.toBeInTheDocument();
});

test('where the log is not known any more, its end is shown, and silence is said', async () => {
  const { jobs } = show([job(1, 'npm run dev', { tail: 'its end\n' }), job(2, 'sleep 9')]);
  await expect.element(page.getByText('No output yet')).toBeVisible();
  await page.getByRole('button', { name: /^Show log ?: sleep 9$/ }).click();
  await expect
    .element(page.getByRole('region', { name: 'Log of sleep 9' }))
    .toHaveTextContent('It has printed nothing.');
  jobs.failure = new Error('gone');
  await page.getByRole('button', { name: /^Show log ?: npm run dev$/ }).click();
  await expect.element(page.getByRole('region', { name: 'Log of npm run dev' })).toHaveTextContent('its end');
});
