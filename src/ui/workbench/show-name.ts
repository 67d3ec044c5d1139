const UNSEEN =
  /[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/**
 * A file's name as a person can safely read it: characters that would break the line, or reorder the text to
 * imitate another name, are escaped.
 */
export function showName(name: string): string {
  return name.replace(UNSEEN, written);
}

/** Escapes a text of several lines in the same way, but keeps its line breaks and tabs. */
export function showText(text: string): string {
  return text.replace(UNSEEN, (char) => (char === '\n' || char === '\t' ? char : written(char)));
}

function written(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
