/** Locations of conversations as deployed clients send and read them, in both wire profiles. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import type { Caller } from '../support/api.ts';
import { bothProfiles, type SendCall } from '../support/both-profiles.ts';
import { geoipFileOf } from '../support/geoip-writer.ts';
import { aProject } from '../support/people.ts';

const ROME_RECORD = {
  country: { iso_code: 'IT', names: { en: 'Italy' } },
  subdivisions: [{ iso_code: '62', names: { en: 'Lazio' } }],
  city: { names: { en: 'Rome', it: 'Roma' } },
  location: { latitude: 41.5, longitude: 12.25 },
};
const ROME_LOCATION = {
  country: 'IT',
  region: '62',
  city: 'Rome',
  geometry: { type: 'Point', coordinates: [12.25, 41.5] },
};
const OWN_LOCATION = { country: 'XX' };

describe('Location of a conversation', () => {
  const file = join(config.DATA_DIR, `${randomUUID()}.mmdb`);
  const { each } = bothProfiles({ GEOIP_FILE: file });
  // The file is written before any hook runs: a hook of `bothProfiles` starts a process, which needs it.
  mkdirSync(config.DATA_DIR, { recursive: true });
  writeFileSync(
    file,
    geoipFileOf([
      ['203.0.113.0/24', ROME_RECORD],
      ['127.0.0.0/8', { country: { iso_code: 'XX' } }],
    ]),
  );
  before(() => {
    config.GEOIP_FILE = file;
  });
  after(() => {
    config.GEOIP_FILE = undefined;
  });

  /** Opens a conversation and returns its location. */
  const locationOf = async (
    send: SendCall,
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

  it('a conversation without a location gets the location of attributes.ipAddress', () =>
    each(async (send) => {
      const { project, guest, agent } = await aProject();
      const attributes = { ipAddress: '203.0.113.7' };
      for (const as of [guest, agent])
        expect(await locationOf(send, as, { project: project.id, attributes })).to.deep.equal(ROME_LOCATION);
      const mapped = { ipAddress: '::ffff:203.0.113.7' };
      expect(await locationOf(send, guest, { project: project.id, location: {}, attributes: mapped })).to.deep.equal(
        ROME_LOCATION,
      );
      const path = `/v3/${project.id}/requests?location=Rome`;
      const { body } = await send({ client: 'dashboard', method: 'GET', path, as: agent });
      expect(body.count).to.be.at.least(1);
    }));

  it("a conversation without attributes.ipAddress gets the location of its visitor's IP address, or none if a teammate opens it", () =>
    each(async (send) => {
      const { project, guest, agent } = await aProject();
      expect(await locationOf(send, guest, { project: project.id })).to.deep.equal(OWN_LOCATION);
      expect(await locationOf(send, agent, { project: project.id })).to.equal(undefined);
    }));

  it('a location that the client sends is stored unchanged, and an unknown or invalid IP address yields no location', () =>
    each(async (send) => {
      const { project, guest } = await aProject();
      const location = { city: 'Oslo' };
      const withLocation = { project: project.id, location, attributes: { ipAddress: '203.0.113.7' } };
      expect(await locationOf(send, guest, withLocation)).to.deep.equal(location);
      for (const ipAddress of ['198.51.100.1', '2001:db8::1', 'somewhere', 7, { a: 1 }])
        expect(await locationOf(send, guest, { project: project.id, attributes: { ipAddress } })).to.equal(undefined);
    }));
});

describe('Location of a conversation without GEOIP_FILE', () => {
  const { each } = bothProfiles();

  it('without GEOIP_FILE, a conversation gets no location from attributes.ipAddress', () =>
    each(async (send) => {
      const { project, guest } = await aProject();
      const path = `/v3/${project.id}/requests/support-group-${randomUUID()}/messages`;
      const body = { text: 'Hi', attributes: { ipAddress: '203.0.113.7' } };
      const { body: message } = await send({ client: 'widget', method: 'POST', path, as: guest, body });
      expect(message.request).to.not.have.property('location');
    }));
});
