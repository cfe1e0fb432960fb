/** Types of those pieces of the set-up, plain JavaScript for any Node, which tests call. */
declare module '*/set-up/lock.mjs' {
  export const take: (
    name: string,
  ) => Promise<{ tell: (more: object) => void; release: () => Promise<void> } | undefined>;
  export const holderOf: (name: string) => Promise<{ pid: number; url?: string } | undefined>;
}

declare module '*/set-up/ports.mjs' {
  export const tryPort: (port: number) => Promise<number | undefined>;
  export const freePort: (preferred: number) => Promise<number>;
}

declare module '*/set-up/wheel.mjs' {
  export interface Wheel {
    name: string;
    version: string;
    sha256: string;
    file: string;
  }
  export const fetchWheel: (wheel: Wheel, cache: string) => Promise<string>;
  export const hashOf: (file: string) => string;
}

declare module '*/set-up/program.mjs' {
  export interface Wanted {
    name: string;
    least: string;
    versionOf: RegExp;
    sources: { label: string; get: () => string | undefined }[];
    waysOut: string[];
  }
  export const findProgram: (wanted: Wanted) => Promise<{ file: string; version: string }>;
}

declare module '*/set-up/errors.mjs' {
  export const explain: (error: unknown) => string;
}

declare module '*/set-up/redis.mjs' {
  export const redis: object;
  export const askRedis: (port: number) => Promise<{ pid: number; folder: string } | undefined>;
}

declare module '*/set-up/database.mjs' {
  export const runDatabase: (
    kind: object,
    setting: { dataDir: string; cache: string; anyPort: boolean },
    progress: (text: string) => void,
  ) => Promise<{ note: string; uri: string; stop: () => Promise<void> }>;
}

declare module '*/set-up/paths.mjs' {
  export const cacheDir: (env: Record<string, string | undefined>, dataDir: string) => string;
}

declare module '*/set-up/archive.mjs' {
  export const fetchMongod: (cache: string, progress: (text: string) => void, site: string) => Promise<string>;
}
