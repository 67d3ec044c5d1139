import picomatch from 'picomatch';
import type { ProgramCall } from '../../program.ts';
import { Complaint } from '../../kit/complaint.ts';
import { fileError } from '../../files.ts';
import { complain, optionsOf, writing } from '../../kit/io.ts';
import { search, type Candidate, type Showing } from '../../kit/search.ts';
import { IgnoreFiles } from '../../kit/ignore.ts';
import { countOf, lastOf, valueOf, type Options, type OptionSpec } from '../../kit/options.ts';
import { compilePatterns, escapeText, fromPerl } from '../../kit/pattern.ts';
import { filesBelow, type WalkEntry } from '../../kit/walk.ts';

const SPEC: OptionSpec = {
  short: 'iSsvwxclLonNHIqe:f:FPA:B:C:m:g:t:T:u.ad:r:0pzUj:M:',
  long: [
    'ignore-case=i',
    'smart-case=S',
    'case-sensitive=s',
    'invert-match=v',
    'word-regexp=w',
    'line-regexp=x',
    'count=c',
    'count-matches=c',
    'files-with-matches=l',
    'files-without-match',
    'follow=L',
    'only-matching=o',
    'line-number=n',
    'no-line-number=N',
    'with-filename=H',
    'no-filename=I',
    'quiet=q',
    'regexp=e',
    'file=f',
    'fixed-strings=F',
    'pcre2=P',
    'after-context=A',
    'before-context=B',
    'context=C',
    'max-count=m',
    'max-depth=d',
    'glob=g',
    'iglob:',
    'type=t',
    'type-not=T',
    'unrestricted=u',
    'hidden=.',
    'text=a',
    'replace=r',
    'null=0',
    'pretty=p',
    'multiline=U',
    'threads=j',
    'max-columns=M',
    'files',
    'type-list',
    'no-ignore',
    'no-ignore-vcs',
    'no-messages',
    'no-config',
    'color:',
    'colors:',
    'heading',
    'no-heading',
    'column',
    'vimgrep',
    'sort:',
    'sortr:',
    'trim',
    'stats',
  ],
};

const TYPES: Readonly<Record<string, readonly string[]>> = {
  awk: ['*.awk'],
  c: ['*.c', '*.h'],
  config: ['*.cfg', '*.conf', '*.config', '*.ini'],
  cpp: ['*.cpp', '*.cc', '*.cxx', '*.hpp', '*.hh', '*.h', '*.C', '*.H'],
  csv: ['*.csv'],
  css: ['*.css', '*.scss'],
  go: ['*.go'],
  html: ['*.htm', '*.html', '*.ejs'],
  java: ['*.java', '*.jsp'],
  js: ['*.js', '*.jsx', '*.mjs', '*.cjs', '*.vue'],
  json: ['*.json', 'composer.lock'],
  make: ['Makefile', '*.mk', '*.mak', 'makefile', 'GNUmakefile'],
  markdown: ['*.md', '*.markdown', '*.mdx'],
  md: ['*.md', '*.markdown', '*.mdx'],
  php: ['*.php'],
  py: ['*.py', '*.pyi'],
  python: ['*.py', '*.pyi'],
  ruby: ['*.rb', 'Gemfile', 'Rakefile'],
  rust: ['*.rs'],
  sh: ['*.sh', '*.bash', '*.zsh', '.bashrc', '.bash_profile', '.profile'],
  sql: ['*.sql'],
  svelte: ['*.svelte'],
  toml: ['*.toml', 'Cargo.lock'],
  ts: ['*.ts', '*.tsx', '*.mts', '*.cts'],
  txt: ['*.txt'],
  xml: ['*.xml', '*.svg', '*.xsl'],
  yaml: ['*.yaml', '*.yml'],
};

