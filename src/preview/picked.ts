import * as z from 'zod/mini';
import { fenced } from '../base/code-text.ts';
import { FaultError } from '../base/fault.ts';
import { LONGEST_PICKED_TEXT, type PickedElement } from '../protocol/preview.ts';

const text = z.string().check(z.maxLength(LONGEST_PICKED_TEXT));
const pickedElement = z.object({ selector: text, role: text, name: text, text, html: text, source: text });

/** Reads a page's answer to `pick`, which may be anything. `undefined` where nothing was picked. */
export function readPicked(answer: string): PickedElement | undefined {
  if (answer === '') return undefined;
  try {
    return pickedElement.parse(JSON.parse(answer));
  } catch (error) {
    throw new FaultError(
      { code: 'preview', what: 'The page answered with something that is no element.' },
      { cause: error },
    );
  }
}

/** An element in a few words, such as `button "Add"`. */
export function pickedTitle({ role, name, html }: PickedElement): string {
  const kind = role || (/^<([^\s>]+)/.exec(html)?.[1] ?? 'element');
  return name ? `${kind} ${JSON.stringify(name)}` : kind;
}

/** The element as the agent reads it. */
export function pickedText(picked: PickedElement): string {
  const title = pickedTitle(picked);
  const lines = [
    title,
    `Selector: ${picked.selector}`,
    picked.text && picked.text !== picked.name && `Text: ${picked.text}`,
    picked.source && `Source: ${picked.source}`,
    `HTML: ${picked.html}`,
  ];
  return lines.filter(Boolean).join('\n');
}

/**
 * A text of a page for the person's message: as code, in which no file is mentioned and nothing is formatted. The path of the
 * page, which stands outside of it, is written so that it mentions nothing either.
 */
export function quotedForMessage(
  path: string,
  said: string,
): { readonly path: string; readonly text: string } {
  return { path: path.replace(/[@`]/g, encodeURIComponent), text: fenced(said) };
}
