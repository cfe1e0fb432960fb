/** Abort signals for a graceful shutdown in two steps. */
const shutdownController = new AbortController();
const forceStopController = new AbortController();

/** Aborted when the process must stop: work in progress continues, but no new work starts. */
export const shutdownSignal = shutdownController.signal;

/** Aborted at the end of the grace period: work in progress stops, and another process resumes it. */
export const forceStopSignal = forceStopController.signal;

/** Aborts `shutdownSignal` now and `forceStopSignal` after `graceMs`. */
export const beginShutdown = (graceMs: number): void => {
  shutdownController.abort();
  setTimeout(() => forceStopController.abort(), graceMs).unref();
};
