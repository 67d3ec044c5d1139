interface Home {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

export const areasFolder: URL;
export function areaNames(): string[];
export function answerOfBash(script: string, suite: Home): { stdout: string; exitCode: number | null };
