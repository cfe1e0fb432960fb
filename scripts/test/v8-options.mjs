/** V8 options for the processes of the suite. */

/**
 * Most code in the suite runs only a few times, so compiling it with TurboFan takes more processor time than it saves.
 * With more memory for new objects, garbage is collected less often. Processes that are started with `fork` inherit the
 * options. Benchmarks and long tests run without them.
 */
export const SUITE_V8_OPTIONS = [
  '--invocation-count-for-turbofan=100000',
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
];
