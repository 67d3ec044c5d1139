import type { ProgramCall } from '../../program.ts';
import { NpmFailure, print } from './failure.ts';
import { Tree, type Edge, type Installed } from './installed.ts';
import type { NpmOptions } from './options.ts';
import type { Project } from './project.ts';

interface Line {
  readonly name: string;
  readonly label: string;
  readonly folder?: string;
  readonly problem?: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly under: readonly Line[];
  readonly matches: boolean;
}

/** Runs `npm ls`: shows the installed packages, the missing ones, and those of the wrong version. */
export async function list(call: ProgramCall, project: Project, options: NpmOptions): Promise<number> {
  const tree = await Tree.of(call, project);
  const asked = options.words.slice(1);
  const given = options.flags.get('depth');
  const all = options.flags.has('all') || asked.length > 0;
  const depth = typeof given === 'string' ? Number(given) : all ? Infinity : 0;
  const lines = linesOf(branches(tree, depth, new Set(String(options.flags.get('omit')).split(','))), asked);
  const problems = [...new Set(problemsOf(lines))];
  const shown = asked.length === 0 ? lines : lines.filter(({ matches }) => matches);
  if (options.flags.has('json')) await print(call, JSON.stringify(jsonOf(tree, shown, problems), null, 2));
  else if (options.flags.has('parseable'))
    await print(
      call,
      [...(asked.length === 0 ? [project.folder] : []), ...foldersOf(shown, asked)].join('\n'),
    );
  else await print(call, treeText(tree, shown));
  if (problems.some((problem) => !problem.startsWith('extraneous:')))
    throw new NpmFailure(['code ELSPROBLEMS', ...problems]);
  return asked.length > 0 && shown.length === 0 ? 1 : 0;
}

const nameIn = (folder: string) =>
  folder.slice(folder.lastIndexOf('/node_modules/') + '/node_modules/'.length);

const labelOf = ({ name, manifest }: Installed) => `${name}@${manifest.version ?? ''}`;

/** A package at one place of the tree. */
interface Branch {
  readonly from: Installed;
  readonly edge: Edge;
  readonly again: boolean;
  readonly extraneous: boolean;
  readonly under: Branch[];
}

/**
 * Goes level by level: the place nearest to the root shows a package in full, and later ones show it as
 * deduped.
 */
function branches(tree: Tree, depth: number, omit: ReadonlySet<string>): Branch[] {
  const seen = new Set<Installed>();
  const top: Branch[] = [];
  let level = [{ from: tree.root, into: top }];
  for (let at = 0; at <= depth && level.length > 0; at++) {
    const next: typeof level = [];
    for (const { from, into } of level) {
      const edges = tree
        .edges(from)
        .filter(
          ({ dev, optional }) => at > 0 || !((dev && omit.has('dev')) || (optional && omit.has('optional'))),
        )
        .map((edge) => ({ edge, extraneous: false }));
      const extra = at > 0 ? [] : extraneousOf(tree).map((edge) => ({ edge, extraneous: true }));
      const named = [...edges, ...extra].sort((a, b) => a.edge.name.localeCompare(b.edge.name, 'en'));
      for (const { edge, extraneous } of named) {
        const again = edge.found !== undefined && seen.has(edge.found);
        const branch: Branch = { from, edge, again, extraneous, under: [] };
        into.push(branch);
        if (!edge.found || again) continue;
        seen.add(edge.found);
        next.push({ from: edge.found, into: branch.under });
      }
    }
    level = next;
  }
  return top;
}

function extraneousOf(tree: Tree): Edge[] {
  return tree
    .extraneous()
    .filter(({ folder }) => folder === `${tree.root.folder}/node_modules/${nameIn(folder)}`)
    .map((found) => ({ name: found.name, range: '*', found, valid: true, optional: false, dev: false }));
}

function linesOf(level: readonly Branch[], asked: readonly string[]): Line[] {
  return level.map(({ from, edge, again, extraneous, under }) => {
    const { name, range, found } = edge;
    const problem =
      extraneous && found ? `extraneous: ${labelOf(found)} ${found.folder}` : problemOf(edge, from);
    const about = { name, ...(problem !== undefined && { problem }) };
    if (!found)
      return {
        ...about,
        label: `UNMET ${edge.optional ? 'OPTIONAL ' : ''}DEPENDENCY ${name}@${range}`,
        json: edge.optional ? {} : { required: range, missing: true },
        under: [],
        matches: asked.includes(name),
      };
    const inner = linesOf(under, asked);
    const kept = asked.length === 0 ? inner : inner.filter(({ matches }) => matches);
    const whose = from.isRoot ? 'the root project' : labelOf(from);
    const wrong = edge.valid ? '' : `${JSON.stringify(range)} from ${whose}`;
    const marks = [again && 'deduped', wrong !== '' && `invalid: ${wrong}`, extraneous && 'extraneous'];
    return {
      ...about,
      label: [labelOf(found), ...marks].filter((word) => word !== false).join(' '),
      ...(again ? {} : { folder: found.folder }),
      json: {
        version: found.manifest.version,
        overridden: false,
        ...(wrong === '' ? {} : { invalid: wrong }),
        ...(extraneous ? { extraneous: true } : {}),
        ...(kept.length > 0 ? { dependencies: dependenciesOf(kept) } : {}),
      },
      under: kept,
      matches: asked.includes(name) || inner.some(({ matches }) => matches),
    };
  });
}

function problemOf({ name, range, found, valid, optional }: Edge, from: Installed): string | undefined {
  if (!found && optional) return undefined;
  if (!found) return `missing: ${name}@${range}, required by ${labelOf(from)}`;
  return valid ? undefined : `invalid: ${labelOf(found)} ${found.folder}`;
}

function problemsOf(lines: readonly Line[]): string[] {
  return lines.flatMap(({ problem, under }) => [
    ...(problem === undefined ? [] : [problem]),
    ...problemsOf(under),
  ]);
}

function treeText({ root }: Tree, lines: readonly Line[]): string {
  const head = `${root.manifest.version === undefined ? root.name : labelOf(root)} ${root.folder}`;
  return [head, ...(lines.length === 0 ? ['└── (empty)'] : drawn(lines, '')), ''].join('\n');
}

function drawn(lines: readonly Line[], indent: string): string[] {
  return lines.flatMap(({ label, under }, at) => {
    const last = at === lines.length - 1;
    const branch = `${last ? '└' : '├'}─${under.length > 0 ? '┬' : '─'} `;
    return [`${indent}${branch}${label}`, ...drawn(under, `${indent}${last ? '  ' : '│ '}`)];
  });
}

/** Lists the folders level by level, each one once. */
function foldersOf(lines: readonly Line[], asked: readonly string[]): string[] {
  const folders: string[] = [];
  for (let level = lines; level.length > 0; level = level.flatMap(({ under }) => under))
    for (const { name, folder } of level)
      if (folder !== undefined && (asked.length === 0 || asked.includes(name))) folders.push(folder);
  return folders;
}

function dependenciesOf(lines: readonly Line[]): Record<string, unknown> {
  return Object.fromEntries(lines.map(({ name, json }) => [name, json]));
}

function jsonOf(
  { root }: Tree,
  lines: readonly Line[],
  problems: readonly string[],
): Record<string, unknown> {
  return {
    ...(root.manifest.version === undefined ? {} : { version: root.manifest.version }),
    name: root.name,
    ...(problems.length > 0 ? { problems } : {}),
    ...(lines.length > 0 ? { dependencies: dependenciesOf(lines) } : {}),
  };
}
