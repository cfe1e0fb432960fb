import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { Lead } from '#shared/models/lead.ts';
import { call } from '../support/api.ts';
import { type ApiProcess, theLimitedApi } from '../support/api-process.ts';
import { aProject } from '../support/people.ts';
import { aSlowReader } from '../support/slow-readers.ts';
import { numbersBelow } from '../support/stream-client.ts';
import { waitUntil } from '../support/wait-until.ts';

const LEAD_COUNT = 400;
/** The text of each lead. All texts together exceed the socket buffers, so the API must wait until its client reads. */
const LARGE_TEXT = 'ü€😀'.repeat(4000);
const TOTAL_BYTES = LEAD_COUNT * Buffer.byteLength(LARGE_TEXT);
/**
 * Half of RESPONSE_TIMEOUT_SECONDS. If this process paused for longer between two reads, the pause may be the reason
 * why the API aborted the response.
 */
const MAX_PAUSE_MS = 500;
const ATTEMPTS = 5;

/** Reads up to `bytes` bytes every 20 ms until the connection is closed, and returns the number of bytes read. */
const readToEnd = async (socket: Socket, bytes: number): Promise<number> => {
  let read = 0;
  const reading = setInterval(() => (read += (socket.read(Math.min(bytes, socket.readableLength)) ?? '').length), 20);
  await once(socket, 'close');
  clearInterval(reading);
  return read;
};

/** The result of reading a response slowly. */
interface SlowRead {
  isComplete: boolean;
  /** The longest pause between two reads. */
  longestPauseMs: number;
}

const wasPaused = (read?: SlowRead): boolean => !read?.isComplete && Number(read?.longestPauseMs) > MAX_PAUSE_MS;

describe('Response timeout', () => {
  let api: ApiProcess;
  let fixture: Awaited<ReturnType<typeof aProject>>;
  let path: string;

  before(async () => {
    [api, fixture] = await Promise.all([theLimitedApi(), aProject()]);
    const { project, agent } = fixture;
    const lead = { id_project: project.id, createdBy: agent.id, attributes: { text: LARGE_TEXT } };
    await Lead.insertMany(numbersBelow(LEAD_COUNT).map((number) => ({ ...lead, lead_id: `lead ${number}` })));
    path = `/v3/${project.id}/leads?limit=${LEAD_COUNT}`;
  });

  const countAborted = () => api.output().split('the client has stopped reading').length;
  const reader = () => aSlowReader(api.url, { caller: fixture.agent, project: fixture.project.id, path });

  it('a client that reads a large response receives all of it', async () => {
    const { authorization } = fixture.agent;
    const { status, body, headers, text } = await call('GET', api.url + path, { headers: { authorization } });
    expect(status).to.equal(200);
    expect(headers['content-length']).to.equal(String(Buffer.byteLength(text)));
    expect(body.leads).to.have.lengthOf(LEAD_COUNT);
    for (const { attributes } of body.leads) expect(attributes.text === LARGE_TEXT).to.equal(true);
  });

  it('a large response is aborted when its client reads nothing for RESPONSE_TIMEOUT_SECONDS', async () => {
    const aborted = countAborted();
    const socket = await reader();
    await waitUntil(() => countAborted() > aborted);
    expect(await readToEnd(socket, TOTAL_BYTES)).to.be.below(TOTAL_BYTES);
  });

  /** Reads a response slowly, until it is complete or aborted. */
  const readSlowly = async (): Promise<SlowRead> => {
    const aborted = countAborted();
    const socket = await reader();
    let [read, longestPauseMs, lastReadAt] = [0, 0, performance.now()];
    const reading = setInterval(() => {
      longestPauseMs = Math.max(longestPauseMs, performance.now() - lastReadAt);
      lastReadAt = performance.now();
      read += (socket.read(Math.min(TOTAL_BYTES / 100, socket.readableLength)) ?? '').length;
    }, 20);
    await waitUntil(() => read >= TOTAL_BYTES || countAborted() > aborted);
    clearInterval(reading);
    socket.destroy();
    return { isComplete: read >= TOTAL_BYTES, longestPauseMs };
  };

  it('a large response to a client that reads slowly continues beyond RESPONSE_TIMEOUT_SECONDS', async () => {
    const results = [await readSlowly()];
    // A busy machine may pause this process. An attempt that was paused shows nothing about the API, and is repeated.
    while (wasPaused(results.at(-1)) && results.length < ATTEMPTS) results.push(await readSlowly());
    expect(results.at(-1)?.isComplete).to.equal(true);
  });
});
