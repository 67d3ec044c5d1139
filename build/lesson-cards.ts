import type { Plugin } from 'vite';
import { parseMarkdown } from '../src/lessons/markdown.ts';

/** What the head of a `lesson.md` says and how many steps it has, without its text: `import card from './lesson.md?card'`. */
export function lessonCards(): Plugin {
  return {
    name: 'vitrine:lesson-cards',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/lesson.md?card')) return undefined;
      const { card, steps, problems } = parseMarkdown(code);
      if (!card) throw new Error(`${id}: ${problems.join(' ')}`);
      return { code: `export default ${JSON.stringify({ ...card, steps: steps.length })};`, map: null };
    },
  };
}
