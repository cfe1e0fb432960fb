/** People with accounts as the API meets them: signing up and in, and being known or not. */
import { randomUUID } from 'node:crypto';
import { api } from './api.ts';
import { aPerson, PASSWORD, type Person } from './people.ts';
import { until } from './until.ts';

/** What somebody signs up with. */
export const anAccount = (more: object = {}) => ({
  ...{ email: `${randomUUID()}@example.com`, password: PASSWORD, firstname: 'Ann', lastname: 'Lee' },
  ...more,
});

/** Sign in by password. */
export const signIn = (email: string, password = PASSWORD) => api().post('/v3/auth/signin', { email, password });

/** Somebody signed in by password, as clients do it. */
export const aSession = async (): Promise<Person> => {
  const { id, email } = await aPerson();
  return { id, email, authorization: (await signIn(email)).body.token };
};

/** The same account by Basic. */
export const basic = ({ email }: { email: string }, password = PASSWORD) => ({
  id: '',
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

/** 200 as long as somebody is known. */
export const statusOf = async (caller: { id: string; authorization: string }) =>
  (await api(caller).get('/v3/users')).status;

/** Access ends everywhere within a second. */
export const isOut = (caller: Parameters<typeof statusOf>[0]) => until(async () => (await statusOf(caller)) === 401, 1);
