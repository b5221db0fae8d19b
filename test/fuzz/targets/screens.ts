/** Screens: hierarchies of `uiautomator dump`, what the helper on the phone answers, and pages of web views. */

import { walk } from '../../../src/contracts/device/ui-tree.ts'
import { answerReader, ProtocolError } from '../../../src/device/operators/uiautomator/protocol.ts'
import { readingHelperTree } from '../../../src/device/operators/uiautomator/tree.ts'
import { identifyElement } from '../../../src/device/screen/elements/element-identity.ts'
import { parseHierarchy } from '../../../src/device/screen/parse-hierarchy.ts'
import { snapshotXml } from '../../../src/device/screen/snapshot-xml.ts'
import { findTapPoint } from '../../../src/device/screen/tap-point.ts'
import { withoutPauses } from '../../../src/runtime/yielding.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateLines } from '../mutate/pieces.ts'
import { mutateText } from '../mutate/text.ts'
import { expectSame, expectSameInPieces, expectThat, refusedBy, stateless, type Target } from '../target.ts'

const NODE =
  'index="0" text="Sa&amp;ve" resource-id="a.b:id/save" class="android.widget.Button" package="a.b" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[100,200][300,400]"'
const PARENT = NODE.replace('[100,200][300,400]', '[0,0][1080,2400]').replace('Button', 'FrameLayout')

const SCREEN = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy rotation="0">
  <node ${PARENT}>
    <node ${NODE} hint="Name" drawing-order="2" />
    <node ${NODE.replace('Sa&amp;ve', '&#x1F600;&#10;')} />
  </node>
</hierarchy>
UI hierchary dumped to: /dev/tty`

const WINDOWS = `<hierarchy rotation="0"><node window-index="0" window-active="true" window-bounds="[0,0][1080,2400]" visible-to-user="true" ${PARENT}><node visible-to-user="false" ${NODE}/><node hint-showing="true" ${NODE}/></node></hierarchy>`

const XML_WORDS = [
  ...[
    '<node',
    '</node>',
    '/>',
    '>',
    '<hierarchy',
    '</hierarchy>',
    '&amp;',
    '&#x0;',
    '&#55357;',
    '&quot;',
    '"',
    "'",
    '=',
  ],
  ...[
    'bounds="[0,0][1,1]"',
    'bounds="[-999999999,0][999999999,1]"',
    'text=""',
    'hint="a"',
    'rotation="3"',
    'true',
    'false',
  ],
  ...[
    'drawing-order="1"',
    'password="true"',
    '<!--',
    '-->',
    '<![CDATA[',
    'xmlns:a="b"',
    'scrollable="true"',
    'clickable="true"',
  ],
] as unknown as readonly [string, ...string[]]

const mutateXml = mutateText(XML_WORDS, [
  [`<node ${NODE}>`, '</node>'],
  ['<node', '/>'],
  ['[', ']'],
])
const mutateScreen = oneOf(mutateXml, mutateXml, mutateLines(mutateXml))

const LOOKED_AT_MAX = 300

export const hierarchy: Target = {
  name: 'hierarchy',
  seeds: [SCREEN, WINDOWS, '<hierarchy rotation="1"/>'],
  mutate: mutateScreen,
  open: stateless(input => {
    const read = parseHierarchy(input.toString('utf8'))
    if (!read.ok) {
      expectThat(read.problem !== '' && read.at >= 0, 'a refusal without a reason')
      return 'refused'
    }
    const xml = snapshotXml(read.tree, { hasDrawingOrder: true })
    const again = parseHierarchy(xml)
    expectThat(again.ok, 'a screen that was read, written and then refused')
    if (again.ok) expectSame('the screen', snapshotXml(again.tree, { hasDrawingOrder: true }), xml)
    const found = [...walk(read.tree.roots)].slice(0, LOOKED_AT_MAX)
    for (const each of found) findTapPoint(each, each.node)
    for (const each of found.slice(0, 3)) identifyElement(read.tree, each)
    return 'accepted'
  }),
}

export const helperScreens: Target = {
  name: 'helper-screens',
  seeds: [WINDOWS, SCREEN],
  mutate: mutateScreen,
  open: stateless(input => {
    const read = withoutPauses(readingHelperTree(input.toString('utf8'), { width: 1_080, height: 2_400 }))
    if (!read.ok) return 'refused'
    for (const { node } of walk(read.tree.roots)) {
      const { left, top, right, bottom } = node.bounds
      expectThat(
        [left, top, right, bottom].every(edge => edge >= 0 && edge <= 2_400),
        'a node outside of the display',
      )
    }
    return 'accepted'
  }),
}

const REQUEST = { command: 'snapshot', id: '0011223344556677' } as const
const headOf = (more: string) =>
  `agentDeviceProtocol=android-snapshot-helper-v1\nhelperApiVersion=2\nrequestId=${REQUEST.id}\n${more}\n\n`

export const helperAnswers: Target = {
  name: 'helper-answers',
  seeds: [
    `${headOf(`ok=true\nbyteLength=${Buffer.byteLength(WINDOWS)}`)}${WINDOWS}`,
    headOf('ok=false\nerrorType=Timeout\nmessage=it took too long'),
    headOf('ok=true\nbyteLength=0'),
  ],
  mutate: oneOf(
    mutateLines(mutateText(['ok=true', 'ok=false', 'byteLength=', '0', '16777217', 'requestId', '=', '\n\n'])),
    mutateBytes,
  ),
  open: stateless(input => {
    const read = (pieces: readonly Buffer[]) => {
      const reader = answerReader(REQUEST)
      return refusedBy(ProtocolError, () => pieces.some(piece => reader.push(piece) !== undefined))
    }
    // What comes behind an answer is refused only where it comes with it.
    if (read([input]) === undefined) return 'refused'
    return expectSameInPieces(input, read) ? 'accepted' : 'refused'
  }),
}
