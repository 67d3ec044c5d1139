export function usesPackages(area: string): boolean;
export function packPackages(): string;
