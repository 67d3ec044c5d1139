import { decide, type SourcedRule } from '../../permissions/rules.ts';
import { visibilityOf } from '../../permissions/visibility.ts';
import { ROOT, type Visibility, type Workspace } from '../../workspace/workspace.ts';
import { decodeLoosely } from '../decode.ts';
import { NAME, parseSkill } from './frontmatter.ts';

/** In order of strength: of two skills of one name the one in the later place wins. */
export const SKILL_PLACES = [
  '.agents/skills',
  '.agents/skill',
  '.claude/skills',
  '.opencode/skills',
  '.opencode/skill',
] as const;
const FILE = 'SKILL.md';
export const MAX_SKILLS = 100;
/** A longer file is no instruction, bytes. */
export const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 5_000;

export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** Its folder, absolute. */
  readonly directory: string;
}

/** One that is there but cannot be used. */
export interface DamagedSkill {
  readonly path: string;
  readonly why: string;
}

export interface Skills {
  /** By name, sorted. */
  readonly usable: readonly Skill[];
  readonly damaged: readonly DamagedSkill[];
}

/** The skills in a workspace that an agent with these rules may use. What its `read` rules hide is not there. */
export async function discover(workspace: Workspace, rules: readonly SourcedRule[]): Promise<Skills> {
  const visibility = visibilityOf({ configured: rules, saved: [] });
  const paths = (
    await Promise.all(SKILL_PLACES.map((place) => filesIn(workspace, place, visibility)))
  ).flat();
  const found = new Map<string, Skill>();
  const damaged: DamagedSkill[] = [];
  for (const path of paths.slice(0, MAX_SKILLS)) {
    const shown = path.slice(ROOT.length + 1);
    const read = await readSkill(workspace, path);
    if ('why' in read) damaged.push({ path: shown, why: read.why });
    else if (isAllowed(rules, read.name)) {
      const other = found.get(read.name);
      if (other) damaged.push({ path: pathOf(other), why: `another skill is named ${read.name} too` });
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
  // Where a link leads elsewhere, its files are not this workspace's to offer.
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
    const parsed = await parseSkill(decodeLoosely(await workspace.files.read(path)));
    if (!parsed.ok) return { why: parsed.why };
    const directory = path.slice(0, -FILE.length - 1);
    const name = parsed.name ?? directory.slice(directory.lastIndexOf('/') + 1);
    if (!NAME.test(name))
      return { why: 'its folder has a name that cannot be used, and its head gives none' };
    return { name, description: parsed.description, body: parsed.body, directory };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}
