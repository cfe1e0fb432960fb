/**
 * Options of the MongoDB connections of test processes. Tests observe the commands. The write concern leaves it to the
 * server whether a write waits for the journal: the server of the suite does not, the servers that tests kill do.
 */
export const TEST_CONNECTION = { monitorCommands: true, writeConcern: { w: 'majority' } } as const;
