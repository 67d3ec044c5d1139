import { nodeError } from '../../builtins/internal/errors.ts';

/** The attributes of an import: `with { type: 'json' }`. */
export type Attributes = Readonly<Record<string, string>>;

/** Throws for an attribute that no import supports. */
export function refuseUnsupported(url: string, attributes: Attributes): void {
  const { type } = attributes;
  const entries = Object.entries(attributes);
  const odd =
    type !== undefined && type !== 'json'
      ? (['type', type] as const)
      : entries.find(([name]) => name !== 'type');
  if (!odd) return;
  throw nodeError(
    'ERR_IMPORT_ATTRIBUTE_UNSUPPORTED',
    `Import attribute "${odd[0]}" with value "${odd[1]}" is not supported in ${url}`,
    TypeError,
  );
}

/** Throws where the `type` attribute is not that of the module. */
export function refuseOtherType(url: string, isJson: boolean, { type }: Attributes): void {
  if (isJson && type !== 'json')
    throw nodeError(
      'ERR_IMPORT_ATTRIBUTE_MISSING',
      `Module "${url}" needs an import attribute of "type: json"`,
      TypeError,
    );
  if (!isJson && type === 'json')
    throw nodeError(
      'ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE',
      `Module "${url}" is not of type "json"`,
      TypeError,
    );
}
