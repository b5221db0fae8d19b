/** The drafts of the actions beside the screen, as the flat commands build them. */
import type { Draft } from './flat-actions.ts'

export const shellAction = (command: string): Draft => ({ type: 'shell', params: { command } })

export const getClipboardAction = (): Draft => ({ type: 'get_clipboard' })

export const setClipboardAction = (text: string): Draft => ({ type: 'set_clipboard', params: { text } })
