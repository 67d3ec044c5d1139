export type HeaderRules = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function headersBy(rules: HeaderRules): (path: string) => Readonly<Record<string, string>>;
