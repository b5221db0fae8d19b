/** Codes in which many stories end. The doors suite and the table of the contract have their text. */
export const DEVICE_CONFLICT = 'EXECUTION_CONFLICT_IN_FLIGHT'

export const UNNAMED_DEVICE = 'MULTIPLE_DEVICES_DEVICE_ID_REQUIRED'