export const rg = writing(async (call, out) => {
  const options = optionsOf(call, SPEC, 2);
  if (options.has.has('type-list')) {
    for (const [name, globs] of Object.entries(TYPES)) await out.write(`${name}: ${globs.join(', ')}\n`);
    return 0;
  }
  if (options.has.has('U')) throw new Complaint('searching over several lines is not available here');
  const operands = [...options.operands];
  const listsFiles = options.has.has('files');
  const patterns = listsFiles ? [] : await patternsOf(call, options, operands);
  let failed = false;
  const tell = async (name: string, reason: string) => {
    failed = true;
    if (!options.has.has('no-messages')) await complain(call, `${name}: ${reason}`);
  };
  const isPiped = operands.length === 0 && !listsFiles && (await hasInput(call));
  const candidates = candidatesOf(call, isPiped ? ['-'] : operands, options, tell);
  if (listsFiles) {
    let any = false;
    for await (const { shown } of candidates) {
      any = true;
      await out.write(`${shown}\n`);
    }
    return failed ? 2 : any ? 0 : 1;
  }
  const isOneFile = isPiped || (operands.length === 1 && (await isFile(call, operands[0] ?? '')));
  const matched = await search(call, out, candidates, showingOf(options, patterns, isOneFile), tell);
  return failed ? 2 : matched ? 0 : 1;
});

/** Whether input is piped to rg. Otherwise rg searches the folder, and does not wait for typed input. */
async function hasInput(call: ProgramCall): Promise<boolean> {
  if (call.stdin.isUnpiped) return false;
  const first = await call.stdin.read();
  if (first) call.stdin.unread(first);
  return first !== null;
}

async function patternsOf(call: ProgramCall, options: Options, operands: string[]): Promise<string[]> {
  const given = [...(options.values.get('e') ?? [])];
  for (const name of options.values.get('f') ?? []) {
    given.push(...(await call.files.readFile(call.path(name))).replace(/\n$/, '').split('\n'));
  }
  if (given.length > 0) return given;
  const first = operands.shift();
  if (first === undefined)
    throw new Complaint('the following required arguments were not provided: <PATTERN>');
  return [first];
}

function showingOf(options: Options, patterns: readonly string[], isOneFile: boolean): Showing {
  const has = (name: string) => options.has.has(name);
  const isSmart = lastOf(options, 'S', 's', 'i') === 'S' && !patterns.some((one) => /\p{Lu}/u.test(one));
  const sources = patterns.map((one) =>
    has('F') ? { source: escapeText(one), ignoreCase: false } : fromPerl(one),
  );
  const count = countOf(options, 'C');
  const replacement = valueOf(options, 'r');
  return {
    regexp: compilePatterns(
      sources.map(({ source }) => source),
      {
        ignoreCase:
          isSmart || lastOf(options, 'S', 's', 'i') === 'i' || sources.some(({ ignoreCase }) => ignoreCase),
        wholeWord: has('w'),
        wholeLine: has('x'),
      },
      patterns.join('\n'),
    ),
    invert: has('v'),
    only: has('o'),
    numbers: lastOf(options, 'n', 'N', 'vimgrep') !== undefined && lastOf(options, 'n', 'N') !== 'N',
    columns: has('column') || has('vimgrep'),
    names: lastOf(options, 'H', 'I') !== 'I' && (!isOneFile || has('H')),
    mode: has('q')
      ? 'quiet'
      : has('l')
        ? 'files'
        : has('files-without-match')
          ? 'filesWithout'
          : has('c')
            ? 'count'
            : 'lines',
    before: countOf(options, 'B') ?? count ?? 0,
    after: countOf(options, 'A') ?? count ?? 0,
    limit: countOf(options, 'm') ?? Infinity,
    binary: has('a') || unrestricted(options) >= 3 ? 'text' : 'skip',
    afterName: has('0') ? '\0' : ':',
    headings: lastOf(options, 'heading', 'no-heading', 'p') === 'heading',
    ...(replacement !== undefined && {
      replacement: replacement.replace(
        /\$(?:\$|\{(\w+)\}|(\w+))/g,
        (_all, braced?: string, bare?: string) => {
          const name = braced ?? bare;
          if (name === undefined) return '$$';
          return name === '0' ? '$&' : /^\d+$/.test(name) ? `$${name}` : `$<${name}>`;
        },
      ),
    }),
  };
}

