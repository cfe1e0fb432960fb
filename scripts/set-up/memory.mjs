/** What one start remembers for the next in `DATA_DIR/services.json`: ports, programs, process ids. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const fileOf = (dataDir) => path.join(dataDir, 'services.json');

/** Write a JSON file in one step, readable by this user alone. */
export function writeJson(file, value) {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Everything remembered of that data folder; empty at the first start. */
export const recall = (dataDir) =>
  existsSync(fileOf(dataDir)) ? JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) : {};

/** Remember more about one service, beside what is known of it. */
export function remember(dataDir, service, facts) {
  const all = recall(dataDir);
  writeJson(fileOf(dataDir), { ...all, [service]: { ...all[service], ...facts } });
}
