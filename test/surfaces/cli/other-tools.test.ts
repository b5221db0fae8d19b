/** What a failed command may have meant instead. */
import { expect, test } from 'vitest'
import { meantInstead } from '../../../src/surfaces/cli/other-tools.ts'

const on = (text: string) => ({ code: 'NODE_NOT_FOUND', details: { text } })
const LIST = on('screen 1 com.x\n@1.1 text "Settings"\n@1.2 list #list scroll')

test.each([
  ['click', ['Battery'], LIST, ' If it is further down: svc scroll-until Battery --click.'],
  ['wait', ["Don't disturb"], LIST, " If it is further down: svc scroll-until 'Don'\\''t disturb'."],
  ['wait', ['500'], LIST, ' To wait 500 ms: svc sleep 500.'],
  ['click', ['Battery'], on('screen 1 com.x\n@1.1 text "scroll"'), ''],
  ['click', ['@1.2'], LIST, ''],
  ['click', ['Battery'], { ...LIST, code: 'NODE_NOT_CLICKABLE' }, ''],
  ['type', ['hello', 'Name'], LIST, ''],
])('svc %s %j', (command, args, error, hint) => {
  expect(meantInstead({ path: [command] }, args, error)).toBe(hint)
})
