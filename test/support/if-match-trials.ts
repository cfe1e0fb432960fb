/** Trials of `If-Match`: concurrent changes with the same version, and a change with a wrong version. */
import { expect } from 'chai';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { endpoints } from '../../api/resources.ts';
import { aRecordCall } from './record-calls.ts';
import type { ProjectFixture } from './record-makers.ts';

/** The endpoints that check `If-Match`. */
export const versionedEndpoints = endpoints.filter(({ record }) => record);

type RecordCall = Awaited<ReturnType<typeof aRecordCall>>;

const expectVersionMismatch = async ({ send, version, stored }: RecordCall): Promise<void> => {
  const before = JSON.stringify(await stored());
  const stale = await send(`"${Number(await version()) + 7}"`);
  expect(stale).to.deep.include({ status: 412 });
  expect(stale.body).to.include({ success: false, code: 'VERSION_MISMATCH' });
  expect(JSON.stringify(await stored())).to.equal(before);
};

/**
 * Expects that a call with a version other than the record's changes nothing, and that at most one of two concurrent
 * calls with the record's version changes it. Returns whether the record was changed.
 */
export const expectOneOfTwoSucceeds = async (endpoint: Endpoint, fixture: ProjectFixture): Promise<boolean> => {
  const call = await aRecordCall(endpoint, fixture);
  await expectVersionMismatch(call);
  const known = await call.version();
  const pair = await Promise.all([call.send(`"${known}"`), call.send(`W/"${known}", "9999"`)]);
  const [won, ...lost] = pair.toSorted((a, b) => a.status - b.status);
  expect(won?.status, won?.text).to.equal(200);
  const isChanged = (await call.version()) !== known;
  const foundNothingToDo = pair.some(({ status, body }) => status === 200 && body.__v === Number(known));
  if (isChanged && !foundNothingToDo) expect(lost[0]?.status, 'the call that changed nothing').to.be.within(400, 499);
  return isChanged;
};
