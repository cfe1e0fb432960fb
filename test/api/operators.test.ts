/** Who operates this instance: more is asked of them than an address that anybody may sign up with (decision 53). */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { vouchFor } from '#shared/domain/access/accounts.ts';
import { config } from '#shared/config.ts';
import { User } from '#shared/models/user.ts';
import { api } from '../support/api.ts';
import { aMailbox } from '../support/mailbox.ts';
import { anOperator } from '../support/people.ts';
import { until } from '../support/until.ts';

const OPERATORS_ONLY = ['/admin/queues', '/metrics', '/v3/projects/all'];
/** Named in `OPERATORS`, and nobody's yet. */
const CLAIMED = config.OPERATORS[1] as string;

describe('An address of OPERATORS', () => {
  let mailbox: Awaited<ReturnType<typeof aMailbox>>;

  const forget = () => User.deleteMany({ email: CLAIMED });

  const signUp = async () => {
    const password = randomUUID();
    const account = { email: CLAIMED, password, firstname: 'Eve', lastname: 'Lee' };
    const { body } = await api().post('/v3/auth/signup', account);
    const { token } = (await api().post('/v3/auth/signin', { email: CLAIMED, password })).body;
    const basic = Buffer.from(`${CLAIMED}:${password}`).toString('base64');
    const id: string = body.user._id;
    return [token as string, `Basic ${basic}`].map((authorization) => ({ id, authorization }));
  };

  const statuses = async (callers: { id: string; authorization: string }[]): Promise<number[]> => {
    const asked = callers.flatMap((caller) => OPERATORS_ONLY.map((path) => api(caller).get(path)));
    return (await Promise.all(asked)).map(({ status }) => status);
  };

  const isSoonOperator = async (callers: { id: string; authorization: string }[]) => {
    await until(async () => (await statuses(callers)).every((status) => status === 200));
    expect(await statuses(callers)).to.deep.equal(Array(6).fill(200));
  };

  before(async () => {
    mailbox = await aMailbox();
  });

  beforeEach(forget);

  after(async () => {
    mailbox.close();
    await forget();
  });

  it('is worth nothing to who signed up with it first, until a mail sent there proves it', async () => {
    const callers = await signUp();
    expect(await statuses(callers)).to.deep.equal(Array(6).fill(403));
    const account = { email: 'x@example.com', password: randomUUID(), firstname: 'X', lastname: 'Y' };
    config.SIGNUP = 'closed';
    const refused = await api(callers[0]).post('/v3/auth/signup', account);
    config.SIGNUP = 'open';
    expect(refused.body.code).to.equal('SIGNUP_CLOSED');
    const key = await mailbox.keyTo(CLAIMED);
    expect((await api(callers[0]).put(`/v3/auth/verifyemail/${callers[0]?.id}/${key}`)).status).to.equal(200);
    await isSoonOperator(callers);
  });

  it('counts at once where the one who runs the instance vouches for it, though credentials were known', async () => {
    const callers = await signUp();
    expect(await statuses(callers)).to.deep.equal(Array(6).fill(403));
    await vouchFor(CLAIMED);
    await isSoonOperator(callers);
  });

  it('makes an operator of nobody but its account', async () => {
    expect(await statuses([await anOperator()])).to.deep.equal([200, 200, 200]);
  });
});
