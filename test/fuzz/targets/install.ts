/** Files of the user that svc writes a block into: every other byte of them is there again once the block is gone. */
import {
  type Edited,
  withBridge,
  withoutBridge,
  withoutShellBlock,
  withShellBlock,
} from '../../../src/service/install/marked-block.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateLines } from '../mutate/pieces.ts'
import { mutateText } from '../mutate/text.ts'
import { expectSame, expectThat, stateless, type Target } from '../target.ts'

const BYTES = 'latin1'
const BRIDGE = ['<!-- SVC_SHARED_AGENT_BRIDGE:START -->', '<!-- SVC_SHARED_AGENT_BRIDGE:END -->'] as const
const SHELL = ['# svc completion: start', '# svc completion: end'] as const
const LINE = '[ -r /x ] && . /x'

interface Block {
  put(text: string): Edited
  remove(text: string): { ok: true; text: string | undefined } | { ok: false; reason: string }
  marks: readonly [string, string]
}

/** A mark alone on its line; within one it is a text like any other. */
const hasLine = (text: string, mark: string): boolean =>
  text.split(/[\r\n]/).some(line => {
    const at = line.indexOf(mark)
    return at >= 0 && [line.slice(0, at), line.slice(at + mark.length)].every(side => /^[ \t]*$/.test(side))
  })

const judge = (text: string, { put, remove, marks }: Block): boolean => {
  const written = put(text)
  if (!written.ok) {
    expectThat(written.reason !== '', 'a refusal without a reason')
    expectThat(
      marks.some(mark => hasLine(text, mark)),
      'a file without a block is refused',
    )
    return false
  }
  expectThat(written.text.includes(marks[0]) && written.text.includes(marks[1]), 'no block was written')
  const again = put(written.text)
  expectThat(again.ok, 'a block that was written cannot be written again')
  if (again.ok) expectSame('the same block twice', again.text, written.text)
  const left = remove(written.text)
  expectThat(left.ok, 'a block that was written cannot be removed')
  if (!left.ok) return false
  expectThat(!hasLine(left.text ?? '', marks[0]), 'a block is left')
  if (!hasLine(text, marks[0])) expectSame('the text before the block', left.text, text)
  const none = remove(left.text ?? '')
  if (none.ok) expectSame('the text without a block', none.text, left.text ?? '')
  return true
}

const blockTarget = (name: string, seeds: readonly string[], block: Block): Target => ({
  name,
  seeds,
  mutate: oneOf(
    mutateLines(
      mutateText([...block.marks, ' ', '\t', '\r', '\r\n', '\n', 'x', '\v', '\u00a0'] as [string, ...string[]]),
    ),
    mutateText([...block.marks, '\n', '\r\n', '\r', ' ', '\t'] as [string, ...string[]]),
    mutateBytes,
  ),
  open: stateless(input => (judge(input.toString(BYTES), block) ? 'accepted' : 'refused')),
})

export const agentsFiles = blockTarget(
  'agents-files',
  [
    '# Rules\n\nBe brief.\n',
    `text\n\n${BRIDGE[0]}\nold\n${BRIDGE[1]}\nafter`,
    `a\r\n${BRIDGE[0]}\r\n${BRIDGE[1]} \r\n`,
    '',
  ],
  { put: text => withBridge(text, ['read this', 'and that']), remove: withoutBridge, marks: BRIDGE },
)

export const rcFiles = blockTarget(
  'rc-files',
  ['export A=1\n', `x\n${SHELL[0]}\nold\n${SHELL[1]}\n`, `${SHELL[0]}\n${LINE}\n${SHELL[1]}\t\n`, ''],
  { put: text => withShellBlock(text, LINE), remove: withoutShellBlock, marks: SHELL },
)
