import type { JobEndCause } from '../../../workspace/jobs.ts';
import { messages } from '../../languages/messages.ts';

export const jobWords = messages('job', {
  heading: 'Background jobs',
  count: (running: number, ended: number) =>
    [running > 0 && `${running} running`, ended > 0 && `${ended} ended`].filter(Boolean).join(', '),
  chip: (n: number) => `${n} background ${n === 1 ? 'job' : 'jobs'}`,
  show: 'Show in the terminal tab',
  running: (time: string) => `running for ${time}`,
  ended: (by: JobEndCause, exitCode: number, time: string) => `${endedBy(by, exitCode)}, ran for ${time}`,
  ports: (ports: readonly number[]) => `port ${ports.join(', ')}`,
  quiet: 'No output yet',
  stop: 'Stop',
  stopOf: (command: string) => `Stop ${command}`,
  log: 'Show log',
  hideLog: 'Hide log',
  logOf: (command: string) => `Log of ${command}`,
  emptyLog: 'It has printed nothing.',
  told: (command: string, by: JobEndCause, exitCode: number) =>
    `Background job ${endedBy(by, exitCode)}: ${command}`,
});

function endedBy(by: JobEndCause, exitCode: number): string {
  switch (by) {
    case 'person':
      return 'stopped by you';
    case 'command':
      return 'ended by a command';
    case 'limit':
      return 'ended, because too many were running';
    case 'lost':
      return 'gone with a reload or restart';
    case 'copied':
      return 'not taken along: this is a copy of the session, which begins without the job';
    case 'itself':
      return exitCode === 0 ? 'done' : `ended with code ${exitCode}`;
  }
}
