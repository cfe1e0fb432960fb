/** Random calls to every endpoint, generated from its declaration. Short form of test/faults/fuzz.faults.ts. */
import { declareFuzzTests } from '../support/fuzz/fuzz-tests.ts';

describe('Random calls', () => declareFuzzTests({ callsPerEndpoint: 100, isThorough: false }));
