/** Groups documents for commands that take several documents. */

const MAX_DOCUMENTS = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Groups documents into batches. A batch is complete when it has `MAX_DOCUMENTS` documents or at least `MAX_BYTES`
 * bytes.
 */
export async function* inBatches(documents: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let batch: Buffer[] = [];
  let bytes = 0;
  for await (const bson of documents) {
    batch.push(bson);
    bytes += bson.length;
    if (batch.length < MAX_DOCUMENTS && bytes < MAX_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length) yield batch;
}
