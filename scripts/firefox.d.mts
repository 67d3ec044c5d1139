export function findFirefox(): string | undefined;
export function inFirefox(executablePath: string): Readonly<Record<string, unknown>>;
