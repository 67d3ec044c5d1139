import { expect, it } from 'vitest';
import { shell } from '../../../../test/support/shell.ts';

async function output(script: string): Promise<string> {
  return (await shell(script)).output;
}

it('lists what runs beside the shell, and itself', async () => {
  expect(await output('sleep 50 & until pgrep sleep >/dev/null; do :; done; ps -o args=; kill $!')).toBe(
    'bash\nsleep 50\nps -o args=\n',
  );
  expect(
    await output(
      '(sleep 50; :) & until pgrep sleep >/dev/null; do :; done; ps -eo args --no-headers | sort | head -3; kill $!',
    ),
  ).toBe('bash\nps -eo args --no-headers\nsleep 50\n');
  expect(await output('echo "ps -o args= -p \\$\\$" > s.sh; bash s.sh one two')).toBe('bash s.sh one two\n');
});

it('finds processes by their words and ends them', async () => {
  const script = `sleep 50 & sleep 60 & { sleep 70; echo no; } &
    until [[ $(pgrep -c sleep) == 3 ]]; do :; done
    pgrep -fl 'sleep [56]0' | cut -d' ' -f2; [ "$(pgrep -n sleep)" = "$!" ] && echo newest
    pgrep -c sleep; pkill -f 'sleep 50'; wait %1; echo $?; pkill -KILL sleep; wait; pgrep sleep; echo $?`;
  expect(await output(script)).toBe('sleep\nsleep\nnewest\n3\n143\n1\n');
});

it('does not end the shell that asks', async () => {
  expect(await output('pkill bash; echo $?; pkill -f pkill; echo $?')).toBe('1\n1\n');
});
