/** The project that `npm start` creates for the demo. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { config } from '#shared/config.ts';

let found: string | undefined;

const readDemoFile = (): { project?: string } => {
  try {
    return JSON.parse(readFileSync(path.join(config.DATA_DIR, 'demo.json'), 'utf8'));
  } catch {
    return {}; // there is no demo, or the first start has not created it yet
  }
};

/** Returns the id of the demo project; undefined if there is no demo, or while the first start is creating it. */
export const findDemoProject = (): string | undefined => (found ??= readDemoFile().project);
