/** The message that `npm start` prints once the system is ready. */
import path from 'node:path';
import { printLine } from './terminal.mjs';

// Only the first start prints the password. Later starts print a command that reads it from the file.
const loginText = ({ file, login, isNew }) => (isNew ? login : `$(node -p "require('${file}').login")`);

const curlCommand = (url, demo) => `curl -u "${loginText(demo)}" -H 'content-type: application/json' \\
  ${url}/v3/${demo.project}/kb/qa \\
  -d '{"question": "${demo.question}", "namespace": "${demo.project}"}'`;

const signInText = ({ email, password, file, isNew }) =>
  isNew ? `${email}, password ${password} (shown once; stored in ${file})` : `${email}; the password is in ${file}`;

const demoLines = (url, demo) =>
  demo.missing
    ? [`Sign-in    no demo project: ${demo.missing}`]
    : [`Sign-in    ${signInText(demo)}`, '', 'Ask the demo project a question:', '', curlCommand(url, demo)];

/** Prints the addresses, the sign-in of the demo with a curl command, the folders, and how to stop the system. */
export const printStartMessage = ({ url, dataDir, invitations, demo }) =>
  printLine(
    [
      '',
      `Open       ${url}`,
      `Demo       ${url}/demo`,
      ...(demo.project ? [`Dashboard  ${url}/v3/${demo.project}/dashboard`] : []),
      `API        ${url}/docs`,
      `Queues     ${url}/admin/queues (instance administrators only)`,
      `Members    ${invitations}`,
      ...demoLines(url, demo),
      '',
      `Data       ${dataDir}`,
      `Logs       ${path.join(dataDir, 'logs')}`,
      'Stop       Ctrl-C, or SIGTERM to this process',
      '',
    ].join('\n'),
  );
