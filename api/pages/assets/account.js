const about = document.querySelector('#about');
const form = document.querySelector('form');
const message = document.querySelector('#message');

const call = async (method, path, body) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(path, { method, headers, body: JSON.stringify(body) });
  const reply = await response.json();
  if (!response.ok) throw new Error(reply.msg ?? reply.message);
  return reply;
};

const NAME_FIELDS = [
  { name: 'firstname', label: 'First name', autocomplete: 'given-name' },
  { name: 'lastname', label: 'Last name', autocomplete: 'family-name' },
];
const CURRENT_PASSWORD_FIELD = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
};
const EMAIL_FIELD = { name: 'email', label: 'Email address', type: 'email', autocomplete: 'email' };
const NEW_PASSWORD_FIELD = { name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password' };

/** The tasks by name: the first segment of the URL fragment. A task defines the form and the call that it makes. */
const tasks = {
  verify: async ([, user, code]) => ({
    about: 'Enter the password of your account to confirm your email address.',
    fields: [CURRENT_PASSWORD_FIELD],
    button: 'Confirm my address',
    done: 'Your address is confirmed.',
    send: ({ password }) => call('PUT', `/v3/auth/verifyemail/${user}/${code}`, { password }),
  }),
  forgotpassword: async () => ({
    about: 'Enter the email address of your account. We will send you a link to set a new password.',
    fields: [EMAIL_FIELD],
    button: 'Send the link',
    done: 'If an account with this address exists, an email has been sent to it.',
    send: (fields) => call('PUT', '/v3/auth/requestresetpsw', fields),
  }),
  resetpassword: async ([key]) => ({
    about: 'Choose a new password. All your devices will be signed out.',
    fields: [NEW_PASSWORD_FIELD],
    button: 'Set password',
    done: 'Your new password is set. You can now sign in with it.',
    send: (fields) => call('PUT', `/v3/auth/resetpsw/${key}`, fields),
  }),
  signup: async ([invitation]) => {
    const { email, role } = await call('GET', `/v3/auth/pendinginvitationsnoauth/${invitation}`);
    return {
      about: `You have been invited as ${role}. Create an account for ${email}.`,
      fields: [...NAME_FIELDS, NEW_PASSWORD_FIELD],
      button: 'Create my account',
      done: 'Your account has been created. You can now sign in.',
      send: (fields) => call('POST', '/v3/auth/signup', { ...fields, email, invitation }),
    };
  },
};

const showMessage = (text, isError = false) => {
  message.textContent = text;
  message.classList.toggle('error', isError);
};

const fieldOf = ({ label, ...attributes }) => {
  const element = document.createElement('label');
  element.append(label, Object.assign(document.createElement('input'), { required: true, ...attributes }));
  return element;
};

let task;

const showForm = () => {
  about.textContent = task.about;
  const button = Object.assign(document.createElement('button'), { textContent: task.button });
  form.replaceChildren(...task.fields.map(fieldOf), button);
  form.hidden = false;
};

const submitTask = async (event) => {
  event.preventDefault();
  try {
    await task.send(Object.fromEntries(new FormData(form)));
    form.hidden = true;
    showMessage(task.done);
  } catch (error) {
    showMessage(error.message, true); // the API's message states what to correct
  }
};

const openTask = async () => {
  const [, taskName, ...rest] = location.hash.split('/').map(encodeURIComponent);
  showMessage('');
  form.hidden = true;
  about.textContent = 'Sign in with the application that you use for your conversations.';
  if (!Object.hasOwn(tasks, taskName ?? '')) return;
  try {
    task = await tasks[taskName](rest);
    showForm();
  } catch (error) {
    showMessage(error.message, true); // for example, the invitation no longer exists
  }
};

/** Opens the task in the address. Shows the link for a forgotten password last, so that the form does not move it. */
const openAddress = async () => {
  await openTask();
  document.querySelector('#help').hidden = location.hash.startsWith('#/forgotpassword');
};

form.addEventListener('submit', submitTask);
addEventListener('hashchange', openAddress);
await openAddress();
