const told = new AbortController();
const late = new AbortController();

/** Aborted when this process is told to stop: nothing new is begun. */
export const stopping = told.signal;

/** Aborted when whatever still runs has had its time: it is broken off, for another process to take. */
export const leaving = late.signal;

/** Tell whatever runs to come to its end within `graceMs`. */
export const stop = (graceMs: number): void => {
  told.abort();
  setTimeout(() => late.abort(), graceMs).unref();
};
