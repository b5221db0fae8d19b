/** The texts of commands that are on record for later commands: what was copied, or typed at random. */
import { FLOW_KEPT_TEXT_BYTES, FLOW_TEXT_BYTES } from '../language/limits.ts'
import type { AttemptState } from './attempt.ts'
import { failed } from './failure.ts'

type Kept = Pick<AttemptState, 'keptTextBytes'>

/** Throws CommandFailed for a text that is too long, and where the attempt has kept too much. */
export const keepText = (state: Kept, text: string): void => {
  const bytes = Buffer.byteLength(text)
  if (bytes > FLOW_TEXT_BYTES)
    throw failed('FLOW_INVALID', `The text has ${bytes} bytes, and a text of a flow may have ${FLOW_TEXT_BYTES}.`)
  if (state.keptTextBytes + bytes > FLOW_KEPT_TEXT_BYTES) {
    const fact = `The texts that this flow has copied or typed at random have more than ${FLOW_KEPT_TEXT_BYTES} bytes in all`
    throw failed('FLOW_INVALID', `${fact}, and no flow may keep more. Copy shorter texts, or fewer of them.`)
  }
  state.keptTextBytes += bytes
}

/** The text is what pasteText types, and what scripts see. */
export const keepCopiedText = (state: Kept & Pick<AttemptState, 'copiedText'>, text: string): void => {
  keepText(state, text)
  state.copiedText = text
}
