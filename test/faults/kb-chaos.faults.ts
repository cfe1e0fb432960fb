/**
 * Thousands of hostile pages while workers and services fail. `KB_CHAOS_PAGES` is the number of pages, and
 * `KB_CHAOS_SECONDS` the maximum time during which outages are caused, in seconds. F1: see docs/failures.md.
 */
import { importUnderChaos } from '../support/chaos-trial.ts';

const pages = Number(process.env.KB_CHAOS_PAGES ?? 2000);
const seconds = Number(process.env.KB_CHAOS_SECONDS ?? 600);

describe('Import of hostile pages while workers, MongoDB, Redis and the vector store are killed and paused', function () {
  this.timeout((seconds + 900) * 1000);

  for (const store of ['lancedb', 'qdrant'] as const)
    it(`F1: each of ${pages} contents is indexed or fails with the correct reason, and the index contains exactly the chunks of the contents, with the vector store ${store}`, () =>
      importUnderChaos({ store, pages, seconds }));
});
