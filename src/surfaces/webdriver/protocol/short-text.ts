/** Shortens what a client has sent for a message: selectors and names may be as long as a body. */
import { shortenedText } from '../../../runtime/text/shortened-text.ts'

const SHOWN_CHARS_MAX = 200

export const shortText = (text: string): string => shortenedText(text, SHOWN_CHARS_MAX)
