/** Figures of the documents that can be counted here; others are held where they are measured. */

import { expect, test } from 'vitest'
import { snapshotXml } from '../../../src/device/screen/snapshot-xml.ts'
import { compactText } from '../../../src/service/executions/screens/compact-lines.ts'
import { screenOf } from '../../../src/service/executions/screens/screen.ts'
import { createPhone } from '../../../src/simulator/device.ts'
import { defaultScenario } from '../../../src/simulator/scenario/default/apps.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { page } from './documents.ts'

test('a compact screen takes less than a tenth of the characters of its XML', () => {
  expect(page('screens')).toContain('takes less than a tenth of the characters of its XML')
  const phone = createPhone({ name: 'sim', serialno: 'SIM', scenario: defaultScenario(), clock: manualClock() })
  for (const packageName of phone.packages()) {
    if (!phone.startActivity({ packageName, extras: {} })) continue
    const tree = phone.tree()
    if (!tree) throw new Error(`${packageName} shows nothing`)
    const compact = compactText({ number: 1, screen: screenOf(tree, packageName) })
    expect(compact.length * 10, packageName).toBeLessThan(snapshotXml(tree).length)
  }
})
