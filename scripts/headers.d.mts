export function headersFor(path: string): Readonly<Record<string, string>>;
