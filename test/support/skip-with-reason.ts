/** Skips tests that cannot run on this machine, with a reason that the report prints. */
import type { Context } from 'mocha';

/** Skips the test (in a `before` hook, the whole suite); the report prints `not run:` and the reason. */
export function skipWithReason(context: Context, reason: string): never {
  const testOrHook = context.currentTest ?? context.test;
  const isBefore = testOrHook?.title.startsWith('"before all"');
  Object.assign((isBefore ? testOrHook?.parent : testOrHook) ?? {}, { notRun: reason });
  return context.skip();
}
