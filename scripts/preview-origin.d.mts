export function withPreviewOrigin(page: string, origin: string): string;
export const PREVIEW_SITE_HEADERS: Readonly<Record<string, string>>;
