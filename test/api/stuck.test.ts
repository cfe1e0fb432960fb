import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { Lead } from '#shared/models/lead.ts';
import { call } from '../support/api.ts';
import { anApiProcess } from '../support/api-process.ts';
import { aProject } from '../support/people.ts';
import { aSlowReader } from '../support/slow-readers.ts';
import { upTo } from '../support/stream.ts';
import { until } from '../support/until.ts';

const LEADS = 400;
/** More than the system keeps for a connection, all in all. */
const TEXT = 'ü€😀'.repeat(4000);
const TOTAL = LEADS * Buffer.byteLength(TEXT);

/** Read what is there, `bytes` at once, until the connection is closed; how much it was. */
const drained = async (socket: Socket, bytes: number): Promise<number> => {
  let read = 0;
  const reading = setInterval(() => (read += (socket.read(Math.min(bytes, socket.readableLength)) ?? '').length), 20);
  await once(socket, 'close');
  clearInterval(reading);
  return read;
};

describe('A large response', function () {
  this.timeout(60_000);
  let api: Awaited<ReturnType<typeof anApiProcess>>;
  let world: Awaited<ReturnType<typeof aProject>>;
  let path: string;

  before(async () => {
    [api, world] = await Promise.all([anApiProcess({ RESPONSE_TIMEOUT: '1' }), aProject()]);
    const { project, agent } = world;
    const lead = { id_project: project.id, createdBy: agent.id, attributes: { text: TEXT } };
    await Lead.insertMany(upTo(LEADS).map((number) => ({ ...lead, lead_id: `lead ${number}` })));
    path = `/v3/${project.id}/leads?limit=${LEADS}`;
  });
  after(() => api.stop('SIGKILL'));

  const reader = () => aSlowReader(api.url, { caller: world.agent, project: world.project.id, path });

  it('arrives whole at who reads it', async () => {
    const { authorization } = world.agent;
    const { status, body, headers, text } = await call('GET', api.url + path, { headers: { authorization } });
    expect(status).to.equal(200);
    expect(headers['content-length']).to.equal(String(Buffer.byteLength(text)));
    expect(body.leads).to.have.lengthOf(LEADS);
    for (const { attributes } of body.leads) expect(attributes.text === TEXT).to.equal(true);
  });

  it('is aborted once its reader has taken nothing for RESPONSE_TIMEOUT', async () => {
    const socket = await reader();
    await until(() => api.output().includes('its reader takes nothing'), 20);
    expect(await drained(socket, TOTAL)).to.be.below(TOTAL);
  });

  it('is not aborted while its reader takes a little at a time, for longer than RESPONSE_TIMEOUT', async () => {
    const aborted = api.output().split('its reader takes nothing').length;
    const socket = await reader();
    let read = 0;
    const reading = setInterval(
      () => (read += (socket.read(Math.min(TOTAL / 100, socket.readableLength)) ?? '').length),
      20,
    );
    await until(() => read >= TOTAL, 50);
    clearInterval(reading);
    expect(api.output().split('its reader takes nothing')).to.have.lengthOf(aborted);
    socket.destroy();
  });
});
