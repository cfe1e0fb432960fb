/** Random calls to every endpoint: FUZZ_CALLS for each, or those of one endpoint with `-g`. */
import { declareFuzzTests } from '../support/fuzz/fuzz-tests.ts';

const callsPerEndpoint = Number(process.env.FUZZ_CALLS ?? 10_000);

describe('Many random calls', () => declareFuzzTests({ callsPerEndpoint, isThorough: true }));
