/** The limits that a model sets to its messages, as its provider documents them. */
export interface Traits {
  /** Media types that messages may contain; other files are replaced by a note. */
  readonly files: RegExp;
  /** Whether results of calls may contain files. */
  readonly filesInResults: boolean;
  /** Call ids must be nine letters and digits, and a prompt may not directly follow a result. */
  readonly mistral?: boolean;
  /** Schemas must be OpenAPI schemas, with enums of strings only. */
  readonly gemini?: boolean;
  /** Earlier reasoning must not be sent back. */
  readonly withoutReasoning?: boolean;
  /** The start and the end of the unchanging part are marked for the provider's cache. */
  readonly marksCache?: boolean;
}

const IMAGES = 'image/(png|jpeg|gif|webp)';
export const IMAGES_ONLY = new RegExp(`^${IMAGES}$`);
export const IMAGES_AND_PDF = new RegExp(`^(${IMAGES}|application/pdf)$`);
/** Matches no media type. */
const NOTHING = /^$/;
const PDF_ONLY = /^application\/pdf$/;
/** The media types that Gemini accepts. */
export const ALL_MEDIA = new RegExp(`^(${IMAGES}|image/hei[cf]|application/pdf|(audio|video)/[\\w.+-]+)$`);

export function isMistral(model: string): boolean {
  return /mistral|mixtral|codestral|devstral|magistral|ministral|pixtral/i.test(model);
}

export function isGemini(model: string): boolean {
  return /gemini/i.test(model);
}

export function isClaude(model: string): boolean {
  return /claude/i.test(model);
}

/** The limits of a model about which its provider's list says more. A picture it cannot see would fail the request. */
export function traitsOf(traits: Traits, { seesNoPictures }: { readonly seesNoPictures?: true }): Traits {
  return seesNoPictures
    ? { ...traits, files: traits.files.test('application/pdf') ? PDF_ONLY : NOTHING }
    : traits;
}
