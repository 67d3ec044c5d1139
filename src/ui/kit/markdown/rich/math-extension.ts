import type { MarkedExtension, Tokens } from 'marked';
import { blockFormula, inlineFormula, type FoundFormula } from './math-rules.ts';

/**
 * Formulas become code with the attribute `data-math`, which is what is shown while a text streams and where a formula
 * cannot be set; `rich.ts` sets the others. `escape` makes a text fit for HTML.
 */
export function mathExtension(escape: (text: string) => string): MarkedExtension {
  const token = (type: string, text: string, { tex, length, display }: FoundFormula) => ({
    type,
    raw: text.slice(0, length),
    text: tex,
    display,
  });
  const html = ({ text, display }: Tokens.Generic) =>
    `<code data-math="${display === true ? 'block' : 'inline'}">${escape(String(text))}</code>`;
  return {
    extensions: [
      {
        name: 'math',
        level: 'inline',
        start: (text) => /\$|\\[([]/.exec(text)?.index,
        tokenizer(text, tokens) {
          const formula = inlineFormula(text, tokens.at(-1)?.raw.at(-1) ?? '');
          return formula ? token('math', text, formula) : undefined;
        },
        renderer: html,
      },
      {
        name: 'mathBlock',
        level: 'block',
        start: (text) => /\n {0,3}(?:\$\$|\\\[)/.exec(text)?.index,
        tokenizer(text) {
          const formula = blockFormula(text);
          return formula ? token('mathBlock', text, formula) : undefined;
        },
        renderer: (each) => `<p>${html(each)}</p>`,
      },
    ],
  };
}
