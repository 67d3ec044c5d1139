import { words, type Builtin } from './builtin.ts';
import { unescapeEcho } from './printf.ts';

export const echo: Builtin = function* (shell, args) {
  const texts = words(args);
  let newline = true;
  let escapes = shell.shopt.get('xpg_echo') === true;
  let at = 0;
  for (; at < texts.length; at++) {
    const flags = texts[at] ?? '';
    if (!/^-[neE]+$/.test(flags)) break;
    for (const flag of flags.slice(1)) {
      if (flag === 'n') newline = false;
      else escapes = flag === 'e';
    }
  }
  let text = (at === 0 ? texts : texts.slice(at)).join(' ');
  if (escapes) {
    const unescaped = unescapeEcho(text);
    text = unescaped.text;
    if (unescaped.stops) newline = false;
  }
  yield* shell.print(newline ? `${text}\n` : text);
  return 0;
};
