/** The limits of what actions say of files of the host. */

/** The longest path that Linux takes. */
export const HOST_PATH_CHARS_MAX = 4_096
/** The APKs of one application. */
export const INSTALL_PATHS = { min: 1, max: 50 } as const
