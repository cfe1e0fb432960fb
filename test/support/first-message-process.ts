/**
 * Starts an API and prints, as JSON, how many functions of each file of `api/` and `shared/` run between the arrival of
 * a first message and its answer. Six first messages are measured, after three others that warm up the process. A
 * function is counted if all six messages run it. Periodic work of the process is paused during the measurements.
 */
import { randomUUID } from 'node:crypto';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';

const WARM_UP_MESSAGES = 3;
const MEASURED_MESSAGES = 6;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

let isPaused = false;
const { setInterval: startInterval } = globalThis;
globalThis.setInterval = ((work: () => void, ms: number) =>
  startInterval(() => isPaused || work(), ms)) as typeof setInterval;

const profiler = new Session();
profiler.connect();
await profiler.post('Profiler.enable');
await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

// Imported after the patch of `setInterval`, and after the profiler has started.
const { anApi, api } = await import('./api.ts');
const { aProject, aVisitor } = await import('./people.ts');
const { runCleanups } = await import('./suite-cleanup.ts');

interface CalledFunction {
  file: string;
  /** The position in the file, which identifies the function. */
  start: number;
}

/** Returns the functions that have run since the previous call to `takeCalledFunctions`, each as JSON. */
const takeCalledFunctions = async (): Promise<Set<string>> => {
  const { result: scripts } = await profiler.post('Profiler.takePreciseCoverage');
  const called = scripts.flatMap(({ url, functions }): CalledFunction[] => {
    const file = url.startsWith('file:') ? fileURLToPath(url).slice(ROOT.length) : '';
    if (!/^(api|shared)\//.test(file)) return [];
    return functions.flatMap(({ ranges: [range] }) => (range?.count ? [{ file, start: range.startOffset }] : []));
  });
  return new Set(called.map((each) => JSON.stringify(each)));
};

/** Lets a new visitor open a conversation. Returns the functions that were called to handle the message. */
const measureFirstMessage = async (project: string): Promise<Set<string>> => {
  const visitor = await aVisitor(project);
  isPaused = true;
  await takeCalledFunctions();
  const path = `/v3/${project}/requests/${randomUUID()}/messages`;
  const { status, text } = await api(visitor).post(path, { text: 'Where is my parcel?' });
  const called = await takeCalledFunctions();
  isPaused = false;
  if (status !== 200) throw new Error(text);
  return called;
};

await anApi();
const { project } = await aProject();
for (let count = 0; count < WARM_UP_MESSAGES; count += 1) await measureFirstMessage(project.id);
let called = await measureFirstMessage(project.id);
for (let count = 1; count < MEASURED_MESSAGES; count += 1)
  called = called.intersection(await measureFirstMessage(project.id));

const byFile = Map.groupBy(called, (each) => (JSON.parse(each) as CalledFunction).file);
const counts = [...byFile].map(([file, functions]) => [file, functions.length]);
process.stdout.write(JSON.stringify(Object.fromEntries(counts)));
await runCleanups();
process.exit();
