// Called as a plain function, as in node, because the stack trace shows the difference.
export const { parse: parseJson } = JSON;

export function withoutBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Puts the name of a JSON file before the message of an error. */
export function withName(error: unknown, name: string): unknown {
  if (error instanceof Error) error.message = `${name}: ${error.message}`;
  return error;
}

/** Parses a JSON module. Errors show `name`, which is a path or a URL. */
export function parseJsonModule(text: string, name: string): unknown {
  try {
    return parseJson(withoutBom(text));
  } catch (error) {
    throw withName(error, name);
  }
}
