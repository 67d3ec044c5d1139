export declare function fetchedPackage(name: string, version: string): string;
