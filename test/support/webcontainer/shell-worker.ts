import '../shell-parts.ts';
import type { FromShell, ToShell } from '../../../guest/shared/protocol.ts';
import { runShell } from '../../../guest/shell/engine.ts';
import { serveShell } from '../../../guest/shell/serve.ts';
import { workerScope } from '../../../guest/shared/worker-scope.ts';
import { jshNames, jshPrograms } from './jsh.ts';
import { beginProcess, runNode } from './node-process.ts';

/** A process of the runtime: `jsh -c TEXT`, a program by itself, or 127. The script is JSON of its id and words. */
serveShell(workerScope<FromShell, ToShell>(), async (fs, script, options) => {
  const { id, words } = JSON.parse(script) as { id: string; words: string[] };
  beginProcess(id);
  const [program = '', ...args] = words;
  if (program === 'node') return { exitCode: await runNode(fs, args, options), cwd: options.cwd };
  if (program === 'jsh' && args[0] === '-c')
    return runShell(fs, args[1] ?? '', { ...options, programs: jshPrograms(fs, options) });
  if (jshNames.includes(program)) {
    const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    return runShell(fs, quoted.join(' '), { ...options, programs: jshPrograms(fs, options) });
  }
  return { exitCode: 127, cwd: options.cwd };
});
