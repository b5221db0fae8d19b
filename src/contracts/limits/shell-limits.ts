/** Limits of the actions on the shell and the clipboard of a phone. */

export const SHELL_COMMAND_BYTES_MAX = 8_000
/** The answer holds so much of each stream of a command. */
export const SHELL_OUTPUT_BYTES_MAX = 1_024 * 1_024
/** Quoted for the shell of the phone, such a text still fits into one command line. */
export const CLIPBOARD_CHARS_MAX = 8_000
