/** The one block in the AGENTS.md that all agents share. */
import { type BlockStyle, type Edited, withBlock, withoutBlock } from './marked-block.ts'

/** Alone on its line, each. */
export const BRIDGE_START = '<!-- SVC_SHARED_AGENT_BRIDGE:START -->'
export const BRIDGE_END = '<!-- SVC_SHARED_AGENT_BRIDGE:END -->'

const BRIDGE: BlockStyle = { start: BRIDGE_START, end: BRIDGE_END, isSetOff: true }

/** `lines` stand between the markers. */
export const withBridge = (text: string, lines: readonly string[]): Edited => withBlock(text, lines, BRIDGE)

/** Restores the text from before the block was added; no file is ever made for the block, so none is removed. */
export const withoutBridge = (text: string): Edited => {
  const left = withoutBlock(text, BRIDGE)
  return left.ok ? { ok: true, text: left.text ?? '' } : left
}
