/** The events of accounts. They belong to the instance, not to a project. */
import { randomUUID } from 'node:crypto';
import { createOneTimeToken } from '#shared/domain/access/one-time-tokens.ts';
import { INSTANCE } from '#shared/models/change.ts';
import { aPerson } from '../people.ts';
import { withToken } from '../tokens.ts';
import type { EventCause, EventScene } from './scene.ts';

const AUTH = '/v3/auth';

/** A new account with its password, signed up through the API. */
const signUp = async ({ call, guest }: EventScene) => {
  const account = { email: `${randomUUID()}@example.com`, password: randomUUID(), firstname: 'Eve', lastname: 'Lee' };
  const { user } = await call(guest, 'POST', `${AUTH}/signup`, account);
  return { ...account, id: user._id as string };
};

export const accountEvents: EventCause[] = [
  {
    operation: 'a person signs up, requests a link to reset the password and uses it',
    events: ['user.signup', 'user.requestresetpassword', 'user.resetpassword'],
    projectOf: () => INSTANCE,
    cause: async (scene) => {
      const { id: _id, email } = await signUp(scene);
      await scene.call(scene.guest, 'PUT', `${AUTH}/requestresetpsw`, { email });
      const key = await createOneTimeToken('reset', _id); // replaces the key in the email, which another process writes
      await scene.call(scene.guest, 'PUT', `${AUTH}/resetpsw/${key}`, { password: randomUUID() });
      const account = { _id, email, firstname: 'Eve', lastname: 'Lee', status: 100 };
      return {
        'user.signup': account,
        'user.requestresetpassword': account,
        'user.resetpassword': { ...account, emailverified: true },
      };
    },
  },
  {
    operation:
      'a person signs in and changes their name, another person closes their account, and a sign-in and a sign-up are refused',
    events: ['user.signin', 'user.signin.error', 'user.signup.error', 'user.update', 'user.delete'],
    projectOf: () => INSTANCE,
    cause: async (scene) => {
      const { call, callRefused, guest } = scene;
      const { id: _id, email, password } = await signUp(scene);
      const { token } = await call(guest, 'POST', `${AUTH}/signin`, { email, password });
      const person = withToken(token.replace('JWT ', ''), _id);
      await callRefused(guest, 'POST', `${AUTH}/signin`, { email, password: 'wrong' });
      await callRefused(guest, 'POST', `${AUTH}/signup`, { email, password, firstname: 'Eve', lastname: 'Lee' });
      await call(person, 'PUT', '/v3/users', { lastname: 'Stone' });
      const { history } = await call(person, 'GET', '/v3/jwt/history');
      const closing = await aPerson();
      await call(closing, 'DELETE', '/v3/users');
      return {
        'user.signin': { user: { _id, email }, jti: history[0].jti },
        'user.signin.error': { email, code: 'WRONG_CREDENTIALS' },
        'user.signup.error': { email, code: 'EMAIL_TAKEN' },
        'user.update': { _id, email, lastname: 'Stone' },
        'user.delete': { _id: closing.id, status: 0, firstname: 'Deleted' },
      };
    },
  },
];
