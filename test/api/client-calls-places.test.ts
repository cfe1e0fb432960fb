/** Where conversations come from, as public clients of the API send and read it, in both wire profiles. */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '#shared/config.ts';
import type { Caller } from '../support/api.ts';
import { bothProfiles, type Send } from '../support/both-profiles.ts';
import { geoipFileOf } from '../support/geoip-writer.ts';
import { aProject } from '../support/people.ts';

const ROME = {
  country: { iso_code: 'IT', names: { en: 'Italy' } },
  subdivisions: [{ iso_code: '62', names: { en: 'Lazio' } }],
  city: { names: { en: 'Rome', it: 'Roma' } },
  location: { latitude: 41.5, longitude: 12.25 },
};
const IN_ROME = { country: 'IT', region: '62', city: 'Rome', geometry: { type: 'Point', coordinates: [12.25, 41.5] } };
const HERE = { country: 'XX' };

describe('The location of a conversation', () => {
  const file = join(config.DATA_DIR, `${randomUUID()}.mmdb`);
  const { each } = bothProfiles({ GEOIP_FILE: file });
  // Before the hook of `bothProfiles` starts a process, which refuses a missing file.
  mkdirSync(config.DATA_DIR, { recursive: true });
  writeFileSync(
    file,
    geoipFileOf([
      ['203.0.113.0/24', ROME],
      ['127.0.0.0/8', { country: { iso_code: 'XX' } }],
    ]),
  );
  before(() => {
    config.GEOIP_FILE = file;
  });
  after(() => {
    config.GEOIP_FILE = undefined;
  });

  /** The location of a new conversation, as it is answered and as it is read. */
  const locationOf = async (
    send: Send,
    as: Caller,
    { project, ...body }: { project: string; [name: string]: unknown },
  ) => {
    const path = `/v3/${project}/requests/support-group-${randomUUID()}/messages`;
    const { status, body: message } = await send({
      client: 'widget',
      method: 'POST',
      path,
      as,
      body: { text: 'Hi', ...body },
    });
    expect(status).to.equal(200);
    return message.request.location;
  };

  it('D22: a conversation without a location has that of attributes.ipAddress', () =>
    each(async (send) => {
      const { project, guest, agent } = await aProject();
      const attributes = { ipAddress: '203.0.113.7' };
      for (const as of [guest, agent])
        expect(await locationOf(send, as, { project: project.id, attributes })).to.deep.equal(IN_ROME);
      const mapped = { ipAddress: '::ffff:203.0.113.7' };
      expect(await locationOf(send, guest, { project: project.id, location: {}, attributes: mapped })).to.deep.equal(
        IN_ROME,
      );
      const path = `/v3/${project.id}/requests?location=Rome`;
      const { body } = await send({ client: 'dashboard', method: 'GET', path, as: agent });
      expect(body.count).to.be.at.least(1);
    }));

  it("D22: a visitor without attributes.ipAddress has the location of its own address, a teammate's call has none", () =>
    each(async (send) => {
      const { project, guest, agent } = await aProject();
      expect(await locationOf(send, guest, { project: project.id })).to.deep.equal(HERE);
      expect(await locationOf(send, agent, { project: project.id })).to.equal(undefined);
    }));

  it('D22: a location that is given stays, and an address that is unknown or no address gives none', () =>
    each(async (send) => {
      const { project, guest } = await aProject();
      const location = { city: 'Oslo' };
      const given = { project: project.id, location, attributes: { ipAddress: '203.0.113.7' } };
      expect(await locationOf(send, guest, given)).to.deep.equal(location);
      for (const ipAddress of ['198.51.100.1', '2001:db8::1', 'somewhere', 7, { a: 1 }])
        expect(await locationOf(send, guest, { project: project.id, attributes: { ipAddress } })).to.equal(undefined);
    }));
});

describe('The location of a conversation without GEOIP_FILE', () => {
  const { each } = bothProfiles();

  it('D22: a conversation has no location but the one that is given', () =>
    each(async (send) => {
      const { project, guest } = await aProject();
      const path = `/v3/${project.id}/requests/support-group-${randomUUID()}/messages`;
      const body = { text: 'Hi', attributes: { ipAddress: '203.0.113.7' } };
      const { body: message } = await send({ client: 'widget', method: 'POST', path, as: guest, body });
      expect(message.request).to.not.have.property('location');
    }));
});
