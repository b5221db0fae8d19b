/** Scenarios of simulated phones and the screens that they are made of: whatever is accepted can be run. */
import { parseHierarchy } from '../../../src/device/screen/parse-hierarchy.ts'
import { snapshotXml } from '../../../src/device/screen/snapshot-xml.ts'
import { createPhone } from '../../../src/simulator/device.ts'
import { scenarioFromDumps } from '../../../src/simulator/from-dump/from-dump.ts'
import { readDump } from '../../../src/simulator/from-dump/read-dump.ts'
import { readScenario } from '../../../src/simulator/scenario/scenario.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { mutateJson } from '../mutate/json.ts'
import { expectThat, stateless, type Target } from '../target.ts'
import { hierarchy } from './screens.ts'

const SHOP = {
  device: { model: 'Pixel 7', size: { width: 1_080, height: 2_400 } },
  timeScale: 0.01,
  apps: [
    {
      package: 'com.shop',
      label: 'Shop',
      icon: '#1E8E3E',
      start: 'list',
      permissions: ['android.permission.CAMERA'],
      intents: [{ uri: 'shop://*', goTo: 'done', set: { name: { text: '{uri}' } } }],
      screens: {
        list: {
          activity: '.Main',
          nodes: [
            { text: 'Buy', id: 'buy', class: 'Button', onTap: { goTo: 'done' } },
            { id: 'name', hint: 'Name', onText: { set: { buy: { text: '{text}' } } } },
            { text: 'Gift', class: 'Switch', checked: true, onTap: { toggle: 'gift' }, id: 'gift' },
            { text: 'Late', appearsAfter: { ms: 500, reads: 2 } },
            { scrollable: true, height: 400, nodes: [{ text: 'Row', drawingOrder: 2, bounds: [0, 0, 100, 100] }] },
            { class: 'WebView', page: { title: 'Page' }, nodes: [{ element: { id: 'x' }, text: 'In page' }] },
          ],
        },
        done: {
          rotation: 1,
          dialog: { bounds: [100, 100, 900, 900] },
          nodes: [{ text: 'Thanks', onTap: [{ back: true }], onKey: { BACK: { goTo: 'list' } } }],
        },
      },
    },
  ],
  front: 'com.shop',
  faults: [{ kind: 'slow', ms: 10 }],
}
const PLAIN = { apps: [{ package: 'a.b', screens: { main: { nodes: [{ text: 'x', onTap: { goTo: 'main' } }] } } }] }

export const scenarios: Target = {
  name: 'scenarios',
  seeds: [JSON.stringify(SHOP), JSON.stringify(PLAIN), '{"apps":[]}'],
  mutate: mutateJson,
  open: stateless(input => {
    const read = readScenario(input.toString('utf8'))
    if (!read.ok) {
      expectThat(/^(?:\/|\(top\))/.test(read.error), `a refusal without a place: ${read.error}`)
      return 'refused'
    }
    const phone = createPhone({ name: 'sim', serialno: 'S', scenario: read.scenario, clock: manualClock() })
    const tree = phone.tree()
    if (tree) expectThat(parseHierarchy(snapshotXml(tree)).ok, 'a phone whose screen cannot be read')
    phone.tap({ x: 540, y: 100 })
    phone.tap({ x: 540, y: 1_200 })
    phone.swipe({ x: 500, y: 1_500 }, { x: 500, y: 200 }, 100)
    phone.startActivity({ action: 'android.intent.action.VIEW', data: 'shop://a', extras: {} } as never)
    phone.key('BACK')
    phone.type('x')
    phone.key('HOME')
    phone.tree()
    phone.close()
    return 'accepted'
  }),
}

export const dumps: Target = {
  name: 'scenario-dumps',
  seeds: hierarchy.seeds,
  mutate: hierarchy.mutate,
  open: stateless(input => {
    const dump = readDump(input.toString('utf8'))
    if (!dump.ok) return 'refused'
    const made = scenarioFromDumps([{ name: 'screen', dump: dump.dump }])
    if (!made.ok) return 'refused'
    const read = readScenario(JSON.stringify(made.scenario))
    expectThat(read.ok, `a scenario made of a dump is refused: ${read.ok ? '' : read.error}`)
    return 'accepted'
  }),
}
