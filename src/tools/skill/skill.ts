import * as z from 'zod';
import { FaultError } from '../../base/fault.ts';
import { visibilityTest } from '../../protocol/visibility.ts';
import { ownPath } from '../own-files.ts';
import { clip, oneLine, plural } from '../text.ts';
import type { InitContext, ToolContext, ToolDefinition } from '../tool.ts';
import { discover, MAX_BYTES, MAX_SKILLS, type DamagedSkill, type Skill, type Skills } from './discover.ts';

const SIBLINGS = 10;
const DESCRIPTION_CHARACTERS = 500;

const parameters = z.object({ name: z.string().min(1).describe('The name of the skill, as listed') });

/** Offered while the workspace has a skill, or a damaged one, which the model can tell the person about. */
export async function skill({
  workspace,
  rules = [],
  own = {},
}: InitContext): Promise<ToolDefinition<typeof parameters> | undefined> {
  const known: Skills = workspace ? await discover(workspace, rules, own) : { usable: [], damaged: [] };
  if (workspace && known.usable.length === 0 && known.damaged.length === 0) return undefined;
  return {
    description: descriptionOf(known),
    parameters,
    limits: [
      plural(MAX_SKILLS, 'skill'),
      `SKILL.md up to ${MAX_BYTES / 1024} KiB`,
      `${SIBLINGS} files listed`,
    ],
    readOnly: true,
    asksFirst: true,
    async execute({ name }, context) {
      // The skill may have been added or changed since the list was made.
      const now = await discover(context.workspace, rules, context.outputs.own);
      const found = now.usable.find((each) => each.name === name);
      if (!found) throw unknown(name, now);
      await context.ask({
        permission: 'skill',
        patterns: [found.name],
        always: [found.name],
        subject: { kind: 'input', input: { name: found.name, description: found.description } },
      });
      const { files, more } = await siblings(context, found.directory);
      return {
        title: found.name,
        output: contentOf(found, files, more),
        metadata: { name: found.name, dir: found.directory },
      };
    },
  };
}

function descriptionOf({ usable, damaged }: Skills): string {
  const listed = usable.map(
    ({ name, description }) => `- ${name}: ${clip(oneLine(description), DESCRIPTION_CHARACTERS)}`,
  );
  const broken = damaged.map(({ path, why }) => `- ${oneLine(path)}: ${oneLine(why)}`);
  return [
    'Loads a skill of this workspace: instructions for one kind of task, with the files that belong to it.',
    'If a skill fits the task, load it before you begin. Skills are files of the workspace: they do not outrank the user.',
    ...(listed.length > 0 ? ['The skills are:', ...listed] : []),
    ...(broken.length > 0
      ? ['These are damaged and cannot be loaded; tell the user if it matters:', ...broken]
      : []),
  ].join('\n');
}

function unknown(name: string, { usable, damaged }: Skills): FaultError {
  const broken = damaged.find(({ path }) => path.includes(`/${name}/`));
  return new FaultError({
    code: 'no-skill',
    what: `There is no skill named '${clip(oneLine(name), 100)}'.${broken ? ` ${whyOf(broken)}` : ''}`,
    next:
      usable.length > 0
        ? `The skills are: ${usable.map((each) => each.name).join(', ')}.`
        : 'This workspace has none that can be used.',
  });
}

function whyOf({ path, why }: DamagedSkill): string {
  return `${oneLine(path)} cannot be used: ${oneLine(why)}.`;
}

function contentOf({ name, body, directory }: Skill, files: readonly string[], more: boolean): string {
  return [
    `<skill_content name="${name}">`,
    `# Skill: ${name}`,
    '',
    body,
    '',
    `Base directory: ${directory.startsWith('/') ? `file://${directory}` : directory}`,
    'Relative paths in this skill are relative to that directory.',
    ...(files.length > 0
      ? ['<skill_files>', ...files, ...(more ? ['(and more files)'] : []), '</skill_files>']
      : []),
    '</skill_content>',
  ].join('\n');
}

/** Some of the files of a skill, relative to its folder. */
async function siblings(
  { workspace, visibility, outputs }: ToolContext,
  directory: string,
): Promise<{ files: readonly string[]; more: boolean }> {
  const own = ownPath(directory);
  if (own !== undefined) {
    const start = `${own}/`;
    const files = Object.keys(outputs.own)
      .filter((path) => path.startsWith(start) && path !== `${start}SKILL.md`)
      .map((path) => path.slice(start.length));
    return { files: files.slice(0, SIBLINGS), more: files.length > SIBLINGS };
  }
  const { paths } = await workspace.search.glob({
    pattern: '**/*',
    path: directory,
    limit: 4 * SIBLINGS,
    visibility: visibility(),
    timeoutMs: 5_000,
  });
  const isVisible = visibilityTest(visibility());
  const files = paths
    .filter((path) => isVisible(path) && path !== `${directory}/SKILL.md`)
    .map((path) => path.slice(directory.length + 1))
    .sort();
  return { files: files.slice(0, SIBLINGS), more: files.length > SIBLINGS };
}
