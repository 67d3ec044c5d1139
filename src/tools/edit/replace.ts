import { FaultError } from '../../base/fault.ts';
import { plural } from '../text.ts';
import { find, type Span } from './match.ts';

const BOM = '\uFEFF';

export interface Replacement {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

/** Makes the replacement and counts the occurrences. The byte order mark and line endings are preserved. */
export function replace(text: string, edit: Replacement, title: string): { text: string; count: number } {
  const mark = text.startsWith(BOM) ? BOM : '';
  const body = text.slice(mark.length);
  const spans = find(body, withoutByteOrderMark(edit.oldString), edit.replaceAll);
  if (spans.length === 0) {
    throw new FaultError({
      code: 'no-match',
      what: `oldString was not found in ${title}. Nothing was changed.`,
      next: 'Read the file again and copy the lines exactly, with their indentation but without the line numbers.',
    });
  }
  if (spans.length > 1 && !edit.replaceAll) {
    throw new FaultError({
      code: 'ambiguous-match',
      what: `oldString was found ${plural(spans.length, 'time')} in ${title}. Nothing was changed.`,
      next: 'Add lines around it until it is unique, or set replaceAll to change every one.',
    });
  }
  return { text: mark + apply(body, spans, withoutByteOrderMark(edit.newString)), count: spans.length };
}

function apply(body: string, spans: readonly Span[], newString: string): string {
  const plain = newString.replaceAll('\r\n', '\n');
  let result = '';
  let at = 0;
  for (const { start, end } of spans) {
    const ending = lineEnding(body.slice(start, end)) ?? lineEnding(body);
    result += body.slice(at, start);
    result += ending === undefined ? newString : ending === '\n' ? plain : plain.replaceAll('\n', '\r\n');
    at = end;
  }
  return result + body.slice(at);
}

/** The more frequent line ending; `undefined` where the text has no line break. */
function lineEnding(text: string): '\n' | '\r\n' | undefined {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  if (all === 0) return undefined;
  return windows > all / 2 ? '\r\n' : '\n';
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}
