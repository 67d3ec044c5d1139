import { openApp, script, useScript } from './app.ts';
import { expect, test } from './test.ts';

test('commands that are rarely run are fetched when the first of them runs', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  const rare = () => fetched.filter((url) => /\/assets\/rare-[^/]+\.js$/.test(url)).length;
  const exec = (command: string) => page.evaluate((line) => window.vitrine.workspace.exec(line), command);

  await openApp(page, '?automation=1');
  await useScript(page, script({ text: 'Hello.' }));
  expect(await exec('seq 3 | wc -l')).toEqual({ exitCode: 0, output: '3\n' });
  expect(rare()).toBe(0);
  expect(await exec('printf abc | xxd -p')).toEqual({ exitCode: 0, output: '616263\n' });
  expect(await exec("printf 'a b\\nccc d\\n' | column -t")).toEqual({
    exitCode: 0,
    output: 'a    b\nccc  d\n',
  });
  expect(rare()).toBe(1);
});

test('what few programs of node use is fetched when the first of them runs', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  const parts = () => fetched.flatMap((url) => /\/assets\/(perf|imports)-[^/]+\.js$/.exec(url)?.[1] ?? []);
  const exec = (command: string) => page.evaluate((line) => window.vitrine.workspace.exec(line), command);

  await openApp(page, '?automation=1');
  await useScript(page, script({ text: 'Hello.' }));
  expect(await exec(`node -e 'console.log(process.uptime() > 0, process.hrtime().length)'`)).toEqual({
    exitCode: 0,
    output: 'true 2\n',
  });
  expect(parts()).toEqual([]);
  const times = `const { now, timeOrigin } = performance;
    console.log(performance.now() > 0, timeOrigin > 0, require('perf_hooks').performance === performance)`;
  expect(await exec(`node -e "${times}"`)).toEqual({ exitCode: 0, output: 'true true true\n' });
  expect(parts()).toEqual(['perf']);
  const imports = `import("node:path").then(({ sep }) => console.log(sep, performance.now() > 0))`;
  expect(await exec(`echo '${imports}' > a.cjs && node a.cjs`)).toEqual({ exitCode: 0, output: '/ true\n' });
  expect(parts()).toEqual(['perf', 'imports']);
});

test('a command that is rarely run says so when it cannot be fetched, and runs once it can', async ({
  page,
  complaints,
}) => {
  complaints.expect(/Failed to load resource/);
  await openApp(page, '?automation=1');
  await useScript(page, script({ text: 'Hello.' }));
  const exec = () => page.evaluate(() => window.vitrine.workspace.exec('printf abc | xxd -p'));
  await page.route(/\/assets\/rare-/, (route) => route.abort());
  const { exitCode, output } = await exec();
  expect(exitCode).not.toBe(0);
  expect(output).toContain('xxd');
  await page.unroute(/\/assets\/rare-/);
  expect(await exec()).toEqual({ exitCode: 0, output: '616263\n' });
});
