/** What a model takes of what we could send it, as its provider documents it. */
export interface Traits {
  /** Kinds of files that may stand in messages; any other is told in words. */
  readonly files: RegExp;
  /** Whether files may stand in the result of a call. */
  readonly filesInResults: boolean;
  /** Ids of calls are nine letters and digits, and a prompt may not follow a result. */
  readonly mistral?: boolean;
  /** Schemas are OpenAPI's, with text as the only kind of value in an enum. */
  readonly gemini?: boolean;
  /** What a model thought before does not go back. */
  readonly withoutReasoning?: boolean;
  /** The start and the end of what stays the same are marked for the provider's cache. */
  readonly marksCache?: boolean;
}

const IMAGES = 'image/(png|jpeg|gif|webp)';
export const IMAGES_ONLY = new RegExp(`^${IMAGES}$`);
export const IMAGES_AND_PDF = new RegExp(`^(${IMAGES}|application/pdf)$`);
/** Of Gemini. */
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
