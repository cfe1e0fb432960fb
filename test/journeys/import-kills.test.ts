import { expect } from 'chai';
import { underKills } from '../support/import-trials.ts';

describe('Messages that are imported while the API dies', () => {
  it('are all there, once and in order, after the import is sent again until it is in (F21)', async () => {
    const told = await underKills({ messages: 3000, batch: 1500, kills: 2, life: 600, by: 'name' });
    expect(told).to.match(/[1-9] kills$/);
  }).timeout(60_000);
});
