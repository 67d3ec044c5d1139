import { messageOf } from '../../base/message-of.ts';
import { decide, type SourcedRule } from '../../permissions/rules.ts';
import { visibilityOf } from '../../permissions/visibility.ts';
import { ROOT, type Visibility, type Workspace } from '../../workspace/workspace.ts';
import { decodeLoosely } from '../decode.ts';
import { OWN_ROOT, type OwnFiles } from '../own-files.ts';
import { isOwn } from '../paths.ts';
import { NAME, parseSkill } from './frontmatter.ts';

/** Sorted by priority: of two skills with the same name, the one in the later folder wins. */
export const SKILL_FOLDERS = [
  '.agents/skills',
  '.agents/skill',
  '.claude/skills',
  '.opencode/skills',
  '.opencode/skill',
] as const;
const FILE = 'SKILL.md';
const OWN_SKILL = /^skills?\/(?:.+\/)?SKILL\.md$/;
export const MAX_SKILLS = 100;
/** The maximum size of a skill file, in bytes. */
export const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5_000;

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** The absolute path of its folder. */
  readonly directory: string;
}

/** A skill file that cannot be used. */
export interface DamagedSkill {
  readonly path: string;
  readonly why: string;
}

export interface Skills {
  /** Sorted by name. */
  readonly usable: readonly Skill[];
  readonly damaged: readonly DamagedSkill[];
}

/**
 * Finds the skills in a workspace and among the person's own files that an agent with these rules may use. Files that
 * its `read` rules hide are left out.
 */
export async function discover(
  workspace: Workspace,
  rules: readonly SourcedRule[],
  own: OwnFiles = {},
): Promise<Skills> {
  const visibility = visibilityOf({ configured: rules, saved: [] });
  const paths = (
    await Promise.all(SKILL_FOLDERS.map((place) => filesIn(workspace, place, visibility)))
  ).flat();
  const found = new Map<string, Skill>();
  const damaged: DamagedSkill[] = [];
  for (const [path, text] of Object.entries(own).filter(([path]) => OWN_SKILL.test(path))) {
    const read = await skillIn(`${OWN_ROOT}/${path}`, text);
    if ('why' in read) damaged.push({ path: `${OWN_ROOT}/${path}`, why: read.why });
    else if (isAllowed(rules, read.name)) found.set(read.name, read);
  }
  for (const path of paths.slice(0, MAX_SKILLS)) {
    const shown = path.slice(ROOT.length + 1);
    const read = await readSkill(workspace, path);
    if ('why' in read) damaged.push({ path: shown, why: read.why });
    else if (isAllowed(rules, read.name)) {
      const other = found.get(read.name);
      // A skill of the workspace overrides one of the person's own without a warning.
      if (other && !isOwn(other.directory))
        damaged.push({ path: pathOf(other), why: `another skill is named ${read.name} too` });
      found.set(read.name, read);
    }
  }
  return { usable: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), damaged };
}

function pathOf({ directory }: Skill): string {
  return `${directory.slice(ROOT.length + 1)}/${FILE}`;
}

function isAllowed(configured: readonly SourcedRule[], name: string): boolean {
  return decide({ configured, saved: [] }, { permission: 'skill', patterns: [name] }).action !== 'deny';
}

async function filesIn(
  workspace: Workspace,
  place: string,
  visibility: Visibility,
): Promise<readonly string[]> {
  const path = `${ROOT}/${place}`;
  // A folder that is a link is skipped, as its files may not belong to this workspace.
  const stat = await workspace.files.stat(path).catch(() => null);
  if (stat?.type !== 'directory') return [];
  const { paths } = await workspace.search.glob({
    pattern: `**/${FILE}`,
    path,
    limit: MAX_SKILLS,
    visibility,
    timeoutMs: TIMEOUT_MS,
  });
  return paths.toSorted();
}

async function readSkill(workspace: Workspace, path: string): Promise<Skill | { readonly why: string }> {
  try {
    const stat = await workspace.files.stat(path);
    if (stat && stat.size > MAX_BYTES) return { why: `it is larger than ${MAX_BYTES} bytes` };
    return await skillIn(path, decodeLoosely(await workspace.files.read(path)));
  } catch (error) {
    return { why: messageOf(error) };
  }
}

async function skillIn(path: string, text: string): Promise<Skill | { readonly why: string }> {
  const parsed = await parseSkill(text);
  if (!parsed.ok) return { why: parsed.why };
  const directory = path.slice(0, -FILE.length - 1);
  const name = parsed.name ?? directory.slice(directory.lastIndexOf('/') + 1);
  if (!NAME.test(name))
    return { why: 'its folder name is not valid for a skill, and its front matter has no name' };
  return { name, description: parsed.description, body: parsed.body, directory };
}
