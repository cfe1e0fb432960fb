/**
 * Types of the modules in `scripts/` that tests import. The modules are written in JavaScript so that every version of
 * Node.js can run them.
 */
declare module '*/set-up/lock.mjs' {
  export const takeLock: (
    name: string,
  ) => Promise<{ publish: (more: object) => void; release: () => Promise<void> } | undefined>;
  export const lockHolder: (name: string) => Promise<{ pid: number; url?: string } | undefined>;
}

declare module '*/check/run-rules.mjs' {
  export const runRules: (folder: string) => { findings: string[]; summary: string };
}

declare module '*/set-up/ports.mjs' {
  export const tryPort: (port: number) => Promise<number | undefined>;
  export const freePort: (preferred: number) => Promise<number>;
}

declare module '*/set-up/python-wheel.mjs' {
  export interface Wheel {
    name: string;
    version: string;
    sha256: string;
    file: string;
  }
  export const fetchWheel: (wheel: Wheel, cache: string) => Promise<string>;
  export const fileHash: (file: string) => string;
}

declare module '*/set-up/find-program.mjs' {
  export interface ProgramRequirements {
    name: string;
    minVersion: string;
    versionPattern: RegExp;
    sources: { label: string; get: () => string | undefined }[];
    remedies: string[];
  }
  export const findProgram: (program: ProgramRequirements) => Promise<{ file: string; version: string }>;
}

declare module '*/set-up/errors.mjs' {
  export const explainError: (error: unknown) => string;
}

declare module '*/set-up/node.mjs' {
  export function withNode(node: string, env: Record<string, string>): Record<string, string>;
}

declare module '*/set-up/redis.mjs' {
  export const redis: object;
  export const describeRedis: (port: number) => Promise<{ pid: number; folder: string } | undefined>;
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

declare module '*/set-up/mongodb-archive.mjs' {
  export const fetchMongod: (cache: string, progress: (text: string) => void, site: string) => Promise<string>;
}

declare module '*/scripts/demo.mjs' {
  export const DEMO_OWNER_EMAIL: string;
  export interface Demo {
    email: string;
    password: string;
    project: string;
    missing?: undefined;
  }
  export interface MissingDemo {
    /** Why the demo (an account with an example project) could not be created. */
    missing: string;
  }
  export const ensureDemo: (system: {
    url: string;
    dataDir: string;
    cli: (...words: string[]) => Promise<void>;
  }) => Promise<Demo | MissingDemo>;
}

declare module '*/set-up/test-folder.mjs' {
  export const testDataFolder: string;
}

declare module '*/test/environment.mjs' {
  export const cleanEnv: (env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv;
}
