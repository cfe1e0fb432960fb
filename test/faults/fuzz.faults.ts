/**
 * Random calls to every endpoint: `FUZZ_CALLS` for each. They take about three hours of processor time;
 * `FUZZ_PART=3/60` runs the third of 60 parts.
 */
import { declareFuzzTests } from '../support/fuzz/fuzz-tests.ts';

const callsPerEndpoint = Number(process.env.FUZZ_CALLS ?? 10_000);
const [number = 1, parts = 1] = (process.env.FUZZ_PART ?? '1/1').split('/').map(Number);

describe('Many random calls', () =>
  declareFuzzTests({ callsPerEndpoint, isThorough: true, part: { first: number - 1, step: parts } }));
