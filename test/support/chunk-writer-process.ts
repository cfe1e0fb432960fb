/**
 * A process that writes chunks into a LanceDB index, one batch an attempt, until its count is reached or it is killed.
 * Prints the attempt of each acknowledged batch; removes every third attempt again and then prints `-` before it.
 */
import { hash } from 'node:crypto';
import { ulid } from 'ulid';
import { lanceIndex } from '#shared/vectors/lance-index.ts';

const [root = '', locks = '', project = '', namespace = '', batches = '0', tidyEvery = '0'] = process.argv.slice(2);

const index = lanceIndex(root, locks);
const space = { project, namespace, dimension: 4 };

const rowsOf = (attempt: string) =>
  Array.from({ length: 5 }, (_, i) => {
    const id = hash('sha1', `${attempt}-${i}`);
    return { id, content: id.slice(0, 24), attempt, text: `word ${attempt}`, vector: Float32Array.of(1, i, 0, 0) };
  });

async function addBatch(number: number): Promise<void> {
  const attempt = ulid();
  await index.add(space, rowsOf(attempt));
  process.stdout.write(`${attempt}\n`);
  if (number % 3 !== 0) return;
  await index.removeAttempts(space, [attempt]);
  process.stdout.write(`-${attempt}\n`);
}

for (let done = 1; done <= Number(batches); done += 1) {
  await addBatch(done);
  if (Number(tidyEvery) > 0 && done % Number(tidyEvery) === 0) await index.maintain(space);
}
await index.close();
