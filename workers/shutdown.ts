/** Abort signals for a graceful shutdown in two steps. */
const shutdownController = new AbortController();
const forceStopController = new AbortController();

/** Aborted when the process is asked to stop: work in progress continues, no new work starts. */
export const shutdownSignal = shutdownController.signal;

/** Aborted when the grace period is over: work in progress stops, and another process resumes it. */
export const forceStopSignal = forceStopController.signal;

/** Aborts `shutdownSignal` now and `forceStopSignal` after `graceMs`. */
export const beginShutdown = (graceMs: number): void => {
  shutdownController.abort();
  setTimeout(() => forceStopController.abort(), graceMs).unref();
};
