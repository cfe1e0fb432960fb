/**
 * Options of the MongoDB connections of test processes. Tests observe the commands. The write concern does not
 * state whether writes wait for the journal, so the server decides: writes wait on servers that tests kill, and do not
 * wait on the server of the suite.
 */
export const TEST_CONNECTION = { monitorCommands: true, writeConcern: { w: 'majority' } } as const;
