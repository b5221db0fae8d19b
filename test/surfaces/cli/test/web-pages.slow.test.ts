/** Flows over the pages of web views. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runCliHere } from '../../../support/cli/cli-here.ts'
import { WEB_SHOP_SCENARIO } from '../../../support/device/web-shop.ts'
import { temporary } from '../../../support/temporary.ts'

const folder = temporary('svc-web-')
beforeAll(() => writeFileSync(join(folder(), 'shop.json'), JSON.stringify(WEB_SHOP_SCENARIO)))

const ran = (flow: string) =>
  runCliHere(['test', resolve('test/fixtures/flows/web', flow), '--output', 'text', '--simulate=shop.json'], {
    cwd: folder(),
    env: { HOME: folder() },
  })

test('elements are looked for, read, filled and touched; ids and texts are those of the page too', async () => {
  const { code, stdout, stderr } = await ran('shop.yaml')
  expect([code, code === 0 ? '' : stdout + stderr]).toEqual([0, ''])
})

test.each([
  ['closed.yaml', ['NODE_NOT_FOUND', 'setWebContentsDebuggingEnabled(true)']],
  ['bad-selector.yaml', ['FLOW_INVALID', 'the page does not take the css selector "li["']],
])('%s fails with a remedy', async (flow, words) => {
  const { code, stdout } = await ran(flow)
  expect(code).toBe(1)
  for (const each of words) expect(stdout).toContain(each)
})
