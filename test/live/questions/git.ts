import type { Question } from '../question.ts';
import { complaintIn, objectIn } from './bodies.ts';

const REPOSITORY = 'octocat/Hello-World';
const HOSTS = ['api.github.com', 'raw.githubusercontent.com'];

export const gitQuestions: readonly Question[] = [
  {
    id: 'github-api',
    asks: 'Can a page read what a clone asks GitHub for, and how many requests are left without a token?',
    async ask(world) {
      const about = await world.fetch(`https://api.github.com/repos/${REPOSITORY}`);
      const branch = String(objectIn(about.text)['default_branch'] ?? 'master');
      const tree = await world.fetch(
        `https://api.github.com/repos/${REPOSITORY}/git/trees/${branch}?recursive=1`,
      );
      const raw = await world.fetch(`https://raw.githubusercontent.com/${REPOSITORY}/${branch}/README`);
      const answers = [about, tree, raw];
      const readable = answers.every((each) => each.readable && each.status === 200);
      const left = about.headers.get('x-ratelimit-remaining');
      const exposed = about.headers.get('access-control-expose-headers') ?? '';
      return {
        says: `A page ${readable ? 'can' : 'cannot'} read it (status ${answers.map(({ status }) => status).join(', ')}); ${left ?? 'an unknown number of'} requests are left this hour.`,
        asExpected: readable && /x-ratelimit-remaining/i.test(exposed) && /\blink\b/i.test(exposed),
        facts: { statuses: answers.map(({ status }) => status), left, exposed },
      };
    },
  },
  {
    id: 'github-clone',
    asks: 'Does git in the app clone a small repository from github.com?',
    async ask(world) {
      // Without the host, a failed clone says nothing.
      await world.fetch('https://api.github.com/');
      const command = `git clone --depth 1 https://github.com/${REPOSITORY}.git hello && cat hello/README && git -C hello log --oneline`;
      const { exitCode, output } = await world.run(command, HOSTS);
      const isWhole = exitCode === 0 && output.includes('Hello World');
      return {
        says: isWhole ? 'It does.' : `It ends with code ${exitCode}: ${complaintIn(output)}`,
        asExpected: isWhole,
        facts: { exitCode, output: output.slice(0, 4_000) },
      };
    },
  },
];
