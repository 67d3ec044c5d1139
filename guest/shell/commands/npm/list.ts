import type { ProgramCall } from '../../program.ts';
import { NpmFailure, print } from './failure.ts';
import { Tree, type Edge, type Installed } from './installed.ts';
import type { NpmOptions } from './options.ts';
import type { Project } from './project.ts';

interface Line {
  readonly label: string;
  readonly folder?: string;
  readonly problem?: string;
  readonly json: JsonNode;
  readonly under: readonly Line[];
  readonly matches: boolean;
}

interface JsonNode {
  readonly name: string;
  readonly value: Record<string, unknown>;
}

/** `npm ls`: what is installed, what is missing, and what does not fit. */
export async function list(call: ProgramCall, project: Project, options: NpmOptions): Promise<number> {
  const tree = await Tree.of(call, project);
  const asked = options.words.slice(1);
  const given = options.flags.get('depth');
  const depth =
    typeof given === 'string' ? Number(given) : options.flags.has('all') || asked.length > 0 ? Infinity : 0;
  const extraneous = tree
    .extraneous()
    .filter(({ folder }) => folder === `${project.folder}/node_modules/${nameIn(folder)}`);
  const lines = gather(tree, tree.root, depth, asked, new Set(), extraneous);
  const problems = [...new Set(problemsOf(lines))];
  const shown = asked.length === 0 ? lines : lines.filter(({ matches }) => matches);
  if (options.flags.has('json')) await print(call, JSON.stringify(jsonOf(tree, shown, problems), null, 2));
  else if (options.flags.has('parseable'))
    await print(call, [project.folder, ...foldersOf(shown)].join('\n'));
  else await print(call, treeText(tree, shown));
  if (problems.length > 0) throw new NpmFailure(['code ELSPROBLEMS', ...problems]);
  return asked.length > 0 && shown.length === 0 ? 1 : 0;
}

const nameIn = (folder: string) =>
  folder.slice(folder.lastIndexOf('/node_modules/') + '/node_modules/'.length);

const labelOf = ({ name, manifest }: Installed) => `${name}@${manifest.version ?? ''}`;

function gather(
  tree: Tree,
  from: Installed,
  depth: number,
  asked: readonly string[],
  seen: Set<Installed>,
  extraneous: readonly Installed[] = [],
): Line[] {
  const whose = from === tree.root ? 'the root project' : labelOf(from);
  const lines = tree.edges(from).map((edge): [string, Line] => {
    const { name, found } = edge;
    const problem = problemOf(edge, from);
    if (!found)
      return [
        name,
        {
          label: `UNMET DEPENDENCY ${name}@${edge.range}`,
          ...(problem !== undefined && { problem }),
          json: { name, value: { required: edge.range, missing: true } },
          under: [],
          matches: asked.includes(name),
        },
      ];
    const again = seen.has(found);
    seen.add(found);
    const under = again || depth <= 0 ? [] : gather(tree, found, depth - 1, asked, seen);
    const wrong = edge.valid ? '' : ` invalid: ${JSON.stringify(edge.range)} from ${whose}`;
    const kept = asked.length === 0 ? under : under.filter(({ matches }) => matches);
    return [
      name,
      {
        label: `${labelOf(found)}${again ? ' deduped' : ''}${wrong}`,
        folder: found.folder,
        ...(problem !== undefined && { problem }),
        json: {
          name,
          value: {
            version: found.manifest.version,
            overridden: false,
            ...(edge.valid ? {} : { invalid: wrong.slice(' invalid: '.length) }),
            ...(kept.length > 0 ? { dependencies: dependenciesOf(kept) } : {}),
          },
        },
        under: kept,
        matches: asked.includes(name) || under.some(({ matches }) => matches),
      },
    ];
  });
  for (const extra of extraneous) {
    lines.push([
      extra.name,
      {
        label: `${labelOf(extra)} extraneous`,
        folder: extra.folder,
        problem: `extraneous: ${labelOf(extra)} ${extra.folder}`,
        json: {
          name: extra.name,
          value: { version: extra.manifest.version, overridden: false, extraneous: true },
        },
        under: [],
        matches: asked.includes(extra.name),
      },
    ]);
  }
  return lines.sort(([a], [b]) => a.localeCompare(b, 'en')).map(([, line]) => line);
}

function problemOf({ name, range, found, valid }: Edge, from: Installed): string | undefined {
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

function foldersOf(lines: readonly Line[]): string[] {
  return lines.flatMap(({ folder, under }) => [
    ...(folder === undefined ? [] : [folder]),
    ...foldersOf(under),
  ]);
}

function dependenciesOf(lines: readonly Line[]): Record<string, unknown> {
  return Object.fromEntries(lines.map(({ json }) => [json.name, json.value]));
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
