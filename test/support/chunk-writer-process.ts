/**
 * A process that writes a number of batches of chunks into a LanceDB index, each as one attempt. It prints the id of
 * the attempt when a batch is acknowledged. It removes every third attempt immediately, and prints its id after a `-`.
 */
import { hash } from 'node:crypto';
import { ulid } from 'ulid';
import { lanceIndex } from '#shared/vectors/lance-index.ts';

const [root = '', locks = '', project = '', namespace = '', batches = '0', maintainEvery = '0'] = process.argv.slice(2);

const index = lanceIndex(root, locks);
const space = { project, namespace, dimension: 4 };

const rowsOf = (attemptId: string) =>
  Array.from({ length: 5 }, (_, i) => {
    const id = hash('sha1', `${attemptId}-${i}`);
    return { id, content: id.slice(0, 24), attemptId, text: `word ${attemptId}`, vector: Float32Array.of(1, i, 0, 0) };
  });

async function addBatch(number: number): Promise<void> {
  const attemptId = ulid();
  await index.add(space, rowsOf(attemptId));
  process.stdout.write(`${attemptId}\n`);
  if (number % 3 !== 0) return;
  await index.removeAttempts(space, [attemptId]);
  process.stdout.write(`-${attemptId}\n`);
}

for (let done = 1; done <= Number(batches); done += 1) {
  await addBatch(done);
  if (Number(maintainEvery) > 0 && done % Number(maintainEvery) === 0) await index.maintain(space);
}
await index.close();
