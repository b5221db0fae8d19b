/** The script of the viewer is loaded over slow links too: it stays as small as it is. */
import { existsSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'

const SCRIPT = new URL('../../../dist/inspector/app.js.gz', import.meta.url)
const MOST = 120 * 1_024

test.skipIf(!existsSync(SCRIPT))('the script of the viewer weighs at most 120 KB compressed', () => {
  expect(statSync(SCRIPT).size).toBeLessThanOrEqual(MOST)
})
