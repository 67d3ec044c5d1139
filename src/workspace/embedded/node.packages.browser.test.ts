import { expect } from 'vitest';
import { server } from 'vitest/browser';
import { sourceOf } from '../../../guest/shell/kit/io.ts';
import { readTar, type Member } from '../../../guest/shell/commands/archives/tar-format.ts';
import { nodeSuite } from '../../../test/support/node-cases/suite.ts';
import { exec, type Workspace } from '../workspace.ts';

nodeSuite({
  title: 'packages of npm',
  areas: (area) => area.startsWith('packages'),
  prepare: layPackages,
});

const AT_ONCE = 200;

/** Copies this repository's installed packages into the workspace's `node_modules`. */
async function layPackages(workspace: Workspace): Promise<void> {
  const url = new URL(`/@fs/${await server.commands.packNodePackages()}`, location.href);
  const members: Member[] = [];
  const packed = new Uint8Array(await (await fetch(url)).arrayBuffer());
  for await (const member of readTar(sourceOf(packed))) members.push(member);
  const files = members.filter(({ type }) => type === 'file');
  for (let at = 0; at < files.length; at += AT_ONCE)
    await Promise.all(
      files.slice(at, at + AT_ONCE).map(({ name, content }) => workspace.files.write(name, content)),
    );
  const links = members.filter(({ type }) => type === 'link');
  const script = [
    'mkdir -p node_modules/.bin; cd node_modules/.bin',
    ...links.map(
      ({ name, link }) => `ln -sf ${link} ${name.slice('node_modules/.bin/'.length)}; chmod +x ${link}`,
    ),
  ];
  expect(await exec(workspace, script.join('\n'), { timeoutMs: 60_000 })).toMatchObject({
    output: '',
    exitCode: 0,
  });
}
