/**
 * Options of the MongoDB connections of test processes. Tests observe the commands. The write concern does not
 * state whether writes wait for the journal, so the server decides: on servers that tests kill, they wait; on that
 * of the suite, they do not.
 */
export const TEST_CONNECTION = { monitorCommands: true, writeConcern: { w: 'majority' } } as const;
