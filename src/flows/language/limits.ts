/** The numbers that bound a flow file and what it names. */

export const FLOW_FILE_BYTES = 1_048_576
/** Counts what aliases stand for as often as they do. */
export const FLOW_NODES_MAX = 10_000
export const FLOW_DEPTH_MAX = 64
export const SUBFLOW_LEVELS_MAX = 32
/** Entries of folders that are looked at for one plan. */
export const FOLDER_ENTRIES_MAX = 50_000
