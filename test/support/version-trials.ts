/** Two who know one version of a record, and somebody who knows another (A19). */
import { expect } from 'chai';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import type { World } from './kinds.ts';
import { aRecordCall } from './record-calls.ts';

/** The endpoints that mind versions. */
export const versioned = endpoints.filter(({ record }) => record);

type RecordCall = Awaited<ReturnType<typeof aRecordCall>>;

const expectStale = async ({ send, version, stored }: RecordCall): Promise<void> => {
  const before = JSON.stringify(await stored());
  const stale = await send(`"${Number(await version()) + 7}"`);
  expect(stale).to.deep.include({ status: 412 });
  expect(stale.body).to.include({ success: false, code: 'VERSION' });
  expect(JSON.stringify(await stored())).to.equal(before);
};

/** Another version changes nothing; of two calls at once with the same one is made. Tells whether there was anything to change. */
export const expectOneOfTwo = async (endpoint: Endpoint, world: World): Promise<boolean> => {
  const call = await aRecordCall(endpoint, world);
  await expectStale(call);
  const known = await call.version();
  const pair = await Promise.all([call.send(`"${known}"`), call.send(`W/"${known}", "9999"`)]);
  const [won, ...lost] = pair.toSorted((a, b) => a.status - b.status);
  expect(won?.status, won?.text).to.equal(200);
  const isChanged = (await call.version()) !== known;
  const foundNothingToDo = pair.some(({ status, body }) => status === 200 && body.__v === Number(known));
  if (isChanged && !foundNothingToDo) expect(lost[0]?.status, 'the other one').to.be.within(400, 499);
  return isChanged;
};
