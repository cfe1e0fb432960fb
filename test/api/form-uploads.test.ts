/** The number of write operations with which the API stores a file that is uploaded in a form. */
import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { aProject } from '../support/people.ts';
import { uploadFile } from '../support/uploads.ts';

const BYTES = 500_000;
/**
 * Far more than the large pieces of such a file, and far fewer than the pieces if the file were split at each beginning
 * of a boundary.
 */
const MAX_WRITES = 5000;

/** Returns the number of write system calls of this process, in which the API runs. */
const countWrites = async () => Number(/syscw: (\d+)/.exec(await readFile('/proc/self/io', 'utf8'))?.[1]);

describe('Files uploaded in forms', () => {
  for (const end of ['\r', '\r\n', '\r\n--'])
    it(`a file that repeats ${JSON.stringify(end)}, the beginning of a form boundary, is written in large pieces`, async () => {
      const { guest, project } = await aProject();
      const before = await countWrites();
      const reply = await uploadFile(guest, `/v3/${project.id}/files/chat`, { bytes: end.repeat(BYTES / end.length) });
      expect(reply.status, reply.text).to.equal(201);
      expect((await countWrites()) - before).to.be.below(MAX_WRITES);
    });
});
