import { expect, test } from 'vitest';
import { kernelWith, type NodeProgram } from '../../test/support/kernel.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const jobs = { owner: 'ses_1' };

/** A program that prints its arguments and goes on until it is ended. */
const server: NodeProgram = (peer, { args }) => {
  peer.post({ kind: 'output', stream: 1, bytes: bytes(`${args.join(' ')} listens\n`) });
  peer.post({ kind: 'call', call: { kind: 'listen', address: 3000 } });
};

test('a command returns when its foreground is done, and its job goes on', async () => {
  const { run, output, jobsAre } = kernelWith(server);
  const exit = await run('node server.js & echo started; exit 3', 'p', { jobs });
  expect(exit).toMatchObject({ exitCode: 3, reason: 'exit', jobs: [expect.any(Number)] });
  const [job] = await jobsAre(([first]) => first?.ports.length === 1);
  expect(job).toMatchObject({
    id: exit.jobs?.[0],
    number: 1,
    owner: 'ses_1',
    command: 'node server.js',
    ports: [3000],
    tail: 'server.js listens\n',
  });
  expect(job).not.toHaveProperty('end');
  expect(output()).toContain('started\n');
  // Its output is found in its log, by other commands as well.
  await run(`cat ${job?.log}`, 'q');
  expect(output()).toMatch(/started\n(server\.js listens\n){1,2}$/);
});

test('a job that ends at once is part of the command', async () => {
  const { run, output, jobs: list } = kernelWith(() => {});
  expect(await run('echo in the background &', 'p', { jobs })).not.toHaveProperty('jobs');
  expect(output()).toBe('in the background\n');
  expect(list()).toEqual([]);
});

test('without a keeper, what is left behind is ended as before', async () => {
  const { run, output } = kernelWith(() => {});
  await run('sleep 100 & echo over', 'p');
  expect(output()).toContain('was ended with the command');
}, 10_000);

test('the end of a job is told with its code and its newest output', async () => {
  const { run, jobsAre } = kernelWith(() => {});
  await run('(sleep 0.5; echo failed >&2; exit 7) &', 'p', { jobs });
  const [job] = await jobsAre(([first]) => first?.end !== undefined);
  expect(job).toMatchObject({ end: { exitCode: 7, by: 'itself' }, tail: 'failed\n' });
});

test('later commands see jobs, wait for them and end them', async () => {
  const { run, output, jobsAre } = kernelWith(server);
  const { jobs: [first, second] = [] } = await run('(sleep 0.8; exit 4) & node a.js > out.txt & true', 'p2', {
    jobs,
  });
  const before = output().length;
  await run('jobs; ps -o command', 'q', { jobs });
  const seen = output().slice(before);
  expect(seen).toContain('[1]-  Running                 (sleep 0.8; exit 4) &');
  expect(seen).toContain('[2]+  Running                 node a.js > out.txt &');
  expect(seen).toContain('node a.js');
  expect(await run(`wait ${first}`, 'r')).toMatchObject({ exitCode: 4 });
  expect(await run('kill %2', 's')).toMatchObject({ exitCode: 0 });
  const all = await jobsAre((each) => each.every(({ end }) => end));
  expect(all.find((job) => job.id === second)).toMatchObject({
    end: { exitCode: 143, by: 'command' },
    tail: 'a.js listens\n',
  });
  expect(await run(`kill ${second}`, 't')).toMatchObject({ exitCode: 1 });
  await run('jobs', 'u');
  expect(output()).toMatch(/\[1\]- {2}Exit 4 [^]*\[2\]\+ {2}Terminated /);
});

test('ps shows the line of a job that begins with no program', async () => {
  const { run, output } = kernelWith(server);
  await run('cd /tmp && node a.js & PORT=3000 node b.js & node c.js & true', 'p2', { jobs });
  const before = output().length;
  await run('ps; ps -o comm=; pgrep -c node', 'q', { jobs });
  const seen = output().slice(before);
  expect(seen).toMatch(/ cd \/tmp && node a\.js\n/);
  expect(seen).toMatch(/ PORT=3000 node b\.js\n/);
  expect(seen).toMatch(/ node\n/);
  expect(seen).toMatch(/^cd \/tmp && node a\.js$/m);
}, 10_000);

test('the person stops a job, and a session that is gone all of its own', async () => {
  const { kernel, run, jobsAre } = kernelWith(server);
  const { jobs: [id = 0] = [] } = await run('node a.js &', 'p', { jobs });
  await run('sleep 100 &', 'q', { jobs });
  await run('sleep 100 &', 'r', { jobs: { owner: 'ses_2' } });
  kernel.hear({ kind: 'call', id: 1, call: { method: 'stopJob', job: id } });
  const [first] = await jobsAre(([job]) => job?.end !== undefined);
  expect(first).toMatchObject({ end: { exitCode: 143, by: 'person' }, ports: [] });
  kernel.hear({ kind: 'call', id: 2, call: { method: 'stopJobsOf', owner: 'ses_1' } });
  await jobsAre(([, job]) => job?.end?.by === 'person');
  const all = await jobsAre(() => true);
  expect(all.map(({ end }) => end !== undefined)).toEqual([true, true, false]);
});

test('a job that ignores SIGTERM is ended for certain', async () => {
  const { kernel, run, jobsAre } = kernelWith(() => {});
  const { jobs: [id = 0] = [] } = await run("(trap '' TERM; while :; do sleep 0.1; done) &", 'p', { jobs });
  kernel.hear({ kind: 'call', id: 1, call: { method: 'stopJob', job: id } });
  const [job] = await jobsAre(([first]) => first?.end !== undefined);
  expect(job?.end).toMatchObject({ exitCode: 137, by: 'person' });
});

test('only so many jobs run at once', async () => {
  const { run, output, jobsAre } = kernelWith(() => {});
  await run('for i in {1..16}; do sleep 100 & done', 'p', { jobs });
  const exit = await run('sleep 101 &', 'q', { jobs });
  expect(exit).not.toHaveProperty('jobs');
  expect(output()).toContain('16 jobs run in the background already, so this one was ended: sleep 101');
  const all = await jobsAre((each) => each.at(-1)?.end !== undefined);
  expect(all.at(-1)?.end).toMatchObject({ by: 'limit' });
});

test('a job that prints without end keeps its newest output, and leaves the kernel time for others', async () => {
  const { run, output, jobsAre } = kernelWith(() => {});
  const { jobs: [id = 0] = [] } = await run('yes "a rather long line of output" &', 'p', { jobs });
  await jobsAre(([job]) => (job?.tail.length ?? 0) > 1000);
  for (const each of ['q', 'r', 's']) await run('echo alive', each);
  expect(output()).toMatch(/(alive\n){3}$/);
  await run(
    `sleep 0.5; kill -9 ${id}; sleep 0.3; wc -c < /tmp/jobs/${id}.log; head -c 40 /tmp/jobs/${id}.log`,
    't',
  );
  expect(Number(/^(\d+)$/m.exec(output().slice(output().lastIndexOf('alive')))?.[1])).toBeLessThan(1_100_000);
});
