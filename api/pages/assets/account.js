const about = document.querySelector('#about');
const form = document.querySelector('form');
const said = document.querySelector('#said');

const call = async (method, path, body) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(path, { method, headers, body: JSON.stringify(body) });
  const reply = await response.json();
  if (!response.ok) throw new Error(reply.msg ?? reply.message);
  return reply;
};

const NAMES = [
  { name: 'firstname', label: 'First name', autocomplete: 'given-name' },
  { name: 'lastname', label: 'Last name', autocomplete: 'family-name' },
];
const CURRENT = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' };
const EMAIL = { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email' };
const PASSWORD = { name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password' };

/** What a link is for, by the first word behind its `#`: what is asked, and what is done with it. */
const tasks = {
  verify: async ([, user, code]) => ({
    about: 'Confirm with the password of your account that this e-mail address is yours.',
    fields: [CURRENT],
    button: 'Confirm my address',
    done: 'Your address is confirmed.',
    send: ({ password }) => call('PUT', `/v3/auth/verifyemail/${user}/${code}`, { password }),
  }),
  forgotpassword: async () => ({
    about: 'Where is your account? A link goes there that sets a new password.',
    fields: [EMAIL],
    button: 'Send me the link',
    done: 'If there is such an account, a mail is on its way.',
    send: (fields) => call('PUT', '/v3/auth/requestresetpsw', fields),
  }),
  resetpassword: async ([key]) => ({
    about: 'Choose a new password. Whoever is signed in with the old one is signed out.',
    fields: [PASSWORD],
    button: 'Set the password',
    done: 'Your new password is set; sign in with it.',
    send: (fields) => call('PUT', `/v3/auth/resetpsw/${key}`, fields),
  }),
  signup: async ([invitation]) => {
    const { email, role } = await call('GET', `/v3/auth/pendinginvitationsnoauth/${invitation}`);
    return {
      about: `You are invited as ${role}. Make an account for ${email}.`,
      fields: [...NAMES, PASSWORD],
      button: 'Make my account',
      done: 'Your account is made; sign in with it.',
      send: (fields) => call('POST', '/v3/auth/signup', { ...fields, email, invitation }),
    };
  },
};

const say = (text, refused = false) => {
  said.textContent = text;
  said.classList.toggle('refused', refused);
};

const fieldOf = ({ label, ...attributes }) => {
  const line = document.createElement('label');
  line.append(label, Object.assign(document.createElement('input'), { required: true, ...attributes }));
  return line;
};

let task;

const show = () => {
  about.textContent = task.about;
  const button = Object.assign(document.createElement('button'), { textContent: task.button });
  form.replaceChildren(...task.fields.map(fieldOf), button);
  form.hidden = false;
};

const send = async (event) => {
  event.preventDefault();
  try {
    await task.send(Object.fromEntries(new FormData(form)));
    form.hidden = true;
    say(task.done);
  } catch (error) {
    say(error.message, true); // what the server has against it is for the person to mend
  }
};

const begin = async () => {
  const [, word, ...rest] = location.hash.split('/').map(encodeURIComponent);
  say('');
  form.hidden = true;
  about.textContent = 'Sign in with the program that you use for your conversations.';
  if (!Object.hasOwn(tasks, word ?? '')) return;
  try {
    task = await tasks[word](rest);
    show();
  } catch (error) {
    say(error.message, true); // an invitation that is no more
  }
};

form.addEventListener('submit', send);
addEventListener('hashchange', begin);
void begin();
