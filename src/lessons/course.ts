import { hashText } from '../base/hash.ts';

export interface CourseLesson {
  readonly title: string;
  readonly summary: string;
  /** The app's link to the lesson, which may hold all of it. */
  readonly address: string;
  /** The language tag of its texts. */
  readonly language: string;
}

/**
 * A course of one lesson as the file cmi5.xml, by which a learning platform launches it. A lesson that is in its link goes along
 * as launch parameters, because platforms add their own to the address and are not careful with what stands after `#`.
 */
export function courseFile({ title, summary, address, language }: CourseLesson): string {
  const link = new URL(address);
  const launched = new URL('./cmi5.html', link);
  launched.search = link.search;
  const id =
    link.hash === '' ? address : `${new URL('./', link).href}?lesson=own-${hashText(link.hash).slice(0, 16)}`;
  const text = (name: string, value: string) =>
    `    <${name}><langstring lang="${escaped(language)}">${escaped(value)}</langstring></${name}>`;
  const about = [text('title', title), text('description', summary)];
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<courseStructure xmlns="https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd">',
    `  <course id="${escaped(`${id}#course`)}">`,
    ...about,
    '  </course>',
    `  <au id="${escaped(id)}" moveOn="Completed" launchMethod="AnyWindow">`,
    ...about,
    `    <url>${escaped(launched.href)}</url>`,
    ...(link.hash === '' ? [] : [`    <launchParameters>${escaped(link.hash)}</launchParameters>`]),
    '  </au>',
    '</courseStructure>',
    '',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  // XML 1.0 has no way to write control characters.
  const writable = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
  return writable.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
}
