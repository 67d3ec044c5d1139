import type { Question } from '../question.ts';
import { complaintIn } from './bodies.ts';

const REGISTRY = 'https://registry.npmjs.org';

export const npmQuestions: readonly Question[] = [
  {
    id: 'npm-registry',
    asks: 'Can a page read packages of the public registry?',
    async ask(world) {
      const about = await world.fetch(`${REGISTRY}/is-number`, {
        headers: { accept: 'application/vnd.npm.install-v1+json' },
      });
      const archive = await world.fetch(`${REGISTRY}/is-number/-/is-number-7.0.0.tgz`, { method: 'HEAD' });
      const readable = [about, archive].every((each) => each.readable && each.status === 200);
      return {
        says: `A page ${readable ? 'can' : 'cannot'} read them (status ${about.status}, ${archive.status}, from ${about.headers.get('server') ?? 'a server without a name'}).`,
        asExpected: readable,
        facts: { statuses: [about.status, archive.status] },
      };
    },
  },
  {
    id: 'npm-install',
    asks: 'Does npm in the app install a package from the public registry?',
    async ask(world) {
      // Without the host, a failed install says nothing.
      await world.fetch(`${REGISTRY}/`, { method: 'HEAD' });
      const command = 'npm init -y && npm install is-number@7.0.0 && node -p "require(\'is-number\')(5)"';
      const { exitCode, output } = await world.run(command, ['registry.npmjs.org']);
      const isWhole = exitCode === 0 && /^true$/m.test(output);
      return {
        says: isWhole ? 'It does.' : `It ends with code ${exitCode}: ${complaintIn(output)}`,
        asExpected: isWhole,
        facts: { exitCode, output: output.slice(0, 4_000) },
      };
    },
  },
];
