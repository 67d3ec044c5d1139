/**
 * How many words of a command say what kind of thing it does: `git push`, `npm run build`. A lasting yes is saved for
 * these words and any arguments. Not listed: one.
 */
const WORDS: ReadonlyMap<string, number> = new Map([
  ...'apt bash brew bun cargo composer conda dash deno docker gem git go gradle helm jsh ksh kubectl make mvn node npm perl pip pip3 pnpm podman poetry python python3 ruby sh systemctl terraform uv yarn zsh'
    .split(' ')
    .map((name) => [name, 2] as const),
  ...'aws az doctl firebase gcloud gh sfdx'.split(' ').map((name) => [name, 3] as const),
  ...(
    'bun run,bun x,cargo add,cargo run,composer run,deno task,docker builder,docker compose,docker container,' +
    'docker image,docker network,docker volume,git bisect,git config,git notes,git remote,git stash,git submodule,' +
    'git worktree,kubectl rollout,npm exec,npm init,npm run,npm view,pnpm dlx,pnpm exec,pnpm run,poetry run,' +
    'terraform workspace,uv run,yarn dlx,yarn run'
  )
    .split(',')
    .map((name) => [name, 3] as const),
]);

/** The number for a command by its first words; the longest entry that fits wins. */
export function arityOf(words: readonly string[]): number {
  return WORDS.get(words.slice(0, 2).join(' ')) ?? WORDS.get(words[0] ?? '') ?? 1;
}
