/** Explains the errors of failed jobs to an administrator. */

const SWEPT = 'A sweep enqueues the work again, so the failed job can be discarded';

/** Patterns of error messages, each with a cause and advice. The first pattern that matches applies. */
const EXPLANATIONS: [RegExp, string][] = [
  [/stalled/i, `The workers that ran the job were killed or blocked. Check their memory and restarts. ${SWEPT}`],
  [/Unknown job/, 'A process of another version enqueued the job. Start workers of that version, then retry the job'],
  [
    /ZodError|"code": ?"invalid_|Invalid input/i,
    'The data of the job is from another version. Discard the job: a sweep enqueues unfinished work again',
  ],
  [
    /Mongo\w*Error|ECONNREFUSED.*27\d\d\d|not primary|no primary|Topology/i,
    `MongoDB was unavailable; the doctor command shows whether it still is. ${SWEPT}`,
  ],
  [
    /Redis|Connection is closed|Command timed out|READONLY|max retries per request/i,
    `Redis was unavailable; the doctor command shows whether it still is. ${SWEPT}`,
  ],
  [/ENOSPC|DISK_FULL|no space left/i, 'The disk is full: free space, then retry the job'],
  [/E11000/, 'Two processes wrote the same record at the same time. Retry the job'],
  [
    /\bAI_\w+|OPENAI|the provider|(chat|embedding) model/i,
    'The AI provider or the local model failed: run the doctor command, check the provider settings, then retry the job',
  ],
];
const UNEXPECTED = 'Unexpected error: search the log of the workers for the job; its entries contain the stack trace';

/** Returns the cause of a job's error, and what to do about it. */
export const explainFailure = (error: string): string =>
  EXPLANATIONS.find(([pattern]) => pattern.test(error))?.[1] ?? UNEXPECTED;

const MAX_REASON_CHARACTERS = 160;

/** Returns the first line of an error, with `…` for ids and long numbers, so that similar failures share a reason. */
export const reasonOf = (error = ''): string =>
  (error.split('\n', 1)[0] ?? '')
    .replace(/\b[0-9a-f]{24}\b|\b[0-9A-HJKMNP-TV-Z]{26}\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '…')
    .replace(/\d{4,}/g, '…')
    .slice(0, MAX_REASON_CHARACTERS) || 'no reason recorded';
