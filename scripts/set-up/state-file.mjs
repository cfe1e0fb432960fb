/**
 * Stores the ports, programs and process ids of a start in `DATA_DIR/services.json` for the next start.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const stateFile = (dataDir) => path.join(dataDir, 'services.json');

/** Writes a JSON file atomically, readable by this user only. */
export function writeJson(file, value) {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Returns the stored state of a data folder; empty before the first start. */
export const readState = (dataDir) =>
  existsSync(stateFile(dataDir)) ? JSON.parse(readFileSync(stateFile(dataDir), 'utf8')) : {};

/** Merges facts into the stored state of one service. */
export function writeState(dataDir, service, facts) {
  const all = readState(dataDir);
  writeJson(stateFile(dataDir), { ...all, [service]: { ...all[service], ...facts } });
}
