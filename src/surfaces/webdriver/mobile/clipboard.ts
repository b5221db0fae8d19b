/** The `mobile:` methods about the clipboard, whose content travels as base64. */
import { isUtf8 } from 'node:buffer'
import { invalid, oneOf, optional, text } from '../protocol/arguments.ts'
import { base64Of, bytesOf } from '../protocol/base64.ts'
import { mobileMethod } from './mobile-method.ts'

const contentType = optional(oneOf(['plaintext'] as const))

export const setClipboard = mobileMethod({
  name: 'setClipboard',
  summary: 'Puts a text, as base64, on the clipboard. label is accepted.',
  args: { content: text, contentType, label: optional(text) },
  async run(session, { content }) {
    const copied = bytesOf(content, 'content')
    if (!isUtf8(copied)) throw invalid('The argument content must be base64 of a text in UTF-8.')
    await session.act([{ type: 'set_clipboard', params: { text: copied.toString('utf8') } }])
    return null
  },
})

export const getClipboard = mobileMethod({
  name: 'getClipboard',
  summary: 'The text on the clipboard, as base64.',
  args: { contentType },
  async run(session) {
    const [step] = await session.act([{ type: 'get_clipboard' }])
    return base64Of(Buffer.from(step?.data.text ?? '', 'utf8'))
  },
})

export const CLIPBOARD_METHODS = [setClipboard, getClipboard]
