/** A device id that names no device: whichever is free. With terms behind a colon it chooses one. */
export const ANY_DEVICE = 'any'
