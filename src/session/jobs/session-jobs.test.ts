import { expect, test } from 'vitest';
import { Listeners } from '../../base/listeners.ts';
import type { Job, Jobs } from '../../workspace/jobs.ts';
import type { EventBody, Origin } from '../log/events.ts';
import { emptyState } from '../log/reduce.ts';
import type { StartedJob } from '../log/state.ts';
import { isNews } from '../request/steering.ts';
import { SessionJobs } from './session-jobs.ts';

const server: Job = {
  id: 4711,
  number: 1,
  owner: 'ses_1',
  command: 'node server.js',
  started: 1000,
  log: '/tmp/jobs/4711.log',
  ports: [3000],
  tail: 'listening\nfailed\n',
};

function followed(known: readonly StartedJob[] = []) {
  const events: EventBody[] = [];
  const told: { text: string; origin: Origin }[] = [];
  const state = emptyState('ses_1');
  if (known.length > 0) state.jobs = known;
  const jobs = new SessionJobs({
    state,
    append: (body) => void events.push(body),
    tell: async (text, origin) => void told.push({ text, origin }),
  });
  const changes = new Listeners<void>();
  let list: readonly Job[] = [];
  const workspace: Jobs = {
    list: () => list,
    onChange: (listener) => changes.add(listener),
    stop: async () => undefined,
    stopAllOf: async () => undefined,
    output: async () => '',
  };
  const become = (...now: readonly Job[]) => {
    list = now;
    changes.emit();
  };
  return { jobs, workspace, become, events, told };
}

const ended = (by: 'itself' | 'command' | 'person' | 'limit', exitCode: number): Job => ({
  ...server,
  end: { at: 2000, exitCode, by },
});

test('the start and the end of a job are recorded once, and the end is told with its newest output', () => {
  const { jobs, workspace, become, events, told } = followed();
  jobs.follow(workspace);
  become(server);
  become(server);
  become(ended('itself', 1));
  become(ended('itself', 1));
  expect(events).toEqual([
    { type: 'job.started', jobID: 4711, command: 'node server.js' },
    { type: 'job.ended', jobID: 4711, by: 'itself', exitCode: 1 },
  ]);
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toContain(
    'ended with exit code 1. The end of its output:\n<output>\nlistening\nfailed',
  );
  expect(told[0]?.origin).toEqual({
    kind: 'jobs-ended',
    jobs: [{ id: 4711, command: 'node server.js', by: 'itself', exitCode: 1 }],
  });
  expect(isNews(told[0]?.text ?? '')).toBe(true);
});

test('jobs of other sessions, and those that there was no room for, are not recorded', () => {
  const { jobs, workspace, become, events, told } = followed();
  jobs.follow(workspace);
  become({ ...server, owner: 'ses_2' }, ended('limit', 137));
  expect(events).toEqual([]);
  expect(told).toEqual([]);
});

test('what a command ended is recorded and not told', () => {
  const { jobs, workspace, become, events, told } = followed();
  jobs.follow(workspace);
  become(server);
  become(ended('command', 143));
  expect(events.at(-1)).toMatchObject({ type: 'job.ended', by: 'command' });
  expect(told).toEqual([]);
});

test('a job that the log has as running and the workspace does not know is gone', async () => {
  const { jobs, events, told } = followed([
    { id: 1, command: 'a', running: true },
    { id: 2, command: 'b', running: false },
    { id: 4711, command: 'node server.js', running: true },
  ]);
  await jobs.settle([server]);
  expect(events).toEqual([{ type: 'job.ended', jobID: 1, by: 'lost', exitCode: 137 }]);
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toContain('Background job 1 (`a`) no longer runs: the page was reloaded');
});

test('a copy of a session begins without the jobs of the original, and says so', async () => {
  const { jobs, events, told } = followed([{ id: 1, command: 'a', running: true, copied: true }]);
  await jobs.settle([]);
  expect(events).toEqual([{ type: 'job.ended', jobID: 1, by: 'copied', exitCode: 137 }]);
  expect(told[0]?.text).toContain(
    'Background job 1 (`a`) does not run here: this session is a copy of the one that started it',
  );
});

test('nothing is recorded any more once the session is closed', () => {
  const { jobs, workspace, become, events } = followed();
  jobs.follow(workspace);
  jobs.close();
  become(server);
  expect(events).toEqual([]);
});
