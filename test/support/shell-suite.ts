import { InMemoryFs } from 'just-bash/browser';
import { shell } from './shell.ts';

/** Where the scripts of a suite run. */
export interface Home {
  readonly home: string;
  readonly env: Record<string, string>;
  /** By path relative to the home. */
  readonly files: Record<string, string>;
}

export interface Case {
  readonly script: string;
  readonly stdout: string;
  readonly exitCode: number;
}

export interface Answer {
  readonly stdout: string;
  readonly exitCode: number;
}

const PATIENCE_MS = 10_000;

/** Error messages are worded differently on purpose: what is compared is what other programs would read. */
export async function answer(script: string, { home, env, files: given }: Home): Promise<Answer> {
  const placed = Object.entries(given).map(([path, text]) => [`${home}/${path}`, text]);
  const files = new InMemoryFs(Object.fromEntries(placed));
  files.mkdirSync('/tmp', { recursive: true });
  files.mkdirSync('/dev', { recursive: true });
  files.writeFileSync('/dev/null', '');
  const end = Date.now() + PATIENCE_MS;
  const run = await shell(`{ ${script}\n} 2>/dev/null`, {
    files,
    cwd: home,
    env: { HOME: home, ...env },
    aborted: () => Date.now() > end,
  });
  return { stdout: run.output.replace(/^([-+]{3} [^\t\n]+)\t.*$/gm, '$1'), exitCode: run.code };
}

export interface Difference extends Case {
  readonly got: Answer;
}

/** The cases that are answered otherwise than real bash and GNU tools do. */
export async function differences(cases: readonly Case[], home: Home): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const one of cases) {
    const got = await answer(one.script, home);
    if (got.stdout !== one.stdout || got.exitCode !== one.exitCode) found.push({ ...one, got });
  }
  return found;
}

export function shown({ script, stdout, exitCode, got }: Difference): string {
  return `${script}\n  wanted ${JSON.stringify({ stdout, exitCode })}\n  got    ${JSON.stringify(got)}`;
}
