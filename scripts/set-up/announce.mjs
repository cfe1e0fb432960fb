/** The last words of `npm start`: where everything is and what to try first. */
import path from 'node:path';
import { say } from './terminal.mjs';

// After the first start the password is not shown again: the shell reads it from its file.
const loginOf = ({ file, login, fresh }) => (fresh ? login : `$(node -p "require('${file}').login")`);

const curl = (url, demo) => `curl -u "${loginOf(demo)}" -H 'content-type: application/json' \\
  ${url}/v3/${demo.project}/kb/qa \\
  -d '{"question": "${demo.question}", "namespace": "${demo.project}"}'`;

const signIn = ({ email, password, file, fresh }) =>
  fresh ? `${email}, password ${password} (shown once; kept in ${file})` : `${email}, its password is in ${file}`;

const demoLines = (url, demo) =>
  demo.missing
    ? [`Demo       ${demo.missing}`]
    : [`Sign-in    ${signIn(demo)}`, '', 'Ask the demo project a question:', '', curl(url, demo)];

/** Print addresses, the demo's sign-in with a curl that works when pasted, where things lie, and how to stop. */
export const announce = ({ url, dataDir, invitations, demo }) =>
  say(
    [
      '',
      `Open       ${url}`,
      `API        ${url}/docs`,
      `Queues     ${url}/admin/queues (with the sign-in of an operator)`,
      `Members    ${invitations}`,
      ...demoLines(url, demo),
      '',
      `Data       ${dataDir}`,
      `Logs       ${path.join(dataDir, 'logs')}`,
      'Stop       Ctrl-C, or SIGTERM to this process',
      '',
    ].join('\n'),
  );
