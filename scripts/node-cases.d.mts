export interface NodeCase {
  readonly name: string;
  /** For a shell, in the folder of the case. */
  readonly command: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface NodeAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export const HOME: string;
export function parseCases(text: string): NodeCase[];
export function folderOf(area: string, name: string): string;
export function comparable(text: string): string;
export function assertionsOf(answer: NodeAnswer): number;
