/**
 * Options of the MongoDB connections of test processes. Commands are monitored, so that tests can observe them. The
 * write concern does not state whether writes wait for the journal, so the server decides: writes wait on servers that
 * tests kill, and do not wait on the server of the suite.
 */
export const TEST_CONNECTION = { monitorCommands: true, writeConcern: { w: 'majority' } } as const;