function unrestricted(options: Options): number {
  return options.values.get('u')?.length ?? 0;
}

async function isFile(call: ProgramCall, operand: string): Promise<boolean> {
  if (operand === '-') return true;
  return call.files.stat(call.path(operand)).then(
    (stat) => stat.isFile,
    () => false,
  );
}

async function* candidatesOf(
  call: ProgramCall,
  operands: readonly string[],
  options: Options,
  complain: (name: string, reason: string) => Promise<void>,
): AsyncGenerator<Candidate> {
  const rules = new IgnoreFiles(call.files);
  const ignores = !options.has.has('no-ignore') && unrestricted(options) === 0;
  const hidden = options.has.has('.') || unrestricted(options) >= 2;
  const isWanted = globFilter(options, call.cwd);
  const maxDepth = countOf(options, 'd');
  for (const operand of operands.length > 0 ? operands : ['']) {
    if (operand === '-') {
      yield { shown: '<stdin>', path: '-' };
      continue;
    }
    const top = operand === '' ? call.cwd : call.path(operand);
    const enter = async (found: WalkEntry): Promise<boolean> => {
      const name = found.path.slice(found.path.lastIndexOf('/') + 1);
      if (name === '.git' && ignores) return false;
      if (!hidden && name.startsWith('.')) return isWanted(found, true);
      if (!isWanted(found, false)) return false;
      return !ignores || !(await rules.ignores(found.path, found.isDirectory));
    };
    try {
      if ((await call.files.stat(top)).isFile) yield { shown: operand, path: top };
      else {
        const followLinks = options.has.has('L');
        yield* filesBelow(call.files, top, operand, {
          enter,
          followLinks,
          ...(maxDepth !== undefined && { maxDepth }),
        });
      }
    } catch (error) {
      await complain(operand === '' ? '.' : operand, fileError(error));
    }
  }
}

/** Makes the filter of `-g`, `-t` and `-T`. With `explicitly`, it accepts only files that a `-g` selects. */
function globFilter(options: Options, cwd: string): (found: WalkEntry, explicitly: boolean) => boolean {
  const globs = [...(options.values.get('g') ?? []), ...(options.values.get('iglob') ?? [])].map((glob) => {
    const ignores = glob.startsWith('!');
    const bare = (ignores ? glob.slice(1) : glob).replace(/\/+$/, '');
    const anchored = bare.includes('/');
    const test = picomatch(anchored ? bare.replace(/^\/+/, '') : `**/${bare}`, {
      dot: true,
      nocase: options.values.get('iglob')?.includes(glob) === true,
    });
    return { ignores, test };
  });
  const includes = globs.some(({ ignores }) => !ignores);
  const typed = typeGlobs(options.values.get('t'));
  const untyped = typeGlobs(options.values.get('T'));
  return ({ path, isDirectory }, explicitly) => {
    const relative = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path.slice(1);
    const last = globs.findLast(({ test }) => test(relative));
    if (last) return !last.ignores;
    if (explicitly) return false;
    if (isDirectory) return true;
    const name = path.slice(path.lastIndexOf('/') + 1);
    return !includes && (!typed || typed(name)) && !untyped?.(name);
  };
}

function typeGlobs(types: readonly string[] | undefined): ((name: string) => boolean) | undefined {
  if (!types) return undefined;
  return picomatch(
    types.flatMap((type) => {
      const globs = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
      if (!globs) throw new Complaint(`unrecognized file type: ${type}`);
      return globs;
    }),
    { dot: true },
  );
}
