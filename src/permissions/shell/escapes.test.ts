import { expect, test } from 'vitest';
import { analyse } from './analyse.ts';

async function texts(script: string): Promise<readonly string[]> {
  const analysis = await analyse(script);
  return 'raw' in analysis ? ['raw'] : analysis.patterns.map(({ text }) => text);
}

test.each([
  ['find . -delete', 'rm found'],
  ['find . -fprintf out "%p"', '> out'],
  ['sort -o out a', '> out'],
  ['sort -nuoout a', '> out'],
  ['sort --outp=out a', '> out'],
  ['git log --output=out', '> out'],
  ['uniq a out', '> out'],
  ['timeout 5 sort -o out a', '> out'],
  ['sort --o=out a', '> out'],
  ['uniq a -- -out', '> -out'],
  ['sed -i s/a/b/ x', '> x'],
  ['sed -ni.bak -e p x', '> x'],
  ['curl -so out a.example', '> out'],
  ['curl -O a.example/out', '> out'],
  ['curl --output=out a.example', '> out'],
  ['for x in -oout; do sort "$x" a; done', 'options in "$x": sort "$x" a'],
  ['for x in -oout; do sort a$x a; done', 'options in a$x: sort a$x a'],
  ['for x in --pre=./x; do rg $x a; done', 'options in $x: rg $x a'],
  ['git log $x', 'options in $x: git log $x'],
  ['echo -oout | xargs sort a', 'options in its input: sort a'],
  ['echo -oout | xargs -I{} sort {} a', 'options in {}: sort {} a'],
  ['echo -ewout | xargs sed -n p', 'options in its input: sed -n p'],
])('%s asks for %s separately', async (script, text) => {
  expect(await texts(script)).toContain(text);
});

test.each([
  'sort --compress-program=./x a',
  'git diff --ext-diff',
  'git grep -O./x a',
  'git -c core.pager=./x log',
  'rg --pre ./x a',
  'tar --to-command=./x -xf a',
  'npm test --script-shell=./x',
  'pnpm test --config.script-shell=./x',
  'pnpm --dir ../x test',
  'yarn --cwd ../x test',
  'yarn test --use-yarnrc=x',
  "sed 's/a/b/e' a",
  "sed 's/a/b/w out' a",
  "sed '1e touch x' a",
  "sed 'w out' a",
  "sed -n '/a/w out' a",
  "sed -e p -e '1e id' a",
  'sed -f x a',
  `awk 'BEGIN { system("id") }'`,
  `awk '{ print > "out" }' a`,
  `awk '{ "id" | getline }' a`,
  'awk -f x a',
  'for p in wout; do sed $p a; done',
  'echo wout a | xargs sed',
  'sed --e=wout p',
  `awk -v x=1 'BEGIN { system("id") }'`,
  `awk -F : 'BEGIN { system("id") }'`,
  `awk -e 'BEGIN {}' -e 'BEGIN { system("id") }'`,
  `awk -- '-1 { system("id") }' a`,
  `awk -F $x '{ print }' a`,
  `awk 'BEGIN { print "x" > 1 "out" }'`,
  `awk 'BEGIN { print "x;}" > 1 "out" }'`,
  "split --filter='id' a",
  "export NODE_OPTIONS='--require ./x'; node a.js",
  "set -a; for NODE_OPTIONS in '--require ./x'; do node a.js; done",
  "env NODE_OPTIONS='--require ./x' node a.js",
  'env npm_config_script_shell=./x npm test',
  'env YARN_RC_FILENAME=x yarn test',
  "declare -a 'x=($(id))'",
  "export 'x+=($(id))'",
  "w=x; read $'\\167' <<< 'a[$(id)]'; echo ${!w}",
  `name=x; read na"me" <<< 'a[$(id)]'; echo \${!name}`,
  "name=x; printf -v na''me %s 'a[$(id)]'; echo ${!name}",
])('%s is asked for as a whole', async (script) => {
  expect(await texts(script)).toEqual(['raw']);
});

test.each([
  'find . -name "*.js" -print',
  'sort -t, -k2 a',
  'git log --oneline -p',
  'git -C sub status',
  'git -c color.ui=never log',
  'git diff -c',
  'uniq -c',
  "sed 's/a/b/g' a",
  "sed -n '1,5p' a",
  "sed -n '/start/,/end/p' a",
  "sed -e 's|a|b|' -e '3d' a",
  "sed 's/a/b/; s/c/d/g' a",
  "sed '$d' a",
  "awk -F, '{ print $1 }' a",
  "awk '$3 > 5 || NR == 1 { n += $2 } END { print n }' a",
  'tar -czf a.tgz src',
  'npm test -- --prefix x',
  'for f in a b; do sort "./$f"; done',
  'git commit -m "$text"',
  'rg -e "$text" src',
  'rg -- "$text" src',
  'sort *.txt',
  `awk -v x="$y" -F: '{ print x }' "$f"`,
  `awk '$1 > 5 { print $2 }' a`,
  'split -l 10 a',
  'curl -s -H "accept: o" a.example',
])('%s has no side effects', async (script) => {
  expect(await texts(script)).toHaveLength(1);
});
