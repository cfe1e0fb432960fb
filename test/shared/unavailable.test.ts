import { expect } from 'chai';
import { mongo } from 'mongoose';
import { isUnavailable } from '#shared/database/unavailable.ts';
import { aFreePort } from '../support/dedicated-database.ts';

/** Some of the driver methods that the product uses for writes. */
const WRITES: [string, (records: mongo.Collection) => Promise<unknown>][] = [
  ['insertOne', (records) => records.insertOne({})],
  ['insertMany', (records) => records.insertMany([{}, {}])],
  ['bulkWrite', (records) => records.bulkWrite([{ insertOne: { document: {} } }])],
  ['findOneAndUpdate', (records) => records.findOneAndUpdate({}, { $set: { a: 1 } })],
];

describe('Errors from an unavailable MongoDB server', () => {
  let client: mongo.MongoClient;

  before(async () => {
    const uri = `mongodb://127.0.0.1:${await aFreePort()}/test?directConnection=true`;
    client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 50 });
  });
  after(() => client.close());

  for (const [name, write] of WRITES)
    it(`${name} without a server rejects with an error that isUnavailable recognizes`, async () => {
      const error = await write(client.db().collection('records')).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(mongo.MongoError);
      expect(isUnavailable(error)).to.equal(true);
    });

  it('isUnavailable returns false for the error of a rejected bulk write', () => {
    const result = {} as mongo.BulkWriteResult;
    const error = new mongo.MongoBulkWriteError(
      { message: 'E11000 duplicate key', code: 11_000, writeErrors: [] },
      result,
    );
    expect(isUnavailable(error)).to.equal(false);
  });
});
