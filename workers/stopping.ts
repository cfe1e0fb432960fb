const controller = new AbortController();

/** Aborted when this process is told to stop. */
export const stopping = controller.signal;

/** Tell whatever runs to come to an end. */
export const stop = (): void => controller.abort();
