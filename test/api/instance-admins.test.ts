/** An account whose address is listed in `OPERATORS` is an instance administrator only if the address is verified. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { config } from '#shared/config.ts';
import { markVerified } from '#shared/domain/accounts/address-verification.ts';
import { User } from '#shared/models/user.ts';
import { api } from '../support/api.ts';
import { aMailbox } from '../support/mailbox.ts';
import { anInstanceAdmin } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

const ADMIN_ONLY_PATHS = ['/admin/queues', '/metrics', '/v3/projects/all'];
/** An address listed in `OPERATORS` that has no account when a test starts. */
const UNCLAIMED_ADDRESS = config.OPERATORS[1] as string;

describe('Instance administrators (OPERATORS)', () => {
  let mailbox: Awaited<ReturnType<typeof aMailbox>>;

  const deleteAccount = () => User.deleteMany({ email: UNCLAIMED_ADDRESS });

  const signUp = async () => {
    const password = randomUUID();
    const account = { email: UNCLAIMED_ADDRESS, password, firstname: 'Eve', lastname: 'Lee' };
    const { body } = await api().post('/v3/auth/signup', account);
    const { token } = (await api().post('/v3/auth/signin', { email: UNCLAIMED_ADDRESS, password })).body;
    const basic = Buffer.from(`${UNCLAIMED_ADDRESS}:${password}`).toString('base64');
    const id: string = body.user._id;
    return [token as string, `Basic ${basic}`].map((authorization) => ({ id, authorization }));
  };

  const statuses = async (callers: { id: string; authorization: string }[]): Promise<number[]> => {
    const replies = callers.flatMap((caller) => ADMIN_ONLY_PATHS.map((path) => api(caller).get(path)));
    return (await Promise.all(replies)).map(({ status }) => status);
  };

  const expectInstanceAdmin = async (callers: { id: string; authorization: string }[]) => {
    await waitUntil(async () => (await statuses(callers)).every((status) => status === 200));
    expect(await statuses(callers)).to.deep.equal(Array(6).fill(200));
  };

  before(async () => {
    mailbox = await aMailbox();
  });

  beforeEach(deleteAccount);

  after(async () => {
    mailbox.close();
    await deleteAccount();
  });

  it('an account whose address is listed in OPERATORS has no administrator rights until the link in an email verifies the address', async () => {
    const callers = await signUp();
    expect(await statuses(callers)).to.deep.equal(Array(6).fill(403));
    const account = { email: 'x@example.com', password: randomUUID(), firstname: 'X', lastname: 'Y' };
    config.SIGNUP = 'closed';
    const refused = await api(callers[0]).post('/v3/auth/signup', account);
    config.SIGNUP = 'open';
    expect(refused.body.code).to.equal('SIGNUP_CLOSED');
    const key = await mailbox.secretTo(UNCLAIMED_ADDRESS);
    expect((await api(callers[0]).put(`/v3/auth/verifyemail/${callers[0]?.id}/${key}`)).status).to.equal(200);
    await expectInstanceAdmin(callers);
  });

  it('an account whose address is listed in OPERATORS gets administrator rights when an instance administrator marks the address as verified', async () => {
    const callers = await signUp();
    expect(await statuses(callers)).to.deep.equal(Array(6).fill(403));
    await markVerified(UNCLAIMED_ADDRESS);
    await expectInstanceAdmin(callers);
  });

  it('an instance administrator can call the endpoints for instance administrators', async () => {
    expect(await statuses([await anInstanceAdmin()])).to.deep.equal([200, 200, 200]);
  });
});
