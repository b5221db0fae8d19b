/** Large hierarchies are read in a thread, and come out the same. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { SCREEN_READ_HERE_CHARS } from '../../../../src/contracts/limits/limits.ts'
import { snapshotXml } from '../../../../src/device/screen/snapshot-xml.ts'
import { readScreen } from '../../../../src/service/executions/screens/read-screen.ts'
import { createScreenReader } from '../../../../src/service/executions/screens/screen-reader.ts'
import { textNode, treeOf, uiNode } from '../../../support/device/ui-nodes.ts'

const THREAD = fileURLToPath(new URL('../../../../dist/threads/screen.js', import.meta.url))
const { signal } = new AbortController()

test('a large hierarchy is read in a thread, and the event loop goes on meanwhile', async () => {
  const rows = Array.from({ length: 6_000 }, (_, index) => textNode(`Row ${index}`))
  const xml = snapshotXml(treeOf(uiNode('ListView', { scrollable: true }, rows)))
  expect(xml.length).toBeGreaterThan(SCREEN_READ_HERE_CHARS)
  const here = readScreen({ xml, package: 'com.example', wanted: [] })
  if (!here.ok) throw new Error(here.problem)
  const task = { xml, package: 'com.example', wanted: [{ before: here.screen, at: 4_000 }] }
  const reader = createScreenReader(THREAD)
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  const read = await reader.read(task, signal)
  clearInterval(timer)
  await reader.close()
  expect(read).toEqual(readScreen(task))
  expect(read.ok && read.found).toEqual([{ ok: true, matcher: { textEquals: 'Row 3999' } }])
  expect(turns).toBeGreaterThan(2)
})

test('what cannot be read says why', async () => {
  const read = await createScreenReader(undefined).read({ xml: '<hierarchy', package: '', wanted: [] }, signal)
  expect(read).toMatchObject({ ok: false, problem: expect.stringContaining('cannot be read') })
})
