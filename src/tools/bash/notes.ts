import type { Job } from '../../workspace/jobs.ts';
import { clip, oneLine } from '../text.ts';
import type { Exit } from '../../workspace/workspace.ts';

const COMMAND_CHARACTERS = 200;

/**
 * Notes for the model besides the output; '' after a plain success. `jobs` are those of the workspace, `locked` says which
 * rules kept files from being changed.
 */
export function notesOf(exit: Exit, timeoutMs: number, jobs: readonly Job[] = [], locked = ''): string {
  const notes = [endOf(exit, timeoutMs)];
  if (exit.outputMayBeCut) notes.push('Output that had not been printed when it ended may be missing.');
  if (exit.refusedReads !== undefined)
    notes.push(
      `${exit.refusedReads === 1 ? 'One file was' : `${exit.refusedReads} files were`} kept from this command by the rules for reading, though a program may call it missing. Where you need one, name it plainly in the command: then the user is asked.`,
    );
  notes.push(locked);
  for (const id of exit.jobs ?? []) {
    const job = jobs.find((each) => each.id === id);
    if (job) notes.push(jobNote(job));
  }
  const text = notes.filter(Boolean).join('\n');
  return text && `\n<shell_metadata>\n${text}\n</shell_metadata>`;
}

function jobNote({ id, command, log, writesTo, ports, end }: Job): string {
  const job = `Job ${id} (\`${clip(oneLine(command), COMMAND_CHARACTERS)}\`)`;
  const output = `Its output: \`tail ${writesTo ?? log}\`.`;
  if (end)
    return `${job} was in the background and has ended already, with exit code ${end.exitCode}. ${output}`;
  const listens = ports.length > 0 ? `, and listens on port ${ports.join(', ')}` : '';
  return `${job} goes on in the background${listens}. ${output} To end it: \`kill ${id}\`.`;
}

/** How the command ended; '' where it succeeded. */
export function endOf({ reason, exitCode }: Exit, timeoutMs: number): string {
  switch (reason) {
    case 'exit':
      return exitCode === 0 ? '' : `Exit code ${exitCode}.`;
    case 'timeout':
      return `The command was ended after its timeout of ${timeoutMs} ms. If it needs longer, call again with a larger timeout, in milliseconds.`;
    case 'killed':
    // This cannot happen to a command, as a running command keeps its workspace from being suspended.
    case 'suspended':
      return 'The command was stopped before it ended.';
    case 'lost':
      return 'The workspace stopped while the command ran, as happens when a program uses all of its memory, and has been restarted.';
  }
}
