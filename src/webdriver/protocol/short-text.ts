/** Shortens what a client has sent for a message: selectors and names may be as long as a body. */

const SHOWN_CHARS_MAX = 200

export const shortText = (text: string): string =>
  text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}...` : text
