/** The block in a shell's own file that loads the completion. */
import { type BlockStyle, type Edited, withBlock, withoutBlock } from './marked-block.ts'

/** A shell takes a carriage return for a part of the line. */
const SHELL: BlockStyle = { start: '# svc completion: start', end: '# svc completion: end', isSetOff: false, eol: '\n' }

export const withShellBlock = (text: string | undefined, line: string): Edited => withBlock(text, [line], SHELL)

export const withoutShellBlock = (text: string): ReturnType<typeof withoutBlock> => withoutBlock(text, SHELL)
