/** A home whose journal has seen one screen: with the labels of a test, and the execution that saw it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../src/runtime/clock.ts'
import { journalPath } from '../../../src/runtime/home.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import type { Screen, ScreenNode } from '../../../src/service/executions/screens/screen.ts'
import { createScreenMemory } from '../../../src/service/executions/screens/screen-memory.ts'

export const seenNode = (label: string, more: Partial<ScreenNode> = {}): ScreenNode => ({
  path: '0',
  role: 'text',
  label,
  id: '',
  className: 'android.widget.TextView',
  packageName: 'com.example.app',
  state: [],
  within: 0,
  ...more,
})

/** The actor of the device has the hardware serial; the receipt, which says how it is connected, is not there. */
export const SEEN_DEVICE = 'seen-1'

export const rememberScreen = async (svcHome: string, nodes: readonly ScreenNode[], device = SEEN_DEVICE) => {
  const path = journalPath(svcHome)
  mkdirSync(join(path, '..'), { recursive: true })
  const clock = systemClock()
  const journal = openJournal({ path, alive: () => true, clock })
  try {
    const screen: Screen = { package: 'com.example.app', isDialog: false, nodes: [...nodes] }
    return await createScreenMemory({ journal, clock }).remember(device, screen, 'no-receipt')
  } finally {
    journal.close()
  }
}
