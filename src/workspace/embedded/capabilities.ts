import type { Capabilities } from '../workspace.ts';

export function capabilitiesWith(commands: readonly string[]): Capabilities {
  return {
    title: 'Embedded · bash',
    commands,
    separateStderr: false,
    notes: [
      'The shell is a bash-compatible interpreter inside the browser, not Linux: no native programs, no sudo, no network.',
      'Standard error arrives merged into standard output.',
      'The stages of a pipeline run one after the other, so an endless producer is not stopped by `head`.',
      'Background jobs end with the command that started them.',
      'Only files below /home/project are kept; /tmp is scratch.',
      'Every command starts in /home/project: `cd` does not last from one to the next.',
    ],
  };
}
