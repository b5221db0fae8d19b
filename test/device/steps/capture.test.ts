import { expect, test } from 'vitest'
import { snapshotXml } from '../../../src/device/screen/snapshot-xml.ts'
import { node, screen } from '../../support/device/fake-ui-driver.ts'
import { act } from '../screen/act.ts'

test('a snapshot is the XML of the screen and the package in front', async () => {
  const tree = screen(node({ text: 'Hello' }))
  const { data } = await act({ type: 'snapshot' }, { ui: { tree: () => tree } })
  expect(data).toEqual({ text: snapshotXml(tree), foreground_package: 'com.example' })
})

test('a window without hierarchy gives none', async () => {
  const { data } = await act({ type: 'snapshot' }, { ui: { tree: () => undefined } })
  expect(data).toEqual({ error: 'SNAPSHOT_HIERARCHY_UNAVAILABLE', message: 'the window returned no hierarchy' })
})

test.each(['close_app', 'take_screenshot'] as const)('%s is left to the host', async type => {
  const input = type === 'close_app' ? { type, params: { applicationId: 'com.example' } } : { type }
  const { error, driver } = await act(input)
  expect(error?.code).toBe('EXECUTION_ACTION_UNSUPPORTED')
  expect(driver.calls).toEqual([])
})
