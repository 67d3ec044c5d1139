/**
 * How many words of a command say what kind of command it is: `git push`, `npm run build`. A lasting answer is saved
 * for these words with any arguments. The default is one.
 */
const WORDS: ReadonlyMap<string, number> = new Map([
  ...(
    'apt asdf bash bazel brew bun bundle bunx cabal cargo cdk changeset cmake composer conda corepack dart dash deno ' +
    'docker dotnet flutter flyctl gem git go gradle gradlew ./gradlew hatch helm heroku jsh just ksh kubectl lerna make ' +
    'mamba meson minikube mise mix mvn mvnw ./mvnw netlify ng ninja node npm npx nvm nx openssl pdm perl pip pip3 pipenv ' +
    'pixi pnpm pnpx podman poetry prisma pulumi pyenv python python3 rails rake rbenv redis-cli ruby rustup rye sbt ' +
    'serverless sh stack supabase swift systemctl task terraform tofu tsx turbo uv uvx vault vercel volta wrangler yarn zig zsh'
  )
    .split(' ')
    .map((name) => [name, 2] as const),
  ...'aws az doctl firebase gcloud gh sfdx'.split(' ').map((name) => [name, 3] as const),
  ...(
    'bun pm,bun run,bun x,bundle exec,cargo add,cargo run,composer run,conda env,deno task,docker builder,docker compose,' +
    'docker container,docker image,docker network,docker volume,dotnet tool,git bisect,git config,git notes,git remote,' +
    'git stash,git submodule,git worktree,go mod,go tool,helm repo,kubectl config,kubectl rollout,npm config,npm exec,' +
    'npm init,npm pkg,npm run,npm view,nx run,pipenv run,pnpm config,pnpm dlx,pnpm exec,pnpm run,poetry run,pulumi stack,' +
    'rustup target,rustup toolchain,swift package,terraform state,terraform workspace,turbo run,uv pip,uv run,uv tool,' +
    'vault kv,yarn dlx,yarn run'
  )
    .split(',')
    .map((name) => [name, 3] as const),
  ['yarn workspace', 4],
]);

/**
 * Programs that a lasting answer must not allow with other arguments: those that destroy, change access rights, or
 * send data anywhere. For some, only a few subcommands are listed.
 */
const DANGEROUS: ReadonlySet<string> = new Set([
  ...(
    'chgrp chmod chown chroot crontab curl dd doas ftp halt kill killall mkfs mount nc ncat netcat pkill poweroff reboot ' +
    'rimraf rm rmdir rsync scp sftp shred shutdown socat ssh su sudo telnet trash truncate umount unlink wget wipefs'
  ).split(' '),
  ...(
    'git clean,git filter-branch,git push,git reset,git restore,git rm,git update-ref,docker rm,docker rmi,docker system,' +
    'kubectl delete,npm publish,npm unpublish,pnpm publish,yarn publish,cargo publish,gem push,terraform apply,' +
    'terraform destroy,tofu apply,tofu destroy,pulumi destroy,gh api'
  ).split(','),
]);

/** Whether a lasting answer to a command, given its first words, covers only exactly this command. */
export function isNeverGeneralised([name = '', second = '']: readonly string[]): boolean {
  const program = name.replace(/^.*\//, '');
  return DANGEROUS.has(program) || DANGEROUS.has(`${program} ${second}`);
}

/** The number of words for a command; the longest matching entry wins. */
export function arityOf(words: readonly string[]): number {
  return WORDS.get(words.slice(0, 2).join(' ')) ?? WORDS.get(words[0] ?? '') ?? 1;
}
