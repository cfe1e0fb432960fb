/** V8 options for the processes of the suite. */

/**
 * Most code of the suite runs only a few times: compiling the code with TurboFan, and collecting a small heap of new
 * objects often, take more processor time than they save. Processes that are started with `fork` inherit the options.
 * Benchmarks and long tests run without them.
 */
export const SUITE_V8_OPTIONS = [
  '--invocation-count-for-turbofan=100000',
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
];
