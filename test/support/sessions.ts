/** Sign-up and sign-in over HTTP, and a check of whether credentials are still valid. */
import { randomUUID } from 'node:crypto';
import { api } from './api.ts';
import { aPerson, PASSWORD, type Person } from './people.ts';
import { waitUntil } from './wait-until.ts';

/** The body of a sign-up. */
export const anAccount = (more: object = {}) => ({
  ...{ email: `${randomUUID()}@example.com`, password: PASSWORD, firstname: 'Ann', lastname: 'Lee' },
  ...more,
});

/** Signs in with a password. */
export const signIn = (email: string, password = PASSWORD) => api().post('/v3/auth/signin', { email, password });

/** A person who has signed in with a password over HTTP. */
export const aSession = async (): Promise<Person> => {
  const { id, email } = await aPerson();
  return { id, email, authorization: (await signIn(email)).body.token };
};

/** The credentials of an account for Basic authentication. */
export const withBasicPassword = ({ email }: { email: string }, password = PASSWORD) => ({
  id: '',
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

/** The status of a call that every signed-in caller may make: 200, or 401 if the credentials are not valid. */
export const authenticationStatus = async (caller: { id: string; authorization: string }) =>
  (await api(caller).get('/v3/users')).status;

/** Waits until the credentials are refused; a revocation takes up to a second. */
export const waitUntilSignedOut = (caller: Parameters<typeof authenticationStatus>[0]) =>
  waitUntil(async () => (await authenticationStatus(caller)) === 401);
