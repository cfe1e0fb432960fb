/** Accounts over HTTP: sign-up, sign-in, and whether a session is valid. */
import { randomUUID } from 'node:crypto';
import { api } from './api.ts';
import { aPerson, PASSWORD, type Person } from './people.ts';
import { waitUntil } from './wait-until.ts';

/** The body of a sign-up. */
export const anAccount = (more: object = {}) => ({
  ...{ email: `${randomUUID()}@example.com`, password: PASSWORD, firstname: 'Ann', lastname: 'Lee' },
  ...more,
});

/** Signs in by password. */
export const signIn = (email: string, password = PASSWORD) => api().post('/v3/auth/signin', { email, password });

/** A person signed in by password, as clients do it. */
export const aSession = async (): Promise<Person> => {
  const { id, email } = await aPerson();
  return { id, email, authorization: (await signIn(email)).body.token };
};

/** The same account with Basic authentication. */
export const basic = ({ email }: { email: string }, password = PASSWORD) => ({
  id: '',
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

/** 200 as long as the caller is authenticated. */
export const statusOf = async (caller: { id: string; authorization: string }) =>
  (await api(caller).get('/v3/users')).status;

/** Waits until access has ended, which takes up to a second. */
export const isSignedOut = (caller: Parameters<typeof statusOf>[0]) =>
  waitUntil(async () => (await statusOf(caller)) === 401);
