/**
 * Options of the MongoDB connections of test processes. Commands are monitored, so that tests can observe them. The
 * write concern does not state whether writes wait for the journal, so the server decides: they do on servers that
 * tests kill, but not on the server of the suite.
 */
export const TEST_CONNECTION = { monitorCommands: true, writeConcern: { w: 'majority' } } as const;
