/** The limits of files on their way to and from a device. */

/** Leaves room for the name of a draft beside it: the sync service of a phone takes 1,024 bytes. */
export const DEVICE_PATH_BYTES_MAX = 900
/** A transfer takes so many files, and as many folders. */
export const TRANSFER_FILES_MAX = 10_000
/** The content that the MCP tool `files` takes and gives. */
export const INLINE_FILE_BYTES_MAX = 1_024 * 1_024
/** Pictures and videos for the gallery in one step. */
export const MEDIA_PATHS = { min: 1, max: 50 } as const
