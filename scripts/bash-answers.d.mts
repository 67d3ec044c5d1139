interface Home {
  readonly home: string;
  readonly env: Record<string, string>;
  readonly files: Record<string, string>;
}

type More = Partial<Pick<Home, 'env' | 'files'>>;

export const areasFolder: URL;
export function areaNames(): string[];
export function answerOfBash(script: string, suite: Home): { stdout: string; exitCode: number | null };
export function settingOf(area: More, home: Home): Home;
