/** Skipping with a reason: a test that cannot run here says why, and the report counts it. */
import type { Context } from 'mocha';

/** Skip the test (or, in a `before` hook, the suite) and print `not run: reason` in the report. */
export function skipWithReason(context: Context, reason: string): never {
  const at = context.currentTest ?? context.test;
  const isBefore = at?.title.startsWith('"before all"');
  Object.assign((isBefore ? at?.parent : at) ?? {}, { notRun: reason });
  return context.skip();
}
