export const chromiumArgs: string[];
export function findChromium(): string | undefined;
export function findHeadlessChromium(): string | undefined;
export function ensureChromium(): string;
